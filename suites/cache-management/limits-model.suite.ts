/**
 * Section 1, hierarchy rule: a random sequence of settings on all levels, compared with a model of the
 * hierarchy. Each rule that the sequence exercises is judged separately.
 */

import { perRun } from '../../lib/check/per-run.ts';
import { describeSteps, explore } from '../../services/caches/limits/hierarchy/explore.ts';
import { ALL_RULES } from '../../services/caches/limits/hierarchy/model.ts';
import { HIERARCHY_IDS } from '../../services/caches/requirement-ids/hierarchy.ts';
import { KINDS, type Kind } from '../../services/caches/vocabulary.ts';
import { type CacheContext, check } from './suite.ts';

/** Sends a sequence of settings drawn from the seed of the run, and compares it with the model. */
const explored = perRun(
  'caches: sequence of settings',
  async ({ limits, session }: Pick<CacheContext, 'limits' | 'session'>, kind: Kind) =>
    explore(limits, kind, session.options.seed + (kind === 'storage' ? 1 : 0)),
);

const settingsCheck = check.with({ effects: 'settings' });

for (const kind of KINDS) {
  for (const rule of ALL_RULES) {
    const needs = ['caches.organization', 'caches.repository'];

    settingsCheck(
      HIERARCHY_IDS[kind][rule],
      { case: 'model', needs },
      async ({ limits, session, expect, block, skip }) => {
        const { held, breach } = await explored({ limits, session }, kind);
        if (breach?.rule === rule) {
          const { steps, fault, answer } = breach;
          expect.fail(`${describeSteps(limits, kind, steps)}: that ${fault}`, { answer });
        }
        if (held.has(rule)) return;
        if (breach)
          block(
            `the sequence of settings did not exercise this rule: it ended when ${HIERARCHY_IDS[kind][breach.rule]} was broken (${describeSteps(limits, kind, breach.steps.slice(-1))}: that ${breach.fault})`,
            HIERARCHY_IDS[kind][breach.rule],
          );
        skip('with this target the sequence of settings did not exercise this rule; try another --seed');
      },
    );
  }
}
