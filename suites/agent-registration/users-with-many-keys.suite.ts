/** 4 Account rules and 5: a user may have many keys, and the API accepts every one of them. */
import type { CheckContext } from '../../lib/check/context.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { Skipped } from '../../lib/model/verdict.ts';
import type { ApiAccess } from '../../services/agents/api/api-access.ts';
import { ThrottledUser } from '../../services/agents/api/attempts.ts';
import { statusAndCode } from '../../services/agents/fixtures/registration.ts';
import type { Registrations } from '../../services/agents/fixtures/registrations.ts';
import { codeOf, isListed } from '../../services/agents/judging/error-codes.ts';
import { MANY_KEYS, check as suiteCheck } from './suite.ts';

// This check runs after those that give this user most of the keys.
const check = suiteCheck.with({ phase: 'scarce' });

/** How many keys the user is given, to catch a service that looks only at one page of five or ten keys. */
const MANY = 11;
/** From this number of keys on, a service may refuse to issue more: how many a team may have is not said. */
const QUOTA = 5;
const OF_MANY = ['AGENT-KEY-OPENS', 'AGENT-USER-ANOTHER-KEY', 'AGENT-USER-FIRST-KEY-STAYS'];

check(OF_MANY, { ...MANY_KEYS, case: 'many-keys', effects: 'write' }, async (context) => {
  const { apiAccess, expect, block } = context;
  await requireKeysStay(context);
  const keys = await manyKeys(context);
  const [oldest, newest] = [keys[0], keys.at(-1)];
  if (oldest === undefined || newest === undefined || keys.length < QUOTA)
    return block('a registration response has no key', 'AGENT-REG-API-KEY');
  const open = (purpose: string, key: string) => apiAccess.callApi({ purpose, key, good: true });
  const last = await apiAccess.newly(newest);
  const [isNewestShut, newestIs] = [await apiAccess.isShut(last), `is answered ${last.status}`];
  expect.soft('AGENT-KEY-OPENS', (its) =>
    its.that(!isNewestShut, `the newest of many keys of a user ${newestIs}`, { answer: last, at: 'status' }),
  );
  if (isNewestShut) return block('the newest key does not open the API', 'AGENT-KEY-OPENS');
  const first = await open('call the API with the oldest of many keys', oldest);
  const [isOldestShut, oldestIs] = [await apiAccess.isShut(first), `is answered ${first.status}`];
  expect.soft('AGENT-USER-FIRST-KEY-STAYS', (its) =>
    its.that(!isOldestShut, `the first of many keys of a user ${oldestIs}`, { answer: first, at: 'status' }),
  );
});

check(
  'AGENT-KEY-OPENS',
  { case: 'issued-at-once', effects: 'write', passingFaults: true },
  async (context) => {
    const { bursts, apiAccess, expect, block } = context;
    await requireKeysStay(context);
    const { winners, other, ofNewUser } = await bursts.small();
    const keys = [winners[0], other, ofNewUser].flatMap((made) => made?.key ?? []);
    if (keys.length === 0) block('none of the burst succeeded', 'AGENT-REPLAY-BURST-ONE');
    const known = await bursts.ofKnownUser().catch((error: unknown) => {
      if (!(error instanceof Skipped)) throw error;
      return [];
    });
    keys.push(...known.flatMap(({ key }) => key ?? []));
    for (const key of keys) {
      const what = 'a key that was issued while others were is answered 401';
      await apiAccess.expectKeyAccepted(expect, await apiAccess.newly(key), what);
    }
  },
);

check(
  'AGENT-USERS-TWO-IDS',
  { case: 'authorization', effects: 'write' },
  async ({ registrations, expect, skip, block, target }) => {
    if (registrations.users.fixed)
      skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
    const { answer: first } = await registrations.twin();
    const { answer } = await registrations.register(
      'register a new user, with the key of another in the header',
      {
        headers: { authorization: `Bearer ${await registrations.key()}` },
        budget: 'sweep',
      },
    );
    // Whether a registration may carry a key at all is left open.
    if (!answer.ok) skip(`a registration that carries a key is refused: ${statusAndCode(answer)}`);
    const [id, other] = [answer.at('/user_id'), first.at('/user_id')];
    if (typeof id !== 'string') block('the registration response has no string user_id', 'AGENT-REG-USER-ID');
    const what =
      'the user_id is that of the user whose key the header has, and not of the one in the assertion';
    expect.that(id !== other, what, { answer, at: '/user_id' });
  },
);

type Given = CheckContext & { registrations: Registrations; apiAccess: ApiAccess };

/** Throws `Blocked` where the API does not even keep accepting a user's only key, or two keys. */
async function requireKeysStay({ registrations, apiAccess, block }: Given): Promise<void> {
  const { second } = await registrations.again();
  requireOk(second.answer, 'AGENT-USER-ANOTHER-KEY');
  await apiAccess.requireUnknownKeyRefused();
  await apiAccess.requireKeyAccepted();
  if (second.key === undefined || (await apiAccess.isShut(await apiAccess.newly(second.key))))
    block('the second key of a user does not open the API', 'AGENT-USER-SECOND-KEY-OPENS');
  const { afterReplay, afterSecond } = await registrations.firstKeyLater();
  if (await apiAccess.isShut(afterReplay)) block('a replay ends keys', 'AGENT-KEY-STAYS');
  if (await apiAccess.isShut(afterSecond)) block('a second key ends the first', 'AGENT-USER-FIRST-KEY-STAYS');
  const purpose = 'call the API with an earlier key';
  const now = await apiAccess.callApi({ purpose, key: await registrations.key(), good: true });
  if (await apiAccess.isShut(now)) block('another key has ended, too', 'AGENT-KEY-STAYS');
}

/** Returns whether a refusal has a code of its own, so that none of the reasons of section 7 is given. */
function isQuota(answer: Answer): boolean {
  const code = codeOf(answer);
  return answer.status >= 400 && answer.status < 500 && code !== undefined && !isListed(code);
}

/**
 * Registers one user until it has `MANY` keys, and returns them; fewer where a response had none, or where the
 * service gives a team only so many.
 */
async function manyKeys({ registrations, expect, block, undecided }: Given): Promise<readonly string[]> {
  const user = registrations.users.named('many');
  for (let count = registrations.keysOf(user).length; count < MANY; count += 1) {
    const purpose = 'register the same user many times';
    const made = await registrations.register(purpose, { user, budget: 'sweep' }).catch((error: unknown) => {
      if (count >= QUOTA && error instanceof ThrottledUser) return undefined;
      throw error;
    });
    if (!made || (count >= QUOTA && isQuota(made.answer))) break;
    const { answer } = made;
    if (!answer.ok && !(await registrations.register('register another user')).answer.ok)
      undecided('registrations are refused altogether by now');
    expect.soft('AGENT-USER-ANOTHER-KEY', (its) =>
      its.accepted(answer, `another user may register, and this one has ${count} keys`),
    );
    if (!answer.ok) block('the user cannot register again', 'AGENT-USER-ANOTHER-KEY');
  }
  return registrations.keysOf(user);
}
