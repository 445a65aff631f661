/** 4: values of `jti` that are easily mistaken for one another, although they are compared as they are (RFC 7519 2). */
import type { CheckContext } from '../../lib/check/context.ts';
import { perSession } from '../../lib/check/per-run.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { statusAndCode } from '../../services/agents/fixtures/registration.ts';
import type { Registrations } from '../../services/agents/fixtures/registrations.ts';
import type { Subject } from '../../services/agents/idp/identity-provider.ts';
import { codeOf } from '../../services/agents/judging/error-codes.ts';
import { expectNoFailure, expectNoKey } from '../../services/agents/judging/refusal.ts';
import { MANY_KEYS, requireOwnKey, check as suiteCheck } from './suite.ts';

// These checks run late, so that no other check depends on what comes directly after such registrations.
const check = suiteCheck.with({ phase: 'scarce' });

const STATUS = 'AGENT-REG-STATUS';
const REPLAY = 'AGENT-REPLAY-OTHER-USER';

type Given = CheckContext & { registrations: Registrations };

/** Pairs of values of `jti` that are easily mistaken for one another. */
const JTIS: Record<string, { how: string; endings: [string, string]; blank?: true }> = {
  case: { how: 'in the case of its letters', endings: ['-abcdef', '-ABCDEF'], blank: true },
  unicode: { how: 'in its Unicode form', endings: ['-caf\u00e9', '-cafe\u0301'] },
  end: {
    how: 'after 300 characters',
    endings: [`${'-long'.repeat(60)}-a`, `${'-long'.repeat(60)}-b`],
  },
};

for (const [name, pair] of Object.entries(JTIS)) {
  check(
    ['AGENT-JTI-SIMILAR', STATUS, REPLAY],
    { ...MANY_KEYS, case: name, effects: 'write' },
    async (context) => {
      const { registrations, skip } = context;
      requireOwnKey({ registrations, skip });
      await registrations.twin();
      const { users } = registrations;
      await registrations.withUser(users.named('many'), (user) => expectToldApart(context, user, pair));
    },
  );
}

/**
 * Fails the check unless registrations succeed whose values of `jti` only resemble each other. Both are for one
 * user, since some services remember used values for each user.
 */
async function expectToldApart(
  context: Given,
  user: Subject,
  { how, endings, blank }: (typeof JTIS)[string],
): Promise<void> {
  const { registrations, session, expect, skip, block, undecided } = context;
  // Another one when this is done again, since a registration that was not served may have used it up.
  const unique = session.unique();
  const purpose = `register with a jti that differs ${how} only`;
  for (const ending of endings) {
    const changes = { claims: { jti: `${unique}${ending}` } };
    const { answer } = await registrations.register(purpose, { user, changes, budget: 'sweep' });
    expectNoFailure(expect, answer);
    if (answer.status >= 500) block(`the registration is answered ${statusAndCode(answer)}`, STATUS);
    // Whether such a `jti` is accepted at all is left open.
    if (!answer.ok && codeOf(answer) !== 'replay_detected')
      skip(`a jti like this is refused: ${statusAndCode(answer)}`);
    const isAgain = answer.exchange.purpose !== purpose || session.http.recorder.disturbances.unsure > 0;
    if (!answer.ok && isAgain) undecided('the registration may have arrived twice');
    expect.accepted(answer, `no assertion has had its \`jti\`, only one that differs ${how}`);
  }
  await expectUsed(context, `${unique}${endings[1]}`);
  if (blank) await expectNoReplay(context, `${unique}${endings[1]} `, 'a used jti with a blank behind it');
}

/**
 * Fails the check if a new user's registration is refused as a replay although no assertion has had its `jti`; any other
 * refusal is left open.
 */
async function expectNoReplay({ registrations, expect }: Given, jti: string, what: string): Promise<Answer> {
  const making = { changes: { claims: { jti } }, budget: 'sweep' } as const;
  const { answer } = await registrations.register(`register with ${what} as jti`, making);
  expectNoFailure(expect, answer);
  if (codeOf(answer) === 'replay_detected') expect.accepted(answer, `its \`jti\` is new: it is ${what}`);
  return answer;
}

/** Values of `sub` that have been sent as a `jti`. */
const subsSent = perSession(() => new Set<string>());

check(['AGENT-JTI-SIMILAR', STATUS], { case: 'sub', effects: 'write' }, async (context) => {
  const { registrations, session, skip } = context;
  requireOwnKey({ registrations, skip });
  if (registrations.users.fixed) skip('an earlier run may have sent the `sub` of the only user as a jti');
  await registrations.twin();
  const sent = subsSent(session);
  const user = registrations.made.map((made) => made.user).find(({ sub }) => !sent.has(sub));
  if (!user) return skip('the `sub` of each user has been sent as a jti');
  sent.add(user.sub);
  const answer = await expectNoReplay(context, user.sub, 'the sub of a registered user');
  if (!answer.ok) skip(`a jti like this is refused: ${statusAndCode(answer)}`);
});

/**
 * Fails the check unless a `jti` that was accepted is remembered. Another user sends it again, since a
 * service may lock a user out after a replay.
 */
async function expectUsed({ registrations, expect }: Given, jti: string): Promise<void> {
  if (registrations.users.fixed) return;
  const making = { changes: { claims: { jti } }, budget: 'sweep', isReplay: true } as const;
  const { answer } = await registrations.register('register another user with that jti', making);
  expect.soft(REPLAY, (its) =>
    expectNoKey(its, answer, 'its `jti` was used by an assertion for another user'),
  );
}
