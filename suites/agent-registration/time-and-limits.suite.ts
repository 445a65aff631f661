/**
 * 8 Limits, and checks that let much time pass: they run last, since assertions that were minted before will
 * expire.
 */
import { requireOk } from '../../lib/check/require.ts';
import { Skipped } from '../../lib/model/verdict.ts';
import { allFaults } from '../../services/agents/faults/index.ts';
import { isHttpUrl } from '../../services/agents/fixtures/discovery.ts';
import { statusAndCode } from '../../services/agents/fixtures/registration.ts';
import { targetClock } from '../../services/agents/fixtures/target-clock.ts';
import type { Subject } from '../../services/agents/idp/identity-provider.ts';
import { served } from '../../services/agents/judging/metadata-documents.ts';
import { assertReason, expectNoKey, expectReplayRefused } from '../../services/agents/judging/refusal.ts';
import { check as suiteCheck } from './suite.ts';

// These checks let hours and years pass, and judge what became of what the run had made before.
const check = suiteCheck.with({ touches: { clock: 'move' }, phase: 'late', looksBack: true });

const write = { effects: 'write' } as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEARS_MS = 5 * 365 * DAY_MS;

check('AGENT-KEY-STAYS', write, async (context) => {
  const { registrations, recovery, faults, apiAccess, keyEnds, expect, block } = context;
  const { first, second } = await registrations.again();
  await apiAccess.requireKeyAccepted();
  const { afterReplay, afterSecond } = await registrations.firstKeyLater();
  const replayed = 'an issued key is answered 401 after its assertion was replayed';
  await apiAccess.expectKeyAccepted(expect, afterReplay, replayed);
  if (await apiAccess.isShut(afterSecond))
    block('a further key of the user ends the earlier ones', 'AGENT-USER-FIRST-KEY-STAYS');
  const keys = first.key === undefined ? [] : [first.key];
  // A new key that is not accepted at first violates another requirement.
  if (second.key !== undefined && !(await apiAccess.isShut(await apiAccess.newly(second.key))))
    keys.push(second.key);
  // Now other users register, and users who have registered before are refused.
  const { key: recovered } = await recovery.recovered();
  if (recovered !== undefined && !(await apiAccess.isShut(await apiAccess.newly(recovered))))
    keys.push(recovered);
  await faults.answers(allFaults.filter((fault) => fault.known !== undefined));
  await apiAccess.requireUnknownKeyRefused();
  for (const key of keys) {
    const answer = await apiAccess.callApi({ purpose: 'call the API with an earlier key', key, good: true });
    await keyEnds.expectNotEnded(expect, answer);
  }
});

check('AGENT-USER-SAME-ID', { ...write, case: 'after-others' }, async (context) => {
  const { registrations, recovery, expect } = context;
  const { first, second } = await registrations.again();
  requireOk(second.answer, 'AGENT-USER-ANOTHER-KEY');
  const id = first.answer.at('/user_id');
  if (typeof id !== 'string') context.block('the registration response has no user_id', 'AGENT-REG-USER-ID');
  registrations.endpoint.attempts.requireSweep(1);
  const { answer } = await recovery.knownAgain();
  requireOk(answer, 'AGENT-USER-ANOTHER-KEY');
  expect.equal(answer.at('/user_id'), id, 'user_id after others have registered', { answer, at: '/user_id' });
});

check('AGENT-REPLAY-LATER', { ...write, case: 'within-leeway' }, async (context) => {
  const { registrations, time, expect, skip } = context;
  registrations.endpoint.attempts.requireSweep(3);
  await registrations.twin();
  const making = { changes: { age: 285 }, budget: 'sweep' } as const;
  const made = await registrations.register('register with 15 seconds left', making);
  if (!made.answer.ok)
    skip(`an assertion that has 15 seconds left is answered ${statusAndCode(made.answer)}`);
  for (const ms of [20_000, 40_000]) {
    await time.pass(ms, 'whether a used jti is remembered for as long as its assertion may be taken');
    const purpose = 'register with a used assertion right after its end';
    const answer = await registrations.resend(made.assertion, purpose, 'sweep');
    expectNoKey(expect, answer, 'the assertion was redeemed before, and has expired');
  }
});

/** For how many seconds assertions are good, and how long after its use one is sent again. */
const USED_LATER = {
  'last-seconds': { good: 300, later: 285 },
  // A service may remember for five minutes what it accepts for longer. Whether it does is left open.
  'long-lived': { good: 1200, later: 700 },
};

for (const [name, { good, later }] of Object.entries(USED_LATER)) {
  check('AGENT-REPLAY-LATER', { ...write, case: name }, async ({ registrations, time, expect, skip }) => {
    registrations.endpoint.attempts.requireSweep(2);
    await registrations.twin();
    const exp = Math.floor(time.now() / 1000) + good;
    const which = `an assertion that is good for ${good / 60} minutes`;
    const making = { changes: { claims: { exp } }, budget: 'sweep' } as const;
    const made = await registrations.register(`register with ${which}`, making);
    if (!made.answer.ok) skip(`${which} is refused: ${statusAndCode(made.answer)}`);
    await time.pass(later * 1000, 'whether a jti is remembered as long as its assertion');
    const purpose = `register with ${which}, ${later} seconds after its use`;
    const answer = await registrations.resend(made.assertion, purpose, 'sweep');
    expectNoKey(expect, answer, 'the assertion was redeemed before, and has not expired yet');
  });
}

