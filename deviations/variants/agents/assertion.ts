/** Assertions about which the specification is silent, and codes of refusals where it leaves a choice. */
import type { AgentRules, ErrorCode, Facts, JsonObject } from '../../../reference/agents/index.ts';
import { Fault } from '../../../reference/agents/index.ts';
import { claimRule } from '../../agents/kit.ts';
import type { Variant } from '../../types.ts';

type AgentVariant = Variant<AgentRules>;
type Check = Parameters<typeof claimRule>[0];

/** Replaces a claim check with another one that the specification allows, too. */
const judging = (
  id: string,
  fills: string[],
  sentence: string,
  check: Check,
  rule: (
    claims: JsonObject,
    facts: Facts,
    original: (claims: JsonObject, facts: Facts) => ErrorCode | undefined,
  ) => ErrorCode | undefined,
): AgentVariant => ({ id, fills, sentence, rules: claimRule(check, rule) });

const order = (
  id: string,
  sentence: string,
  sort: (checks: AgentRules['claimChecks']) => AgentRules['claimChecks'],
): AgentVariant => ({
  id: `order-${id}`,
  fills: ['AGENT-ERR-PRECEDENCE'],
  sentence,
  rules: (original) => ({ claimChecks: sort(original.claimChecks) }),
});

/** Refuses assertions whose header cannot be read with this code. */
export const unreadableAs =
  (code: ErrorCode) =>
  (original: AgentRules): Partial<AgentRules> => ({
    readHeader: (assertion) => {
      try {
        return original.readHeader(assertion);
      } catch {
        throw new Fault(code);
      }
    },
  });

/**
 * Returns a URL in normal form: scheme and host in lower case, no default port, a slash for an empty path.
 */
const normal = (url: unknown): string =>
  typeof url === 'string' && URL.canParse(url) ? new URL(url).href : String(url);

