/** Checks the signature of a report. */
import { calculateJwkThumbprint, decodeProtectedHeader, flattenedVerify, type JWK } from 'jose';
import { canonicalJson } from './canonical.ts';
import { type TrustedKey, trustedKeys } from './keys.ts';
import { differences } from './sections.ts';
import type { ReportSignature } from './sign.ts';

/** Algorithms that signatures may have: asymmetric ones. `none` and HMAC prove nothing to a third party. */
const ALGORITHMS = [
  'EdDSA',
  'Ed25519',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
];

/** What the signature of a report is worth. */
export type Verification =
  /** Signed by one of the keys, and as it was signed. `known` is false where no keys were given to compare with. */
  | { state: 'genuine'; known: boolean; kid: string; thumbprint: string; signedAt: Date }
  /** Signed by one of the keys, and altered since. */
  | { state: 'altered'; places: string[] }
  /** Not by one of the keys, or no signature at all. */
  | { state: 'refused'; why: string };

/**
 * @param report as parsed from `report.json`
 * @param keys that it may be signed by; without any, the key that the signature itself names, which proves only
 *   that nothing was altered since
 */
export async function verifyReport(
  report: object,
  signature: ReportSignature,
  keys?: readonly TrustedKey[],
): Promise<Verification> {
  const head = headOf(signature.report);
  if (typeof head === 'string') return { state: 'refused', why: head };
  const candidates =
    keys ?? (await trustedKeys(JSON.stringify(head.jwk ?? {}), 'the signature').catch(() => []));
  let payload: string;
  try {
    payload = canonicalJson(report);
  } catch (error) {
    return { state: 'refused', why: `the report has no canonical form: ${(error as Error).message}` };
  }
  const signer = await signerOf(signature.report, payload, 'conformance-report', candidates);
  if (signer) {
    const { kid = signer.thumbprint } = head;
    const signedAt = new Date((head.iat ?? 0) * 1000);
    return { state: 'genuine', known: keys !== undefined, kid, thumbprint: signer.thumbprint, signedAt };
  }
  const { sections, sectionsSignature } = signature;
  if (await signerOf(sectionsSignature, canonicalJson(sections), 'conformance-report-sections', candidates)) {
    const places = differences(sections, report);
    if (places.length > 0) return { state: 'altered', places };
    return {
      state: 'refused',
      why: 'its signature is damaged or of another report; the signed digests beside it are of this one',
    };
  }
  return { state: 'refused', why: await whose(head, candidates) };
}

interface Head {
  alg?: string;
  kid?: string;
  typ?: string;
  iat?: number;
  jwk?: JWK;
}

/** The header of a signature, or why it is none that counts. */
function headOf(jws: string): Head | string {
  let head: Head;
  try {
    head = decodeProtectedHeader(jws) as Head;
  } catch {
    return 'the signature is cut short or is none';
  }
  if (!ALGORITHMS.includes(head.alg ?? '')) return `the signature's algorithm ${head.alg} proves nothing`;
  return head;
}

/** The key that a detached signature over `payload` is by. */
async function signerOf(
  jws: string,
  payload: string,
  typ: string,
  keys: readonly TrustedKey[],
): Promise<TrustedKey | undefined> {
  const [head, middle, signature] = String(jws).split('.');
  if (!head || middle !== '' || !signature) return undefined;
  for (const each of keys) {
    try {
      const { protectedHeader } = await flattenedVerify({ protected: head, payload, signature }, each.key, {
        algorithms: ALGORITHMS,
      });
      // A signature over one thing is not one over another.
      if (protectedHeader?.typ === typ && protectedHeader.b64 === false) return each;
    } catch {
      // By another key, or over something else.
    }
  }
  return undefined;
}

/** Whom a signature that fits no key says it is by. */
async function whose({ kid, jwk }: Head, keys: readonly TrustedKey[]): Promise<string> {
  const named = jwk && (await calculateJwkThumbprint(jwk).catch(() => undefined));
  if (named !== undefined && !keys.some(({ thumbprint }) => thumbprint === named)) {
    // Whoever signs chooses the name of the key.
    const alias = kid === undefined || kid === named ? '' : `, which calls itself ${kid}`;
    return `it is signed by another key (thumbprint ${named}${alias})`;
  }
  return 'the signature does not fit: it was altered, or is of another report';
}

/** Whether a parsed file is a signature of this form. */
export function isSignature(value: unknown): value is ReportSignature {
  const { format, report, sections, sectionsSignature } = (value ?? {}) as Partial<ReportSignature>;
  return (
    format === 1 &&
    typeof report === 'string' &&
    typeof sectionsSignature === 'string' &&
    typeof sections === 'object' &&
    sections !== null
  );
}