check('AGENT-REPLAY-LATER', write, async ({ usedAssertions, expect }) => {
  expectReplayRefused(
    expect,
    await usedAssertions.later(),
    'the assertion was redeemed before other registrations and has not expired yet',
  );
});

check('AGENT-REPLAY-LATER', { ...write, case: 'next-day' }, async ({ registrations, time, expect }) => {
  const { attempts } = registrations.endpoint;
  attempts.requireSweep(2);
  const question = 'whether a used jti is remembered at the turn of the day';
  await time.pass((2 * DAY_MS - MINUTE_MS - (time.now() % DAY_MS)) % DAY_MS, question);
  const made = await registrations.register('register a minute before midnight', { budget: 'sweep' });
  requireOk(made.answer, 'AGENT-REG-STATUS');
  await time.pass(2 * MINUTE_MS, question);
  const purpose = 'register a minute after midnight with the same assertion';
  const answer = await registrations.resend(made.assertion, purpose, 'sweep');
  expectReplayRefused(expect, answer, 'the assertion was redeemed two minutes ago, before midnight UTC');
});

/**
 * A host that never exists (RFC 6761 6.4). An attacker names such a host to find a cache that stores metadata
 * made for one reader and serves it to others.
 */
const OTHER_HOST = 'conformance.invalid';
const NAMING = {
  'x-forwarded-host': OTHER_HOST,
  'x-host': OTHER_HOST,
  forwarded: `host=${OTHER_HOST}`,
};
const LEADS = ['AGENT-PRM-AGENT-AUTH-LEADS', 'AGENT-ASM-REGISTER-URI-LEADS'];

// On a server that fails this check, other readers may be given that host for as long as its cache keeps it.
check(LEADS, { case: 'after-other-host', effects: 'settings' }, async (context) => {
  const { discovery, time, expect, block } = context;
  // Lets cached documents expire. Where no time may pass, the fault shows only on a server that has nothing
  // cached.
  await time.pass(HOUR_MS, 'whether what is cached depends on who asks first').catch((error: unknown) => {
    if (!(error instanceof Skipped)) throw error;
  });
  const { urls } = discovery;
  const read: [id: string, url: string, at: string, by: string][] = [
    [LEADS[0] as string, urls.resource, '/agent_auth_uri', 'AGENT-PRM-AGENT-AUTH-URI'],
    [LEADS[1] as string, urls.server, '/agent_auth/register_uri', 'AGENT-ASM-REGISTER-URI'],
  ];
  for (const [id, url, at, by] of read) {
    const first = await discovery.readAs('read the metadata, naming another host', url, NAMING);
    const answer = await discovery.readAs('read the metadata after somebody named another host', url);
    const uri = served(answer, url === urls.resource ? 'AGENT-PRM-STATUS' : 'AGENT-ASM-STATUS').at(at);
    if (!isHttpUrl(uri)) return block(`the metadata has no usable ${at.replace(/.*\//, '')}`, by);
    const isOwn = new URL(uri).hostname !== OTHER_HOST;
    // An address that the suite may not call is not known to lead anywhere.
    if (isOwn) discovery.origins.require(uri);
    const where = { answer, at, expected: 'an address of the service', found: uri };
    expect.soft(id, (its) =>
      its.after(first).that(isOwn, `${uri} is what an earlier reader made of it`, where),
    );
  }
});

check('AGENT-EXP-PAST-TEN-MINUTES', { ...write, case: 'as-time-passes' }, async (context) => {
  const { registrations, time, expect } = context;
  await registrations.twin();
  const provider = await registrations.provider();
  const minted = await provider.mint(registrations.users.next(), await registrations.audience());
  await time.pass(15 * 60_000, 'whether an assertion that was good expires');
  const answer = await registrations.resend(
    minted,
    'register with an assertion that was good 15 minutes ago',
  );
  const why = 'the assertion expired ten minutes ago';
  expectNoKey(expect, answer, why);
  assertReason(answer, { codes: ['credential_expired'] }, 'AGENT-ERR-CREDENTIAL-EXPIRED-CODE');
});

