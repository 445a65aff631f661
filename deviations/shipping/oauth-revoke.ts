/** 4.8: what a revocation ends, what it leaves alone, and whom it is refused to. */
import { DEFAULT_CLIENTS, type IssuedToken, OAuthRefusal, type ShippingRules } from '../../reference/shipping/index.ts';
import { changeAnswers, changeKind, withText } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { REVOKE } from './surface.ts';

const revoke200 = { name: 'revoke', method: 'POST', path: REVOKE, status: 200 };

/** A revocation ends further tokens than the one it names. */
function alsoEnding(ends: (other: IssuedToken, revoked: IssuedToken) => boolean) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    alsoRevoked: (token, env) => [
      ...original.alsoRevoked(token, env),
      ...[...env.state.tokens.values()].filter((other) => other !== token && ends(other, token)),
    ],
  });
}

/** A revoked token is refused at the address endpoints only where `noticed` says so. */
function noticing(noticed: (token: IssuedToken, revokedAt: number, now: number) => boolean) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    const at = new Map<string, number>();
    return {
      endToken: (token, env) => {
        original.endToken(token, env);
        if (!at.has(token.value)) at.set(token.value, env.clock.now());
      },
      tokenIsActive: (token, where, env) => {
        const since = at.get(token.value);
        const now = env.clock.now();
        const inAddressBook = where !== 'token' && where !== 'revoke' && where !== 'introspect';
        const unnoticed = inAddressBook && since !== undefined && !noticed(token, since, now);
        const asIf = unnoticed ? { ...token, revoked: false } : token;
        return original.tokenIsActive(asIf, where, env);
      },
    };
  };
}

/** The token endpoints that ADDR-AUTH-…-REVOKED are about all break with a revocation that is not one. */
const REVOKED_EVERYWHERE = ['LIST', 'READ', 'CREATE', 'UPDATE', 'DELETE', 'VERIFY'].map(
  (endpoint) => `ADDR-AUTH-${endpoint}-REVOKED`,
);

const ENDS_REFRESH = ['TOKEN-REVOKE-REFRESH-ENDS', 'TOKEN-REVOKE-HINT-REFRESH'];

/** A body of a successful revocation that is not the empty object. */
function answering(id: string, sentence: string, text: string, type?: string): Deviation<ShippingRules> {
  return {
    id: `revoke-answers-${id}`,
    breaks: ['TOKEN-REVOKE-EMPTY-OBJECT'],
    sentence,
    wrap: changeKind(revoke200, (response) => withText(response, text, type)),
  };
}

