/** 4 Account rules: which user a registration is for, and that a user may have several keys. */

import type { Expect } from '../../lib/check/expect.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { Blocked } from '../../lib/model/verdict.ts';
import { furtherMembers, registeredWith } from '../../services/agents/fixtures/further-members.ts';
import { statusAndCode } from '../../services/agents/fixtures/registration.ts';
import { codeOf } from '../../services/agents/judging/error-codes.ts';
import { MANY_KEYS, check as suiteCheck } from './suite.ts';

// These checks run first: they make the registrations that most other checks look at, one right after the
// other, before any other user has registered.
const check = suiteCheck.with({ phase: 'foundation' });

const write = { effects: 'write' } as const;
const PAYMENT_REQUIRED = 402;

check('AGENT-USER-SAME-ID', write, async ({ registrations, expect }) => {
  const { first, second } = await registrations.again();
  requireOk(second.answer, 'AGENT-USER-ANOTHER-KEY');
  const at = { answer: second.answer, at: '/user_id' };
  expect.equal(userId(second.answer), userId(first.answer), 'user_id of the second registration', at);
});

check('AGENT-USER-ANOTHER-KEY', write, async ({ registrations, expect, block }) => {
  const { first, second } = await registrations.again();
  expect.accepted(second.answer, 'the user may register again and the assertion is a new one');
  if (first.key === undefined || second.key === undefined)
    block('a registration response has no key', 'AGENT-REG-API-KEY');
  expect.that(second.key !== first.key, 'the second registration answers with the key of the first', {
    answer: second.answer,
    at: '/api_key',
  });
});

check('AGENT-USER-SECOND-KEY-OPENS', write, async ({ registrations, apiAccess, expect, block }) => {
  const { second } = await registrations.again();
  requireOk(second.answer, 'AGENT-USER-ANOTHER-KEY');
  if (second.key === undefined) return block('the second registration has no key', 'AGENT-REG-API-KEY');
  await apiAccess.requireUnknownKeyRefused();
  await apiAccess.requireKeyAccepted();
  const answer = await apiAccess.newly(second.key);
  await apiAccess.expectKeyAccepted(expect, answer, 'the second key of the user is answered 401');
});

check('AGENT-USER-SECOND-KEY-CREDITS', write, async ({ registrations, apiAccess, expect, block }) => {
  const { second } = await registrations.again();
  requireOk(second.answer, 'AGENT-USER-ANOTHER-KEY');
  const { key } = second;
  if (key === undefined) return block('the second registration has no key', 'AGENT-REG-API-KEY');
  const { afterSecond: before } = await registrations.firstKeyLater();
  if (await apiAccess.isShut(before))
    block('the API no longer accepts the first key', 'AGENT-USER-FIRST-KEY-STAYS');
  const answer = await apiAccess.newly(key);
  if (await apiAccess.isShut(answer))
    block('the API does not accept the second key', 'AGENT-USER-SECOND-KEY-OPENS');
  if (answer.status !== PAYMENT_REQUIRED) return;
  // Both keys use the same team's credits, so the second is judged only if calls with the first succeed
  // before and after.
  const after = await apiAccess.callApi({
    purpose: 'make the same call with the first key',
    key: await registrations.key(),
    good: true,
  });
  expect.that(!before.ok || !after.ok, 'the second key is answered 402 where the first one has credits', {
    answer,
    at: 'status',
    expected: `${after.status}, as with the first key`,
    found: '402',
  });
});

check('AGENT-USER-FIRST-KEY-STAYS', write, async ({ registrations, apiAccess, expect, block }) => {
  await apiAccess.requireKeyAccepted();
  const { second } = await registrations.again();
  requireOk(second.answer, 'AGENT-USER-ANOTHER-KEY');
  await apiAccess.requireUnknownKeyRefused();
  const { afterReplay, afterSecond: answer } = await registrations.firstKeyLater();
  if (await apiAccess.isShut(afterReplay))
    block('an earlier replay already ended the key', 'AGENT-KEY-STAYS');
  await apiAccess.expectKeyAccepted(
    expect,
    answer,
    'the first key is answered 401 after the user got a second one',
  );
});

