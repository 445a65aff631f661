/** Which signature algorithms are accepted (sections 4 and 7). */
import { constants, createHmac, createPublicKey, verify } from 'node:crypto';
import { compactVerify, importJWK, type JWK } from 'jose';
import type { AgentRules, JsonObject } from '../../reference/agents/index.ts';
import { type AgentDeviation, type Changed, headerOf, trusting, unverified } from './kit.ts';

/** Accepts a further RSA algorithm, whose signatures are verified correctly. */
function algorithm(alg: string): AgentDeviation {
  return {
    id: `alg-${alg.toLowerCase()}`,
    breaks: [`AGENT-ALG-${alg}`],
    sentence: `takes assertions signed with ${alg}`,
    rules: (original) => ({ algorithms: [...original.algorithms, alg] }),
  };
}

/** Accepts assertions whose `alg` is one for which `is` holds, and does not verify their signatures. */
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

/** Accepts a longer HMAC, whatever its secret. */
const hmac = (alg: string): AgentDeviation =>
  unchecked(
    `alg-${alg.toLowerCase()}-pem`,
    'AGENT-ALG-HS256-PEM',
    `takes ${alg} with a secret that everybody knows`,
    (each) => each === alg,
  );

/**
 * Algorithm confusion: accepts HS256 with a secret that is made from the public key, which everybody knows.
 */
function confused(
  id: string,
  requirement: string,
  sentence: string,
  secretOf: (key: JWK) => string | Uint8Array,
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

const pem = ({ kty, n, e }: JWK, type: 'spki' | 'pkcs1' = 'spki') =>
  createPublicKey({ key: { kty, n, e } as never, format: 'jwk' }).export({ type, format: 'pem' }) as string;

/** Whether an assertion has a valid RS256 signature by the provider's first key, whatever its header says. */
function isSigned(assertion: unknown, key: JWK | undefined): boolean {
  const [header, claims, signature = ''] = String(assertion).split('.');
  const publicKey = createPublicKey({ key: key as never, format: 'jwk' });
  return verify('sha256', Buffer.from(`${header}.${claims}`), publicKey, Buffer.from(signature, 'base64url'));
}

/** The same for PS256. */
function isSignedByPss(assertion: unknown, jwk: JWK | undefined): boolean {
  const [header, claims, signature = ''] = String(assertion).split('.');
  const key = createPublicKey({ key: jwk as never, format: 'jwk' });
  const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING };
  return verify('sha256', Buffer.from(`${header}.${claims}`), pss, Buffer.from(signature, 'base64url'));
}

/** Accepts an assertion without `alg` where `trusts` holds. */
const withoutAlg =
  (trusts: Parameters<typeof trusting>[0]) =>
  (original: AgentRules): Changed => ({
    ...trusting(
      (assertion, header, jwks) =>
        header !== undefined && header.alg === undefined && trusts(assertion, header, jwks),
    )(original),
    readHeader: (assertion) => headerOf(assertion) ?? original.readHeader(assertion),
    checkAlgorithm: (header, algorithms) =>
      header.alg === undefined ? undefined : original.checkAlgorithm(header, algorithms),
  });

