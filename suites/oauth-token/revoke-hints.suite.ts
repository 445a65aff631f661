/** 4.8, parameter token_type_hint: the right one, a wrong one, and none with a refresh token. */
import { requireOk } from '../../lib/check/require.ts';
import type { Params } from '../../services/shipping/api/oauth.ts';
import { endsWithoutHint, presentEnded } from './ended.ts';
import { expectNoToken } from './no-token.ts';
import { check, type OAuthContext } from './suite.ts';
import { storesSettle } from './twin.ts';

check('TOKEN-REVOKE-HINT-ACCESS', async (context) => {
  const { oauth, tokenAccess, expect } = context;
  await endsWithoutHint(context);
  const token = await tokenAccess.anyToken();
  const answer = await oauth.revoke(token.value, { token_type_hint: 'access_token' });
  expect.status(answer, 200);
  expect.refused(await presentEnded(context, token), 'the token was revoked');
});

for (const [id, params] of [
  ['TOKEN-REVOKE-REFRESH-ENDS', {}],
  ['TOKEN-REVOKE-HINT-REFRESH', { token_type_hint: 'refresh_token' }],
] as [string, Params][]) {
  check(id, async (context) => {
    const { oauth, refreshTokens, expect, block } = context;
    await refreshTokens.requireRefreshWorks();
    if (params.token_type_hint) {
      const { value: twin } = await refreshTokens.takeToEnd();
      const { status } = await oauth.revoke(twin);
      if (status !== 200) block(`revoke without a hint answered ${status}`, 'TOKEN-REVOKE-STATUS');
      if ((await refreshTokens.exchange(twin, {}, undefined, 'exchange the revoked token')).ok)
        block('a revocation without a hint does not end a refresh token', 'TOKEN-REVOKE-REFRESH-ENDS');
    }
    const { value } = await refreshTokens.takeToEnd();
    const answer = await oauth.revoke(value, params);
    if (params.token_type_hint) expect.status(answer, 200);
    else requireOk(answer, 'TOKEN-REVOKE-STATUS');
    const exchange = await refreshTokens.exchange(value, {}, undefined, 'exchange the revoked token');
    if (exchange.ok && !params.token_type_hint && (await endsLater(context))) return;
    expectNoToken(expect, exchange, 'the refresh token was revoked');
  });
}

/**
 * Whether another refresh token has ended some seconds after its revocation. It is not exchanged before, since
 * that alone may end it.
 */
async function endsLater({ oauth, refreshTokens, time }: OAuthContext): Promise<boolean> {
  const { value } = await refreshTokens.takeToEnd();
  await oauth.revoke(value);
  await storesSettle(time);
  return !(await refreshTokens.exchange(value, {}, undefined, 'exchange the token revoked seconds ago')).ok;
}

check('TOKEN-REVOKE-REFRESH-ENDS', { case: 'after-another-token' }, async (context) => {
  const { oauth, refreshTokens, expect, block } = context;
  await refreshTokens.requireRefreshWorks();
  const { value } = await refreshTokens.takeToEnd();
  requireOk(await oauth.revoke(value), 'TOKEN-REVOKE-STATUS');
  if ((await refreshTokens.exchange(value, {}, undefined, 'exchange the revoked token')).ok)
    block('the revoked refresh token is exchanged directly after', 'TOKEN-REVOKE-REFRESH-ENDS');
  // A server that rewrites its whole store with each token may bring back one that was deleted from it.
  await oauth.issue();
  const answer = await refreshTokens.exchange(
    value,
    {},
    undefined,
    'exchange it after another token was issued',
  );
  expectNoToken(expect, answer, 'the refresh token was revoked');
});

const LATER = {
  case: 'later',
  phase: 'late',
  touches: { clock: 'move', refreshTokens: 'alone' },
} as const;

check('TOKEN-REVOKE-REFRESH-ENDS', LATER, async (context) => {
  const { oauth, refreshTokens, time, expect, block } = context;
  await refreshTokens.requireRefreshWorks();
  const { value } = await refreshTokens.takeToEnd();
  requireOk(await oauth.revoke(value), 'TOKEN-REVOKE-STATUS');
  await time.pass(90 * 60_000, 'whether a revoked refresh token stays revoked');
  const exchange = await refreshTokens.exchange(value, {}, undefined, 'exchange the token revoked long ago');
  if (exchange.ok) {
    const { value: other } = await refreshTokens.takeToEnd();
    await oauth.revoke(other);
    if ((await refreshTokens.exchange(other, {}, undefined, 'exchange a token just revoked')).ok)
      block('a refresh token is exchanged directly after its revocation, too', 'TOKEN-REVOKE-REFRESH-ENDS');
  }
  expectNoToken(expect, exchange, 'the refresh token was revoked');
});

check('TOKEN-REVOKE-WRONG-HINT', { case: 'access-token' }, async (context) => {
  const { oauth, tokenAccess, expect } = context;
  await endsWithoutHint(context);
  const token = await tokenAccess.anyToken();
  const answer = await oauth.revoke(token.value, { token_type_hint: 'refresh_token' });
  if (!answer.ok) return;
  const listAddresses = await presentEnded(context, token);
  expect.refused(listAddresses, 'its revocation was answered with a success; the hint is only a hint');
});

check(
  'TOKEN-REVOKE-WRONG-HINT',
  { case: 'refresh-token' },
  async ({ oauth, refreshTokens, expect, block }) => {
    await refreshTokens.requireRefreshWorks();
    const twin = (await refreshTokens.takeToEnd()).value;
    await oauth.revoke(twin);
    if ((await refreshTokens.exchange(twin, {}, undefined, 'exchange the revoked token')).ok) {
      block('a revocation without a hint does not end a refresh token', 'TOKEN-REVOKE-REFRESH-ENDS');
    }
    const { value } = await refreshTokens.takeToEnd();
    const answer = await oauth.revoke(value, { token_type_hint: 'access_token' });
    if (!answer.ok) return;
    const exchange = await refreshTokens.exchange(value, {}, undefined, 'exchange the revoked token');
    expectNoToken(expect, exchange, 'its revocation was answered with a success; the hint is only a hint');
  },
);