check('AGENT-KEY-NEVER-EXPIRES', write, async (context) => {
  const { registrations, apiAccess, keyEnds, time, expect, block } = context;
  let key: string | undefined = (await apiAccess.openingKey()).key;
  await apiAccess.requireUnknownKeyRefused();
  const before = await apiAccess.callApi({ purpose: 'call the API with the key', key, good: true });
  // Time that other checks let pass may have ended the key; then a new one is examined.
  const ended = await apiAccess.isShut(before);
  if (ended) key = await apiAccess.freshKey();
  if (key === undefined || (ended && (await apiAccess.isShut(await apiAccess.newly(key)))))
    return block('the API no longer accepts the key', 'AGENT-KEY-STAYS');
  // Meanwhile, weeks later, the user registers again.
  await registrations.weeksLater().catch(() => undefined);
  await time.pass(YEARS_MS, 'whether a key expires');
  const purpose = 'call the API with the key five years later';
  const answer = await apiAccess.callApi({ purpose, key, good: true });
  await keyEnds.expectNoExpiry(expect, answer, 'a key');
});

check('AGENT-KEY-NEVER-EXPIRES', { ...write, case: 'second-key', looksBack: false }, async (context) => {
  const { registrations, apiAccess, keyEnds, time, expect, block } = context;
  const { first, second } = await registrations.again();
  requireOk(second.answer, 'AGENT-USER-ANOTHER-KEY');
  await apiAccess.requireUnknownKeyRefused();
  const purpose = 'call the API with the second key of a user';
  const call = (key: string, when = '') =>
    apiAccess.callApi({ purpose: `${purpose}${when}`, key, good: true });
  let { key } = second;
  // As above, an ended key is replaced by a new one of the same user.
  if (key !== undefined && (await apiAccess.isShut(await call(key)))) {
    const making = { user: first.user, budget: 'sweep' } as const;
    key = (await registrations.register('register a user again, since its keys have ended', making)).key;
    if (key !== undefined && (await apiAccess.isShut(await apiAccess.newly(key))))
      block('the API does not accept the second key', 'AGENT-USER-SECOND-KEY-OPENS');
  }
  if (key === undefined) return block('the second registration has no key', 'AGENT-REG-API-KEY');
  await time.pass(YEARS_MS, 'whether a key expires');
  const answer = await call(key, ' five years later');
  await keyEnds.expectNoExpiry(expect, answer, 'a second key', first.user);
});

check('AGENT-REG-STATUS', { ...write, case: 'weeks-later' }, async (context) => {
  const { registrations, recovery, expect, block } = context;
  const { second, afterReplay } = await registrations.again();
  requireOk(second.answer, 'AGENT-USER-ANOTHER-KEY');
  if (!afterReplay?.answer.ok)
    block('a user whose assertion was replayed cannot register again', 'AGENT-RECOVER-REPLAY-DETECTED');
  const { answer } = await registrations.weeksLater();
  // Refusals in the meantime may have locked out this user, but no other one.
  const registers = async (user?: Subject) =>
    (await registrations.register('register weeks later once more', { ...(user && { user }) })).answer.ok;
  const isLocked =
    !answer.ok && (await registers()) && !(await registers(registrations.users.named('first')));
  const ofKnown = async () => (await recovery.knownAtFault()) && 'AGENT-RECOVER-NOT-RETRYABLE';
  const blamed = isLocked ? ((await recovery.requirementAtFault()) ?? (await ofKnown())) : undefined;
  if (blamed !== undefined) block('a user cannot register after a refusal either', blamed);
  expect.accepted(answer, 'the assertion is a good one, and the user could register again before');
});

check('AGENT-USER-SAME-ID', { ...write, case: 'weeks-later' }, async ({ registrations, expect, block }) => {
  const { answer } = (await registrations.again()).first;
  const later = await registrations.weeksLater();
  requireOk(later.answer, 'AGENT-REG-STATUS');
  const id = answer.at('/user_id');
  if (typeof id !== 'string') block('the registration response has no user_id', 'AGENT-REG-USER-ID');
  expect.equal(later.answer.at('/user_id'), id, 'user_id weeks later', {
    answer: later.answer,
    at: '/user_id',
  });
});

check('AGENT-REPLAY-MEMORY', write, async ({ registrations, time, observe }) => {
  const { user, assertion } = await registrations.twin();
  await time.pass(HOUR_MS, 'how long a used jti is remembered');
  const { jti } = assertion.claims;
  const { answer } = await registrations.register(
    'register with a jti whose first assertion expired long ago',
    {
      user,
      changes: { claims: { jti } },
      budget: 'sweep',
      isReplay: true,
    },
  );
  observe(
    `${past(time.now() / 1000 - Number(assertion.claims.exp))} after the first assertion expired: ${answer.ok ? 'accepted' : statusAndCode(answer)}`,
  );
});

check('AGENT-CLOCK', write, async ({ registrations, observe }) => {
  await registrations.first();
  observe((await targetClock(registrations)).description);
});

check('AGENT-RATE-LIMITS', async ({ registrations, observe }) => {
  const { used, throttled } = registrations.endpoint.attempts;
  const made = `${used} registration ${used === 1 ? 'attempt' : 'attempts'} in this run`;
  observe(
    throttled === undefined
      ? `${made}, none was throttled`
      : `${made}; registrations were throttled: ${throttled}`,
  );
});

/** Returns a number of seconds in words, rounded. */
function past(seconds: number): string {
  return seconds < 48 * 3600 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}
