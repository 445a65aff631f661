/** How careless servers misread the key in a request to list or delete caches. */
import { breaking, type CacheDeviation } from './kit.ts';

/** A list is filtered by the beginning of keys; a deletion compares whole keys. */
export type Extent = 'beginning' | 'whole';

/** Compares the key of a request with the key of a cache. */
export type Matches = (asked: string, key: string) => boolean;

const rightly: Record<Extent, Matches> = {
  beginning: (asked, key) => key.startsWith(asked),
  whole: (asked, key) => key === asked,
};
const end: Record<Extent, string> = { beginning: '', whole: '$' };

/**
 * Returns a function that makes deviations which replace the comparison of keys. Their ids begin with `id`,
 * and their requirements' ids with `requirement`.
 */
export const comparing =
  (id: string, requirement: string, rule: 'matchesKey' | 'deletesKey') =>
  (
    name: string,
    breaks: string,
    sentence: string,
    matches: Matches,
    entails: string[] = [],
  ): CacheDeviation =>
    breaking(`${id}-${name}`, `${requirement}-${breaks}`, sentence, () => ({ [rule]: matches }), entails);

/** Treats the requested key as a pattern of SQL's LIKE. */
export const like =
  (extent: Extent): Matches =>
  (asked, key) => {
    const source = asked
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('%', '.*')
      .replaceAll('_', '.');
    return new RegExp(`^${source}${end[extent]}`, 's').test(key);
  };

/** Treats the requested key as a regular expression, or compares it as text where it is not a valid one. */
const regular =
  (extent: Extent): Matches =>
  (asked, key) => {
    try {
      return new RegExp(`^(?:${asked})${end[extent]}`).test(key);
    } catch {
      return rightly[extent](asked, key);
    }
  };

function decodedOnceMore(asked: string): string {
  try {
    return decodeURIComponent(asked);
  } catch {
    return asked;
  }
}

/**
 * A way of misreading a key: the end of a deviation's id, the end of its requirement's id, its sentence, and
 * the wrong comparison.
 */
export type Misreading = [id: string, requirement: 'LITERAL' | 'DECODED', sentence: string, Matches];

/**
 * Returns the misreadings that are possible both in listing and in deleting.
 * @param key what sentences call the key
 * @param takenFor the preposition after "takes the key", which differs between their sentences
 */
export function misreadings(extent: Extent, key: string, takenFor: 'for' | 'as'): Misreading[] {
  const read =
    (change: (asked: string) => string): Matches =>
    (asked, each) =>
      rightly[extent](change(asked), each);
  return [
    ['like', 'LITERAL', `takes ${key} ${takenFor} a pattern of SQL`, like(extent)],
    ['regular', 'LITERAL', `takes ${key} ${takenFor} a regular expression`, regular(extent)],
    ['decoded-twice', 'DECODED', `decodes ${key} twice`, read(decodedOnceMore)],
    [
      'plus-is-space',
      'DECODED',
      `reads a plus sign in ${key} as a space`,
      read((asked) => asked.replaceAll('+', ' ')),
    ],
    [
      'latin',
      'DECODED',
      `reads ${key} as Latin-1`,
      read((asked) => Buffer.from(asked, 'utf8').toString('latin1')),
    ],
  ];
}
