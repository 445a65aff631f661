/** 4.8: what a revocation does to other tokens, and to its client. */
import { requireOk } from '../../lib/check/require.ts';
import { endsWithoutHint, presentEnded, revocationsSettle } from './ended.ts';
import { check } from './suite.ts';
import { refreshedAfterRevocation } from './twin.ts';

check('TOKEN-REVOKE-SAME-CLIENT-SURVIVES', async ({ oauth, tokenAccess, expect, skip }) => {
  const [first, second] = [await tokenAccess.anyToken(), await oauth.issue()];
  if (first.value === second.value) skip('the target hands out the same token again');
  const answer = await oauth.revoke(first.value);
  requireOk(answer, 'TOKEN-REVOKE-STATUS');
  expect.accepted(
    await tokenAccess.present(second, 'list addresses with the other token'),
    'another token was revoked, not this one',
  );
});

check(
  'TOKEN-REVOKE-SAME-CLIENT-SURVIVES',
  { case: 'refresh-token' },
  async ({ oauth, tokenAccess, refreshTokens, expect, skip, block }) => {
    const [first, second] = [await refreshTokens.takeToEnd(), await refreshTokens.takeToEnd()];
    if (first.value === second.value) skip('the target hands out the same refresh token again');
    const third = await refreshTokens.takeToEnd();
    // The tokens of one grant may end together.
    if (third.access && third.access.value === first.access?.value)
      skip('the target hands out the same access token with each refresh token');
    // Where issuing a refresh token ends earlier ones, the revocation is not the reason why they have ended.
    if (!(await refreshTokens.exchange(second.value)).ok)
      block('a refresh token is not exchanged once another was issued', 'TOKEN-REFRESH-FORM');
    const { access: other } = third;
    if (other) await tokenAccess.requireAccepted(other);
    const answer = await oauth.revoke(first.value);
    requireOk(answer, 'TOKEN-REVOKE-STATUS');
    if (other) {
      const list = await tokenAccess.present(other, 'list addresses with the token of another grant');
      expect.after(answer).accepted(list, 'the refresh token of another grant was revoked, not of this one');
    }
    const exchange = await refreshTokens.exchange(
      third.value,
      {},
      undefined,
      'exchange the other refresh token',
    );
    expect.accepted(exchange, 'another refresh token was revoked, not this one');
  },
);

check(
  'TOKEN-REVOKE-SAME-CLIENT-SURVIVES',
  { case: 'refresh-of-another' },
  async ({ oauth, tokenAccess, refreshTokens, expect, skip }) => {
    await refreshTokens.requireRefreshWorks();
    const { value, access } = await refreshTokens.takeToEnd();
    const token = await tokenAccess.livingToken();
    if (access?.value === token.value || token.answer.at('/refresh_token') === value)
      skip('the target hands out the same tokens again');
    const answer = await oauth.revoke(token.value);
    requireOk(answer, 'TOKEN-REVOKE-STATUS');
    const purpose = 'exchange the refresh token of another grant';
    const exchange = await refreshTokens.exchange(value, {}, undefined, purpose);
    expect.after(answer).accepted(exchange, 'only an access token of another grant was revoked');
  },
);

check(
  'TOKEN-REVOKE-OTHERS-SURVIVE',
  { needs: ['shipping.secondClient'] },
  async ({ oauth, tokenAccess, expect }) => {
    const others = await oauth.issue(oauth.secondClient);
    await tokenAccess.requireAccepted(others);
    const answer = await oauth.revoke((await oauth.issue()).value);
    requireOk(answer, 'TOKEN-REVOKE-STATUS');
    expect.accepted(
      await tokenAccess.present(others, "list addresses with the other client's token"),
      'the revoked token was of another client',
    );
  },
);

check('TOKEN-REVOKE-THEN-ISSUE', async ({ oauth, tokenAccess, expect, block }) => {
  await tokenAccess.requireInventedRefused();
  // A target that locks out the client after a revocation issues no more tokens to revoke, so the first
  // revocation of the run is what shows it.
  if (!oauth.hasRevoked) {
    const answer = await oauth.revoke((await oauth.issue()).value);
    requireOk(answer, 'TOKEN-REVOKE-STATUS');
  }
  const { issued, list } = await oauth.afterRevocation();
  expect.accepted(issued, 'only a token was revoked, not the client');
  if (list === undefined) return block('the answer carries no access token', 'TOKEN-RESPONSE-ACCESS-TOKEN');
  if (list.ok) return;
  await oauth.issue();
  await tokenAccess.requireAccepted(await oauth.issue());
  expect.accepted(list, 'the token is newer than the revocation');
});

check('TOKEN-REVOKE-REFRESH-ENDS-ACCESS', async (context) => {
  const { oauth, refreshTokens, tokenAccess, expect, skip } = context;
  const { value, access } = await refreshTokens.takeToEnd();
  if (!access) return skip('no access token belongs to the refresh token');
  await tokenAccess.requireAccepted(access);
  await oauth.revoke(value);
  await revocationsSettle(context);
  const list = await tokenAccess.present(access, 'list addresses with the access token');
  if (list.ok && (await refreshTokens.takeToEnd()).access?.value === access.value)
    skip('the target hands out the same access token with another refresh token');
  expect.refused(list, 'the refresh token of its grant was revoked');
});

check('TOKEN-REVOKE-ACCESS-ENDS', { case: 'refreshed-after' }, async (context) => {
  const { expect, skip } = context;
  await endsWithoutHint(context);
  const { access, revocation, answer } = await refreshedAfterRevocation(context);
  if (!access || !revocation) return skip('no access token belongs to the refresh token');
  requireOk(revocation, 'TOKEN-REVOKE-STATUS');
  const list = await presentEnded(context, access);
  expect.after(answer).refused(list, 'the token was revoked, whatever became of its refresh token');
});
