/** Which addresses are on which page (4.1). */
import type { AddressTemplate, ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { cutting, PAGES } from './list-kit.ts';

export const listDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'pages-overlap',
    breaks: ['ADDR-LIST-NO-REPEATS'],
    entails: ['ADDR-LIST-NO-GAPS', 'ADDR-LIST-BEYOND-NO-REPEATS'],
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
    sentence: 'ignores page and always returns the first one',
    rules: cutting((items, _page, perPage) => items.slice(0, perPage)),
  },
  {
    id: 'last-page-cut-off',
    breaks: ['ADDR-LIST-NO-GAPS'],
    entails: [...PAGES, 'ADDR-META-TOTAL-*', 'ADDR-META-NEXT-PAGE-LAST'],
    sentence: 'returns an empty page instead of a last page that is not full',
    rules: cutting((items, page, perPage) => {
      const slice = items.slice((page - 1) * perPage, page * perPage);
      return page > 1 && slice.length < perPage ? [] : slice;
    }),
  },
  {
    id: 'second-page-repeats-when-full',
    breaks: ['ADDR-LIST-NO-REPEATS'],
    entails: PAGES,
    sentence: 'fills up the last page with addresses of the page before',
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
      'ADDR-LIST-BEYOND-NO-REPEATS',
      'ADDR-CREATE-LISTED',
      'ADDR-UPDATE-IN-LIST',
      'ADDR-LIST-ITEM-ADDRESS',
      'ADDR-LIST-ITEM-CARRIERS',
      'ADDR-LIST-ITEM-LABELS',
    ],
    sentence: 'has no stable order: every request for a page rotates the list',
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
    id: 'list-kept-for-each-token',
    breaks: ['ADDR-CREATE-COUNTED'],
    entails: [
      'ADDR-LIST-NO-GAPS',
      'ADDR-META-TOTAL-COUNT-VALUE',
      'ADDR-CREATE-LISTED',
      'ADDR-UPDATE-IN-LIST',
      'ADDR-DELETE-GONE-LIST',
      'ADDR-DELETE-GONE-COUNT',
      // What is compared with a list that another token changed: which one depends on the order of the checks.
      'ADDR-LIST-ITEM-*',
      'ADDR-LIST-NO-REPEATS',
      'ADDR-CREATE-REQUIRES-*',
      'ADDR-CREATE-BROKEN-JSON',
      'ADDR-UPDATE-UNKNOWN-REFUSED',
      'ADDR-UPDATE-OTHERS-UNTOUCHED',
      'ADDR-DELETE-OTHERS-UNTOUCHED',
    ],
    sentence: 'lists what it listed for the same token before, unless that token changed something since',
    rules: (original) => {
      const listed = new Map<string, AddressTemplate[]>();
      let token = '';
      return {
        authenticate: (request, endpoint, env) => {
          const admitted = original.authenticate(request, endpoint, env);
          token = admitted.value;
          if (endpoint !== 'list' && endpoint !== 'read') listed.delete(token);
          return admitted;
        },
        collection: (book) => {
          const items = listed.get(token) ?? original.collection(book);
          listed.set(token, items);
          return items;
        },
      };
    },
  },
  {
    id: 'list-order-turns-with-page',
    breaks: ['ADDR-LIST-NO-REPEATS', 'ADDR-LIST-NO-GAPS'],
    entails: [...PAGES, 'ADDR-LIST-BEYOND-NO-REPEATS'],
    sentence: 'lists even pages in reverse order',
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
