/** 4.1: which addresses are on which page. */
import { AddressRefusal, type ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { cutting, PAGES } from './list-kit.ts';

export const listDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'per-page-default-10',
    breaks: ['ADDR-LIST-PER-PAGE-DEFAULT'],
    sentence: 'puts ten addresses on a page when per_page is not sent',
    rules: () => ({ defaultPerPage: 10 }),
  },
  {
    id: 'per-page-default-19',
    breaks: ['ADDR-LIST-PER-PAGE-DEFAULT'],
    sentence: 'puts nineteen addresses on a page when per_page is not sent',
    rules: () => ({ defaultPerPage: 19 }),
  },
  {
    id: 'per-page-default-25',
    breaks: ['ADDR-LIST-PER-PAGE-DEFAULT'],
    entails: ['ADDR-LIST-PER-PAGE-MAX', 'ADDR-META-PER-PAGE'],
    sentence: 'puts 25 addresses on a page when per_page is not sent',
    rules: (original) => ({
      readPerPage: (raw, env) => (raw === undefined ? 25 : original.readPerPage(raw, env)),
    }),
  },
  {
    id: 'per-page-default-only-in-meta',
    breaks: ['ADDR-LIST-PER-PAGE-DEFAULT'],
    sentence: 'says per_page 20 and puts ten addresses on the page when per_page is not sent',
    rules: (original) => {
      let asked = true;
      return {
        readPerPage: (raw, env) => {
          asked = raw !== undefined;
          return original.readPerPage(raw, env);
        },
        slicePage: (items, page, perPage) => original.slicePage(items, page, asked ? perPage : 10),
      };
    },
  },
  {
    id: 'per-page-unbounded',
    breaks: ['ADDR-LIST-PER-PAGE-MAX'],
    entails: ['ADDR-META-PER-PAGE'],
    sentence: 'hands per_page to the database without an upper bound',
    rules: () => ({ maxPerPage: 1_000_000 }),
  },
  {
    id: 'per-page-up-to-100',
    breaks: ['ADDR-LIST-PER-PAGE-MAX'],
    entails: ['ADDR-META-PER-PAGE'],
    sentence: 'allows pages of up to 100',
    rules: () => ({ maxPerPage: 100 }),
  },
  {
    id: 'per-page-up-to-21',
    breaks: ['ADDR-LIST-PER-PAGE-MAX'],
    entails: ['ADDR-META-PER-PAGE'],
    sentence: 'allows pages of 21',
    rules: () => ({ maxPerPage: 21 }),
  },
  {
    id: 'per-page-bounded-in-meta-only',
    breaks: ['ADDR-LIST-PER-PAGE-MAX'],
    sentence: 'bounds per_page in the meta and not in the query',
    rules: (original) => {
      let size = 20;
      return {
        readPerPage: (raw, env) => {
          size = Number(raw) > 20 ? Number(raw) : original.readPerPage(raw, env);
          return original.readPerPage(raw, env);
        },
        slicePage: (items, page) => original.slicePage(items, page, size),
      };
    },
  },
  {
    id: 'per-page-huge-means-all',
    breaks: ['ADDR-LIST-PER-PAGE-MAX'],
    sentence: 'answers everything on one page when per_page is absurdly large',
    rules: (original) => {
      let all = false;
      return {
        readPerPage: (raw, env) => {
          all = Number(raw) >= 100;
          return original.readPerPage(raw, env);
        },
        slicePage: (items, page, perPage) => (all ? items : original.slicePage(items, page, perPage)),
      };
    },
  },
  {
    id: 'per-page-20-refused',
    breaks: ['ADDR-LIST-PER-PAGE-MAX-INCLUSIVE'],
    entails: ['ADDR-LIST-STATUS'],
    sentence: 'refuses per_page=20, the maximum',
    rules: (original) => ({
      readPerPage: (raw, env) => {
        if (raw === '20') throw new AddressRefusal('invalid', 'per_page is too large');
        return original.readPerPage(raw, env);
      },
    }),
  },
  {
    id: 'per-page-20-is-19',
    breaks: ['ADDR-LIST-PER-PAGE-MAX-INCLUSIVE'],
    entails: ['ADDR-LIST-PER-PAGE-HONOURED', 'ADDR-META-PER-PAGE-VALUE', ...PAGES],
    sentence: 'reduces per_page=20 to 19',
    rules: (original) => ({
      readPerPage: (raw, env) => (raw === '20' ? 19 : original.readPerPage(raw, env)),
    }),
  },
  {
    id: 'per-page-ignored',
    breaks: ['ADDR-LIST-PER-PAGE-HONOURED'],
    entails: ['ADDR-META-PER-PAGE-VALUE', 'ADDR-META-NEXT-PAGE-VALUE', 'ADDR-META-TOTAL-PAGES-VALUE'],
    sentence: 'ignores per_page',
    rules: () => ({ readPerPage: () => 20 }),
  },
  {
    id: 'per-page-ignored-but-echoed',
    breaks: ['ADDR-LIST-PER-PAGE-HONOURED'],
    entails: PAGES,
    sentence: 'echoes per_page in the meta and cuts pages of 20',
    rules: cutting((items, page) => items.slice((page - 1) * 20, page * 20)),
  },
  {
    id: 'per-page-one-less',
    breaks: ['ADDR-LIST-PER-PAGE-HONOURED'],
    entails: [...PAGES, 'ADDR-LIST-PER-PAGE-DEFAULT', 'ADDR-LIST-PER-PAGE-MAX-INCLUSIVE'],
    sentence: 'puts one address less on every full page than it says',
    rules: cutting((items, page, perPage) =>
      items.slice((page - 1) * perPage, page * perPage - (perPage > 1 ? 1 : 0)),
    ),
  },
  {
    id: 'per-page-one-more',
    breaks: ['ADDR-LIST-PER-PAGE-HONOURED', 'ADDR-LIST-NO-REPEATS'],
    entails: [
      ...PAGES,
      'ADDR-LIST-PER-PAGE-MAX',
      'ADDR-LIST-PER-PAGE-DEFAULT',
      'ADDR-LIST-PER-PAGE-MAX-INCLUSIVE',
    ],
    sentence: 'puts the first address of the next page on each page as well',
    rules: cutting((items, page, perPage) => items.slice((page - 1) * perPage, page * perPage + 1)),
  },
  {
    id: 'page-filtered-after-the-cut',
    breaks: ['ADDR-LIST-NO-GAPS', 'ADDR-LIST-PER-PAGE-HONOURED'],
    entails: [...PAGES, 'ADDR-LIST-PER-PAGE-DEFAULT', 'ADDR-LIST-PER-PAGE-MAX-INCLUSIVE'],
    sentence: 'leaves out addresses without a company after it has cut the page',
    rules: (original) => ({
      slicePage: (items, page, perPage) =>
        original.slicePage(items, page, perPage).filter(({ address }) => address.company !== null),
    }),
  },
  {
    id: 'pages-overlap',
    breaks: ['ADDR-LIST-NO-REPEATS'],
    entails: ['ADDR-LIST-NO-GAPS'],
    sentence: 'begins every page but the first one address too early',
    rules: cutting((items, page, perPage) => {
      const start = Math.max(0, (page - 1) * perPage - (page > 1 ? 1 : 0));
      return items.slice(start, start + perPage);
    }),
  },
  {
    id: 'pages-skip-one',
    breaks: ['ADDR-LIST-NO-GAPS'],
    entails: PAGES,
    sentence: 'begins every page but the first one address too late',
    rules: cutting((items, page, perPage) => {
      const start = (page - 1) * perPage + (page > 1 ? 1 : 0);
      return items.slice(start, start + perPage);
    }),
  },
  {
    id: 'pages-all-first',
    breaks: ['ADDR-LIST-NO-REPEATS', 'ADDR-LIST-NO-GAPS'],
    entails: PAGES,
    sentence: 'ignores page and answers the first one always',
    rules: cutting((items, _page, perPage) => items.slice(0, perPage)),
  },
  {
    id: 'last-page-cut-off',
    breaks: ['ADDR-LIST-NO-GAPS'],
    entails: PAGES,
    sentence: 'answers an empty page instead of a last page that is not full',
    rules: cutting((items, page, perPage) => {
      const slice = items.slice((page - 1) * perPage, page * perPage);
      return page > 1 && slice.length < perPage ? [] : slice;
    }),
  },
  {
    id: 'second-page-repeats-when-full',
    breaks: ['ADDR-LIST-NO-REPEATS'],
    entails: PAGES,
    sentence: 'fills the last page up with addresses of the page before',
    rules: cutting((items, page, perPage) => {
      const end = Math.min(page * perPage, items.length);
      const start = (page - 1) * perPage;
      return start >= items.length ? [] : items.slice(Math.max(0, end - perPage), end);
    }),
  },
  {
    id: 'list-shuffled',
    breaks: ['ADDR-LIST-NO-REPEATS', 'ADDR-LIST-NO-GAPS'],
    entails: [
      'ADDR-CREATE-LISTED',
      'ADDR-UPDATE-IN-LIST',
      'ADDR-LIST-ITEM-ADDRESS',
      'ADDR-LIST-ITEM-CARRIERS',
      'ADDR-LIST-ITEM-LABELS',
    ],
    sentence: 'has no stable order: every request for a page turns the list by some places',
    rules: (original) => {
      let turn = 0;
      return {
        collection: (book) => {
          const items = original.collection(book);
          turn += 7;
          const at = items.length === 0 ? 0 : turn % items.length;
          return [...items.slice(at), ...items.slice(0, at)];
        },
      };
    },
  },
  {
    id: 'list-order-turns-with-page',
    breaks: ['ADDR-LIST-NO-REPEATS', 'ADDR-LIST-NO-GAPS'],
    entails: PAGES,
    sentence: 'orders even pages the other way round',
    rules: (original) => ({
      slicePage: (items, page, perPage) =>
        original.slicePage(page % 2 === 0 ? [...items].reverse() : items, page, perPage),
    }),
  },
  {
    id: 'list-ends-at-20',
    breaks: ['ADDR-LIST-NO-GAPS'],
    entails: [
      'ADDR-CREATE-LISTED',
      'ADDR-CREATE-COUNTED',
      'ADDR-DELETE-GONE-COUNT',
      'ADDR-LIST-*',
      'ADDR-META-*',
    ],
    sentence: 'never lists more than the first twenty addresses, on however many pages',
    rules: (original) => ({ collection: (book) => original.collection(book).slice(0, 20) }),
  },
];
