/** 4.8 Revoke token: the answer to it, and the end of the token. */
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import { endsWithoutHint, presentEnded } from './ended.ts';
import { type OAuthContext, check as suiteCheck } from './suite.ts';
import { goodRevocation, revoked } from './twin.ts';

// The clock is moved by minutes and hours.
const check = suiteCheck.with({ touches: { clock: 'move' } });

/** In ms: well within the 2 hours of a token, but longer than a cache of revocations may last. */
const LONG_AFTER_MS = 90 * 60_000;

check('TOKEN-REVOKE-STATUS', async (context) => {
  const { oauth, expect } = context;
  const answer = await revoked(context);
  const isJson = (await oauth.encoding('revoke')) === 'json';
  expect.status(isJson ? answer : await oauth.revoke((await oauth.issue()).value, {}, 'json'), 200);
});

check('TOKEN-REVOKE-EMPTY-OBJECT', async (context) => {
  const { expect } = context;
  const answer = await revoked(context);
  requireOk(answer, 'TOKEN-REVOKE-STATUS');
  expect.object(answer);
  expect.equal(answer.json, {}, 'the body', { answer, at: '' });
});

check('TOKEN-REVOKE-EMPTY-OBJECT', { case: 'refresh-token' }, async ({ oauth, refreshTokens, expect }) => {
  const answer = await oauth.revoke((await refreshTokens.takeToEnd()).value);
  requireOk(answer, 'TOKEN-REVOKE-STATUS');
  expect.object(answer);
  expect.equal(answer.json, {}, 'the body', { answer, at: '' });
});

// This check need not be alone with the tokens, although on a faulty target its revocation may end those of
// others: the only checks that also hold a token for hours are repeated when they fail.
const longCheck = check.with({ touches: { tokens: 'change' } });

longCheck('TOKEN-REVOKE-ACCESS-ENDS', async (context) => {
  const { oauth, tokenAccess, expect, time } = context;
  const token = await tokenAccess.anyToken();
  const answer = await oauth.revoke(token.value);
  requireOk(answer, 'TOKEN-REVOKE-STATUS');
  expect.refused(await presentEnded(context, token), 'the token was revoked');
  // A server that empties its list of revoked tokens too soon makes them valid again. This is tested only
  // where time can be moved.
  if (!time.movable) return;
  await time.wait(LONG_AFTER_MS);
  const listAddresses = await tokenAccess.present(token, 'list addresses with the token revoked long ago');
  expect.refused(
    listAddresses,
    `the token was revoked ${LONG_AFTER_MS / 60_000} minutes ago and cannot become good again`,
  );
});

check('TOKEN-REVOKE-AT-ONCE', async (context) => {
  const { oauth, tokenAccess, expect, block } = context;
  const token = await tokenAccess.anyToken();
  // The pause for the rate comes before the revocation, so that the token is presented right after it.
  await token.pacer.ready();
  const answer = await oauth.revoke(token.value);
  requireOk(answer, 'TOKEN-REVOKE-STATUS');
  const listAddresses = await tokenAccess.present(token, 'list addresses with the token just revoked');
  if (!listAddresses.ok) return;
  if ((await presentEnded(context, token)).ok)
    block('the revoked token is not refused later either', 'TOKEN-REVOKE-ACCESS-ENDS');
  expect.refused(listAddresses, 'the token was revoked by the request before');
});

check('TOKEN-REVOKE-FORM', async (context) => {
  const { oauth, tokenAccess, expect, block } = context;
  const token = await tokenAccess.anyToken();
  const answer = await oauth.revoke(token.value, {}, 'form');
  if (answer.status !== 200) {
    // Where a JSON body gets the same answer, the form is not the reason.
    const asJson = await oauth.revoke((await oauth.issue()).value);
    if (asJson.status === answer.status)
      block(`revoke as JSON is answered with ${asJson.status} too`, 'TOKEN-REVOKE-STATUS');
  }
  expect.status(answer, 200);
  const listAddresses = await presentEnded(context, token);
  if (listAddresses.ok) await endsWithoutHint(context);
  expect.refused(listAddresses, 'the token was revoked');
});

check('TOKEN-REVOKE-UNKNOWN-200', async (context) => {
  const { oauth, faker, expect } = context;
  await goodRevocation(context);
  expect.status(await oauth.revoke(faker.string.alphanumeric(43)), 200);
});

/** Returns a token that was revoked twice, and both answers. */
const revokedTwice = perRun('shipping: token revoked twice', async ({ oauth, tokenAccess }: OAuthContext) => {
  const token = await tokenAccess.livingToken();
  const first = await oauth.revoke(token.value);
  return { token, first, second: await oauth.revoke(token.value) };
});

check('TOKEN-REVOKE-AGAIN-200', async (context) => {
  const { first, second } = await revokedTwice(context);
  if (first.status !== 200) context.block(`revoke answered ${first.status}`, 'TOKEN-REVOKE-STATUS', first);
  context.expect.status(second, 200);
});

check('TOKEN-REVOKE-ACCESS-ENDS', { case: 'again' }, async (context) => {
  await context.tokenAccess.requireResource();
  const { token, first } = await revokedTwice(context);
  requireOk(first, 'TOKEN-REVOKE-STATUS');
  // The answer to the second revocation does not matter here.
  const list = await presentEnded(context, token, 'list addresses with the token revoked twice');
  if (list.ok) await endsWithoutHint(context);
  context.expect.refused(list, 'the token was revoked, and revoked again');
});
