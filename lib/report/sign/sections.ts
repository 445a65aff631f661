/**
 * Digests of the parts of a report, which show where an altered report differs from the one that was signed.
 */
import { createHash } from 'node:crypto';
import { canonicalJson, canonicalPieces } from './canonical.ts';

/** SHA-256 in base64url, by the name of each part. */
export type Sections = Record<string, string>;

/** Returns the SHA-256 of the canonical form of a report, in base64url; see `canonicalPieces`. */
export function digestOf(report: object): string {
  const hash = createHash('sha256');
  for (const piece of canonicalPieces(report)) hash.update(piece);
  return hash.digest('base64url');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** The member that identifies an element of these lists. Other lists only have a digest as a whole. */
const NAMES: Readonly<Record<string, string>> = { checks: 'id', requirements: 'id', suites: 'name' };

/** Returns a digest for each member of the report, and for each of its checks, requirements and suites. */
export function sectionsOf(report: object): Sections {
  const sections: Sections = {};
  for (const [member, value] of Object.entries(report)) {
    const name = NAMES[member];
    if (value === undefined) continue;
    // The list as a whole has a digest too, which reveals a changed order or a repeated element.
    sections[member] = sha256(canonicalJson(value));
    if (name === undefined || !Array.isArray(value)) continue;
    for (const [i, element] of value.entries()) {
      const id = (element as Record<string, unknown> | null)?.[name];
      sections[`${member} ${typeof id === 'string' ? id : i}`] = sha256(canonicalJson(element));
    }
  }
  return sections;
}

/**
 * Returns where a report differs from the one that the
 * signed digests are of, naming only the most exact places.
 */
export function differences(signed: Sections, report: object): string[] {
  const now = sectionsOf(report);
  const places = [...new Set([...Object.keys(signed), ...Object.keys(now)])].flatMap((place) => {
    if (signed[place] === now[place]) return [];
    const what = now[place] === undefined ? 'removed' : signed[place] === undefined ? 'added' : 'altered';
    return [{ place, what }];
  });
  const exact = places.filter(
    ({ place }) => !(place in NAMES) || !places.some((other) => other.place.startsWith(`${place} `)),
  );
  return exact.map(({ place, what }) => `${place}: ${what}`);
}
