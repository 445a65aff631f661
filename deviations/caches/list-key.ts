/** Filtering the list of caches by key (section 4, endpoint 16, query key). */

import { comparing, like, misreadings } from './keys.ts';
import { breaking, type CacheDeviation } from './kit.ts';
import { selecting } from './list-kit.ts';

const AND_REF = ['CACHE-LIST-KEY-AND-REF'];

/** Replaces the comparison of keys. The second argument follows `CACHE-LIST-KEY-` in the requirement's id. */
const key = comparing('list-key', 'CACHE-LIST-KEY', 'matchesKey');

const likeBeginning = like('beginning');
/** Returns a text without the wildcards of SQL. */
const literal = (text: string): string => text.replaceAll('%', '\u0000').replaceAll('_', '\u0001');

export const listKeyDeviations: CacheDeviation[] = [
  key('as-version', 'WHOLE', 'compares key with the version', () => false, [
    'CACHE-LIST-KEY-PREFIX',
    ...AND_REF,
  ]),
  breaking(
    'list-key-one',
    'CACHE-LIST-KEY-WHOLE',
    'lists the first cache with a whole key',
    selecting((right, _all, query) =>
      query.key && right.every((cache) => cache.key === query.key) ? right.slice(0, 1) : right,
    ),
    AND_REF,
  ),
  key(
    'exact',
    'PREFIX',
    'lists only the caches with exactly the key',
    (asked, each) => asked === each,
    AND_REF,
  ),
  key(
    'to-the-dash',
    'PREFIX',
    'lists longer keys only where a dash follows the text',
    (asked, each) =>
      each === asked || each.startsWith(`${asked}-`) || (asked.endsWith('-') && each.startsWith(asked)),
    AND_REF,
  ),
  key('substring', 'NOT-SUBSTRING', 'lists every cache whose key contains the text', (asked, each) =>
    each.includes(asked),
  ),
  key('to-the-hash', 'LITERAL', 'ignores what follows a number sign in key when it lists', (asked, each) =>
    each.startsWith(asked.split('#')[0]!),
  ),
  key(
    'suffix-too',
    'NOT-SUBSTRING',
    'lists every cache whose key begins or ends with the text',
    (asked, each) => each.startsWith(asked) || each.endsWith(asked),
  ),
  key('ignored', 'NOT-SUBSTRING', 'ignores key when it lists', () => true, ['CACHE-LIST-EMPTY']),
  key(
    'short-ignored',
    'NOT-SUBSTRING',
    'ignores a key of less than three characters when it lists',
    (asked, each) => asked.length < 3 || each.startsWith(asked),
  ),
  key(
    'short-finds-nothing',
    'PREFIX',
    'lists nothing for a key of less than three characters',
    (asked, each) => asked.length >= 3 && each.startsWith(asked),
  ),
  key('comma-list', 'LITERAL', 'splits key at commas when it lists', (asked, each) =>
    asked.split(',').some((part) => each.startsWith(part)),
  ),
  key('case', 'CASE', 'lists keys without regard to case', (asked, each) =>
    each.toLowerCase().startsWith(asked.toLowerCase()),
  ),
  ...misreadings('beginning', 'key', 'for').map((misreading) => key(...misreading)),
  key('glob', 'LITERAL', 'treats an asterisk in key as a wildcard', (asked, each) =>
    likeBeginning(literal(asked).replaceAll('*', '%'), literal(each)),
  ),
  key('cut-at-ampersand', 'DECODED', 'truncates key at a decoded ampersand', (asked, each) =>
    asked.includes('&') ? each === asked.split('&')[0] : each.startsWith(asked),
  ),
];
