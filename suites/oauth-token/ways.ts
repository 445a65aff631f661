/**
 * Ways to obtain an access token other than a plain request. The same requirements apply to every such token.
 */
import { perRun } from '../../lib/check/per-run.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { type AccessToken, credentials } from '../../services/shipping/api/oauth.ts';
import type { OAuthContext } from './suite.ts';
import { knownScopes, plainScopes } from './twin.ts';

/** A way to obtain a token, and the configuration keys that it needs. */
export interface Way {
  needs: string[];
  /**
   * Requests a token. Returns the answer, whatever it is. Throws `Skipped` where the target lacks what this
   * needs.
   */
  ask(context: OAuthContext): Promise<Answer>;
}

/** Returns a new token. Throws `Skipped` where none is issued in this way, which other checks judge. */
export async function issueBy({ ask }: Way, context: OAuthContext): Promise<AccessToken> {
  const answer = await ask(context);
  if (!answer.ok) context.skip(`${answer.exchange.purpose}: answered ${answer.status}`);
  return context.oauth.toToken(answer);
}

/**
 * Returns a scope whose tokens are accepted, out of several: the specification does not show what each scope
 * permits.
 */
const openingScope = perRun(
  'shipping: scope that opens the list',
  async (context: OAuthContext): Promise<string | undefined> => {
    const known = await knownScopes(context);
    for (const scope of known.length > 1 ? known.slice(0, 4) : []) {
      const answer = await context.oauth.request({ scope }, undefined, `ask for scope ${scope}`);
      if (answer.ok && (await context.tokenAccess.present(context.oauth.toToken(answer))).ok) return scope;
    }
    return undefined;
  },
);

/** The ways, by the name that their cases have. */
export const WAYS: Record<string, Way> = {
  'with-scope': {
    needs: [],
    ask: async ({ oauth, skip }) => {
      const scopes = await plainScopes(oauth);
      if (scopes.length === 0) skip('tokens of this target name no scope');
      return oauth.request({ scope: scopes.join(' ') }, undefined, 'ask for all scopes');
    },
  },
  'with-one-scope': {
    needs: [],
    ask: async (context) => {
      const scope = await openingScope(context);
      if (scope === undefined) context.skip('no single scope of several gives a token that is accepted');
      return context.oauth.request({ scope }, undefined, `ask for scope ${scope}`);
    },
  },
  'with-redirect-uri': {
    needs: ['shipping.redirectUri'],
    ask: async ({ oauth }) =>
      oauth.request({ redirect_uri: oauth.config.redirectUri }, undefined, 'ask with redirect_uri'),
  },
  'as-json': { needs: [], ask: async ({ oauth }) => oauth.request({}, 'json', 'ask as JSON') },
  'other-client': {
    needs: ['shipping.secondClient'],
    ask: async ({ oauth }) =>
      oauth.request(credentials(oauth.secondClient), undefined, 'ask as the other client'),
  },
};
