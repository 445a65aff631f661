/** Other legitimate ways to issue tokens (4.7). */
import { randomBytes, randomUUID } from 'node:crypto';
import type { IssuedToken, ShippingRules } from '../../../reference/shipping/index.ts';
import type { Variant } from '../../types.ts';
import { formed, refusing, segment } from './token-kit.ts';

export const tokenVariants: Variant<ShippingRules>[] = [
  formed('jwt', 'issues tokens that look like JWTs', () =>
    [
      segment({ alg: 'RS256', typ: 'JWT' }),
      segment({ sub: 'c', jti: randomUUID() }),
      randomBytes(64).toString('base64url'),
    ].join('.'),
  ),
  formed('short', 'issues tokens of 20 hexadecimal digits', () => randomBytes(10).toString('hex')),
  formed('long', 'issues tokens of two thousand characters', () => randomBytes(1500).toString('base64url')),
  formed(
    'punctuated',
    'issues tokens with every character that RFC 6750 allows',
    (kind) => `${kind.slice(0, 1)}-._~+/${randomBytes(24).toString('base64url')}==`,
  ),
  {
    id: 'tokens-uuid',
    fills: [],
    sentence: 'issues UUIDs as tokens and takes them in either letter case',
    rules: (original) => ({
      newTokenValue: () => randomUUID(),
      findAccessToken: (value, env) => original.findAccessToken(value.toLowerCase(), env),
    }),
  },
  {
    id: 'same-token-within-a-second',
    fills: ['TOKEN-REISSUED-SAME'],
    sentence: 'issues the same token to requests of a client within one second of the clock',
    rules: (original) => {
      const last = new Map<string, { second: number; token: IssuedToken }>();
      return {
        issueAccessToken: (grant, env) => {
          const second = Math.floor(env.clock.now() / 1000);
          const key = `${grant.client.id} ${grant.scopes.join(' ')}`;
          const known = last.get(key);
          if (known?.second === second && !known.token.revoked) return known.token;
          const token = original.issueAccessToken(grant, env);
          last.set(key, { second, token });
          return token;
        },
      };
    },
  },
  {
    id: 'same-token-while-it-lives',
    fills: ['TOKEN-REISSUED-SAME'],
    sentence: 'issues a client the same token again, with another two hours, until it ends',
    rules: (original) => {
      const last = new Map<string, IssuedToken>();
      return {
        issueAccessToken: (grant, env) => {
          const key = `${grant.client.id} ${grant.scopes.join(' ')} ${grant.redeemed === undefined}`;
          const known = last.get(key);
          const now = env.clock.now();
          if (known && !known.revoked && known.expiresAt! > now) {
            known.issuedAt = now;
            known.expiresAt = now + 7_200_000;
            return known;
          }
          const token = original.issueAccessToken(grant, env);
          last.set(key, token);
          return token;
        },
      };
    },
  },
  {
    id: 'created-at-milliseconds',
    fills: ['TOKEN-CREATED-AT-UNIT'],
    sentence: 'gives created_at in milliseconds',
    rules: () => ({ createdAt: (token) => token.issuedAt }),
  },
  {
    id: 'scopes-the-other-way-round',
    fills: ['TOKEN-SCOPES'],
    sentence: 'names the scopes of a token in another order',
    rules: (original) => ({
      serialiseToken: (access, refresh, env) => ({
        ...original.serialiseToken(access, refresh, env),
        scope: [...access.scopes].reverse().join(' '),
      }),
    }),
  },
  {
    id: 'scopes-unknown-ignored',
    fills: ['TOKEN-SCOPE-UNKNOWN'],
    sentence: 'ignores scopes that there are not',
    rules: (original) => ({
      grantedScopes: (requested, available) => {
        const known = requested?.split(' ').filter((scope) => available.includes(scope));
        return known === undefined ? available : original.grantedScopes(known.join(' '), available);
      },
    }),
  },
  {
    id: 'scopes-by-comma-too',
    fills: ['TOKEN-SCOPE-REQUEST-SEPARATOR'],
    sentence: 'takes commas between the scopes of a request, too',
    rules: (original) => ({
      grantedScopes: (requested, available) =>
        original.grantedScopes(requested?.replaceAll(/[,+]/g, ' '), available),
    }),
  },
  {
    id: 'scopes-without-effect',
    fills: ['TOKEN-SCOPE-EFFECT'],
    sentence: 'lets every token do everything whatever its scopes',
    rules: () => ({ scopeCovers: () => true }),
  },
  {
    id: 'without-refresh-tokens',
    fills: ['TOKEN-REFRESH-ISSUED'],
    sentence: 'hands out no refresh tokens',
    rules: () => ({ refreshTokenFor: () => undefined }),
  },
  {
    id: 'refresh-rotates',
    fills: ['TOKEN-REFRESH-ROTATION', 'TOKEN-REFRESH-OLD-ACCESS'],
    sentence: 'gives a new refresh token for every old one, which ends with its access token',
    rules: (original) => ({
      refreshTokenFor: (grant, env) => {
        if (grant.redeemed) {
          grant.redeemed.revoked = true;
          const newest = [...env.state.tokens.values()]
            .filter(({ family }) => family === grant.family)
            .at(-1);
          for (const token of env.state.tokens.values()) {
            if (token.family === grant.family && token !== newest) token.revoked = true;
          }
        }
        const { redeemed: _, ...fresh } = grant;
        return original.refreshTokenFor(fresh, env);
      },
    }),
    conflicts: ['same-token-while-it-lives', 'same-token-within-a-second'],
  },
  {
    id: 'refresh-once',
    fills: ['TOKEN-REFRESH-ROTATION'],
    sentence: 'takes a refresh token once and gives none back',
    rules: (original) => ({
      refreshTokenFor: (grant, env) => {
        if (grant.redeemed === undefined) return original.refreshTokenFor(grant, env);
        grant.redeemed.revoked = true;
        return undefined;
      },
    }),
  },
  {
    id: 'refresh-for-two-hours',
    fills: ['TOKEN-REFRESH-LIFETIME'],
    sentence: 'ends refresh tokens after two hours, too',
    rules: (original) => ({
      newToken: (kind, grant, env) => ({
        ...original.newToken(kind, grant, env),
        ...(kind === 'refresh_token' && { expiresAt: env.clock.now() + 7_200_000 }),
      }),
    }),
  },
  {
    id: 'refresh-for-a-month',
    fills: ['TOKEN-REFRESH-LIFETIME'],
    sentence: 'ends refresh tokens after thirty days',
    rules: (original) => ({
      newToken: (kind, grant, env) => ({
        ...original.newToken(kind, grant, env),
        ...(kind === 'refresh_token' && { expiresAt: env.clock.now() + 30 * 86_400_000 }),
      }),
    }),
  },
  {
    id: 'refresh-of-any-scope',
    fills: ['TOKEN-REFRESH-SCOPE'],
    sentence: 'lets a refresh ask for every scope of the client',
    rules: (original) => ({
      redeemRefreshToken: (value, client, env) => ({
        ...original.redeemRefreshToken(value, client, env),
        scopes: client.scopes,
      }),
    }),
    conflicts: ['refresh-rotates', 'refresh-once'],
  },
  {
    id: 'access-token-as-refresh-token',
    fills: ['TOKEN-REFRESH-WITH-ACCESS-TOKEN'],
    sentence: 'takes an access token in the place of a refresh token',
    rules: (original) => ({
      redeemRefreshToken: (value, client, env) => {
        const token = env.state.tokens.get(value);
        const good = token?.kind === 'access_token' && token.clientId === client.id;
        if (good && env.rules.tokenIsActive(token, 'token', env)) return token;
        return original.redeemRefreshToken(value, client, env);
      },
      refreshTokenFor: (grant, env) =>
        original.refreshTokenFor(
          grant.redeemed?.kind === 'access_token' ? { ...grant, redeemed: undefined as never } : grant,
          env,
        ),
    }),
  },
  refusing(
    'grants-401',
    ['TOKEN-REFRESH-REFUSAL', 'TOKEN-GRANT-TYPE-REFUSAL', 'TOKEN-ERROR-CODES-USED'],
    'answers 401 to bad grants',
    {
      invalidGrant: { status: 401, error: 'invalid_grant', description: 'no' },
      unsupportedGrantType: { status: 401, error: 'unsupported_grant_type', description: 'no' },
    },
  ),
  refusing('redirect-403', ['TOKEN-REDIRECT-URI-REFUSAL'], 'answers 403 to another redirect_uri', {
    redirectMismatch: { status: 403, error: 'redirect_uri_mismatch', description: 'no' },
  }),
  refusing(
    'scope-422',
    ['TOKEN-SCOPE-UNKNOWN', 'TOKEN-ERROR-CODES-USED'],
    'answers 422 to an unknown scope',
    {
      invalidScope: { status: 422, error: 'scope', description: 'no' },
    },
  ),
  refusing(
    'in-spanish',
    ['TOKEN-ERROR-CODES-USED', 'TOKEN-GRANT-TYPE-REFUSAL'],
    'describes errors in Spanish, with codes of its own',
    {
      missingCredentials: {
        status: 400,
        error: 'faltan_credenciales',
        description: 'faltan las credenciales',
      },
      invalidCredentials: {
        status: 401,
        error: 'credenciales_inválidas',
        description: 'las credenciales no son válidas',
      },
      unsupportedGrantType: { status: 422, error: 'tipo_no_soportado', description: 'no hay tal concesión' },
    },
  ),
  {
    id: 'other-media-types-read-as-forms',
    fills: ['TOKEN-OTHER-MEDIA-TYPES'],
    sentence: 'reads a body of any other media type as a form',
    rules: (original) => ({
      parseParameters: (text, type, endpoint, env) =>
        /json|urlencoded/i.test(type)
          ? original.parseParameters(text, type, endpoint, env)
          : Object.fromEntries(new URLSearchParams(text)),
    }),
  },
  {
    id: 'repeated-parameters-taken',
    fills: ['TOKEN-REPEATED-PARAMETERS'],
    sentence: 'takes the last value of a parameter that is sent twice',
    rules: (original) => ({
      bodyParsers: {
        ...original.bodyParsers,
        'application/x-www-form-urlencoded': (text) => Object.fromEntries(new URLSearchParams(text)),
      },
    }),
  },
  {
    id: 'lists-of-one-taken',
    fills: ['TOKEN-WRONG-TYPES'],
    sentence: 'takes a list of one for its item, and numbers for texts',
    rules: (original) => ({
      readParameter: (parameters, name) => {
        const value = parameters[name];
        const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
        return original.readParameter({ [name]: typeof single === 'number' ? String(single) : single }, name);
      },
    }),
  },
];