export const assertionVariants: AgentVariant[] = [
  {
    id: 'kid-demanded',
    fills: ['AGENT-KID-ABSENT'],
    sentence: 'refuses an assertion without kid',
    rules: (original) => ({
      checkTyp: (header) => (header.kid === undefined ? 'invalid_signature' : original.checkTyp(header)),
    }),
  },
  {
    id: 'typ-exact',
    fills: ['AGENT-TYP-SPELLING'],
    sentence: 'compares typ with regard to case',
    rules: () => ({
      checkTyp: (header) => (header.typ === 'oauth-id-jag+jwt' ? undefined : 'invalid_assertion'),
    }),
  },
  {
    id: 'typ-media-type',
    fills: ['AGENT-TYP-SPELLING'],
    sentence: 'accepts typ with application/ in front, and refuses others as invalid_signature',
    rules: () => ({
      checkTyp: (header) =>
        typeof header.typ === 'string' && /^(application\/)?oauth-id-jag\+jwt$/i.test(header.typ)
          ? undefined
          : 'invalid_signature',
    }),
  },
  judging(
    'audience-text-only',
    ['AGENT-AUD-LIST'],
    'accepts no list as aud',
    'checkAudience',
    (claims, facts) => (claims.aud === facts.resource ? undefined : 'audience_mismatch'),
  ),
  judging(
    'audience-in-list',
    ['AGENT-AUD-LIST'],
    'accepts a list that contains the resource',
    'checkAudience',
    (claims, facts) =>
      [claims.aud].flat().includes(facts.resource)
        ? undefined
        : claims.aud === undefined
          ? 'invalid_assertion'
          : 'audience_mismatch',
  ),
  judging(
    'audience-normalised',
    [],
    'normalises the audience before it compares it (RFC 3986 6.2.2)',
    'checkAudience',
    (claims, facts, original) =>
      original(
        { ...claims, aud: [claims.aud].flat().map(normal) },
        { ...facts, resource: normal(facts.resource) },
      ),
  ),
  judging(
    'issuer-normalised',
    [],
    'normalises the issuer before it compares it (RFC 3986 6.2.2)',
    'checkIssuer',
    (claims, facts, original) =>
      // What is no text is no issuer, and nothing to normalise.
      typeof claims.iss === 'string'
        ? original({ ...claims, iss: normal(claims.iss) }, { ...facts, issuer: normal(facts.issuer) })
        : original(claims, facts),
  ),
  judging(
    'issuer-missing-invalid',
    [],
    'refuses a missing iss as invalid_assertion',
    'checkIssuer',
    (claims, facts, original) => (claims.iss === undefined ? 'invalid_assertion' : original(claims, facts)),
  ),
  {
    id: 'leeway-five-seconds',
    fills: ['AGENT-EXP-LEEWAY'],
    sentence: 'allows ten seconds of leeway',
    rules: () => ({ leeway: 10 }),
  },
  {
    id: 'leeway-a-minute',
    fills: ['AGENT-EXP-LEEWAY'],
    sentence: 'allows a minute of leeway',
    rules: () => ({ leeway: 60 }),
  },
  {
    id: 'lifetime-any',
    fills: ['AGENT-EXP-FAR'],
    sentence: 'accepts any exp in the future',
    rules: () => ({ longestLifetime: Number.POSITIVE_INFINITY }),
  },
  {
    id: 'lifetime-five-minutes',
    fills: ['AGENT-EXP-FAR'],
    sentence: 'accepts no exp more than five and a half minutes ahead',
    rules: () => ({ longestLifetime: 330 }),
  },
  judging(
    'iat-demanded',
    ['AGENT-IAT'],
    'refuses an iat that is missing or in the future',
    'checkLifetime',
    (claims, facts, original) =>
      typeof claims.iat !== 'number' || claims.iat > facts.now + 30
        ? 'invalid_assertion'
        : original(claims, facts),
  ),
  judging(
    'iat-not-too-old',
    ['AGENT-IAT'],
    'refuses an assertion with an iat of ten minutes ago as expired',
    'checkLifetime',
    (claims, facts, original) =>
      facts.now - Number(claims.iat) > 600 ? 'credential_expired' : original(claims, facts),
  ),
  judging(
    'exp-missing-expired',
    [],
    'refuses a missing or unreadable exp as credential_expired',
    'checkExpiry',
    (claims, facts, original) =>
      typeof claims.exp === 'number' ? original(claims, facts) : 'credential_expired',
  ),
  judging(
    'email-flag-invalid',
    [],
    'refuses an email_verified of another type as invalid_assertion',
    'checkEmailVerified',
    (claims, facts, original) =>
      claims.email_verified !== undefined && typeof claims.email_verified !== 'boolean'
        ? 'invalid_assertion'
        : original(claims, facts),
  ),
  judging(
    'exp-zero-invalid',
    [],
    'refuses an exp of the last century as invalid_assertion',
    'checkExpiry',
    (claims, facts, original) =>
      Number(claims.exp) < 1_000_000_000 ? 'invalid_assertion' : original(claims, facts),
  ),
  judging(
    'audience-list-invalid',
    ['AGENT-AUD-LIST'],
    'refuses every list of audiences as invalid_assertion',
    'checkAudience',
    (claims, facts, original) => (Array.isArray(claims.aud) ? 'invalid_assertion' : original(claims, facts)),
  ),
  {
    id: 'alg-missing-invalid',
    fills: [],
    sentence: 'refuses a header without alg as invalid_assertion',
    rules: (original) => ({
      checkAlgorithm: (header, algorithms) =>
        header.alg === undefined ? 'invalid_assertion' : original.checkAlgorithm(header, algorithms),
    }),
  },
  {
    id: 'no-claims-no-issuer',
    fills: [],
    sentence: 'refuses a payload that is not an object for its missing issuer',
    rules: (original) => ({
      verifySignature: async (assertion, jwks, algorithms) => {
        try {
          return await original.verifySignature(assertion, jwks, algorithms);
        } catch (fault) {
          if (fault instanceof Fault && fault.code === 'invalid_assertion') return {};
          throw fault;
        }
      },
    }),
    conflicts: ['unreadable-as-invalid-request'],
  },
  judging('nbf-ignored', [], 'does not look at nbf', 'checkNotBefore', () => undefined),
  order('backwards', 'checks the claims in the opposite order', (checks) => [...checks].reverse()),
  order('expiry-first', 'checks exp before everything else', (checks) => [
    'checkExpiry',
    ...checks.filter((name) => name !== 'checkExpiry'),
  ]),
  order('alphabetical', 'checks the claims in the order of their names', (checks) => [...checks].sort()),
  {
    id: 'unreadable-as-invalid-signature',
    fills: [],
    sentence: 'refuses what cannot be read as invalid_signature',
    rules: unreadableAs('invalid_signature'),
  },
  {
    id: 'unreadable-as-invalid-request',
    fills: [],
    sentence: 'refuses what cannot be read as invalid_request',
    rules: unreadableAs('invalid_request'),
  },
  {
    id: 'empty-assertion-as-invalid',
    fills: [],
    sentence: 'refuses an empty assertion, and one that is no text, as invalid_assertion',
    rules: () => ({
      isPresent: (value) => value !== undefined && value !== null,
      checkAssertionText: (assertion) =>
        typeof assertion === 'string' && assertion !== '' ? undefined : 'invalid_assertion',
    }),
  },
  {
    id: 'unsigned-as-invalid-assertion',
    fills: [],
    sentence: 'refuses what is unsigned as invalid_assertion',
    rules: (original) => ({
      checkAlgorithm: (header, algorithms) =>
        String(header.alg).toLowerCase() === 'none'
          ? 'invalid_assertion'
          : original.checkAlgorithm(header, algorithms),
    }),
  },
  {
    id: 'strange-headers-refused',
    fills: [],
    sentence: 'refuses jwk in a header as invalid_assertion',
    rules: (original) => ({
      readHeader: (assertion) => {
        const header = original.readHeader(assertion);
        if (header.jwk !== undefined) throw new Fault('invalid_assertion');
        return header;
      },
    }),
  },
];
