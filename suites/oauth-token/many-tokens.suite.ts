/** 4.8, 5 and 8: a token stays valid, or revoked, however many others were issued and revoked since. */
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { type OAuthContext, check as suiteCheck } from './suite.ts';

// Tokens are revoked, and a service may issue one token several times.
const check = suiteCheck.with({ touches: { tokens: 'alone' } });

/** More tokens than a client needs at once, and more than a store that is too small remembers. */
const MANY = 12;

/** The answers to an early token and to one revoked early, directly and after many others. */
interface Late {
  early: Answer;
  earlyAfterOne: Answer;
  revoked: Answer;
  revokedAtOnce: Answer;
}

const late = perRun(
  'shipping: tokens issued after a revocation',
  async ({ oauth, tokenAccess }: OAuthContext): Promise<Late> => {
    // The first revocation of a run is followed by a token request, which is not to come before the look at this one.
    if (!oauth.hasRevoked) await oauth.revoke((await oauth.issue()).value);
    const [early, ended] = [await tokenAccess.openToken(), await oauth.issue()];
    const earlyAfterOne = await tokenAccess.present(early, 'list addresses with the earlier token');
    const others: string[] = [];
    for (let n = 0; n < MANY; n += 1) others.push((await oauth.issue()).value);
    const earlyLate = await tokenAccess.present(early, 'list addresses with the earliest token');
    requireOk(await oauth.revoke(ended.value), 'TOKEN-REVOKE-STATUS');
    const revokedAtOnce = await tokenAccess.present(ended, 'list addresses with the revoked token');
    for (const value of others) await oauth.revoke(value);
    // A store that is written anew with each token may bring back what was taken out of it.
    await oauth.issue();
    const revoked = await tokenAccess.present(
      ended,
      'list addresses with the token revoked before many others',
    );
    return { early: earlyLate, earlyAfterOne, revoked, revokedAtOnce };
  },
);

check('TOKEN-EARLIER-SURVIVES', { case: 'several' }, async (context) => {
  const { early, earlyAfterOne } = await late(context);
  if (!earlyAfterOne.ok) context.block('one further token ends it already', 'TOKEN-EARLIER-SURVIVES');
  context.expect.accepted(early, 'the token has neither expired nor been revoked');
});

check('TOKEN-REVOKE-REMEMBERED', async (context) => {
  const { revoked, revokedAtOnce } = await late(context);
  if (revokedAtOnce.ok)
    context.block('the revoked token is accepted directly after its revocation', 'TOKEN-REVOKE-ACCESS-ENDS');
  context.expect.refused(revoked, `it was revoked, and ${MANY} others after it`);
});
