import type { Encoding } from '../support/shipping/tokens.ts';
import type { OAuthContext } from './suite.ts';

/**
 * The twin of a token request that is refused or lacks something: the good one, in the same kind of body, so
 * that nothing counts as refused that the target refuses to any JSON or any form. Blocks unless it is a success.
 */
export async function goodTwin({ oauth, block }: OAuthContext, encoding: Encoding): Promise<void> {
  const good = await oauth.request({}, encoding);
  if (!good.ok)
    block(
      `the good request is answered with ${good.status}`,
      encoding === 'form' ? 'TOKEN-ISSUE-FORM' : 'TOKEN-ISSUE-JSON',
    );
}

/** The scopes that there are to ask for: the configured ones, or those that a token carries. Blocks without any. */
export async function knownScopes({ oauth, block }: OAuthContext): Promise<string[]> {
  const configured = oauth.config.scopes as string[] | undefined;
  if (configured) return configured;
  const carried = scopesOf((await oauth.issue()).answer.at('/scope'));
  return carried.length > 0 ? carried : block('the token response names no scope', 'TOKEN-RESPONSE-SCOPE');
}

/** The single scopes of a `scope` value; none for what is no text. */
export function scopesOf(scope: unknown): string[] {
  return typeof scope === 'string' ? scope.split(/\s+/).filter((s) => s !== '') : [];
}
