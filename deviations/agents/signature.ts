/** The signature and the `typ` of assertions (sections 4 and 7). */
import { createPublicKey, publicDecrypt, X509Certificate } from 'node:crypto';
import { base64url, compactVerify, importJWK, type JSONWebKeySet, type JWK } from 'jose';
import type { AgentRules, JsonObject } from '../../reference/agents/index.ts';
import { type AgentDeviation, headerOf, trusting, unverified } from './kit.ts';

const ALL_SIGNATURES = [
  'AGENT-SIG-KID-ABSENT',
  'AGENT-SIG-ALTERED',
  'AGENT-SIG-PAYLOAD-ALTERED',
  'AGENT-SIG-OTHER-KEY',
  'AGENT-SIG-UNKNOWN-KID',
  'AGENT-SIG-EMBEDDED-KEY',
];

/** Remembers refused assertions among those that it has seen, and takes those for verified. */
export const seenIsVerified: AgentDeviation = {
  id: 'seen-is-verified',
  breaks: ['AGENT-SIG-OTHER-KEY'],
  sentence: 'verifies the signature of an assertion only where it has not seen it before',
  rules: (original) => {
    const seen = new Set<string>();
    return {
      verifySignature: async (assertion, jwks, algorithms) => {
        const claims = unverified(assertion);
        if (seen.has(assertion) && claims) return claims;
        seen.add(assertion);
        return original.verifySignature(assertion, jwks, algorithms);
      },
    };
  },
};

const signatureOf = (assertion: unknown): string => String(assertion).split('.')[2] ?? '';

/** Verifies with the key in the assertion's own header, where there is one, so that anybody can sign. */
async function embedded(
  assertion: string,
  jwks: JSONWebKeySet,
  algorithms: string[],
  original: AgentRules,
): Promise<JsonObject> {
  const jwk = headerOf(assertion)?.jwk as JWK | undefined;
  if (jwk === undefined) return original.verifySignature(assertion, jwks, algorithms);
  return claimsVerified(assertion, await importJWK(jwk, 'RS256'));
}

/** Returns the claims of an assertion. Throws where another key than this one signed it. */
async function claimsVerified(
  assertion: string,
  key: Parameters<typeof compactVerify>[1],
): Promise<JsonObject> {
  const { payload } = await compactVerify(assertion, key);
  return JSON.parse(new TextDecoder().decode(payload)) as JsonObject;
}

const known = (header: JsonObject | undefined, jwks: JSONWebKeySet | undefined): boolean =>
  jwks?.keys.some((key) => key.kid === header?.kid) ?? false;

const keyOf = (header: JsonObject | undefined, jwks: JSONWebKeySet | undefined): JWK | undefined =>
  jwks?.keys.find((key) => key.kid === header?.kid && key.kty === 'RSA');

/**
 * Whether a signature was made with this key, over whatever data: only its padding is checked (RFC 8017 9.2).
 */
function isMadeWith(key: JWK | undefined, signature: string): boolean {
  if (!key) return false;
  try {
    publicDecrypt(createPublicKey({ key: { ...key }, format: 'jwk' }), base64url.decode(signature));
    return true;
  } catch {
    return false;
  }
}

/** Makes the check of `typ` also accept values for which `accepts` holds. */
function typ(
  id: string,
  breaks: string[],
  sentence: string,
  accepts: (typ: unknown) => boolean,
): AgentDeviation {
  return {
    id: `typ-${id}`,
    breaks,
    sentence,
    rules: (original) => ({
      checkTyp: (header) => (accepts(header.typ) ? undefined : original.checkTyp(header)),
    }),
  };
}

