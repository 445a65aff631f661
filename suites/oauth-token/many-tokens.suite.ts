/** 4.8, 5 and 8: a token stays valid, or revoked, however many others are issued and revoked afterwards. */
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { presentEnded } from './ended.ts';
import { type OAuthContext, check as suiteCheck } from './suite.ts';

// A service may issue the same token several times, so the revocations here may end tokens of other checks.
const check = suiteCheck.with({ touches: { tokens: 'alone' } });

/** More tokens than a client needs at the same time, and more than a store that is too small can hold. */
const ISSUED = 26;
/** How many of them are revoked. */
const REVOKED = 12;

/**
 * The answers to an early token and to a token that was revoked early: soon, and again after many others.
 */
interface Late {
  early: Answer;
  earlyAfterOne: Answer;
  revoked: Answer;
  revokedSoon: Answer;
}

const late = perRun(
  'shipping: tokens issued after a revocation',
  async (context: OAuthContext): Promise<Late> => {
    const { oauth, tokenAccess, session } = context;
    // The first revocation of a run is followed by a token request (see `afterRevocation`). Making it here
    // keeps that request from coming between the revocation below and the look at its token.
    if (!oauth.hasRevoked) await oauth.revoke((await oauth.issue()).value);
    const [early, ended] = [await tokenAccess.openToken(), await oauth.issue()];
    const earlyAfterOne = await tokenAccess.present(early, 'list addresses with the earlier token');
    const others = await session.together(Array.from({ length: ISSUED }, () => () => oauth.issue()));
    const earlyLate = await tokenAccess.present(early, 'list addresses with the earliest token');
    requireOk(await oauth.revoke(ended.value), 'TOKEN-REVOKE-STATUS');
    const revokedSoon = await presentEnded(context, ended);
    await session.together(
      others.slice(0, REVOKED).map(
        ({ value }) =>
          () =>
            oauth.revoke(value),
      ),
    );
    // A server that rewrites its whole store with each token may bring back one that was deleted from it.
    await oauth.issue();
    const revoked = await tokenAccess.present(
      ended,
      'list addresses with the token revoked before many others',
    );
    return { early: earlyLate, earlyAfterOne, revoked, revokedSoon };
  },
);

check('TOKEN-EARLIER-SURVIVES', { case: 'several' }, async (context) => {
  const { early, earlyAfterOne } = await late(context);
  if (!earlyAfterOne.ok) context.block('one further token ends it already', 'TOKEN-EARLIER-SURVIVES');
  context.expect.accepted(early, 'the token has neither expired nor been revoked');
});

check('TOKEN-REVOKE-REMEMBERED', async (context) => {
  const { revoked, revokedSoon } = await late(context);
  if (revokedSoon.ok)
    context.block('the revoked token is accepted after its revocation', 'TOKEN-REVOKE-ACCESS-ENDS');
  context.expect.refused(revoked, `it was revoked, and ${REVOKED} others after it`);
});
