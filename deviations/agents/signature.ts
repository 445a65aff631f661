/** Signature, algorithm and header of assertions (sections 4 and 7). */
import { createHmac, createPublicKey } from 'node:crypto';
import { base64url, compactVerify, importJWK, type JSONWebKeySet, type JWK } from 'jose';
import type { AgentRules, JsonObject } from '../../reference/agents/index.ts';
import { type AgentDeviation, type Changed, headerOf, trusting, unverified } from './kit.ts';

const ALL_SIGNATURES = [
  'AGENT-SIG-ALTERED',
  'AGENT-SIG-PAYLOAD-ALTERED',
  'AGENT-SIG-OTHER-KEY',
  'AGENT-SIG-UNKNOWN-KID',
  'AGENT-SIG-EMBEDDED-KEY',
];

const signatureOf = (assertion: unknown): string => String(assertion).split('.')[2] ?? '';

/** Takes further algorithms of RSA. */
function algorithm(alg: string): AgentDeviation {
  return {
    id: `alg-${alg.toLowerCase()}`,
    breaks: [`AGENT-ALG-${alg}`],
    sentence: `takes assertions signed with ${alg}`,
    rules: (original) => ({ algorithms: [...original.algorithms, alg] }),
  };
}

/** Takes an algorithm without verifying it. */
function unchecked(
  id: string,
  requirement: string,
  sentence: string,
  is: (alg: string) => boolean,
): AgentDeviation {
  return {
    id,
    breaks: [requirement],
    sentence,
    rules: (original) => ({
      ...trusting((_assertion, header) => is(String(header?.alg)))(original),
      checkAlgorithm: (header, algorithms) =>
        is(String(header.alg)) ? undefined : original.checkAlgorithm(header, algorithms),
    }),
  };
}

/** Verifies HS256 with a text that is made of the public key. */
function confused(
  id: string,
  requirement: string,
  sentence: string,
  secretOf: (key: JWK) => string,
): AgentDeviation {
  const rules = (original: AgentRules): Changed => ({
    checkAlgorithm: (header, algorithms) =>
      header.alg === 'HS256' ? undefined : original.checkAlgorithm(header, algorithms),
    verifySignature: async (assertion, jwks, algorithms) => {
      if (headerOf(assertion)?.alg !== 'HS256') return original.verifySignature(assertion, jwks, algorithms);
      const [header, claims, signature] = assertion.split('.');
      const made = createHmac('sha256', secretOf(jwks.keys[0] as JWK))
        .update(`${header}.${claims}`)
        .digest('base64url');
      if (made === signature) return unverified(assertion) as JsonObject;
      return original.verifySignature(assertion, jwks, algorithms);
    },
  });
  return { id, breaks: [requirement], sentence, rules };
}

const pem = ({ kty, n, e }: JWK) =>
  createPublicKey({ key: { kty, n, e } as never, format: 'jwk' }).export({
    type: 'spki',
    format: 'pem',
  }) as string;

/** Verifies with the key that the assertion brings, where it brings one. */
async function embedded(
  assertion: string,
  jwks: JSONWebKeySet,
  algorithms: string[],
  original: AgentRules,
): Promise<JsonObject> {
  const jwk = headerOf(assertion)?.jwk as JWK | undefined;
  if (jwk === undefined) return original.verifySignature(assertion, jwks, algorithms);
  const { payload } = await compactVerify(assertion, await importJWK(jwk, 'RS256'));
  return JSON.parse(new TextDecoder().decode(payload)) as JsonObject;
}

const known = (header: JsonObject | undefined, jwks: JSONWebKeySet | undefined): boolean =>
  jwks?.keys.some((key) => key.kid === header?.kid) ?? false;

