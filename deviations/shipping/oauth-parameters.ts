/** The parameters redirect_uri and scope of token requests (4.7). */
import { OAuthRefusal, type ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';

/** Replaces the comparison of redirect URIs. An omitted one is always accepted. */
function redirecting(same: (stored: string, sent: string) => boolean) {
  return (): Partial<ShippingRules> => ({
    redirectUriMatches: (client, uri) => uri === undefined || same(client.redirectUri, uri),
  });
}

const origin = (uri: string): string => {
  try {
    return new URL(uri).origin;
  } catch {
    return uri;
  }
};

/** Replaces the scopes that a token gets. The original still refuses what it always refuses. */
function granting(
  grant: (
    requested: string | undefined,
    available: readonly string[],
    granted: readonly string[],
  ) => readonly string[],
) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    grantedScopes: (requested, available) =>
      grant(requested, available, original.grantedScopes(requested, available)),
  });
}

export const parameterDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'redirect-uri-ignored',
    breaks: ['TOKEN-REDIRECT-URI-OTHER'],
    entails: ['TOKEN-REDIRECT-URI-OTHER-CLIENT'],
    sentence: 'ignores redirect_uri at the token endpoint',
    rules: redirecting(() => true),
  },
  {
    id: 'redirect-uri-prefix',
    breaks: ['TOKEN-REDIRECT-URI-EXACT'],
    sentence: 'accepts every redirect_uri that begins with the stored one',
    rules: redirecting((stored, sent) => sent.startsWith(stored)),
  },
  {
    id: 'redirect-uri-beginning',
    breaks: ['TOKEN-REDIRECT-URI-EXACT'],
    sentence: 'accepts the beginning of the stored redirect_uri',
    rules: redirecting((stored, sent) => sent.length > 8 && stored.startsWith(sent)),
  },
  {
    id: 'redirect-uri-any-port',
    breaks: ['TOKEN-REDIRECT-URI-EXACT'],
    sentence: 'does not compare the port of redirect_uri',
    rules: redirecting((stored, sent) => stored === sent.replace(/:\d+(?=\/)/, '')),
  },
  {
    id: 'redirect-uri-decoded-twice',
    breaks: ['TOKEN-REDIRECT-URI-EXACT'],
    sentence: 'decodes redirect_uri once more than the encoding of the body demands',
    rules: redirecting(
      (stored, sent) => stored === sent || stored === sent.replaceAll(/%[0-9a-f]{2}/gi, decodeURIComponent),
    ),
  },
  {
    id: 'redirect-uri-same-host',
    breaks: ['TOKEN-REDIRECT-URI-EXACT'],
    sentence: 'compares only scheme and host of redirect_uri',
    rules: redirecting((stored, sent) => origin(stored) === origin(sent)),
  },
  {
    id: 'redirect-uri-without-query',
    breaks: ['TOKEN-REDIRECT-URI-EXACT'],
    sentence: 'does not compare the query of redirect_uri',
    rules: redirecting((stored, sent) => sent.split('?')[0] === stored.split('?')[0]),
  },
  {
    id: 'redirect-uri-without-fragment',
    breaks: ['TOKEN-REDIRECT-URI-EXACT'],
    sentence: 'does not compare the fragment of redirect_uri',
    rules: redirecting((stored, sent) => sent.split('#')[0] === stored),
  },
  {
    id: 'redirect-uri-any-scheme',
    breaks: ['TOKEN-REDIRECT-URI-EXACT'],
    sentence: 'takes redirect_uri with http for the one with https',
    rules: redirecting(
      (stored, sent) => sent.replace(/^http:/, 'https:') === stored.replace(/^http:/, 'https:'),
    ),
  },
  {
    id: 'redirect-uri-host-prefix',
    breaks: ['TOKEN-REDIRECT-URI-EXACT'],
    sentence: 'checks only that redirect_uri begins with the stored host and ends with the stored path',
    rules: redirecting(
      (stored, sent) => sent.startsWith(origin(stored)) && sent.endsWith(stored.slice(origin(stored).length)),
    ),
  },
  {
    id: 'redirect-uri-without-last-slash',
    breaks: ['TOKEN-REDIRECT-URI-EXACT'],
    sentence: 'does not compare the slash at the end of redirect_uri',
    rules: redirecting((stored, sent) => stored.replace(/\/$/, '') === sent.replace(/\/$/, '')),
  },
  {
    id: 'redirect-uri-in-any-case',
    breaks: ['TOKEN-REDIRECT-URI-EXACT'],
    sentence: 'compares redirect_uri without regard to letter case',
    rules: redirecting((stored, sent) => stored.toLowerCase() === sent.toLowerCase()),
  },
  {
    id: 'redirect-uri-prefix-in-json',
    breaks: ['TOKEN-REDIRECT-URI-EXACT'],
    sentence: 'accepts every redirect_uri that begins with the stored one where the request is JSON',
    rules: (original) => {
      let isJson = false;
      return {
        parseParameters: (text, type, endpoint, env) => {
          isJson = type.includes('json');
          return original.parseParameters(text, type, endpoint, env);
        },
        redirectUriMatches: (client, uri) =>
          isJson && uri !== undefined
            ? uri.startsWith(client.redirectUri)
            : original.redirectUriMatches(client, uri),
      };
    },
  },
  {
    id: 'redirect-uri-ignored-in-refresh',
    breaks: ['TOKEN-REDIRECT-URI-OTHER'],
    sentence: 'compares redirect_uri in the client_credentials grant only',
    rules: (original) => ({
      parseParameters: (text, type, endpoint, env) => {
        const parameters = original.parseParameters(text, type, endpoint, env);
        if (parameters.grant_type !== 'refresh_token') return parameters;
        const { redirect_uri: _, ...rest } = parameters;
        return rest;
      },
    }),
  },
  {
    id: 'redirect-uri-of-any-client',
    breaks: ['TOKEN-REDIRECT-URI-OTHER'],
    entails: ['TOKEN-REDIRECT-URI-OTHER-CLIENT'],
    sentence: 'accepts every absolute redirect_uri, and compares only those that resemble the stored one',
    rules: redirecting(
      (stored, sent) => origin(stored).split('.')[0] !== origin(sent).split('.')[0] || stored === sent,
    ),
  },
  {
    id: 'redirect-uri-refused',
    breaks: ['TOKEN-REDIRECT-URI-STORED'],
    sentence: 'refuses every redirect_uri',
    rules: redirecting(() => false),
  },
  {
    id: 'redirect-uri-compared-encoded',
    breaks: ['TOKEN-REDIRECT-URI-STORED'],
    sentence: 'compares redirect_uri in its encoded form',
    rules: redirecting((stored, sent) => encodeURIComponent(stored) === sent),
  },
  {
    id: 'redirect-uri-with-slash',
    breaks: ['TOKEN-REDIRECT-URI-STORED'],
    sentence: 'stores redirect URIs with a slash at the end and compares with that',
    rules: redirecting((stored, sent) => `${stored}/` === sent),
  },
  {
    id: 'redirect-uri-ignored-in-json',
    breaks: ['TOKEN-REDIRECT-URI-OTHER'],
    sentence: 'compares redirect_uri only when the request is a form',
    rules: (original) => ({
      parseParameters: (text, type, endpoint, env) => {
        const parameters = original.parseParameters(text, type, endpoint, env);
        if (!type.includes('json')) return parameters;
        const { redirect_uri: _, ...rest } = parameters;
        return rest;
      },
    }),
  },
  {
    id: 'scope-ignored',
    breaks: ['TOKEN-SCOPE-LIMITS'],
    sentence: 'gives every token all scopes of its client',
    rules: granting((_requested, available) => available),
  },
  {
    id: 'scope-write-brings-read',
    breaks: ['TOKEN-SCOPE-LIMITS'],
    sentence: 'adds read to every token that may write',
    rules: granting((_requested, _available, granted) => [...new Set(['read', ...granted])]),
  },
  {
    id: 'scope-added-to-defaults',
    breaks: ['TOKEN-SCOPE-LIMITS'],
    sentence: 'adds the requested scopes to the usual ones instead of limiting the token to them',
    rules: granting((requested, available) =>
      requested === undefined ? available : [...new Set([...available, ...requested.split(' ')])],
    ),
  },
  {
    id: 'scope-ignored-in-json',
    breaks: ['TOKEN-SCOPE-LIMITS'],
    sentence: 'reads scope from forms only',
    rules: (original) => ({
      parseParameters: (text, type, endpoint, env) => {
        const parameters = original.parseParameters(text, type, endpoint, env);
        if (endpoint !== 'token' || !type.includes('json')) return parameters;
        const { scope: _, ...rest } = parameters;
        return rest;
      },
    }),
  },
  {
    id: 'scope-only-the-first-limits',
    breaks: ['TOKEN-SCOPE-LIMITS'],
    sentence: 'can limit a token to the first of its scopes, but to no other',
    rules: granting((requested, available, granted) =>
      requested === undefined || granted[0] === available[0] ? granted : available,
    ),
  },
  {
    id: 'scope-several-unknown',
    breaks: ['TOKEN-SCOPE-SEVERAL'],
    sentence: 'treats the whole value of scope as a single scope',
    rules: (original) => ({
      grantedScopes: (requested, available) => {
        if (requested?.includes(' ')) throw new OAuthRefusal('invalidScope', 'there is no such scope');
        return original.grantedScopes(requested, available);
      },
    }),
  },
  {
    id: 'scope-refused',
    breaks: ['TOKEN-SCOPE-SEVERAL'],
    sentence: 'refuses every request with a scope, even with those that its tokens carry',
    rules: (original) => ({
      grantedScopes: (requested, available) => {
        if (requested !== undefined) throw new OAuthRefusal('invalidScope', 'there is no such scope');
        return original.grantedScopes(requested, available);
      },
    }),
  },
  {
    id: 'scope-several-first-only',
    breaks: ['TOKEN-SCOPE-SEVERAL'],
    sentence: 'grants only the first of several scopes',
    rules: granting((requested, _available, granted) =>
      requested === undefined ? granted : granted.slice(0, 1),
    ),
  },
  {
    id: 'scope-separated-by-commas-only',
    breaks: ['TOKEN-SCOPE-SEVERAL'],
    sentence: 'requires commas between the scopes of a request',
    rules: (original) => ({
      grantedScopes: (requested, available) => {
        if (requested?.includes(' ')) throw new OAuthRefusal('invalidScope', 'there is no such scope');
        return original.grantedScopes(requested?.replaceAll(',', ' '), available);
      },
    }),
  },
  {
    id: 'token-for-redirect-uri-not-stored',
    breaks: ['TOKEN-OPENS-ADDRESS-BOOK'],
    sentence: 'answers a request that names the redirect_uri with a token that it does not store',
    rules: (original) => {
      let isNamed = false;
      return {
        redirectUriMatches: (client, uri) => {
          isNamed = uri !== undefined;
          return original.redirectUriMatches(client, uri);
        },
        issueAccessToken: (grant, env) => {
          const token = original.issueAccessToken(grant, env);
          if (isNamed && grant.redeemed === undefined) env.state.tokens.delete(token.value);
          return token;
        },
      };
    },
  },
];
