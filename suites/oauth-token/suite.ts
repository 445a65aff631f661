/** The oauth-token suite: specification 1, sections 4.7 to 4.9, 5 and 8. */
import type { CheckContext } from '../../lib/check/context.ts';
import { defineSuite } from '../../lib/check/suite.ts';
import { Introspection } from '../../services/shipping/api/introspection.ts';
import { TokenAccess } from '../../services/shipping/api/token-access.ts';
import { type Faker, mexican } from '../../services/shipping/fixtures/mexican-data.ts';
import { RefreshTokens } from '../../services/shipping/fixtures/refresh-tokens.ts';
import { RevokingOAuth } from '../../services/shipping/fixtures/revoking-oauth.ts';
import shipping from '../../services/shipping/service.ts';

/** What a check of this suite is given besides the context that every check has. */
export interface Fixtures {
  /** The three OAuth endpoints. */
  oauth: RevokingOAuth;
  /** Shows whether a token is accepted. */
  tokenAccess: TokenAccess;
  /** Hands out refresh tokens, where the target has any. */
  refreshTokens: RefreshTokens;
  /** Finds out whether introspection distinguishes two states of a token. */
  introspection: Introspection;
  /** Test data from the run's seed and the check's id. */
  faker: Faker;
}

/** What a check of this suite is given. */
export type OAuthContext = CheckContext & Fixtures;

export const check = defineSuite<Fixtures>('oauth-token', {
  service: shipping,
  // A service may issue one token several times, so a revocation may end the tokens of other checks.
  touches: (_, requirements) => ({
    tokens: requirements.some((id) => id.includes('REVOKE')) ? 'alone' : 'change',
  }),
  fixtures: {
    oauth: (context) => new RevokingOAuth(context),
    tokenAccess: (context) => new TokenAccess(context),
    refreshTokens: (context) => new RefreshTokens(context),
    introspection: (context) => new Introspection(context),
    faker: mexican,
  },
  /** A server that answers all requests alike either issues no token or refuses none of these. */
  alive: async ({ oauth, tokenAccess, block }) => {
    const token = await oauth.issue();
    const wrong = await oauth.request(
      { client_secret: 'not-the-secret' },
      undefined,
      'ask with a wrong secret',
    );
    if (!wrong.ok) return;
    const opened = await tokenAccess.present(token);
    const garbage = await tokenAccess.present(
      { raw: 'not-a-token' },
      'list addresses with an invented token',
    );
    if (opened.ok && !garbage.ok) return;
    block(
      'the target answers good and bad credentials alike, so a pass would mean nothing',
      'TOKEN-ISSUE-WRONG-SECRET-401',
    );
  },
});
