/** Ids that are not the id of an address. */
import type { Faker } from '@faker-js/faker';

/** Whether a value is text shaped like a UUID, of any version and in any letter case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

/** An id that no address has, formed like `sample` where that is not shaped like a UUID. */
export function unknownId(faker: Faker, sample?: string): string {
  const shaped: boolean = sample === undefined || isUuid(sample);
  if (sample === undefined || shaped) return faker.string.uuid();
  if (/^\d+$/.test(sample)) return `9${faker.string.numeric(8)}`;
  return sample.replaceAll(/[a-z0-9]/gi, (c) =>
    /\d/.test(c) ? faker.string.numeric(1) : faker.string.alpha({ casing: 'lower' }),
  );
}

/**
 * Ids that differ from one in a way that any comparison of whole ids notices. Several for each way, because
 * ids that were given out one after the other may differ in a single digit.
 */
export const ALTERATIONS: Record<string, (id: string) => string[]> = {
  shortened: (id) => [id.slice(0, -1)],
  lengthened: (id) => [`${id}0`],
  'first-digit': (id) => digitsBut(id[0]).map((digit) => `${digit}${id.slice(1)}`),
  // Where ids are compared with LIKE, it stands for any character.
  wildcard: (id) => [`${id.slice(0, -1)}_`],
  'last-digit': (id) => digitsBut(id.at(-1)).map((digit) => `${id.slice(0, -1)}${digit}`),
};

function digitsBut(used: string | undefined): string[] {
  return [...'0123456789abcdef'].filter((digit) => digit !== used?.toLowerCase());
}

/** Ids that no address has, as they are written in a path: each makes another step fail where ids are taken for UUIDs. */
export const ODD_IDS: Record<string, string> = {
  // Fails where it is cast to a UUID.
  word: 'conformance',
  // Fails where it is put into a query, or where a column takes no characters of four bytes.
  punctuation: encodeURIComponent("conformance'%_\u{1f4e6}"),
  // Fails in a database that takes no null character.
  'null-character': 'conformance%00',
  // Fails where it is decoded.
  'not-utf-8': 'conformance%FF',
  long: 'conformance'.repeat(200),
};