check('AGENT-USER-AT-ONCE', write, async ({ registrations, bursts, expect, block, skip, target }) => {
  if (registrations.users.fixed)
    skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
  const { first, second } = await registrations.again();
  if (!second.answer.ok || userId(second.answer) !== userId(first.answer))
    block('the same user does not get the same user_id one after the other either', 'AGENT-USER-SAME-ID');
  const { winners, other } = await bursts.small();
  // In the burst, a success without a key is as good as the refusal of a replay.
  const good = [...winners, ...(other?.answer.ok ? [other] : [])].filter(({ key }) => key !== undefined);
  if (good.length === 0 && winners.length > 0)
    block('a registration response has no key', 'AGENT-REG-API-KEY');
  const [one, ...others] = good.map(({ answer }) => ({ answer, id: userId(answer) }));
  if (!one || others.length === 0) {
    if (winners.length === 0) block('none of the burst succeeded', 'AGENT-REPLAY-BURST-ONE');
    if (!other || codeOf(other.answer) === 'server_error')
      return skip('the service answers concurrent registrations of one user with server errors');
    return block(
      `the other concurrent registration is answered ${statusAndCode(other.answer)}`,
      'AGENT-RECOVER-REPLAY-DETECTED',
    );
  }
  for (const { answer, id } of others) expectSameUser(expect, answer, id, one.id);
});

check(
  'AGENT-USER-AT-ONCE',
  { ...write, ...MANY_KEYS, case: 'more' },
  async ({ registrations, expect, block, skip, target }) => {
    if (registrations.users.fixed)
      skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
    const { first, second } = await registrations.again();
    if (!second.answer.ok || userId(second.answer) !== userId(first.answer))
      block('the same user does not get the same user_id one after the other either', 'AGENT-USER-SAME-ID');
    const { users } = registrations;
    // A new user, who gets many keys in later checks.
    users.assign('many');
    const user = users.named('many');
    const made = await Promise.all(
      [1, 2, 3, 4].map(() =>
        registrations.register('register one new user several times at once', { user, budget: 'sweep' }),
      ),
    );
    const good = made.filter(({ answer }) => answer.ok);
    const failed = made.filter(({ answer }) => codeOf(answer) === 'server_error');
    if (good.length < 2 && good.length + failed.length === made.length)
      skip('the service answers concurrent registrations of one user with server errors');
    if (good.length < 2)
      block(`only ${good.length} of ${made.length} concurrent registrations succeeded`, 'AGENT-REG-STATUS');
    const [one, ...others] = good.map(({ answer }) => ({ answer, id: userId(answer) }));
    for (const { answer, id } of others) expectSameUser(expect, answer, id, one!.id);
  },
);

check('AGENT-USERS-TWO-IDS', write, async ({ registrations, recovery, expect, skip, target }) => {
  if (registrations.users.fixed)
    skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
  const first = await registrations.twin();
  const other = await recovery.requireRecovered();
  const at = { answer: other.answer, at: '/user_id' };
  expect.that(userId(other.answer) !== userId(first.answer), 'two users have the same user_id', at);
});

check('AGENT-USERS-TWO-IDS', { ...write, case: 'at-once', passingFaults: true }, async (context) => {
  const { registrations, bursts, expect, skip, target, block } = context;
  if (registrations.users.fixed)
    skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
  const { winners, other, ofNewUser } = await bursts.small();
  // In the burst, a success without a key is as good as the refusal of a replay.
  const good = [...winners, ...(other?.answer.ok ? [other] : [])].filter(({ key }) => key !== undefined);
  if (good.length === 0 && winners.length > 0)
    block('a registration response has no key', 'AGENT-REG-API-KEY');
  if (good.length === 0) block('none of the burst succeeded', 'AGENT-REPLAY-BURST-ONE');
  if (!ofNewUser?.answer.ok)
    return skip(
      `the concurrent registration of another user did not succeed: ${ofNewUser ? statusAndCode(ofNewUser.answer) : 'no answer'}`,
    );
  const { answer } = ofNewUser;
  for (const each of good) {
    const what = 'two users who registered concurrently have the same user_id';
    expect.that(userId(each.answer) !== userId(answer), what, { answer, at: '/user_id' });
  }
});

check('AGENT-USERS-SUB-CASE', write, async (context) => {
  const { registrations, recovery, bursts, expect, skip, target, block } = context;
  const { users } = registrations;
  if (users.fixed) skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
  const [first, other] = [await registrations.twin(), await recovery.requireRecovered()];
  if (userId(other.answer) === userId(first.answer))
    block('two users do not get two user_ids either', 'AGENT-USERS-TWO-IDS');
  const { ofNewUser } = await bursts.small();
  const isSame = ofNewUser?.answer.ok && userId(ofNewUser.answer) === userId(first.answer);
  // If the body of that registration named the other user, one whose body does not is decisive.
  const near =
    ofNewUser?.answer.ok && !(isSame && ofNewUser.further)
      ? ofNewUser
      : await registrations.register('register a user with a sub like a known one', {
          // With an ordinary email address: which characters it may have is another requirement.
          user: { ...users.next(), sub: users.named('near').sub },
        });
  requireOk(near.answer, 'AGENT-REG-STATUS');
  const what = `the user ${near.user.sub} has the user_id of ${first.user.sub}, although their addresses differ as well`;
  const at = { answer: near.answer, at: '/user_id' };
  expect.that(userId(near.answer) !== userId(first.answer), what, at);
});