export const signatureDeviations: AgentDeviation[] = [
  seenIsVerified,
  {
    id: 'signature-never-verified',
    breaks: [...ALL_SIGNATURES, 'AGENT-SIG-STRIPPED'],
    entails: ['AGENT-ALG-PS256', 'AGENT-ALG-CASE'],
    sentence: 'decodes assertions and never verifies them',
    rules: trusting((_assertion, header) => header !== undefined),
  },
  {
    id: 'signature-by-length',
    breaks: ALL_SIGNATURES,
    entails: ['AGENT-ALG-PS256', 'AGENT-ALG-CASE'],
    sentence: 'checks only the length of a signature',
    rules: trusting((assertion) => Buffer.from(signatureOf(assertion), 'base64url').length === 256),
  },
  {
    id: 'signature-stripped-accepted',
    breaks: ['AGENT-SIG-STRIPPED'],
    sentence: 'treats an assertion with an empty signature as unsigned and accepts it',
    rules: trusting((assertion, header) => header !== undefined && signatureOf(assertion) === ''),
  },
  {
    id: 'signature-of-known-kid-trusted',
    breaks: ['AGENT-SIG-OTHER-KEY', 'AGENT-SIG-ALTERED'],
    entails: [
      'AGENT-ALG-PS256',
      'AGENT-ALG-CASE',
      'AGENT-SIG-ALTERED',
      'AGENT-SIG-PAYLOAD-ALTERED',
      'AGENT-SIG-EMBEDDED-KEY',
    ],
    sentence: 'trusts every assertion that names a known key',
    rules: trusting((assertion, header, jwks) => signatureOf(assertion) !== '' && known(header, jwks)),
  },
  {
    id: 'unknown-kid-trusted',
    breaks: ['AGENT-SIG-UNKNOWN-KID', 'AGENT-SIG-EMBEDDED-KEY'],
    sentence: 'skips verification when it does not find the key',
    rules: trusting((_assertion, header, jwks) => header?.kid !== undefined && !known(header, jwks)),
  },
  {
    id: 'missing-kid-trusted',
    breaks: ['AGENT-SIG-KID-ABSENT'],
    sentence: 'skips verification when the header names no key',
    rules: trusting((_assertion, header) => header !== undefined && header.kid === undefined),
  },
  {
    id: 'signature-cut',
    breaks: ['AGENT-SIG-ALTERED'],
    sentence: 'truncates a signature to the expected length before it verifies it',
    rules: (original) => ({
      verifySignature: (assertion, jwks, algorithms) => {
        const [header, claims, signature = ''] = assertion.split('.');
        const cut = base64url.encode(base64url.decode(signature).slice(0, 256));
        return original.verifySignature(`${header}.${claims}.${cut}`, jwks, algorithms);
      },
    }),
  },
  {
    id: 'embedded-key-trusted',
    breaks: ['AGENT-SIG-EMBEDDED-KEY'],
    sentence: 'verifies with the key in the header of the assertion',
    rules: (original) => ({
      verifySignature: (assertion, jwks, algorithms) => embedded(assertion, jwks, algorithms, original),
    }),
  },
  {
    id: 'certificate-trusted',
    breaks: ['AGENT-SIG-EMBEDDED-KEY'],
    sentence: 'verifies with the certificate in the header of the assertion, whoever issued it',
    rules: (original) => ({
      verifySignature: async (assertion, jwks, algorithms) => {
        const [certificate] = (headerOf(assertion)?.x5c ?? []) as string[];
        if (certificate === undefined) return original.verifySignature(assertion, jwks, algorithms);
        return claimsVerified(assertion, new X509Certificate(Buffer.from(certificate, 'base64')).publicKey);
      },
    }),
  },
  {
    id: 'key-address-trusted',
    breaks: ['AGENT-SIG-EMBEDDED-KEY'],
    sentence: 'reads the keys from the address in the header of the assertion',
    rules: (original) => ({
      verifySignature: async (assertion, jwks, algorithms) => {
        const jku = headerOf(assertion)?.jku;
        const keys = jku === undefined ? jwks : ((await (await fetch(String(jku))).json()) as JSONWebKeySet);
        return original.verifySignature(assertion, keys, algorithms);
      },
    }),
  },
  {
    id: 'embedded-key-under-known-kid-trusted',
    breaks: ['AGENT-SIG-EMBEDDED-KEY'],
    sentence: 'verifies with the key in the header where its kid is known',
    rules: (original) => ({
      verifySignature: (assertion, jwks, algorithms) =>
        known(headerOf(assertion), jwks)
          ? embedded(assertion, jwks, algorithms, original)
          : original.verifySignature(assertion, jwks, algorithms),
    }),
  },
  {
    id: 'payload-read-unverified',
    breaks: ['AGENT-SIG-PAYLOAD-ALTERED'],
    entails: ['AGENT-ALG-PS256', 'AGENT-ALG-CASE', 'AGENT-SIG-ALTERED'],
    sentence: 'accepts any signature by the right key, whatever text was signed',
    rules: trusting((assertion, header, jwks) => isMadeWith(keyOf(header, jwks), signatureOf(assertion))),
  },
  {
    id: 'signature-remembered',
    breaks: ['AGENT-SIG-PAYLOAD-ALTERED'],
    sentence: 'remembers valid signatures and accepts them again with any claims',
    rules: (original) => {
      const good = new Set<string>();
      const trusted = trusting((assertion) => good.has(signatureOf(assertion)))(original);
      return {
        ...trusted,
        verifySignature: async (assertion, jwks, algorithms) => {
          const claims = await (trusted.verifySignature as AgentRules['verifySignature'])(
            assertion,
            jwks,
            algorithms,
          );
          good.add(signatureOf(assertion));
          return claims;
        },
      };
    },
  },
  typ('ignored', ['AGENT-TYP-JWT', 'AGENT-TYP-OTHER', 'AGENT-TYP-ABSENT'], 'never compares typ', () => true),
  typ(
    'when-there',
    ['AGENT-TYP-ABSENT'],
    'compares typ only when there is one',
    (value) => value === undefined,
  ),
  typ('any-jwt', ['AGENT-TYP-JWT', 'AGENT-TYP-OTHER'], 'accepts every typ that ends in jwt', (value) =>
    /jwt$/i.test(String(value)),
  ),
  typ('without-suffix', ['AGENT-TYP-JWT', 'AGENT-TYP-OTHER'], 'compares only the beginning of typ', (value) =>
    String(value).startsWith('oauth-id-jag'),
  ),
  typ(
    'access-token',
    ['AGENT-TYP-OTHER'],
    'accepts access tokens of the provider',
    (value) => value === 'at+jwt',
  ),
  typ(
    'ends-in-jwt',
    ['AGENT-TYP-OTHER'],
    'accepts every typ that ends in +jwt',
    (value) => typeof value === 'string' && value.endsWith('+jwt'),
  ),
  typ(
    'contains',
    ['AGENT-TYP-OTHER'],
    'accepts any typ that contains the right one',
    (value) => typeof value === 'string' && value.includes('oauth-id-jag+jwt'),
  ),
  typ(
    'trimmed',
    ['AGENT-TYP-OTHER'],
    'trims spaces from typ before it compares it',
    (value) => typeof value === 'string' && value.trim() === 'oauth-id-jag+jwt',
  ),
  typ(
    'list',
    ['AGENT-TYP-OTHER'],
    'compares the text of typ, that of a list, too',
    (value) => Array.isArray(value) && String(value) === 'oauth-id-jag+jwt',
  ),
  {
    id: 'crit-ignored',
    breaks: ['AGENT-CRIT-UNKNOWN'],
    sentence: 'ignores crit',
    rules: (original) => ({
      ...trusting((_assertion, header) => header?.crit !== undefined)(original),
      readHeader: (assertion) => headerOf(assertion) ?? original.readHeader(assertion),
    }),
  },
];
