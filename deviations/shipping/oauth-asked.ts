/** Faults of tokens that are requested, spelled or used in a less common way (4.7, 4.8 and 5). */
import {
  type Env,
  type Grant,
  type IssuedToken,
  SECOND_CLIENT,
  type ShippingRules,
} from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';

/** Changes access tokens that are issued to requests with one of the optional parameters. */
function issuingWith(
  name: 'scope' | 'redirect_uri',
  issue: (issued: IssuedToken, grant: Grant, env: Env) => IssuedToken,
) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    let isSent = false;
    return {
      resolveGrant: (parameters, client, env) => {
        isSent = parameters[name] !== undefined && parameters.grant_type !== 'refresh_token';
        return original.resolveGrant(parameters, client, env);
      },
      issueAccessToken: (grant, env) => {
        const issued = original.issueAccessToken(grant, env);
        return isSent ? issue(issued, grant, env) : issued;
      },
      expiresIn: () => 7200,
    };
  };
}

function living(seconds: number) {
  return (issued: IssuedToken): IssuedToken => {
    issued.expiresAt = issued.issuedAt + seconds * 1000;
    return issued;
  };
}

/**
 * For each parameter: tokens that are valid too briefly, tokens that are valid too long, and tokens that are
 * issued again although they were revoked.
 */
const byParameter = (['scope', 'redirect_uri'] as const).flatMap((name): Deviation<ShippingRules>[] => {
  const slug = name.replace('_', '-');
  return [
    {
      id: `with-${slug}-lives-an-hour`,
      breaks: ['TOKEN-LIFETIME-HOLDS'],
      sentence: `lets a token that was asked for with ${name} expire after one hour`,
      rules: issuingWith(name, living(3600)),
    },
    {
      id: `with-${slug}-lives-a-day`,
      breaks: ['TOKEN-EXPIRY'],
      sentence: `lets a token that was asked for with ${name} be valid for a day`,
      rules: issuingWith(name, living(86_400)),
    },
    {
      id: `with-${slug}-cached`,
      breaks: ['TOKEN-REVOKE-THEN-ISSUE'],
      sentence: `answers a request with ${name} with the token of an equal one for a minute, even if it was revoked`,
      rules: (original) => {
        const cached = new Map<string, IssuedToken>();
        return issuingWith(name, (issued, { client, scopes }, env) => {
          const key = `${client.id} ${scopes.join(' ')}`;
          const known = cached.get(key);
          if (known && env.clock.now() - known.issuedAt < 60_000) return known;
          cached.set(key, issued);
          return issued;
        })(original);
      },
    },
  ];
});

export const askedOtherwiseDeviations: Deviation<ShippingRules>[] = [
  ...byParameter,
  {
    id: 'redirect-uri-of-first-client',
    breaks: ['TOKEN-REDIRECT-URI-STORED'],
    entails: ['TOKEN-REDIRECT-URI-OTHER-CLIENT'],
    sentence: 'compares redirect_uri with that of the first client, whoever asks',
    rules: (original) => ({
      redirectUriMatches: (client, uri) =>
        client.id === SECOND_CLIENT.id
          ? uri !== client.redirectUri
          : original.redirectUriMatches(client, uri),
    }),
  },
  {
    id: 'form-escapes-in-capitals-only',
    breaks: ['TOKEN-ISSUE-FORM'],
    sentence: 'decodes escapes in forms only where they are written with capital letters',
    rules: (original) => ({
      parseParameters: (text, type, endpoint, env) =>
        original.parseParameters(
          type.includes('form') ? text.replaceAll(/%(?=[0-9a-f]*[a-f])(?![0-9A-F]{2})/g, '%25') : text,
          type,
          endpoint,
          env,
        ),
    }),
  },
  {
    id: 'grant-type-guessed-from-refresh-token',
    breaks: ['TOKEN-ISSUE-MISSING-GRANT-TYPE'],
    sentence: 'takes a request without grant_type for a refresh where it has a refresh_token',
    rules: (original) => ({
      resolveGrant: (parameters, client, env) =>
        original.resolveGrant(
          parameters.grant_type === undefined && parameters.refresh_token !== undefined
            ? { ...parameters, grant_type: 'refresh_token' }
            : parameters,
          client,
          env,
        ),
    }),
  },
  {
    id: 'secret-of-more-bytes',
    breaks: ['TOKEN-ISSUE-ODD-CREDENTIALS'],
    entails: ['TOKEN-CLIENT-ERRORS-4XX'],
    sentence: 'fails with 500 on a secret of as many characters as the right one and more bytes',
    rules: (original) => ({
      secretMatches: (client, secret, endpoint) => {
        const isLonger = Buffer.byteLength(secret) !== Buffer.byteLength(client.secret);
        if (secret.length === client.secret.length && isLonger) throw new Error('different lengths');
        return original.secretMatches(client, secret, endpoint);
      },
    }),
  },
  {
    id: 'revoke-used-refresh-token-lives',
    breaks: ['TOKEN-REVOKE-REFRESH-ENDS'],
    sentence: 'does not end a refresh token that was exchanged before it is revoked',
    rules: (original) => {
      const used = new Set<string>();
      return {
        redeemRefreshToken: (value, client, env) => {
          const token = original.redeemRefreshToken(value, client, env);
          used.add(value);
          return token;
        },
        endToken: (token, env) => {
          if (!used.has(token.value)) original.endToken(token, env);
        },
      };
    },
  },
  {
    id: 'revoke-form-answers-nothing',
    breaks: ['TOKEN-REVOKE-EMPTY-OBJECT'],
    sentence: 'answers a revocation as a form with 200 and no body',
    wrap: (next) => async (request) => {
      const isForm = /oauth\/revoke$/.test(new URL(request.url).pathname) && isFormType(request);
      const response = await next(request);
      return isForm && response.ok
        ? new Response(null, { status: 200, headers: response.headers })
        : response;
    },
  },
  {
    id: 'revoke-with-hint-answers-a-list',
    breaks: ['TOKEN-REVOKE-EMPTY-OBJECT'],
    sentence: 'answers a revocation with a hint with [] in place of {}',
    wrap: (next) => async (request) => {
      const isRevocation = /oauth\/revoke$/.test(new URL(request.url).pathname);
      const hasHint = isRevocation && (await request.clone().text()).includes('token_type_hint');
      const response = await next(request);
      return hasHint && response.ok ? Response.json([], { headers: response.headers }) : response;
    },
  },
  {
    id: 'revoke-again-fails',
    breaks: ['TOKEN-REVOKE-NO-5XX'],
    entails: ['TOKEN-REVOKE-AGAIN-200', 'TOKEN-CLIENT-ERRORS-4XX'],
    sentence: 'fails with 500 when a token is revoked a second time',
    rules: (original) => ({
      endToken: (token, env) => {
        if (token.revoked && token.kind === 'access_token') throw new Error('unique key');
        original.endToken(token, env);
      },
    }),
  },
  {
    id: 'revoke-unknown-fails',
    breaks: ['TOKEN-REVOKE-NO-5XX'],
    entails: ['TOKEN-REVOKE-UNKNOWN-200', 'TOKEN-CLIENT-ERRORS-4XX'],
    sentence: 'fails with 500 when a token is revoked that was never issued',
    rules: (original) => ({
      findToken: (value, hint, endpoint, env) => {
        const token = original.findToken(value, hint, endpoint, env);
        if (endpoint === 'revoke' && token === undefined) throw new Error('no row');
        return token;
      },
    }),
  },
];

function isFormType({ headers }: Request): boolean {
  return headers.get('content-type')?.includes('form') ?? false;
}
