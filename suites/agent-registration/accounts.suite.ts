/** 4 Account rules: who a registration is for, and how many keys there may be. */

import { Blocked } from '../../lib/check/verdict.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { told } from '../support/agents/registrations.ts';
import { check } from './suite.ts';

const write = { effects: 'write' } as const;

check('AGENT-USER-SAME-ID', write, async ({ registrations, expect, block }) => {
  const { first, second } = await registrations.again();
  if (!second.answer.ok)
    block(`the second registration is answered ${told(second.answer)}`, 'AGENT-USER-ANOTHER-KEY');
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

check('AGENT-USER-SECOND-KEY-OPENS', write, async ({ registrations, door, expect, block }) => {
  const { second } = await registrations.again();
  if (!second.answer.ok)
    block(`the second registration is answered ${told(second.answer)}`, 'AGENT-USER-ANOTHER-KEY');
  if (second.key === undefined) return block('the second registration has no key', 'AGENT-REG-API-KEY');
  await door.isGuarded();
  await door.opens();
  const answer = await door.knock({
    purpose: 'call the API with the second key of the user',
    key: second.key,
  });
  expect.that(answer.status !== 401, 'the second key of the user is answered 401', {
    answer,
    at: 'status',
    expected: 'anything but 401',
    found: '401',
  });
});

check('AGENT-USER-FIRST-KEY-STAYS', write, async ({ registrations, door, expect, block }) => {
  const key = await registrations.key();
  await door.opens();
  const { second } = await registrations.again();
  if (!second.answer.ok)
    block(`the second registration is answered ${told(second.answer)}`, 'AGENT-USER-ANOTHER-KEY');
  await door.isGuarded();
  const answer = await door.knock({ purpose: 'call the API with the first key of the user', key });
  expect.that(answer.status !== 401, 'the first key is answered 401 after the user got a second one', {
    answer,
    at: 'status',
    expected: 'anything but 401',
    found: '401',
  });
});

check('AGENT-USER-AT-ONCE', write, async ({ registrations, expect, block, skip, target }) => {
  if (registrations.users.fixed)
    skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
  const { first, second } = await registrations.again();
  if (!second.answer.ok || userId(second.answer) !== userId(first.answer))
    block('the same user does not get the same user_id one after the other either', 'AGENT-USER-SAME-ID');
  const user = registrations.users.next();
  const made = await Promise.all(
    [1, 2, 3, 4].map(() =>
      registrations.register('register one new user several times at once', { user, purse: 'sweep' }),
    ),
  );
  const good = made.filter(({ answer }) => answer.ok);
  if (good.length < 2) block(`only ${good.length} of ${made.length} registrations at once succeeded`);
  const [one, ...others] = good.map(({ answer }) => ({ answer, id: userId(answer) }));
  for (const { answer, id } of others)
    expect.equal(id, one!.id, 'user_id of another registration of the user under way at the same time', {
      answer,
      at: '/user_id',
    });
});

check('AGENT-USERS-TWO-IDS', write, async ({ registrations, recovery, expect, skip, target, block }) => {
  if (registrations.users.fixed)
    skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
  const first = await registrations.twin();
  const other = await recovery.recovered();
  if (!other.answer.ok)
    block(`the registration of another user is answered ${told(other.answer)}`, 'AGENT-REG-STATUS');
  const at = { answer: other.answer, at: '/user_id' };
  expect.that(userId(other.answer) !== userId(first.answer), 'two users have the same user_id', at);
});

check('AGENT-USERS-TWO-KEYS', write, async ({ registrations, recovery, expect, skip, target, block }) => {
  if (registrations.users.fixed)
    skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
  const key = await registrations.key();
  const other = await recovery.recovered();
  if (!other.answer.ok)
    block(`the registration of another user is answered ${told(other.answer)}`, 'AGENT-REG-STATUS');
  if (other.key === undefined) block('the registration of another user has no key', 'AGENT-REG-API-KEY');
  expect.that(other.key !== key, 'two users have the same key', { answer: other.answer, at: '/api_key' });
});

function userId(answer: Answer): string {
  const id = answer.at('/user_id');
  if (typeof id !== 'string')
    throw new Blocked('the registration response has no string user_id', 'AGENT-REG-USER-ID');
  return id;
}
