/**
 * 4: users that are easily mistaken for one another, although they are compared without any transformation
 * (RFC 7519 2), and registrations that are mistaken for one another because they are sent at the same time.
 */
import { createHash } from 'node:crypto';
import type { CheckContext } from '../../lib/check/context.ts';
import type { Expect } from '../../lib/check/expect.ts';
import { Skipped } from '../../lib/model/verdict.ts';
import { withSigns } from '../../services/agents/fixtures/identity-provider.ts';
import { type Registration, shortJti, statusAndCode } from '../../services/agents/fixtures/registration.ts';
import type { Registrations } from '../../services/agents/fixtures/registrations.ts';
import type { Subject } from '../../services/agents/idp/identity-provider.ts';
import { expectNoFailure } from '../../services/agents/judging/refusal.ts';
import { schemas } from '../../services/agents/judging/schemas.ts';
import { check as suiteCheck } from './suite.ts';

// These checks register further users, and run late, so that no other check depends on what comes directly
// after such registrations.
const check = suiteCheck.with({ phase: 'scarce' });

const STATUS = 'AGENT-REG-STATUS';
const ANOTHER_KEY = 'AGENT-USER-ANOTHER-KEY';
const SAME_ID = 'AGENT-USER-SAME-ID';

/** Returns nothing for what was skipped. */
function unlessSkipped(error: unknown): undefined {
  if (!(error instanceof Skipped)) throw error;
}

type Given = CheckContext & { registrations: Registrations };

/**
 * Pairs of users, made from a new one, that a service takes for one user if a column truncates them or a
 * database normalises them.
 */
const ALIKE: Record<string, { whose: string; users: (user: Subject) => Subject[]; again?: true }> = {
  'long-subs': {
    whose: 'sub differ after 150 characters only',
    users: endingWith(`${'-long'.repeat(24)}-a`, `${'-long'.repeat(24)}-b`),
    again: true,
  },
  'unicode-subs': {
    whose: 'sub differ in their Unicode form only',
    users: endingWith('-caf\u00e9', '-cafe\u0301'),
  },
  'spaced-subs': { whose: 'sub differ by a space at the end only', users: endingWith('-user', '-user ') },
  // Some database collations treat all characters beyond the Basic Multilingual Plane as equal.
  'emoji-subs': { whose: 'sub differ in an emoji only', users: endingWith('-\u{1f363}', '-\u{1f37a}') },
  // As floating-point numbers these are equal.
  'digit-subs': {
    whose: 'sub are numbers of 19 digits that differ in the last one',
    users: numbered('1', '2'),
  },
  // Subjects as other systems issue them, of which a service may take only a part.
  'delimited-subs': {
    whose: 'sub differ before or between their signs only',
    users: (user) => [
      ...endingWith('|user:a@one.example/1', '|user:a@two.example/1')(user),
      { sub: `${user.sub}-b|user:a@two.example/1`, email: user.email },
    ],
  },
  'zero-subs': { whose: 'sub are the same number but for a zero in front', users: zeroed },
  'accented-emails': {
    whose: 'email differ in an accent only',
    users: ({ sub, email }) =>
      ['e', '\u00e9'].map((letter, n) => ({
        sub: `${sub}-${n}`,
        email: email.replace('@', `.ren${letter}@`),
      })),
  },
  // The people of two domains have nothing to do with one another.
  namesakes: {
    whose: 'email differ in the domain only',
    users: ({ sub, email }) =>
      ['example.com', 'example.org'].map((domain, n) => ({
        sub: `${sub}-${n}`,
        email: email.replace(/@.*/, `.namesake@${domain}`),
      })),
  },
  'joined-claims': {
    whose: 'sub and email are the same text one behind the other',
    users: ({ sub, email }) => [
      { sub: `${sub}x`, email: `y.${email}` },
      { sub, email: `xy.${email}` },
    ],
  },
  // Subjects that a form or an address would give back alike.
  'encoded-subs': {
    whose: 'sub are the same when they are decoded',
    users: endingWith('-a b', '-a+b', '-a%20b'),
  },
};

