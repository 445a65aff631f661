/** Section 1, hierarchy rule: random sequences of settings against a model of the hierarchy. */
import { explore, tell } from '../support/caches/hierarchy/explore.ts';
import { KINDS, kindCode, limitId } from '../support/caches/words.ts';
import { check } from './suite.ts';

/** The rules that a sequence may put to the test; what it did not remains open. */
const RULES = [
  'ORG-ENT',
  'REPO-ORG',
  'REPO-ENT',
  'ORG-ENT-LOWERED',
  'REPO-ORG-LOWERED',
  'REPO-ENT-LOWERED',
  'RAISED',
  'ORG-EQUAL',
  'REPO-EQUAL',
  'ORG-LOWER',
  'REPO-LOWER',
  'PARENT-ABOVE',
];

for (const kind of KINDS) {
  const id = (rule: string) => `CACHE-HIER-${kindCode(kind)}-${rule}`;
  const options = {
    case: 'model',
    effects: 'settings' as const,
    needs: ['caches.organization', 'caches.repository'],
  };

  check(RULES.map(id), options, async ({ limits, session, verdicts, expect, block }) => {
    const { held, breach } = await explore(limits, kind, session.options.seed);
    for (const rule of held) expect.holds(id(rule));
    if (breach) {
      const { rule, steps, fault, answer } = breach;
      expect.for(id(rule)).fail(`${tell(limits, kind, steps)}: that ${fault}`, { answer });
    }
    if (held.size === 0)
      block('no setting put a rule to the test', limitId('organization', kind, 'SET-STATUS'));
    for (const rule of RULES) if (!held.has(rule)) verdicts.set(id(rule), 'blocked');
  });
}
