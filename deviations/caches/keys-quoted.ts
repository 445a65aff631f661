/** Keys with backslashes, quotes, emoji and a slash at the end, and a key that is a blank (section 4, endpoints 16 and 17). */
import { choosing, here } from './deleting-kit.ts';
import { comparing, type Matches } from './keys.ts';
import { breaking, type CacheDeviation } from './kit.ts';

const begins: Matches = (asked, key) => key.startsWith(asked);
const equals: Matches = (asked, key) => key === asked;

/** Reads a backslash as an escape. */
const unescaped = (text: string): string => text.replaceAll(/\\(.)/gsu, '$1');
/** Removes quotes, as a crude guard against injections does. */
const unquoted = (text: string): string => text.replaceAll(/['"]/g, '');
/** Replaces what three bytes of UTF-8 cannot hold. */
const inThreeBytes = (text: string): string => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd');

const WAYS = [
  ['backslash-escapes', 'LITERAL', 'reads a backslash in the key as an escape', unescaped],
  [
    'end-slash-removed',
    'LITERAL',
    'removes a slash at the end of the key',
    (text: string) => text.replace(/\/$/, ''),
  ],
  ['quotes-removed', 'LITERAL', 'removes quotes from the key', unquoted],
] as const;

export const quotedKeyDeviations: CacheDeviation[] = [
  ...[
    { make: comparing('list-key', 'CACHE-LIST-KEY', 'matchesKey'), matches: begins, when: 'when it lists' },
    {
      make: comparing('delete-key', 'CACHE-DELETE-KEY', 'deletesKey'),
      matches: equals,
      when: 'when it deletes',
    },
  ].flatMap(({ make, matches, when }) => [
    ...WAYS.map(([id, breaks, sentence, change]) =>
      make(id, breaks, `${sentence} ${when}`, (asked, key) => matches(change(asked), key)),
    ),
    make('emoji-alike', 'DECODED', `takes all emoji in the key for the same ${when}`, (asked, key) =>
      matches(inThreeBytes(asked), inThreeBytes(key)),
    ),
    make('emoji-lost', 'DECODED', `replaces emoji in the key ${when}`, (asked, key) =>
      matches(inThreeBytes(asked), key),
    ),
  ]),
  breaking(
    'list-key-blank-ignored',
    'CACHE-LIST-KEY-BLANK',
    'takes a key of blanks for no filter when it lists',
    () => ({ matchesKey: (asked, key) => key.startsWith(asked) || asked.trim() === '' }),
  ),
  breaking(
    'delete-key-blank-ignored',
    'CACHE-DELETE-KEY-UNKNOWN',
    'empties the repository where the key of a deletion is a blank',
    choosing((right, repository, { key, ref }, env) =>
      key && key.trim() === '' ? here(repository, env).filter((cache) => !ref || cache.ref === ref) : right,
    ),
  ),
];
