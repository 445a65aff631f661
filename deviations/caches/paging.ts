/** Faults that either of the two paged endpoints, 10 and 16, can have (section 4). */
import type { CacheRules } from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation, type Changed } from './kit.ts';

/** A paged endpoint, with the words for it in the sentences of deviations. */
export interface Paged {
  on: 'list' | 'usage-by-repository';
  /** The beginning of the ids of deviations and, in capitals, of requirements. */
  name: 'list' | 'by-repo';
  /** The items of a page, in words. */
  item: string;
  items: string;
  /** Follows the word for what is ignored. */
  where: string;
  /** The name of the endpoint, for sentences that do not say what is on the page. */
  subject: '' | 'usage by repository';
  /** Further requirements that cannot hold where pages overlap or leave gaps. */
  cut: string[];
  /** Wrong default page sizes, with their names in ids and in words. */
  defaults: readonly [size: number, name: string, words: string][];
  /** Wrong maximum page sizes, below the documented one. */
  lowMaxima: readonly number[];
}

type Read = (raw: string | undefined, usual: number) => number;
type Cut = <Item>(items: Item[], page: number, perPage: number) => Item[];

/** Replaces how the number of items per page is read; `read` gets the correct number as `usual`. */
export const perPage =
  (on: Paged['on'], read: Read) =>
  (original: CacheRules): Changed => ({
    readPerPage: (raw, operation, env) => {
      const usual = original.readPerPage(raw, operation, env);
      return operation === on ? read(raw, usual) : usual;
    },
  });

/** Replaces how the number of the page is read; `read` gets the correct number as `usual`. */
export const paging =
  (on: Paged['on'], read: Read) =>
  (original: CacheRules): Changed => ({
    readPage: (raw, operation) => {
      const usual = original.readPage(raw, operation);
      return operation === on ? read(raw, usual) : usual;
    },
  });

/** Replaces how pages are cut. */
export const cutting =
  (on: Paged['on'], cut: Cut) =>
  (original: CacheRules): Changed => ({
    slicePage: (items, page, size, operation) =>
      operation === on ? cut(items, page, size) : original.slicePage(items, page, size, operation),
  });

/** Returns the deviations with wrong page sizes and page numbers at one endpoint. */
export function pagingDeviations(paged: Paged): CacheDeviation[] {
  const { on, name, item, items, where, subject, cut, defaults, lowMaxima } = paged;
  const id = (what: string) => `CACHE-${name.toUpperCase()}-${what}`;
  const its = subject === '' ? '' : ` ${subject}`;
  const of = subject === '' ? '' : ` of ${subject}`;
  const sized = (what: string, breaks: string, sentence: string, read: Read, entails: string[] = []) =>
    breaking(`${name}-${what}`, id(breaks), sentence, perPage(on, read), entails);
  const numbered = (what: string, breaks: string, sentence: string, read: Read) =>
    breaking(`${name}-${what}`, id(breaks), sentence, paging(on, read), cut);
  const sliced = (what: string, sentence: string, slice: Cut) =>
    breaking(`${name}-${what}`, id('PAGE'), sentence, cutting(on, slice), cut);
  return [
    sized('per-page-ignored', 'PER-PAGE', `ignores per_page ${where}`, () => 30, [id('PER-PAGE-HUNDRED')]),
    sized('per-page-at-least-ten', 'PER-PAGE', `puts no fewer than ten ${items} on a page`, (_raw, usual) =>
      Math.max(10, usual),
    ),
    ...defaults.map(([size, called, words]) =>
      sized(
        `default-${called}`,
        'PER-PAGE-DEFAULT',
        `puts ${words} ${items} on a page by default`,
        (raw, usual) => (raw === undefined ? size : usual),
      ),
    ),
    sized('no-maximum', 'PER-PAGE-MAX', `puts as many ${items} on a page as asked`, (raw, usual) =>
      Number(raw) > 100 ? Number(raw) : usual,
    ),
    sized(
      'no-maximum-far-above',
      'PER-PAGE-MAX',
      `puts as many ${items} on a page as asked where that is more than 100,000`,
      (raw, usual) => (Number(raw) > 100_000 ? Number(raw) : usual),
    ),
    sized(
      'zero-is-no-limit',
      'PER-PAGE-MAX',
      `puts all ${items} on one page where per_page is 0`,
      (raw, usual) => (raw === '0' ? 1_000_000 : usual),
    ),
    sized(
      'negative-is-no-limit',
      'PER-PAGE-MAX',
      `puts all ${items} on one page where per_page is negative`,
      (raw, usual) => (raw?.startsWith('-') ? 1_000_000 : usual),
    ),
    sized('maximum-101', 'PER-PAGE-MAX', `puts up to 101 ${items} on a page`, (raw, usual) =>
      Number(raw) > 100 ? 101 : usual,
    ),
    ...lowMaxima.map((size) =>
      sized(`maximum-${size}`, 'PER-PAGE-HUNDRED', `puts up to ${size} ${items} on a page`, (_raw, usual) =>
        Math.min(size, usual),
      ),
    ),
    numbered('page-from-zero', 'PAGE', `counts pages${of} from 0 where page is sent`, (raw, usual) =>
      raw === undefined ? usual : usual + 1,
    ),
    sliced('page-overlaps', `repeats the last ${item} of a page on the next one`, (all, page, size) =>
      all.slice(Math.max(0, (page - 1) * size - (page > 1 ? 1 : 0)), page * size),
    ),
    sliced('page-gap', `leaves one ${item} out between pages`, (all, page, size) =>
      all.slice((page - 1) * size + (page > 1 ? 1 : 0), page * size),
    ),
    sliced(
      'page-full-last-empty',
      `leaves the last page${of} empty where it would be full`,
      (all, page, size) =>
        page > 1 && page * size === all.length ? [] : all.slice((page - 1) * size, page * size),
    ),
    numbered('page-always-first', 'PAGE', `gives the first page${of} whichever is asked for`, () => 1),
    numbered('page-one-digit', 'PAGE', `reads the first digit of page${of} only`, (raw, usual) =>
      raw === undefined ? usual : Number(raw[0]) || usual,
    ),
    numbered('page-default-second', 'PAGE-DEFAULT', `begins${its} with the second page`, (raw, usual) =>
      raw === undefined ? 2 : usual,
    ),
  ];
}

/** Treats the largest allowed page size as too large, and uses the default. */
export const hundredIsTooMuch: Read = (raw, usual) => (raw === '100' ? 30 : usual);
