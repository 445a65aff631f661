/** How many addresses are on a page (4.1 and 8). */
import { AddressRefusal, type ShippingRules } from '../../reference/shipping/index.ts';
import { changeKind, withBody } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { boundedWhere, cutting, cuttingBySize, PAGES } from './list-kit.ts';
import { COLLECTION } from './paths.ts';

/** Puts all addresses on one page where `holds` is true for the requested `per_page`. */
function unboundedWhere(holds: (size: number) => boolean) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    let all = false;
    return {
      readPerPage: (raw, env) => {
        all = holds(Number(raw));
        return original.readPerPage(raw, env);
      },
      slicePage: (items, page, perPage) => (all ? items : original.slicePage(items, page, perPage)),
    };
  };
}

export const perPageDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'per-page-echoed-as-asked',
    breaks: ['ADDR-META-PER-PAGE-CAPPED'],
    sentence: 'reports the requested per_page in the meta although pages have no more than 20',
    wrap: changeKind({ name: 'list', method: 'GET', path: COLLECTION, status: 200 }, (response, { url }) => {
      const asked = Number(url.searchParams.get('per_page'));
      if (!(asked > 20)) return response;
      return withBody(response, (body) => {
        const list = body as { meta: object };
        return { ...list, meta: { ...list.meta, per_page: asked } };
      });
    }),
  },
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
    rules: cuttingBySize((isSent, items, page, perPage, rightly) =>
      rightly(items, page, isSent ? perPage : 10),
    ),
  },
  {
    id: 'per-page-counts-outcomes',
    breaks: ['ADDR-LIST-PER-PAGE-HONOURED'],
    entails: ['ADDR-LIST-NO-REPEATS', 'ADDR-LIST-NO-GAPS'],
    sentence: 'counts an address with several carriers several times on its page, as rows of a join',
    rules: cutting((items, page, perPage) => {
      const rows = items.flatMap((item) =>
        Array<typeof item>(Math.max(1, item.verifications.length)).fill(item),
      );
      return [...new Set(rows.slice((page - 1) * perPage, page * perPage))];
    }),
  },
  {
    id: 'total-count-counts-outcomes',
    breaks: ['ADDR-META-TOTAL-COUNT-VALUE'],
    entails: [
      'ADDR-META-TOTAL-PAGES-VALUE',
      'ADDR-META-NEXT-PAGE-LAST',
      'ADDR-CREATE-COUNTED',
      'ADDR-DELETE-GONE-COUNT',
    ],
    sentence: 'counts an address with several carriers several times in total_count, as rows of a join',
    rules: (original) => {
      let further = 0;
      return {
        collection: (book) => {
          const items = original.collection(book);
          further = items.reduce((sum, item) => sum + Math.max(1, item.verifications.length) - 1, 0);
          return items;
        },
        metaTotalCount: (facts) => original.metaTotalCount(facts) + further,
      };
    },
  },
  {
    id: 'list-repeats-outcomes',
    breaks: ['ADDR-LIST-NO-REPEATS'],
    entails: ['ADDR-META-TOTAL-COUNT-VALUE', 'ADDR-CREATE-COUNTED', 'ADDR-DELETE-GONE-COUNT'],
    sentence: 'lists an address with several carriers once for each of them, as rows of a join',
    rules: (original) => ({
      collection: (book) =>
        original
          .collection(book)
          .flatMap((item) => Array<typeof item>(Math.max(1, item.verifications.length)).fill(item)),
    }),
  },
  {
    id: 'per-page-unbounded',
    breaks: ['ADDR-LIST-PER-PAGE-MAX'],
    entails: ['ADDR-META-PER-PAGE'],
    sentence: 'passes per_page to the database without an upper bound',
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
    sentence: 'limits per_page in the meta but not on the page',
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
    sentence: 'returns everything on one page when per_page is extremely large',
    rules: unboundedWhere((size) => size >= 100),
  },
  {
    id: 'per-page-in-32-bits',
    breaks: ['ADDR-LIST-PER-PAGE-MAX'],
    sentence: 'reads per_page into 32 bits, and lists everything where it is negative there',
    rules: unboundedWhere((size) => size > 20 && (size | 0) < 0),
  },
  {
    id: 'per-page-bounded-without-page',
    breaks: ['ADDR-LIST-PER-PAGE-MAX'],
    entails: ['ADDR-META-PER-PAGE'],
    sentence: 'limits per_page only where page is not sent',
    rules: boundedWhere((page) => page === undefined),
  },
  {
    id: 'per-page-bounded-on-first-page',
    breaks: ['ADDR-LIST-PER-PAGE-MAX'],
    entails: ['ADDR-META-PER-PAGE'],
    sentence: 'limits per_page on the first page only',
    rules: boundedWhere((page) => page === undefined || page === '1'),
  },
  {
    id: 'page-ignored-without-per-page',
    breaks: ['ADDR-LIST-PAGE-ALONE'],
    sentence: 'ignores page unless per_page is sent',
    rules: cuttingBySize((isSent, items, page, perPage, rightly) =>
      rightly(items, isSent ? page : 1, perPage),
    ),
  },
  {
    id: 'page-alone-by-item',
    breaks: ['ADDR-LIST-PAGE-ALONE'],
    sentence: 'treats page as the number of the first item when per_page is not sent',
    rules: cuttingBySize((isSent, items, page, perPage, rightly) =>
      isSent ? rightly(items, page, perPage) : items.slice(page - 1, page - 1 + perPage),
    ),
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
    entails: [
      'ADDR-LIST-PER-PAGE-HONOURED',
      'ADDR-META-PER-PAGE-VALUE',
      'ADDR-LIST-BEYOND-NO-REPEATS',
      ...PAGES,
    ],
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
    id: 'total-pages-divided-by-zero',
    breaks: ['ADDR-META-TOTAL-PAGES'],
    sentence: 'divides by the per_page 0 that was asked for, which makes total_pages null',
    rules: (original) => {
      let asked: string | undefined;
      return {
        readPerPage: (raw, env) => {
          asked = raw;
          return original.readPerPage(raw, env);
        },
        metaTotalPages: (facts) => (asked === '0' ? facts.total / 0 : original.metaTotalPages(facts)),
      };
    },
  },
];