/** Judges `typ` otherwise. */
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
  {
    id: 'signature-never-verified',
    breaks: [...ALL_SIGNATURES, 'AGENT-SIG-STRIPPED'],
    sentence: 'decodes assertions and never verifies them',
    rules: trusting((_assertion, header) => header !== undefined),
  },
  {
    id: 'signature-by-length',
    breaks: ALL_SIGNATURES,
    sentence: 'looks only at the length of a signature',
    rules: trusting((assertion) => base64url.decode(signatureOf(assertion)).length === 256),
  },
  {
    id: 'signature-stripped-accepted',
    breaks: ['AGENT-SIG-STRIPPED'],
    sentence: 'takes an assertion with an empty signature for an unsigned one and lets it through',
    rules: trusting((assertion, header) => header !== undefined && signatureOf(assertion) === ''),
  },
  {
    id: 'signature-of-known-kid-trusted',
    breaks: ['AGENT-SIG-OTHER-KEY'],
    entails: ['AGENT-SIG-ALTERED', 'AGENT-SIG-PAYLOAD-ALTERED', 'AGENT-SIG-EMBEDDED-KEY'],
    sentence: 'trusts whatever names a key that it knows',
    rules: trusting((assertion, header, jwks) => signatureOf(assertion) !== '' && known(header, jwks)),
  },
  {
    id: 'unknown-kid-trusted',
    breaks: ['AGENT-SIG-UNKNOWN-KID', 'AGENT-SIG-EMBEDDED-KEY'],
    sentence: 'skips verification when it does not find the key',
    rules: trusting((_assertion, header, jwks) => header?.kid !== undefined && !known(header, jwks)),
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
    id: 'embedded-key-under-known-kid-trusted',
    breaks: ['AGENT-SIG-EMBEDDED-KEY'],
    sentence: 'verifies with the key in the header where its kid is a known one',
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
    entails: ['AGENT-SIG-ALTERED'],
    sentence: 'takes a signature of the right key for good whatever it was made of',
    rules: trusting(
      (assertion, header, jwks) =>
        known(header, jwks) && String(unverified(assertion)?.sub).endsWith('-other'),
    ),
  },
  unchecked('alg-none', 'AGENT-ALG-NONE', 'takes unsigned assertions', (alg) => alg === 'none'),
  unchecked(
    'alg-none-in-other-case',
    'AGENT-ALG-NONE',
    'refuses the algorithm none and takes nOnE for it',
    (alg) => alg !== 'none' && alg.toLowerCase() === 'none',
  ),
  confused('alg-hs256-pem', 'AGENT-ALG-HS256-PEM', 'verifies HS256 with the public key as PEM', pem),
  confused(
    'alg-hs256-pem-trimmed',
    'AGENT-ALG-HS256-PEM',
    'verifies HS256 with the public key as PEM without its last line end',
    (key) => pem(key).trim(),
  ),
  confused('alg-hs256-jwk', 'AGENT-ALG-HS256-JWK', 'verifies HS256 with the public key as JWK', (key) =>
    JSON.stringify(key),
  ),
  confused(
    'alg-hs256-jwk-bare',
    'AGENT-ALG-HS256-JWK',
    'verifies HS256 with three members of the public JWK',
    ({ kty, n, e }) => JSON.stringify({ kty, n, e }),
  ),
  confused(
    'alg-hs256-modulus',
    'AGENT-ALG-HS256-JWK',
    'verifies HS256 with the modulus of the public key',
    ({ n }) => String(n),
  ),
  algorithm('RS384'),
  algorithm('RS512'),
  algorithm('PS256'),
  {
    id: 'alg-any-of-rsa',
    breaks: ['AGENT-ALG-RS384', 'AGENT-ALG-RS512', 'AGENT-ALG-PS256'],
    sentence: 'takes every algorithm that its key can do',
    rules: () => ({ algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] }),
  },
  unchecked(
    'alg-es256-unverified',
    'AGENT-ALG-ES256',
    'skips verification of algorithms that it cannot do',
    (alg) => alg === 'ES256',
  ),
  {
    id: 'alg-es256-embedded',
    breaks: ['AGENT-ALG-ES256'],
    sentence: 'verifies ES256 with the key in the header',
    rules: (original) => ({
      checkAlgorithm: (header, algorithms) =>
        header.alg === 'ES256' && header.jwk !== undefined
          ? undefined
          : original.checkAlgorithm(header, algorithms),
      verifySignature: async (assertion, jwks, algorithms) => {
        const header = headerOf(assertion);
        if (header?.alg !== 'ES256') return original.verifySignature(assertion, jwks, algorithms);
        const { payload } = await compactVerify(assertion, await importJWK(header.jwk as JWK, 'ES256'));
        return JSON.parse(new TextDecoder().decode(payload)) as JsonObject;
      },
    }),
  },
  typ('ignored', ['AGENT-TYP-JWT', 'AGENT-TYP-ABSENT'], 'never compares typ', () => true),
  typ(
    'when-there',
    ['AGENT-TYP-ABSENT'],
    'compares typ only when there is one',
    (value) => value === undefined,
  ),
  typ('any-jwt', ['AGENT-TYP-JWT'], 'takes every typ that ends in jwt', (value) =>
    /jwt$/i.test(String(value)),
  ),
  typ(
    'access-token',
    ['AGENT-TYP-JWT'],
    'takes access tokens of the provider',
    (value) => value === 'at+jwt',
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
