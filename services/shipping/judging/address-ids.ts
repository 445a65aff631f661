/** Ids that belong to no address. */
import type { Faker } from '@faker-js/faker';

/** Whether a value is a string in the form of a UUID, of any version and in any letter case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

/** Returns an id that no address has: in the form of `sample`, or a UUID where there is none. */
export function unknownId(faker: Faker, sample?: string): string {
  const shaped: boolean = sample === undefined || isUuid(sample);
  if (sample === undefined || shaped) return faker.string.uuid();
  if (/^\d+$/.test(sample)) return `9${faker.string.numeric(8)}`;
  return sample.replaceAll(/[a-z0-9]/gi, (c) =>
    /\d/.test(c) ? faker.string.numeric(1) : faker.string.alpha({ casing: 'lower' }),
  );
}

/**
 * Ways to alter an id so that any comparison of whole ids notices. Some give several altered ids: ids that
 * were assigned in sequence may differ in a single digit, so that one of them may belong to another address.
 */
export const ALTERATIONS: Record<string, (id: string) => string[]> = {
  shortened: (id) => [id.slice(0, -1)],
  lengthened: (id) => [`${id}0`],
  'first-digit': (id) => digitsBut(id[0]).map((digit) => `${digit}${id.slice(1)}`),
  // For a server that compares ids with SQL's `LIKE`, the underscore matches any character.
  wildcard: (id) => [`${id.slice(0, -1)}_`],
  'last-digit': (id) => digitsBut(id.at(-1)).map((digit) => `${id.slice(0, -1)}${digit}`),
};

function digitsBut(used: string | undefined): string[] {
  return [...'0123456789abcdef'].filter((digit) => digit !== used?.toLowerCase());
}

/** Ids that no address has, percent-encoded. Each fails at another step if ids are taken for UUIDs. */
export const ODD_IDS: Record<string, string> = {
  // Fails when the server casts it to a UUID.
  word: 'conformance',
  // Fails when the server puts it into a query unescaped, or where a column cannot hold four-byte characters.
  punctuation: encodeURIComponent("conformance'%_\u{1f4e6}"),
  // Fails in a database that does not accept the null character.
  'null-character': 'conformance%00',
  // Fails when the server decodes it as UTF-8.
  'not-utf-8': 'conformance%FF',
  long: 'conformance'.repeat(200),
};
