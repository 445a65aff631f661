/** 4 Assertion requirements, `jti`: an assertion can be used for one registration only. */

import { registeredAfterForgery } from '../../services/agents/faults/fresh-forgery.ts';
import { faultOf } from '../../services/agents/faults/index.ts';
import type { Burst } from '../../services/agents/fixtures/bursts.ts';
import { registeredWith } from '../../services/agents/fixtures/further-members.ts';
import { leftOpen } from '../../services/agents/fixtures/left-open.ts';
import { statusAndCode } from '../../services/agents/fixtures/registration.ts';
import { codeOf } from '../../services/agents/judging/error-codes.ts';
import { expectReplayRefused, isRefusal } from '../../services/agents/judging/refusal.ts';
import { check, requireOwnKey } from './suite.ts';

const write = { effects: 'write' } as const;

check('AGENT-REPLAY-SAME', write, async ({ registrations, expect }) => {
  expectReplayRefused(expect, await registrations.replay(), 'the assertion was redeemed before');
});

// Whether an assertion without `iat` is accepted is left open; one that is may be used once all the same.
check('AGENT-REPLAY-SAME', { ...write, case: 'no-iat' }, async ({ registrations, time, expect, skip }) => {
  registrations.endpoint.attempts.requireSweep(1);
  await registrations.twin();
  const { answer, assertion } = await leftOpen(registrations, 'AGENT-IAT', 'no iat');
  if (!answer.ok) skip(`an assertion without \`iat\` is refused: ${statusAndCode(answer)}`);
  if (Number(assertion.claims.exp) * 1000 <= time.now())
    skip('the assertion without `iat` has expired by now');
  const purpose = 'register with a redeemed assertion that has no iat';
  const again = await registrations.resend(assertion, purpose, 'sweep');
  expectReplayRefused(expect, again, 'the assertion was redeemed before');
});

check('AGENT-REPLAY-OTHER-USER', { ...write, case: 'at-once', passingFaults: true }, async (context) => {
  const { registrations, bursts, session, expect, skip, block, target } = context;
  const { users, endpoint } = registrations;
  if (users.fixed) skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
  requireOwnKey({ registrations, skip });
  endpoint.attempts.requireSweep(2);
  await registrations.twin();
  if ((await bursts.small()).winners.length > 1)
    block('of identical assertions sent at once several succeed', 'AGENT-REPLAY-BURST-AT-MOST-ONE');
  const jti = session.unique();
  const purpose = 'register two users with one jti at the same time';
  const making = { changes: { claims: { jti } }, budget: 'sweep', isReplay: true } as const;
  const made = await Promise.all([1, 2].map(() => registrations.register(purpose, making)));
  const good = made.filter(({ answer }) => answer.ok);
  if (good.length === 0)
    skip(`neither succeeds: ${made.map(({ answer }) => statusAndCode(answer)).join(', ')}`);
  expect.that(
    good.length === 1,
    'two assertions with one `jti`, for two users at the same time, both succeed',
    {
      answer: good.at(-1)!.answer,
      at: 'status',
      expected: 'one success',
      found: 'two',
    },
  );
});

check('AGENT-REPLAY-OTHER-USER', write, async ({ registrations, usedAssertions, expect, skip, target }) => {
  if (registrations.users.fixed)
    skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
  const { answer } = await usedAssertions.reusedByOther();
  expectReplayRefused(expect, answer, 'its `jti` was used by an assertion for another user');
});

check('AGENT-REPLAY-RESIGNED', write, async ({ registrations, usedAssertions, expect }) => {
  const { attempts } = registrations.endpoint;
  if (!registrations.users.fixed && !attempts.mayIfSwept()) {
    // Another user's assertion with a used `jti` was refused as a replay, which shows this case, too.
    const { answer } = await usedAssertions.reusedByOther();
    if (isRefusal(answer) && codeOf(answer) === 'replay_detected') return;
  }
  const { answer } = await usedAssertions.reusedBySame(attempts.mayIfSwept() ? 'sweep' : 'required');
  expectReplayRefused(expect, answer, 'its `jti` was used before');
});

// Whether an empty `jti` is accepted at all is left open.
check('AGENT-REPLAY-RESIGNED', { ...write, case: 'empty' }, async ({ registrations, expect, skip }) => {
  requireOwnKey({ registrations, skip });
  await registrations.twin();
  const making = { changes: { claims: { jti: '' } }, budget: 'sweep', isReplay: true } as const;
  const { answer: first } = await registrations.register('register with an empty jti', making);
  if (!first.ok) return;
  const { answer } = await registrations.register('register with an empty jti once more', making);
  expectReplayRefused(expect, answer, 'its `jti` was used before');
});