export const revokeDeviations: Deviation<ShippingRules>[] = [
  answering('revoked', 'says {"revoked": true} after a revocation', '{"revoked":true}', 'application/json'),
  answering('null', 'answers null after a revocation', 'null', 'application/json'),
  answering('ok', 'answers the text OK after a revocation', 'OK', 'text/plain'),
  {
    id: 'revoke-json-refused',
    breaks: ['TOKEN-REVOKE-STATUS'],
    entails: ['TOKEN-REVOKE-HINT-ACCESS', 'TOKEN-REVOKE-HINT-REFRESH'],
    sentence: 'takes revocations as forms only, as RFC 7009 has it',
    rules: (original) => ({
      acceptedMediaTypes: { ...original.acceptedMediaTypes, revoke: ['application/x-www-form-urlencoded'] },
    }),
  },
  {
    id: 'revoke-wants-bearer',
    breaks: ['TOKEN-REVOKE-STATUS'],
    entails: ['TOKEN-REVOKE-HINT-ACCESS', 'TOKEN-REVOKE-HINT-REFRESH'],
    sentence: 'wants a bearer token beside the credentials of a revocation',
    wrap: changeAnswers(
      ({ url, headers }) => REVOKE.test(url.pathname) && !headers.has('authorization'),
      () => Response.json({ error: 'invalid_token', error_description: 'no token' }, { status: 401 }),
    ),
  },
  {
    id: 'revocation-ignored',
    breaks: ['TOKEN-REVOKE-ACCESS-ENDS', ...ENDS_REFRESH],
    entails: [...REVOKED_EVERYWHERE, 'TOKEN-REVOKE-HINT-ACCESS', 'TOKEN-REVOKE-AT-ONCE', 'TOKEN-INTROSPECT-TELLS-REVOKED', 'TOKEN-INTROSPECT-REFRESH-TELLS-REVOKED'],
    sentence: 'answers revocations and does nothing',
    rules: () => ({ endToken: () => {} }),
  },
  {
    id: 'revoked-access-token-opens',
    breaks: ['TOKEN-REVOKE-ACCESS-ENDS'],
    entails: [...REVOKED_EVERYWHERE, 'TOKEN-REVOKE-HINT-ACCESS', 'TOKEN-REVOKE-AT-ONCE', 'TOKEN-INTROSPECT-TELLS-REVOKED'],
    sentence: 'looks for the token to revoke among refresh tokens only',
    rules: (original) => ({
      endToken: (token, env) => {
        if (token.kind === 'refresh_token') original.endToken(token, env);
      },
    }),
  },
  {
    id: 'revoked-refresh-token-exchanged',
    breaks: ENDS_REFRESH,
    entails: ['TOKEN-INTROSPECT-REFRESH-TELLS-REVOKED'],
    sentence: 'looks for the token to revoke among access tokens only',
    rules: (original) => ({
      endToken: (token, env) => {
        if (token.kind === 'access_token') original.endToken(token, env);
      },
    }),
  },
  {
    id: 'revoked-refresh-token-exchanged-once',
    breaks: ENDS_REFRESH,
    sentence: 'does not ask whether a refresh token was revoked when it is exchanged',
    rules: (original) => ({
      tokenIsActive: (token, where, env) => where === 'token' || original.tokenIsActive(token, where, env),
    }),
  },
  {
    id: 'address-book-ignores-revocation',
    breaks: ['TOKEN-REVOKE-ACCESS-ENDS'],
    entails: [...REVOKED_EVERYWHERE, 'TOKEN-REVOKE-HINT-ACCESS', 'TOKEN-REVOKE-AT-ONCE'],
    sentence: 'verifies self-contained tokens in the address book without asking whether they were revoked',
    rules: (original) => ({
      tokenIsActive: (token, where, env) => {
        const oauth = where === 'token' || where === 'introspect' || where === 'revoke';
        return original.tokenIsActive(oauth ? token : { ...token, revoked: false }, where, env);
      },
    }),
  },
  {
    id: 'revocation-after-a-second',
    breaks: ['TOKEN-REVOKE-AT-ONCE'],
    entails: REVOKED_EVERYWHERE,
    sentence: 'lets a revoked token in for another second',
    rules: noticing((_token, revokedAt, now) => now - revokedAt >= 1000),
  },
  {
    id: 'revocation-noticed-at-second-use',
    breaks: ['TOKEN-REVOKE-AT-ONCE'],
    entails: [...REVOKED_EVERYWHERE, 'TOKEN-REVOKE-HINT-ACCESS'],
    sentence: 'keeps its verdict about a token in a cache, which the first request after a revocation renews',
    rules: (original) => {
      const used = new Set<string>();
      return noticing((token) => {
        const again = used.has(token.value);
        used.add(token.value);
        return again;
      })(original);
    },
  },
  {
    id: 'revocation-forgotten-after-a-minute',
    breaks: ['TOKEN-REVOKE-ACCESS-ENDS'],
    entails: REVOKED_EVERYWHERE,
    sentence: 'keeps revocations for one minute, after which a token is good again',
    rules: noticing((_token, revokedAt, now) => now - revokedAt < 60_000),
  },
  {
    id: 'revocation-of-all-of-the-client',
    breaks: ['TOKEN-REVOKE-SAME-CLIENT-SURVIVES'],
    sentence: 'ends all tokens of the client when one is revoked',
    rules: alsoEnding((other, token) => other.clientId === token.clientId && other.kind === 'access_token'),
  },
  {
    id: 'revocation-of-the-newest',
    breaks: ['TOKEN-REVOKE-SAME-CLIENT-SURVIVES'],
    entails: ['TOKEN-REVOKE-ACCESS-ENDS', 'TOKEN-REVOKE-HINT-ACCESS', 'TOKEN-REVOKE-AT-ONCE', ...REVOKED_EVERYWHERE, 'TOKEN-INTROSPECT-TELLS-REVOKED'],
    sentence: 'ends the newest access token of the client instead of the one that the revocation names',
    rules: (original) => ({
      findToken: (value, hint, endpoint, env) => {
        const found = original.findToken(value, hint, endpoint, env);
        if (endpoint !== 'revoke' || found?.kind !== 'access_token') return found;
        return [...env.state.tokens.values()]
          .filter((token) => token.kind === 'access_token' && token.clientId === found.clientId)
          .at(-1);
      },
    }),
  },
  {
    id: 'revocation-of-everything',
    breaks: ['TOKEN-REVOKE-OTHERS-SURVIVE', 'TOKEN-REVOKE-SAME-CLIENT-SURVIVES'],
    sentence: 'ends all tokens of everybody when one is revoked',
    rules: alsoEnding((other) => other.kind === 'access_token'),
  },
  {
    id: 'revocation-of-other-clients',
    breaks: ['TOKEN-REVOKE-OTHERS-SURVIVE'],
    sentence: 'ends the tokens of other clients along with the one that is revoked',
    rules: alsoEnding((other, token) => other.clientId !== token.clientId && other.kind === 'access_token'),
  },
  {
    id: 'revocation-locks-the-client',
    breaks: ['TOKEN-REVOKE-THEN-ISSUE'],
    entails: ['TOKEN-ISSUE-FORM', 'TOKEN-ISSUE-JSON', 'TOKEN-ISSUE-STATUS'],
    sentence: 'gives a client no token for an hour once it has revoked one',
    rules: (original) => {
      const locked = new Map<string, number>();
      return {
        endToken: (token, env) => {
          original.endToken(token, env);
          locked.set(token.clientId, env.clock.now() + 3_600_000);
        },
        resolveGrant: (parameters, client, env) => {
          if (env.clock.now() < (locked.get(client.id) ?? 0)) throw new OAuthRefusal('invalidGrant');
          return original.resolveGrant(parameters, client, env);
        },
      };
    },
  },
  {
    id: 'token-after-revocation-is-dead',
    breaks: ['TOKEN-REVOKE-THEN-ISSUE'],
    entails: ['TOKEN-OPENS-ADDRESS-BOOK', 'TOKEN-REFRESH-OPENS'],
    sentence: 'issues the revoked token again to the next request',
    rules: (original) => {
      const revoked = new Map<string, IssuedToken>();
      return {
        endToken: (token, env) => {
          original.endToken(token, env);
          if (token.kind === 'access_token') revoked.set(token.clientId, token);
        },
        issueAccessToken: (grant, env) => {
          const dead = revoked.get(grant.client.id);
          if (dead === undefined) return original.issueAccessToken(grant, env);
          revoked.delete(grant.client.id);
          return dead;
        },
        expiresIn: () => 7200,
      };
    },
  },
  {
    id: 'hint-access-finds-nothing',
    breaks: ['TOKEN-REVOKE-HINT-ACCESS'],
    entails: ['TOKEN-REVOKE-WRONG-HINT'],
    sentence: 'looks into a table that does not exist when the hint is access_token',
    rules: (original) => ({
      findToken: (value, hint, endpoint, env) =>
        endpoint === 'revoke' && hint === 'access_token' ? undefined : original.findToken(value, hint, endpoint, env),
    }),
  },
  {
    id: 'hint-refresh-finds-nothing',
    breaks: ['TOKEN-REVOKE-HINT-REFRESH'],
    sentence: 'looks into a table that does not exist when the hint is refresh_token',
    rules: (original) => ({
      findToken: (value, hint, endpoint, env) =>
        endpoint === 'revoke' && hint === 'refresh_token' ? undefined : original.findToken(value, hint, endpoint, env),
    }),
    entails: ['TOKEN-REVOKE-WRONG-HINT'],
  },
  {
    id: 'hint-refused',
    breaks: ['TOKEN-REVOKE-HINT-ACCESS', 'TOKEN-REVOKE-HINT-REFRESH'],
    sentence: 'refuses a revocation that carries a token_type_hint',
    rules: (original) => ({
      findToken: (value, hint, endpoint, env) => {
        if (endpoint === 'revoke' && hint !== undefined) {
          throw new OAuthRefusal('malformedBody', 'unexpected token_type_hint');
        }
        return original.findToken(value, hint, endpoint, env);
      },
    }),
    entails: ['TOKEN-REVOKE-WRONG-HINT'],
  },
  {
    id: 'revoke-without-client-id',
    breaks: ['TOKEN-REVOKE-REQUIRES-CLIENT-ID'],
    sentence: 'lets whoever holds a token revoke it when client_id is missing',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const owner = env.state.tokens.get(String(parameters.token))?.clientId;
        const client = env.clients.find(({ id }) => id === owner);
        if (endpoint === 'revoke' && parameters.client_id === undefined && client) return client;
        return original.authenticateClient(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'revoke-without-client-secret',
    breaks: ['TOKEN-REVOKE-REQUIRES-CLIENT-SECRET'],
    sentence: 'does not authenticate the client of a revocation that sends no secret',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const client = env.rules.findClient(String(parameters.client_id), env);
        if (endpoint === 'revoke' && parameters.client_secret === undefined && client) return client;
        return original.authenticateClient(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'revoke-refused-and-done',
    breaks: ['TOKEN-REVOKE-REQUIRES-CLIENT-SECRET', 'TOKEN-REVOKE-REQUIRES-CLIENT-ID'],
    sentence: 'ends the token before it refuses a revocation without credentials',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const token = env.state.tokens.get(String(parameters.token));
        const incomplete = parameters.client_id === undefined || parameters.client_secret === undefined;
        if (endpoint === 'revoke' && incomplete && token) env.rules.endToken(token, env);
        return original.authenticateClient(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'revoke-without-token',
    breaks: ['TOKEN-REVOKE-REQUIRES-TOKEN'],
    sentence: 'treats a missing token like an unknown one in a revocation',
    rules: (original) => ({
      readTokenParameter: (parameters, endpoint, env) =>
        endpoint === 'revoke' && parameters.token === undefined
          ? ''
          : original.readTokenParameter(parameters, endpoint, env),
    }),
  },
  {
    id: 'revoke-without-token-ends-all',
    breaks: ['TOKEN-REVOKE-REQUIRES-TOKEN'],
    sentence: 'refuses a revocation without token and ends all tokens of the client',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const client = original.authenticateClient(parameters, endpoint, env);
        if (endpoint === 'revoke' && parameters.token === undefined) {
          for (const token of env.state.tokens.values()) if (token.clientId === client.id) token.revoked = true;
        }
        return client;
      },
    }),
  },
  {
    id: 'revoke-any-secret',
    breaks: ['TOKEN-REVOKE-WRONG-SECRET-403', 'TOKEN-REVOKE-WRONG-SECRET-SURVIVES'],
    sentence: 'does not compare the secret of a revocation',
    rules: (original) => ({
      secretMatches: (client, secret, endpoint) =>
        endpoint === 'revoke' || original.secretMatches(client, secret, endpoint),
    }),
  },
  {
    id: 'revoke-before-authentication',
    breaks: ['TOKEN-REVOKE-WRONG-SECRET-SURVIVES'],
    entails: ['TOKEN-REVOKE-UNKNOWN-CLIENT-403'],
    sentence: 'ends the token first and authenticates the client afterwards',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        try {
          return original.authenticateClient(parameters, endpoint, env);
        } catch (refusal) {
          const token = env.state.tokens.get(String(parameters.token));
          const complete = parameters.client_id !== undefined && parameters.client_secret !== undefined;
          if (endpoint === 'revoke' && complete && token) env.rules.endToken(token, env);
          throw refusal;
        }
      },
    }),
  },
  {
    id: 'revoke-credentials-401',
    breaks: ['TOKEN-REVOKE-WRONG-SECRET-403', 'TOKEN-REVOKE-UNKNOWN-CLIENT-403'],
    sentence: 'answers invalid credentials with 401 at the revoke endpoint, too',
    rules: (original) => ({
      credentialErrors: {
        ...original.credentialErrors,
        revoke: { missing: 'missingCredentials', invalid: 'invalidCredentials' },
      },
    }),
  },
  {
    id: 'revoke-unknown-client-200',
    breaks: ['TOKEN-REVOKE-UNKNOWN-CLIENT-403'],
    sentence: 'accepts the revocation of a client that it does not know and ends the token',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const known = env.rules.findClient(String(parameters.client_id), env);
        if (endpoint === 'revoke' && parameters.client_id !== undefined && known === undefined) {
          const owner = env.state.tokens.get(String(parameters.token))?.clientId ?? '';
          return { id: owner, secret: '', redirectUri: '', scopes: [] };
        }
        return original.authenticateClient(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'revoke-not-bound',
    breaks: ['TOKEN-REVOKE-OTHER-CLIENT-403', 'TOKEN-REVOKE-OTHER-CLIENT-SURVIVES'],
    sentence: 'lets any client revoke any token',
    rules: () => ({ mayRevoke: () => true }),
  },
  {
    id: 'revoke-of-other-client-pretended',
    breaks: ['TOKEN-REVOKE-OTHER-CLIENT-403'],
    sentence: 'answers 200 to the revocation of another client\'s token, like for an unknown one',
    wrap: changeKind({ ...revoke200, status: 403 }, (response, request) => {
      const { client_id: id, client_secret: secret } = JSON.parse(request.text) as Record<string, string>;
      const authentic = DEFAULT_CLIENTS.some((client) => client.id === id && client.secret === secret);
      return authentic ? Response.json({}) : response;
    }),
  },
  {
    id: 'revoke-of-other-client-refused-and-done',
    breaks: ['TOKEN-REVOKE-OTHER-CLIENT-SURVIVES'],
    sentence: 'answers 403 to the revocation of another client\'s token and ends it all the same',
    rules: (original) => ({
      mayRevoke: (client, token) => {
        const may = original.mayRevoke(client, token);
        if (!may) token.revoked = true;
        return may;
      },
    }),
  },
];