check('AGENT-USERS-BODY', write, async (context) => {
  const { registrations, recovery, bursts, expect, skip, target } = context;
  const { users } = registrations;
  if (users.fixed) skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
  const first = await registrations.twin();
  let named = await registeredWith(registrations, bursts, 'user-members');
  if (!named.answer.ok)
    return skip(`a registration with another user in its body is refused: ${statusAndCode(named.answer)}`);
  if (userId(named.answer) === userId(first.answer)) {
    // The body is to blame only if a user with an unrelated `sub` gets that user_id, too.
    const { claims, fields } = await furtherMembers(registrations, 'user-members');
    named = await registrations.register('register a new user with another one in the body', {
      changes: { claims },
      fields,
    });
    requireOk(named.answer, 'AGENT-REG-STATUS');
    const plain = await recovery.requireRecovered();
    if (userId(plain.answer) === userId(first.answer))
      context.block('two users do not get two user_ids either', 'AGENT-USERS-TWO-IDS');
  }
  const at = { answer: named.answer, at: '/user_id' };
  const what = 'the user_id is that of another user, whom the body names and the assertion does not';
  expect.that(userId(named.answer) !== userId(first.answer), what, at);
});

check('AGENT-REG-ID-TWO-USERS', write, async ({ registrations, recovery, expect, skip, target, block }) => {
  if (registrations.users.fixed)
    skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
  const [first, other] = [await registrations.twin(), await recovery.requireRecovered()];
  const [one, two] = [first, other].map(({ answer }) => answer.at('/registration_id'));
  if (typeof one !== 'string' || typeof two !== 'string')
    block('a registration response has no registration_id', 'AGENT-REG-REGISTRATION-ID');
  const at = { answer: other.answer, at: '/registration_id' };
  expect.that(one !== two, 'the registrations of two users have the same registration_id', at);
});

const APART = ['AGENT-USERS-TWO-IDS', 'AGENT-USERS-TWO-KEYS'];

check(APART, { ...write, case: 'several-at-once', passingFaults: true }, async (context) => {
  const { registrations, recovery, expect, skip, target, block } = context;
  const { users } = registrations;
  if (users.fixed) skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
  const [first, other] = [await registrations.twin(), await recovery.requireRecovered()];
  if (userId(other.answer) === userId(first.answer))
    block('two users do not get two user_ids one after the other either', 'AGENT-USERS-TWO-IDS');
  const made = await Promise.all(
    [1, 2, 3].map(() =>
      registrations.register('register several new users at once', { user: users.next(), budget: 'sweep' }),
    ),
  );
  const good = made.filter(({ answer }) => answer.ok);
  if (good.length < 2)
    block(`only ${good.length} of ${made.length} concurrent registrations succeeded`, 'AGENT-REG-STATUS');
  const who = 'two users who registered concurrently have the same';
  const seen = new Set<unknown>();
  for (const { answer, key } of good) {
    const id = userId(answer);
    expect.soft(APART[0]!, (its) => its.that(!seen.has(id), `${who} user_id`, { answer, at: '/user_id' }));
    if (key !== undefined)
      expect.soft(APART[1]!, (its) => its.that(!seen.has(key), `${who} key`, { answer, at: '/api_key' }));
    seen.add(id).add(key);
  }
});

check('AGENT-USERS-TWO-KEYS', write, async ({ registrations, recovery, expect, skip, target, block }) => {
  if (registrations.users.fixed)
    skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
  const key = await registrations.key();
  const other = await recovery.requireRecovered();
  if (other.key === undefined) block('the registration of another user has no key', 'AGENT-REG-API-KEY');
  expect.that(other.key !== key, 'two users have the same key', { answer: other.answer, at: '/api_key' });
});

function expectSameUser(expect: Expect, answer: Answer, id: string, one: string): void {
  const what = 'user_id of a concurrent registration of the same user';
  expect.equal(id, one, what, { answer, at: '/user_id' });
}

function userId(answer: Answer): string {
  const id = answer.at('/user_id');
  if (typeof id !== 'string')
    throw new Blocked('the registration response has no string user_id', 'AGENT-REG-USER-ID');
  return id;
}
