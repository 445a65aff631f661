/** Verifies the signature of a report. */
import { calculateJwkThumbprint, decodeProtectedHeader, flattenedVerify, type JWK } from 'jose';
import { canonicalJson } from './canonical.ts';
import { type TrustedKey, trustedKeys } from './keys.ts';
import { differences } from './sections.ts';
import type { ReportSignature } from './sign.ts';

/**
 * The algorithms that a signature may have, all asymmetric: `none` and HMAC prove nothing to a third party.
 */
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

/** What verifying a signature shows. */
export type Verification =
  /**
   * Signed by one of the keys, and not altered. `known` is false where no keys were given to compare with.
   */
  | { state: 'genuine'; known: boolean; kid: string; thumbprint: string; signedAt: Date }
  /** Signed by one of the keys, and altered since. */
  | { state: 'altered'; places: string[] }
  /** Not signed by one of the keys, or not signed at all. */
  | { state: 'refused'; why: string };

/**
 * Verifies the signature of a report.
 * @param report as parsed from `report.json`
 * @param keys the keys that may have signed it. Without any, the key in the signature itself is used, which
 *   proves only that nothing was altered since.
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

/** Returns the header of a signature, or why the signature is not accepted. */
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

/** Returns the key that made a detached signature over `payload`, if it is one of `keys`. */
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
      // The type has to match as well: a signature over the sections does not sign the report.
      if (protectedHeader?.typ === typ && protectedHeader.b64 === false) return each;
    } catch {
      // Signed by another key, or over something else.
    }
  }
  return undefined;
}

/** Says by whom a signature claims to be, where none of the keys made it. */
async function whose({ kid, jwk }: Head, keys: readonly TrustedKey[]): Promise<string> {
  const named = jwk && (await calculateJwkThumbprint(jwk).catch(() => undefined));
  if (named !== undefined && !keys.some(({ thumbprint }) => thumbprint === named)) {
    // Whoever signs is free to choose the name of the key, so the thumbprint is shown as well.
    const alias = kid === undefined || kid === named ? '' : `, which calls itself ${kid}`;
    return `it is signed by another key (thumbprint ${named}${alias})`;
  }
  return 'the signature does not fit: it was altered, or is of another report';
}

/** Whether a parsed file has the form of a report's signature. */
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
