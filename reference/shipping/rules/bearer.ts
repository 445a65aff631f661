/** Who may use the address endpoints (section 5), and at which rate (section 8). */
import type { AddressEndpoint, Env, IssuedToken, OAuthEndpoint } from '../model.ts';
import { AddressRefusal } from '../refusal.ts';

const requiredScope: Record<AddressEndpoint, string> = {
  list: 'read',
  read: 'read',
  create: 'write',
  update: 'write',
  delete: 'write',
  verify: 'write',
};

export const bearerRules = {
  /** The scope that an operation requires (silence: the specification does not say which scopes exist). */
  requiredScope,

  /** Returns the bearer token of a request, which is read from the Authorization header only. */
  readBearer(request: Request): string | undefined {
    return /^bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  },

  /** Returns the access token with this value. Refresh tokens are not accepted at the address endpoints. */
  findAccessToken(value: string, env: Env): IssuedToken | undefined {
    const token = env.state.tokens.get(value);
    return token?.kind === 'access_token' ? token : undefined;
  },

  /** Whether a token has expired, as it does at `expiresAt`. `now` is in milliseconds since the epoch. */
  tokenHasExpired(token: IssuedToken, now: number): boolean {
    return token.expiresAt !== undefined && now >= token.expiresAt;
  },

  /** Whether a token is valid at the endpoint where it is presented. */
  tokenIsActive(token: IssuedToken, _where: AddressEndpoint | OAuthEndpoint, env: Env): boolean {
    return !token.revoked && !env.rules.tokenHasExpired(token, env.clock.now());
  },

  /** Returns the token that a request presents. Throws an `AddressRefusal` unless there is a valid one. */
  authenticate(request: Request, endpoint: AddressEndpoint, env: Env): IssuedToken {
    const { rules } = env;
    const value = rules.readBearer(request);
    if (value === undefined) throw new AddressRefusal('noToken');
    const token = rules.findAccessToken(value, env);
    if (token === undefined || !rules.tokenIsActive(token, endpoint, env)) {
      throw new AddressRefusal('badToken');
    }
    return token;
  },

  /** Whether the token's scopes cover the operation. */
  scopeCovers(token: IssuedToken, endpoint: AddressEndpoint, env: Env): boolean {
    return token.scopes.includes(env.rules.requiredScope[endpoint]);
  },

  /** How many requests are served within `rateWindowMs`. */
  rateLimit: 2,

  /** Length of the sliding window in milliseconds. */
  rateWindowMs: 1000,

  /** Returns the key under which requests are counted: every token has a limit of its own. */
  rateKey(token: IssuedToken, _endpoint: AddressEndpoint): string {
    return token.value;
  },

  /**
   * Whether one more call is admitted now; if so, it is noted in `log`, which holds milliseconds since the
   * epoch, oldest first. Calls that were refused do not count.
   */
  admitCall(log: number[], now: number, env: Env): boolean {
    const { rateLimit, rateWindowMs } = env.rules;
    while (log.length > 0 && now - log[0]! >= rateWindowMs) log.shift();
    if (log.length >= rateLimit) return false;
    log.push(now);
    return true;
  },
};
