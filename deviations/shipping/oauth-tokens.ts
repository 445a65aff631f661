/** What an access token gives access to, and what issuing it does to other tokens (4.7 and 5). */
import type { IssuedToken, ShippingRules } from '../../reference/shipping/index.ts';
import { changeAnswers, withBody } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { isTokenInJson } from './paths.ts';

/** Revokes access tokens for which `ends` holds when another one is issued. */
function endOnIssue(ends: (token: IssuedToken, issued: IssuedToken) => boolean) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    issueAccessToken: (grant, env) => {
      const issued = original.issueAccessToken(grant, env);
      for (const token of env.state.tokens.values()) {
        if (token !== issued && token.kind === 'access_token' && ends(token, issued)) token.revoked = true;
      }
      return issued;
    },
  });
}

/** Replaces the comparison of access tokens. */
function lookUp(same: (issued: string, presented: string) => boolean) {
  return (): Partial<ShippingRules> => ({
    findAccessToken: (value, env) =>
      [...env.state.tokens.values()].find(
        (token) => token.kind === 'access_token' && same(token.value, value),
      ),
  });
}

const opening: Deviation<ShippingRules>[] = [
  {
    id: 'tokens-open-nothing',
    breaks: ['TOKEN-OPENS-ADDRESS-BOOK'],
    entails: ['TOKEN-REFRESH-OPENS', 'ADDR-LIST-STATUS', 'ADDR-CREATE-STATUS'],
    sentence: 'issues tokens that the address book does not know',
    rules: () => ({ findAccessToken: () => undefined }),
  },
  {
    id: 'json-tokens-open-nothing',
    breaks: ['TOKEN-OPENS-ADDRESS-BOOK', 'TOKEN-REFRESH-OPENS'],
    sentence: 'does not store the tokens that were requested in JSON',
    wrap: changeAnswers(isTokenInJson, (response) =>
      withBody(response, (body) => {
        const { access_token: value } = body as { access_token?: string };
        return value === undefined ? body : { ...(body as object), access_token: `${value.slice(1)}j` };
      }),
    ),
  },
  {
    id: 'token-good-from-second-use',
    breaks: ['TOKEN-OPENS-ADDRESS-BOOK'],
    // This affects every token, including those of all other checks.
    entails: ['*'],
    sentence: 'refuses the first request with a new token',
    rules: (original) => {
      const seen = new Set<string>();
      return {
        tokenIsActive: (token, where, env) => {
          if (where === 'token' || where === 'introspect' || where === 'revoke' || seen.has(token.value)) {
            return original.tokenIsActive(token, where, env);
          }
          seen.add(token.value);
          return false;
        },
      };
    },
  },
];

const altered: Deviation<ShippingRules>[] = [
  {
    id: 'altered-token-prefix',
    breaks: ['TOKEN-ALTERED-REFUSED'],
    sentence: 'looks tokens up by their first 16 characters',
    rules: lookUp((issued, presented) => issued.slice(0, 16) === presented.slice(0, 16)),
  },
  {
    id: 'altered-token-suffix',
    breaks: ['TOKEN-ALTERED-REFUSED'],
    sentence: 'compares only the last 16 characters of a token, its signature',
    rules: lookUp((issued, presented) => issued.slice(-16) === presented.slice(-16)),
  },
  {
    id: 'altered-token-lengthened',
    breaks: ['TOKEN-ALTERED-REFUSED'],
    sentence: 'truncates a presented token to the length of the column',
    rules: lookUp((issued, presented) => presented.startsWith(issued)),
  },
  {
    id: 'altered-token-shortened',
    breaks: ['TOKEN-ALTERED-REFUSED'],
    sentence: 'accepts a prefix of a token',
    rules: lookUp((issued, presented) => presented.length > 20 && issued.startsWith(presented)),
  },
  {
    id: 'altered-token-middle',
    breaks: ['TOKEN-ALTERED-REFUSED'],
    sentence: 'does not compare the middle of a token, its claims',
    rules: lookUp(
      (issued, presented) =>
        issued.length === presented.length &&
        issued.slice(0, 8) === presented.slice(0, 8) &&
        issued.slice(-8) === presented.slice(-8),
    ),
  },
];

/** Keeps so many tokens of each client, and revokes the oldest when another is issued. */
const keeping =
  (most: number) =>
  (original: ShippingRules): Partial<ShippingRules> => {
    const kept = new Map<string, IssuedToken[]>();
    return {
      issueAccessToken: (grant, env) => {
        const issued = original.issueAccessToken(grant, env);
        const newest = [...(kept.get(issued.clientId) ?? []), issued];
        if (newest.length > most) newest.shift()!.revoked = true;
        kept.set(issued.clientId, newest);
        return issued;
      },
    };
  };

const earlier: Deviation<ShippingRules>[] = [
  {
    id: 'one-token-per-client',
    breaks: ['TOKEN-EARLIER-SURVIVES'],
    entails: ['TOKEN-REVOKE-SAME-CLIENT-SURVIVES', 'TOKEN-RATE-PER-TOKEN-SAME-CLIENT'],
    sentence: 'revokes the earlier tokens of a client when it issues a new one',
    rules: endOnIssue((token, issued) => token.clientId === issued.clientId),
  },
  {
    id: 'three-tokens-per-client',
    breaks: ['TOKEN-EARLIER-SURVIVES'],
    entails: ['TOKEN-REVOKE-SAME-CLIENT-SURVIVES', 'TOKEN-RATE-PER-TOKEN-SAME-CLIENT'],
    sentence: 'keeps three tokens of a client and revokes the oldest when a fourth is issued',
    rules: keeping(3),
  },
  {
    id: 'twenty-five-tokens-per-client',
    breaks: ['TOKEN-EARLIER-SURVIVES'],
    sentence: 'keeps 25 tokens of a client and revokes the oldest when another is issued',
    rules: keeping(25),
  },
  {
    id: 'one-token-at-all',
    breaks: ['TOKEN-EARLIER-OTHER-CLIENT-SURVIVES', 'TOKEN-EARLIER-SURVIVES'],
    entails: [
      'TOKEN-REVOKE-SAME-CLIENT-SURVIVES',
      'TOKEN-REVOKE-OTHERS-SURVIVE',
      'TOKEN-RATE-PER-TOKEN-SAME-CLIENT',
      'TOKEN-RATE-PER-TOKEN-OTHER-CLIENT',
    ],
    sentence: 'keeps a single current token for all clients',
    rules: endOnIssue(() => true),
  },
  {
    id: 'issue-ends-other-clients-tokens',
    breaks: ['TOKEN-EARLIER-OTHER-CLIENT-SURVIVES'],
    entails: ['TOKEN-REVOKE-OTHERS-SURVIVE', 'TOKEN-RATE-PER-TOKEN-OTHER-CLIENT'],
    sentence: 'revokes the tokens of all other clients when it issues one',
    rules: endOnIssue((token, issued) => token.clientId !== issued.clientId),
  },
];

export const accessTokenDeviations: Deviation<ShippingRules>[] = [...opening, ...altered, ...earlier];