function endingWith(...endings: string[]): (user: Subject) => Subject[] {
  // The email addresses do not matter, as long as they differ.
  return ({ sub, email }) =>
    endings.map((end, n) => ({ sub: sub + end, email: email.replace('@', `.${n}@`) }));
}

/** Returns users whose `sub` has 18 digits that are the same for all, and one more. */
function numbered(...last: string[]): (user: Subject) => Subject[] {
  return (user) =>
    endingWith(...last)(user).map((each, n) => ({
      ...each,
      sub: digits(user.sub, 18) + (last[n] as string),
    }));
}

function zeroed(user: Subject): Subject[] {
  const sub = digits(user.sub, 14);
  return endingWith('', '')(user).map((each, n) => ({ ...each, sub: n === 0 ? sub : `0${sub}` }));
}

/** Returns digits that are derived from a text and do not begin with a zero. */
function digits(text: string, count: number): string {
  const number = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
  return `9${number}`.slice(0, count);
}

for (const [name, { whose, users, again }] of Object.entries(ALIKE)) {
  const ids = ['AGENT-USERS-TWO-IDS', STATUS, ...(again ? [ANOTHER_KEY, SAME_ID] : [])];
  check(ids, { case: name, effects: 'write' }, async (context) => {
    const { registrations, expect, skip, block, target } = context;
    if (registrations.users.fixed)
      skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
    const alike = users(registrations.users.next());
    const ids: string[] = [];
    for (const user of alike) {
      const purpose = `register one of two users whose ${whose}`;
      const { answer } = await registrations.register(purpose, { user, budget: 'sweep' });
      expectNoFailure(expect, answer);
      if (answer.status >= 500) return block(`the registration is answered ${statusAndCode(answer)}`, STATUS);
      // Whether such a user is accepted at all is left open.
      if (!answer.ok)
        return skip(`a user with ${user.sub} and ${user.email} is refused: ${statusAndCode(answer)}`);
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
    if (again) await expectKnown(context, alike[0] as Subject, ids[0] as string);
  });
}

/**
 * Fails the check unless a user who has just registered is recognised, to catch a service whose column cannot
 * hold the whole `sub`.
 */
async function expectKnown({ registrations, expect }: Given, user: Subject, id: string): Promise<void> {
  const { answer } = await registrations.register('register that user again', { user, budget: 'sweep' });
  expect.soft(ANOTHER_KEY, (its) => its.accepted(answer, 'this user registered just now'));
  const at = { answer, at: '/user_id' };
  if (answer.ok)
    expect.soft(SAME_ID, (its) => its.equal(answer.at('/user_id'), id, 'user_id of the registration', at));
}

/** Claims about who acts for the user, with a `client_id` of its own for each caller. */
const callerOf = (client: string) => ({
  act: { sub: 'conformance-agent' },
  client_id: `https://${client}.example`,
});

check(['AGENT-USERS-TWO-IDS', SAME_ID], { case: 'callers', effects: 'write' }, async (context) => {
  const { registrations, expect, skip, block, target } = context;
  const { users } = registrations;
  if (users.fixed) skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
  registrations.endpoint.attempts.requireSweep(3);
  await registrations.twin();
  const [one, other] = [users.next(), users.next()];
  const register = async (user: Subject, client: string) => {
    const purpose = 'register a user with act and client_id among the claims';
    const making = { user, changes: { claims: callerOf(client) }, budget: 'sweep' } as const;
    const { answer } = await registrations.register(purpose, making);
    if (!answer.ok) return skip(`an assertion with these claims is refused: ${statusAndCode(answer)}`);
    const id = answer.at('/user_id');
    if (typeof id !== 'string')
      return block('the registration response has no string user_id', 'AGENT-REG-USER-ID');
    return { answer, id, at: '/user_id' };
  };
  const [first, second, again] = [
    await register(one, 'agent-one'),
    await register(other, 'agent-one'),
    await register(one, 'agent-two'),
  ];
  const what = 'two users for whom one agent acts have one user_id';
  expect.soft('AGENT-USERS-TWO-IDS', (its) => its.that(second.id !== first.id, what, second));
  expect.soft(SAME_ID, (its) =>
    its.equal(again.id, first.id, 'user_id of a user who comes by another client', again),
  );
});

/** An email address and a `jti` of unusual but allowed forms; the registration beside the burst has both. */
check(STATUS, { case: 'usual-claims', effects: 'write', phase: 'foundation' }, async (context) => {
  const { registrations, recovery, bursts, expect, skip, target } = context;
  const { users } = registrations;
  if (users.fixed) skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
  const { ofNewUser } = await bursts.small();
  if (ofNewUser?.answer.ok) return;
  // That registration carried other things as well, so each of these two is tried by itself.
  await recovery.requireRecovered();
  const user = withSigns(users.next());
  const signs = await registrations.register(
    'register a user whose email has an apostrophe, a tag and a subdomain',
    {
      user,
    },
  );
  expect.accepted(signs.answer, `${user.email} is an email address (RFC 5322 3.4.1)`);
  if (!registrations.hasOwnKey) return;
  const changes = () => ({ claims: { jti: shortJti() } });
  const short = await registrations.register('register with a jti that is no UUID', { changes });
  expect.accepted(short.answer, 'a `jti` is any text that is unique');
});

/**
 * Names that every object has in some languages: a service that keeps its users in such an object finds
 * something under these names.
 */
for (const sub of ['constructor', '__proto__']) {
  check([STATUS, 'AGENT-REG-USER-ID'], { case: `sub-${sub}`, effects: 'write' }, async (context) => {
    const { registrations, expect, skip, block, target } = context;
    const { users } = registrations;
    if (users.fixed) skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
    await registrations.twin();
    const user = { ...users.next(), sub };
    const { answer } = await registrations.register(`register a user with the sub ${sub}`, {
      user,
      budget: 'sweep',
    });
    // Whether such a user is accepted at all is left open, but the service must not fail.
    if (!answer.ok && answer.status < 500)
      return skip(`a user with the sub ${sub} is refused: ${statusAndCode(answer)}`);
    const why = 'the assertion is good, and a registration of another user was accepted';
    expect.soft(STATUS, (its) => its.accepted(answer, why));
    if (!answer.ok) return block(`the registration is answered ${statusAndCode(answer)}`, STATUS);
    expect.fields(answer, schemas, 'RegistrationResponse');
  });
}

// Concurrent registrations of one user are still two registrations, each with a key of its own.
check(
  'AGENT-USER-ANOTHER-KEY',
  { case: 'at-once', effects: 'write', passingFaults: true },
  async (context) => {
    const { registrations, recovery, bursts, expect, skip, block } = context;
    const { first, second } = await registrations.again();
    if (!second.answer.ok) block('the user cannot register again at all', 'AGENT-USER-ANOTHER-KEY');
    if (second.key !== undefined && second.key === first.key)
      block('the second key is the first one, one after the other too', 'AGENT-USER-ANOTHER-KEY');
    const { winners, other } = await bursts.small();
    // Only one of the registrations with the same assertion counts: another requirement judges what happens
    // if several succeed.
    const pairs = [[...winners.slice(0, 1), ...(other ? [other] : [])]];
    const known = await bursts.ofKnownUser().catch(unlessSkipped);
    if (known) pairs.push(known);
    const looked = pairs.map((made) => expectKeysDiffer(expect, made));
    if (looked.includes(true)) return;
    // If the service locks users out after refusals, nothing can be seen here.
    await recovery.requireRecovered();
    skip('of registrations of one user at the same time only one succeeded');
  },
);

/**
 * Fails the check if two of the registrations were given the same key. Returns whether at least two of them
 * succeeded.
 */
function expectKeysDiffer(expect: Expect, made: readonly Registration[]): boolean {
  const good = made.filter(({ answer, key }) => answer.ok && key !== undefined);
  const seen = new Set<string | undefined>();
  for (const { answer, key } of good) {
    const what = 'two registrations at the same time, with an assertion each, are given the same key';
    expect.that(!seen.has(key), what, { answer, at: '/api_key' });
    seen.add(key);
  }
  return good.length > 1;
}
