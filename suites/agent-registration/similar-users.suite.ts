/** 4 Account rules: users whose `sub` are easily taken for one another (RFC 7519 2: compared without any transformation). */
import { told } from '../../services/agents/fixtures/registration.ts';
import { check as suiteCheck } from './suite.ts';

// Registrations of further users, of which no other check is to be the next.
const check = suiteCheck.with({ phase: 'scarce' });

/** Two endings of a `sub` each: what a column that cuts, or a database that normalises, makes one of. */
const ALIKE: Record<string, { words: string; endings: [string, string] }> = {
  'long-subs': {
    words: 'differ after 150 characters only',
    endings: [`${'-long'.repeat(24)}-a`, `${'-long'.repeat(24)}-b`],
  },
  'unicode-subs': { words: 'differ in their Unicode form only', endings: ['-caf\u00e9', '-cafe\u0301'] },
  'spaced-subs': { words: 'differ by a space at the end only', endings: ['-user', '-user '] },
};

for (const [name, { words, endings }] of Object.entries(ALIKE)) {
  check('AGENT-USERS-TWO-IDS', { case: name, effects: 'write' }, async (context) => {
    const { registrations, expect, skip, block, target } = context;
    const { users } = registrations;
    if (users.fixed) skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
    const { sub } = users.next();
    const ids: string[] = [];
    for (const ending of endings) {
      const user = { ...users.next(), sub: `${sub}${ending}` };
      const { answer } = await registrations.register(`register one of two users whose sub ${words}`, {
        user,
        budget: 'sweep',
      });
      // Whether such a `sub` is taken at all is left open.
      if (!answer.ok) return skip(`a user whose sub is ${user.sub} is refused: ${told(answer)}`);
      const id = answer.at('/user_id');
      if (typeof id !== 'string')
        return block('the registration response has no string user_id', 'AGENT-REG-USER-ID');
      expect.that(!ids.includes(id), `two users whose sub ${words} have one user_id`, {
        answer,
        at: '/user_id',
        expected: `another than ${ids[0]}`,
        found: id,
      });
      ids.push(id);
    }
  });
}
