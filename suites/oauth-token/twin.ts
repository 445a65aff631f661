import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { Ask } from '../../services/shipping/api/introspection.ts';
import type { Encoding } from '../../services/shipping/api/oauth.ts';
import type { RevokingOAuth } from '../../services/shipping/fixtures/revoking-oauth.ts';
import type { OAuthContext } from './suite.ts';

/** Returns the answer to a valid token request, whatever it is. */
export const goodRequest = perRun(
  'shipping: good token request as',
  async ({ oauth }: OAuthContext, encoding: Encoding): Promise<Answer> => oauth.request({}, encoding),
);

/**
 * Sends the twin of a token request that has to be refused: a valid request with the same kind of body.
 * Without it, a target that refuses every JSON body, or every form, would seem to refuse the fault. Blocks
 * unless it is a success.
 */
export async function goodTwin(context: OAuthContext, encoding: Encoding): Promise<void> {
  await requireGood(context, await goodRequest(context, encoding), encoding);
}

/** Like `goodTwin`, with a new request: a service may have locked out the client after wrong secrets. */
export async function goodAgain(context: OAuthContext, encoding: Encoding): Promise<void> {
  await requireGood(context, await context.oauth.request({}, encoding), encoding);
}

/**
 * Requires that the answer to a good token request is a success. Throws `Skipped` where the target accepts
 * only the other kind of body, which fails one requirement: everything else is judged with the kind that it
 * accepts.
 */
export async function requireGood(context: OAuthContext, good: Answer, encoding: Encoding): Promise<void> {
  if (good.ok) return;
  const [name, other] = encoding === 'form' ? (['form', 'json'] as const) : (['JSON', 'form'] as const);
  if ((await goodRequest(context, encoding)).ok || !(await goodRequest(context, other)).ok)
    requireOk(good, encoding === 'form' ? 'TOKEN-ISSUE-FORM' : 'TOKEN-ISSUE-JSON');
  context.skip(`the token endpoint takes no ${name} body, and is judged by the other kind`);
}

/** Returns the scopes to request: the configured ones, or those of a token. Blocks where it has none. */
export async function knownScopes({ oauth, block }: OAuthContext): Promise<string[]> {
  const configured = oauth.config.scopes as string[] | undefined;
  if (configured) return configured;
  const carried = await plainScopes(oauth);
  return carried.length > 0 ? carried : block('the token response names no scope', 'TOKEN-RESPONSE-SCOPE');
}

/** Returns the scopes of a token that was requested without any. */
export const plainScopes = perRun('shipping: scopes of a token', async (oauth: RevokingOAuth) =>
  scopesOf((await oauth.issue()).answer.at('/scope')),
);

/** Returns the single scopes in a `scope` value; none where it is not a string. */
export function scopesOf(scope: unknown): string[] {
  return typeof scope === 'string' ? scope.split(/\s+/).filter((s) => s !== '') : [];
}

/** Returns an active token and how to introspect it. Blocks where introspection does not work at all. */
export async function introspectTwin({
  tokenAccess,
  introspection,
}: OAuthContext): Promise<{ ask: Ask; token: string }> {
  const { value: token } = await tokenAccess.livingToken();
  const ask = await introspection.asking('access_token', token);
  const good = await ask(token, 'introspect an active token');
  requireOk(good, 'TOKEN-INTROSPECT-ANSWERS');
  return { ask, token };
}

/** Returns the answer to a good revocation of an access token, without a hint. */
export const revoked = perRun('shipping: good revocation', async ({ oauth }: OAuthContext) =>
  oauth.revoke((await oauth.issue()).value),
);

/** Blocks unless a valid revocation succeeds: the twin of every revocation that has to be refused. */
export async function goodRevocation(context: OAuthContext): Promise<void> {
  const answer = await revoked(context);
  requireOk(answer, 'TOKEN-REVOKE-STATUS');
}

/** Does the same as `goodRevocation` with a new revocation: see `goodAgain`. */
export async function goodRevocationAgain({ oauth, block }: OAuthContext): Promise<void> {
  const { ok, status } = await oauth.revoke((await oauth.issue()).value);
  if (!ok) block(`a valid revocation is now answered with ${status}`, 'TOKEN-REVOKE-STATUS');
}

/** Exchanges a refresh token after its access token was revoked; whether that still succeeds is left open. */
export const refreshedAfterRevocation = perRun(
  'shipping: refresh after the access token was revoked',
  async ({ oauth, refreshTokens }: OAuthContext) => {
    const { value, access } = await refreshTokens.takeToEnd();
    const revocation = access && (await oauth.revoke(access.value));
    return { access, revocation, answer: await refreshTokens.exchange(value) };
  },
);

/**
 * Waits in real time for the stores of a target that has several: a revocation may take a moment to reach the
 * one that answers. Without a movable clock, such a delay is all that can be waited for, so it may be longer.
 */
export function storesSettle(time: OAuthContext['time']): Promise<void> {
  return time.rest(time.movable ? 2_000 : time.pollLimit(10_000));
}
