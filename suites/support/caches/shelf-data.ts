/** The caches that lists are read from: what is in them is chosen so that each mistake shows. */
import type { Faker } from '@faker-js/faker';
import type { Place } from './places.ts';
import { MAIN, type Order } from './seeds.ts';

/** Keys and references of the data that checks ask for by name. */
export interface Names {
  bulk: string;
  whole: string;
  /** Several keys begin with it and none equals it; others hold it further in, or at their end. */
  prefix: string;
  /** A key that another one begins with. */
  nested: string;
  lower: string;
  /** Each with the keys that it would match as a pattern. */
  literals: readonly { key: string; decoys: readonly string[] }[];
  /** Keys that have to be percent-encoded, and whose characters mean nothing in a pattern. */
  encoded: readonly string[];
  /** One that has to be encoded and does mean something in a pattern. */
  plus: string;
  branch: string;
  pull: string;
  lowerRef: string;
  upperRef: string;
  both: string;
}

export function namesFor(mark: string): Names {
  const key = (rest: string) => `${mark}-${rest}`;
  const literal = (name: string, ...decoys: string[]) => ({
    key: key(`lit-${name}`),
    decoys: decoys.map((d) => key(`lit-${d}`)),
  });
  return {
    bulk: key('bulk-'),
    whole: key('whole'),
    prefix: key('pref'),
    nested: key('deps'),
    lower: key('case'),
    literals: [
      literal('a%b', 'aXXb'),
      literal('c_d', 'cXd'),
      literal('e*f', 'eXXf', 'eef'),
      literal('g.h', 'gXh'),
      literal('i[jk]l', 'ijl'),
    ],
    encoded: ['a b', 'c/d&e=f', 'ñandú-日本', 'g%2Fh', 'g/h'].map((rest) => key(`dec-${rest}`)),
    plus: key('dec-a+b'),
    branch: `refs/heads/${mark}/feature/login`,
    pull: 'refs/pull/4211/merge',
    lowerRef: `refs/heads/${mark}/case`,
    upperRef: `refs/heads/${mark}/Case`,
    both: key('both'),
  };
}

/** So many caches whose keys begin with `bulk`: with the others more than the largest page holds. */
export const BULK = 80;

/** All caches of the repository that lists are read from, in an order that is none of those asked for. */
export function shelfOrders(repository: Place, mark: string, faker: Faker): Order[] {
  const names = namesFor(mark);
  const cache = (key: string, ref = MAIN): Order => ({ repository, key, ref });
  const { whole, prefix, nested, lower, branch, pull, both, bulk } = names;
  const orders = [
    ...Array.from({ length: BULK }, (_, i) => cache(`${bulk}${String(i).padStart(3, '0')}`)),
    ...[MAIN, branch, pull].map((ref) => cache(whole, ref)),
    ...['ix-a', 'ix-b', 'ix-c'].map((rest) => cache(prefix + rest)),
    cache(`inner-${prefix}ix-a`),
    cache(`end-${prefix}`),
    cache(nested),
    cache(`${nested}-2`),
    cache(`${lower}-letters`),
    cache(`${mark}-CASE-letters`),
    ...names.literals.flatMap(({ key, decoys }) => [key, ...decoys].map((each) => cache(each))),
    ...names.encoded.map((key) => cache(key)),
    cache(names.plus),
    cache(`${mark}-on-branch`, branch),
    cache(`${mark}-longer-ref`, `${branch}-2`),
    cache(`${mark}-ending-ref`, `refs/heads/old/${branch}`),
    cache(`${mark}-nested-ref`, `refs/heads/other/${branch.slice('refs/heads/'.length)}`),
    cache(`${mark}-on-pull`, pull),
    cache(`${mark}-longer-pull`, 'refs/pull/42110/merge'),
    cache(`${mark}-shorter-pull`, 'refs/pull/421/merge'),
    cache(`${mark}-ending-pull`, 'refs/pull/14211/merge'),
    cache(`${mark}-ref-in-lower-case`, names.lowerRef),
    cache(`${mark}-ref-in-upper-case`, names.upperRef),
    cache(`${both}-a`, branch),
    cache(`${both}-a`),
    cache(`${both}-b`, branch),
    cache(`${both}-c`, pull),
  ];
  return inDisorder(orders, faker);
}

/** Seconds between two times of the data: no multiple of a minute, so that rounding shows. */
const GAP_S = 271;
const HOUR = 3600;

/**
 * Gives the caches sizes and times that are all different, and whose orders have nothing to do with each
 * other nor with the order of creation. Sizes are of one to six digits and sort otherwise as text.
 */
function inDisorder(orders: readonly Order[], faker: Faker): Order[] {
  const places = orders.map((_, i) => i);
  const created = faker.helpers.shuffle(places);
  const accessed = faker.helpers.shuffle(places);
  const sizes = faker.helpers.shuffle(places.map((i) => 10 ** (i % 6) * (1 + (i % 9)) + Math.floor(i / 6)));
  const distinct = new Set<number>();
  for (const [i, size] of sizes.entries()) {
    let free = size;
    while (distinct.has(free)) free += 1;
    distinct.add(free);
    sizes[i] = free;
  }
  return orders.map((order, i) => ({
    ...order,
    size: sizes[i]!,
    createdAgo: 11 * HOUR + GAP_S * created[i]!,
    accessedAgo: HOUR + GAP_S * accessed[i]!,
  }));
}

/** A few caches for a repository that one page holds whole: the same key more than once, and other references. */
export function fewOrders(repository: Place, mark: string): Order[] {
  const cache = (key: string, ref = MAIN): Order => ({ repository, key: `${mark}-${key}`, ref });
  return [
    cache('few-a'),
    cache('few-a'),
    cache('few-a', 'refs/heads/develop'),
    cache('few-a', 'refs/pull/7/merge'),
    cache('few-b'),
    cache('few-b', 'refs/heads/develop'),
    cache('whole'),
  ];
}