// Whether an `aud` that is a list is accepted at all is left open.
check('AGENT-REPLAY-RESIGNED', { ...write, case: 'audience-list' }, async (context) => {
  const { registrations, time, expect, skip } = context;
  requireOwnKey({ registrations, skip });
  registrations.endpoint.attempts.requireSweep(1);
  await registrations.twin();
  const made = await leftOpen(registrations, 'AGENT-AUD-LIST', 'a list with the resource');
  if (!made.answer.ok) skip(`an \`aud\` that is a list is refused: ${statusAndCode(made.answer)}`);
  const { jti, exp } = made.assertion.claims;
  if (Number(exp) * 1000 <= time.now()) skip('the assertion with a list as `aud` has expired by now');
  const making = { user: made.user, changes: { claims: { jti } }, budget: 'sweep', isReplay: true } as const;
  const { answer } = await registrations.register(
    'register with a jti that was used with a list as aud',
    making,
  );
  expectReplayRefused(expect, answer, 'its `jti` was used before');
});

check('AGENT-REPLAY-FORGED-JTI', write, async (context) => {
  const { registrations, recovery, bursts, faults, expect, skip, block } = context;
  const forgery = await faults.answer(faultOf('AGENT-SIG-PAYLOAD-ALTERED'));
  if (!isRefusal(forgery)) block('the forgery was accepted', 'AGENT-SIG-PAYLOAD-ALTERED');
  let { answer } = await registeredWith(registrations, bursts, 'forged-jti');
  // That one may have arrived twice, or been sent again, and a `jti` can be used once: so another forgery decides.
  if (codeOf(answer) === 'replay_detected') ({ answer } = await registeredAfterForgery(registrations));
  if (!answer.ok && codeOf(answer) !== 'replay_detected') {
    const { answer: plain } = await recovery.requireRecovered();
    skip(
      `a further registration is refused as ${statusAndCode(answer)}, where another one was answered ${statusAndCode(plain)}`,
    );
  }
  expect.accepted(answer, 'no other assertion of the identity provider has had its `jti`, only a forgery');
});

for (const large of [false, true]) {
  const options = large ? { ...write, case: 'large' } : write;

  check('AGENT-REPLAY-BURST-AT-MOST-ONE', options, async ({ bursts, expect, block, undecided }) => {
    const burst = large ? await bursts.large() : await bursts.small();
    const { winners, answers, unanswered } = burst;
    const second = winners[1];
    if (second) {
      expect.fail(`${winners.length} of ${answers.length} identical assertions sent at once succeeded`, {
        answer: second.answer,
        expected: 'one success',
        found: tally(burst),
      });
    }
    if (unanswered.length > 0)
      undecided(
        `${unanswered.length} of ${answers.length + unanswered.length} requests of the burst got no answer: ${String(unanswered[0])}`,
      );
    if (isOverloaded(burst)) undecided(`the whole burst was turned away: ${tally(burst)}`);
    if (winners.length === 0 && burst.resent)
      undecided(`the burst was throttled, which may have used up its assertion: ${tally(burst)}`);
    if (winners.length === 0) block(`none of the burst succeeded: ${tally(burst)}`, 'AGENT-REPLAY-BURST-ONE');
  });

  check('AGENT-REPLAY-BURST-ONE', options, async ({ recovery, bursts, expect, block, undecided }) => {
    const burst = large ? await bursts.large() : await bursts.small();
    const { winners, answers, unanswered } = burst;
    if (winners.length > 1)
      block(`more than one of the burst succeeded: ${tally(burst)}`, 'AGENT-REPLAY-BURST-AT-MOST-ONE');
    if (winners.length === 1) return;
    if (unanswered.length > 0)
      undecided(
        `${unanswered.length} of ${answers.length + unanswered.length} requests of the burst got no answer: ${String(unanswered[0])}`,
      );
    if (isOverloaded(burst)) undecided(`the whole burst was turned away: ${tally(burst)}`);
    if (winners.length === 0 && burst.resent)
      undecided(`the burst was throttled, which may have used up its assertion: ${tally(burst)}`);
    if (!large) {
      // Unless a single registration succeeds, the burst shows nothing.
      await recovery.requireRecovered();
    }
    const again = await bursts.again(large);
    if (again && again.winners.length > 0)
      undecided(`none of one burst succeeded, and one of another did: ${tally(burst)}; ${tally(again)}`);
    expect.fail(`none of ${answers.length} identical assertions sent at once succeeded`, {
      answer: answers[0]!,
      expected: 'one success',
      found: tally(burst),
    });
  });
}

/** Returns whether a gateway or a limiter answered every request of a burst in place of the service. */
function isOverloaded({ answers }: Burst): boolean {
  return answers.every(({ status }) => [429, 502, 503, 504].includes(status));
}

function tally({ answers }: Burst): string {
  const counts = new Map<string, number>();
  for (const answer of answers)
    counts.set(statusAndCode(answer), (counts.get(statusAndCode(answer)) ?? 0) + 1);
  return [...counts].map(([what, count]) => `${count} × ${what}`).join(', ');
}
