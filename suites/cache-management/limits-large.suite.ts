/**
 * Section 8: limits that do not fit in 31 or 32 bits. The specification leaves open whether they are
 * accepted, but not which limit is in force afterwards.
 */

import { labelOf } from '../../services/caches/api/places.ts';
import { requireInteger, sent } from '../../services/caches/judging/malformed.ts';
import { largeSettings } from '../../services/caches/limits/large.ts';
import { malformedSettings } from '../../services/caches/limits/malformed.ts';
import { HIERARCHY_IDS } from '../../services/caches/requirement-ids/hierarchy.ts';
import { type Kind, LEVELS, PROPERTY } from '../../services/caches/vocabulary.ts';
import { type CacheContext, check } from './suite.ts';

const settingsCheck = check.with({ effects: 'settings' });

/** Fails if a level below the enterprise takes a value of more than 32 bits for a smaller one. */
async function below({ limits, expect }: CacheContext, kind: Kind): Promise<void> {
  for (const { place, before, value, rest, answer, read, after } of await largeSettings(limits, kind)) {
    expect.that(
      after !== rest && after >= Math.min(before, value),
      `the ${kind} limit of the ${labelOf(place)} was ${before}, was set to ${value} (${answer.status}) and reads ${after}`,
      { answer: read, at: `/${PROPERTY[kind]}` },
    );
  }
}

for (const [id, kind] of [
  ['CACHE-RETENTION-SET-OVERFLOW', 'retention'],
  ['CACHE-STORAGE-SET-OVERFLOW', 'storage'],
] as const) {
  for (const level of LEVELS) {
    // This runs after the checks of the hierarchy: nothing caps the enterprise, whose limit may get very
    // high.
    const options = level === 'enterprise' ? { phase: 'late' as const } : {};
    const needs = [`caches.${level}`, 'caches.enterprise'];
    settingsCheck(id, { ...options, case: level, needs }, async (context) => {
      for (const tried of await malformedSettings(context, 'OVERFLOW', kind, level)) {
        requireInteger(context, tried, kind);
        const { answer, read, value, before, asked } = tried;
        const at = `/${PROPERTY[kind]}`;
        const found = read.at(at);
        const where = { answer: read, at };
        context.expect.that(found !== value, `${sent(tried, kind)} and it reads ${value}`, where);
        // A server may lower an accepted value to the highest permitted one, which is not below the limit
        // before. That limit may exceed the value that was sent.
        context.expect.that(
          !answer.ok || Number(found) >= Math.min(before, asked ?? before),
          `${sent(tried, kind)} and it went from ${before} down to ${found}`,
          where,
        );
      }
      if (level === 'enterprise') await below(context, kind);
    });

    if (level === 'enterprise') continue;
    // A wrong server may compare with the level above in 32 bits, or not at all where it lowers the value.
    const cap = HIERARCHY_IDS[kind][level === 'organization' ? 'ORG-ENT' : 'REPO-ORG'];
    const above = level === 'organization' ? 'caches.enterprise' : 'caches.organization';
    settingsCheck(cap, { case: 'beyond-32-bits', needs: [`caches.${level}`, above] }, async (context) => {
      for (const tried of await malformedSettings(context, 'OVERFLOW', kind, level)) {
        const found = Number(tried.read.at(`/${PROPERTY[kind]}`));
        context.expect.that(
          !(found > tried.cap),
          `${sent(tried, kind)} and it reads ${found}, above the ${tried.cap} of a level above`,
          { answer: tried.read, at: `/${PROPERTY[kind]}`, expected: `at most ${tried.cap}` },
        );
      }
    });
  }
}
