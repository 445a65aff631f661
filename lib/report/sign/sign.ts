/** Signs a report: a detached JWS (RFC 7515, RFC 7797) over its canonical form (RFC 8785). */
import { FlattenedSign } from 'jose';
import type { RunReport } from '../../model/results.ts';
import { canonicalJson } from './canonical.ts';
import type { SigningKey } from './keys.ts';
import { type Sections, sectionsOf } from './sections.ts';

/** Name of the file beside `report.json`. */
export const SIGNATURE_FILE = 'report.sig.json';

/** What that file holds. */
export interface ReportSignature {
  format: 1;
  /** Compact JWS without its payload, which is the canonical report. */
  report: string;
  /** Digests of the parts of the report, which show where an altered one differs. */
  sections: Sections;
  /** Compact JWS without its payload, which is `sections` in canonical form. */
  sectionsSignature: string;
}

/**
 * Signs a report and the digests of its parts.
 * @param signedAt time in milliseconds since the epoch, which is signed as well
 */
export async function signReport(
  report: RunReport,
  signer: SigningKey,
  signedAt: number,
): Promise<ReportSignature> {
  const sections = sectionsOf(report);
  const sign = (typ: string, value: object) => detached(canonicalJson(value), typ, signer, signedAt);
  return {
    format: 1,
    report: await sign('conformance-report', report),
    sections,
    sectionsSignature: await sign('conformance-report-sections', sections),
  };
}

async function detached(
  payload: string,
  typ: string,
  { key, alg, kid, jwk }: SigningKey,
  signedAt: number,
): Promise<string> {
  const { protected: head, signature } = await new FlattenedSign(new TextEncoder().encode(payload))
    .setProtectedHeader({
      alg,
      kid,
      typ,
      b64: false,
      crit: ['b64'],
      iat: Math.floor(signedAt / 1000),
      jwk,
    })
    .sign(key);
  return `${head}..${signature}`;
}
