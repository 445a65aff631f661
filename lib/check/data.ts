import { createHash } from 'node:crypto';
// One locale only: the whole package takes ten times as long to load.
import { faker } from '@faker-js/faker/locale/es_MX';

type OneLocale = typeof faker;

/**
 * Faker with Mexican data that depend on the seed and on `salt` (a check's id), not on the order of checks.
 * There is one instance, seeded anew: checks run one after the other.
 */
export function seededFaker(seed: number, salt: string): OneLocale {
  faker.seed(createHash('sha256').update(`${seed} ${salt}`).digest().readUInt32BE(0));
  return faker;
}
