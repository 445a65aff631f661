/** 4: users, and uses of `jti`, that are easily taken for one another (RFC 7519 2: compared without any transformation). */
import { told } from '../../services/agents/fixtures/registration.ts';
import type { Subject } from '../../services/agents/idp/identity-provider.ts';
import { codeOf } from '../../services/agents/judging/error-codes.ts';
import { check as suiteCheck } from './suite.ts';

// Registrations of further users, of which no other check is to be the next.
const check = suiteCheck.with({ phase: 'scarce' });

/** Two users each, made of a new one: what a column that cuts, or a database that normalises, makes one of. */
const ALIKE: Record<string, { whose: string; users: (user: Subject) => Subject[] }> = {
  'long-subs': {
    whose: 'sub differ after 150 characters only',
    users: endingWith(`${'-long'.repeat(24)}-a`, `${'-long'.repeat(24)}-b`),
  },
  'unicode-subs': {
    whose: 'sub differ in their Unicode form only',
    users: endingWith('-caf\u00e9', '-cafe\u0301'),
  },
  'spaced-subs': { whose: 'sub differ by a space at the end only', users: endingWith('-user', '-user ') },
  // Collations of databases take all characters beyond the basic plane for one.
  'emoji-subs': { whose: 'sub differ in an emoji only', users: endingWith('-\u{1f363}', '-\u{1f37a}') },
  'accented-emails': {
    whose: 'email differ in an accent only',
    users: ({ sub, email }) =>
      ['e', '\u00e9'].map((letter, n) => ({
        sub: `${sub}-${n}`,
        email: email.replace('@', `.ren${letter}@`),
      })),
  },
  'tagged-emails': {
    whose: 'email differ after a plus sign only',
    users: ({ sub, email }) => ['one', 'two'].map((tag) => tagged({ sub: `${sub}-${tag}`, email }, tag)),
  },
};

function endingWith(...endings: string[]): (user: Subject) => Subject[] {
  // What the email is does not matter, as long as no two users have the same.
  return ({ sub, email }) =>
    endings.map((end, n) => ({ sub: sub + end, email: email.replace('@', `.${n}@`) }));
}

/** A user with a tag in the email address. */
function tagged(user: Subject, tag: string): Subject {
  return { ...user, email: user.email.replace('@', `+${tag}@`) };
}

for (const [name, { whose, users }] of Object.entries(ALIKE)) {
  check('AGENT-USERS-TWO-IDS', { case: name, effects: 'write' }, async (context) => {
    const { registrations, expect, skip, block, target } = context;
    if (registrations.users.fixed)
      skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
    const ids: string[] = [];
    for (const user of users(registrations.users.next())) {
      const purpose = `register one of two users whose ${whose}`;
      const { answer } = await registrations.register(purpose, { user, budget: 'sweep' });
      // Whether such a user is taken at all is left open.
      if (!answer.ok) return skip(`a user with ${user.sub} and ${user.email} is refused: ${told(answer)}`);
      const id = answer.at('/user_id');
      if (typeof id !== 'string')
        return block('the registration response has no string user_id', 'AGENT-REG-USER-ID');
      expect.that(!ids.includes(id), `two users whose ${whose} have one user_id`, {
        answer,
        at: '/user_id',
        expected: `another than ${ids[0]}`,
        found: id,
      });
      ids.push(id);
    }
  });
}

/** Two values of `jti` each. */
const JTIS: Record<string, { how: string; endings: [string, string] }> = {
  case: { how: 'in the case of its letters', endings: ['-abcdef', '-ABCDEF'] },
  end: {
    how: 'after 300 characters',
    endings: [`${'-long'.repeat(60)}-a`, `${'-long'.repeat(60)}-b`],
  },
};

for (const [name, { how, endings }] of Object.entries(JTIS)) {
  check('AGENT-JTI-SIMILAR', { case: name, effects: 'write' }, async (context) => {
    const { registrations, session, expect, skip, undecided } = context;
    if (!registrations.hasOwnKey) skip('a hook signs the assertions and chooses the `jti`');
    const unique = session.unique();
    const purpose = `register with a jti that differs ${how} only`;
    for (const ending of endings) {
      const { answer } = await registrations.register(purpose, {
        changes: { claims: { jti: `${unique}${ending}` } },
        budget: 'sweep',
      });
      // Whether such a `jti` is taken at all is left open.
      if (!answer.ok && codeOf(answer) !== 'replay_detected')
        return skip(`a jti like this is refused: ${told(answer)}`);
      const isAgain = answer.exchange.purpose !== purpose || session.http.recorder.disturbances.unsure > 0;
      if (!answer.ok && isAgain) undecided('the registration may have arrived twice');
      expect.accepted(answer, `no assertion has had its \`jti\`, only one that differs ${how}`);
    }
  });
}
