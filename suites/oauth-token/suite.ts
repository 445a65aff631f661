/** The oauth-token suite: specification 1, sections 4.7 to 4.9, 5 and 8. */
import type { CheckContext } from '../../lib/check/context.ts';
import { defineSuite } from '../../lib/check/suite.ts';
import { Door } from '../support/shipping/door.ts';
import { Introspection } from '../support/shipping/introspection.ts';
import { RefreshTokens } from '../support/shipping/refresh-tokens.ts';
import { OAuth } from '../support/shipping/tokens.ts';

/** What a check of this suite is given besides the context that every check has. */
export interface Fixtures {
  /** The three OAuth endpoints. */
  oauth: OAuth;
  /** The address book, as the door that a token opens or does not. */
  door: Door;
  refreshTokens: RefreshTokens;
  introspection: Introspection;
}

/** What a check of this suite is given. */
export type OAuthContext = CheckContext & Fixtures;

export const check = defineSuite<Fixtures>('oauth-token', {
  service: 'shipping',
  fixtures: {
    oauth: (context) => new OAuth(context),
    door: (context) => new Door(context),
    refreshTokens: (context) => new RefreshTokens(context),
    introspection: (context) => new Introspection(context),
  },
  /** A server that answers everything alike either gives no token or refuses none of these. */
  alive: async ({ oauth, door, block }) => {
    const token = await oauth.issue();
    const wrong = await oauth.request({ client_secret: 'not-the-secret' }, 'form', 'ask with a wrong secret');
    if (!wrong.ok) return;
    const opened = await door.knock(token);
    const garbage = await door.knock({ raw: 'not-a-token' }, 'list addresses with an invented token');
    if (opened.ok && !garbage.ok) return;
    block(
      'the target answers good and bad credentials alike, so that a pass would mean nothing',
      'TOKEN-ISSUE-WRONG-SECRET-401',
    );
  },
});
