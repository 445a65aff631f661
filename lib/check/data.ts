import { createHash } from 'node:crypto';
import { base, en, es_MX, Faker } from '@faker-js/faker';

/** A faker whose data depend on the seed and on `salt` (a check's id) only, not on the order of checks. */
export function seededFaker(seed: number, salt: string): Faker {
  const faker = new Faker({ locale: [es_MX, en, base] });
  faker.seed(createHash('sha256').update(`${seed} ${salt}`).digest().readUInt32BE(0));
  return faker;
}