export const algorithmDeviations: AgentDeviation[] = [
  hmac('HS384'),
  hmac('HS512'),
  {
    id: 'alg-none-with-signature',
    breaks: ['AGENT-ALG-NONE'],
    sentence: 'takes alg none where something is in the place of the signature',
    rules: (original) => ({
      ...trusting((assertion, header) => header?.alg === 'none' && !String(assertion).endsWith('.'))(
        original,
      ),
      checkAlgorithm: (header, algorithms) =>
        header.alg === 'none' ? undefined : original.checkAlgorithm(header, algorithms),
    }),
  },
  unchecked('alg-none', 'AGENT-ALG-NONE', 'takes unsigned assertions', (alg) => alg === 'none'),
  unchecked(
    'alg-none-in-other-case',
    'AGENT-ALG-NONE',
    'refuses the algorithm none but accepts nOnE as unsigned',
    (alg) => alg !== 'none' && alg.toLowerCase() === 'none',
  ),
  confused('alg-hs256-pem', 'AGENT-ALG-HS256-PEM', 'verifies HS256 with the public key as PEM', (key) =>
    pem(key),
  ),
  confused(
    'alg-hs256-pem-of-an-rsa-key',
    'AGENT-ALG-HS256-PEM',
    'verifies HS256 with the public key as PEM of an RSA key',
    (key) => pem(key, 'pkcs1'),
  ),
  confused(
    'alg-hs256-pem-trimmed',
    'AGENT-ALG-HS256-PEM',
    'verifies HS256 with the public key as PEM without its final line break',
    (key) => pem(key).trim(),
  ),
  confused('alg-hs256-jwk', 'AGENT-ALG-HS256-JWK', 'verifies HS256 with the public key as JWK', (key) =>
    JSON.stringify(key),
  ),
  confused(
    'alg-hs256-jwk-bare',
    'AGENT-ALG-HS256-JWK',
    'verifies HS256 with only three members of the public JWK',
    ({ kty, n, e }) => JSON.stringify({ kty, n, e }),
  ),
  confused(
    'alg-hs256-modulus',
    'AGENT-ALG-HS256-JWK',
    'verifies HS256 with the modulus of the public key',
    ({ n }) => String(n),
  ),
  confused(
    'alg-hs256-bytes-of-the-modulus',
    'AGENT-ALG-HS256-JWK',
    'verifies HS256 with the bytes of the modulus of the public key',
    ({ n }) => Buffer.from(String(n), 'base64url'),
  ),
  algorithm('RS384'),
  algorithm('RS512'),
  algorithm('PS256'),
  algorithm('ES256'),
  {
    id: 'alg-case-ignored',
    breaks: ['AGENT-ALG-CASE'],
    sentence: 'compares the algorithm without regard to case',
    rules: (original) => ({
      ...trusting(
        (assertion, header, jwks) =>
          header?.alg !== 'RS256' &&
          /^rs256$/i.test(String(header?.alg)) &&
          isSigned(assertion, jwks?.keys[0]),
      )(original),
      checkAlgorithm: (header, algorithms) =>
        original.checkAlgorithm({ ...header, alg: String(header.alg).toUpperCase() }, algorithms),
    }),
  },
  {
    id: 'alg-in-a-list',
    breaks: ['AGENT-ALG-CASE'],
    sentence: 'takes a list with RS256 for the algorithm',
    rules: trusting(
      (assertion, header, jwks) =>
        Array.isArray(header?.alg) && String(header.alg) === 'RS256' && isSigned(assertion, jwks?.keys[0]),
    ),
  },
  {
    id: 'alg-ps256-named-rs256',
    breaks: ['AGENT-ALG-PS256'],
    sentence: 'takes signatures by PS256 in an assertion whose header says RS256',
    rules: trusting(
      (assertion, header, jwks) => header?.alg === 'RS256' && isSignedByPss(assertion, jwks?.keys[0]),
    ),
  },
  {
    id: 'alg-any-of-rsa',
    breaks: ['AGENT-ALG-RS384', 'AGENT-ALG-RS512', 'AGENT-ALG-PS256'],
    sentence: 'accepts every algorithm that its key supports',
    rules: () => ({ algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] }),
  },
  unchecked(
    'alg-es256-unverified',
    'AGENT-ALG-ES256',
    'skips verification for algorithms that it does not support',
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
  {
    id: 'alg-optional',
    breaks: ['AGENT-ALG-ABSENT'],
    sentence: 'treats a header without alg as RS256',
    rules: withoutAlg((assertion, _header, jwks) => isSigned(assertion, jwks?.keys[0])),
  },
  {
    id: 'alg-absent-unverified',
    breaks: ['AGENT-ALG-ABSENT'],
    sentence: 'treats an assertion that names no algorithm as unsigned and accepts it',
    rules: withoutAlg((assertion) => String(assertion).endsWith('.')),
  },
];
