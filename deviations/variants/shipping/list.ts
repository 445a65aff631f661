/** Other legitimate lists (4.1): orders, page numbers, odd parameters, empty books. */
import {
  AddressRefusal,
  type AddressTemplate,
  type ShippingRules,
} from '../../../reference/shipping/index.ts';
import { changeAnswers } from '../../kit/answers.ts';
import { occupied } from '../../shipping/occupied.ts';
import { COLLECTION } from '../../shipping/paths.ts';
import type { Variant } from '../../types.ts';

/** Lists addresses in another order. */
function ordered(
  id: string,
  sentence: string,
  order: (items: AddressTemplate[]) => AddressTemplate[],
): Variant<ShippingRules> {
  return {
    id: `list-${id}`,
    fills: ['ADDR-LIST-ORDER'],
    sentence,
    rules: (original) => ({ collection: (book) => order(original.collection(book)) }),
  };
}

const by =
  (key: (template: AddressTemplate) => string) =>
  (items: AddressTemplate[]): AddressTemplate[] =>
    [...items].sort((a, b) => (key(a) < key(b) ? -1 : 1));

const isWhole = (raw: string): boolean => /^\d+$/.test(raw);

/** Refuses queries for whose parameter `refused` holds. */
function refusing(
  id: string,
  parameter: 'page' | 'per_page',
  fills: string[],
  sentence: string,
  refused: (raw: string) => boolean,
  status = 400,
): Variant<ShippingRules> {
  return {
    id: `${parameter.replace('_', '-')}-${id}`,
    fills: [...fills, 'ADDR-LIST-INVALID-ANSWER'],
    sentence,
    wrap: changeAnswers(
      ({ method, url }) => method === 'GET' && COLLECTION.test(url.pathname),
      (response, { url }) => {
        const raw = url.searchParams.get(parameter);
        if (raw === null || !response.ok || !refused(raw)) return response;
        return Response.json({ message: `${parameter} is not valid` }, { status });
      },
    ),
  };
}

export const listVariants: Variant<ShippingRules>[] = [
  ...[12, 130].map((count) => ({
    id: `occupied-by-${count}`,
    fills: [],
    sentence: `has ${count} addresses in the account before the first request`,
    ...occupied(count),
  })),
  ordered('newest-first', 'lists the newest address first', (items) => [...items].reverse()),
  ordered(
    'by-label',
    'lists addresses by their labels',
    by(({ alias_name, id }) => `${alias_name} ${id}`),
  ),
  ordered(
    'by-id',
    'lists addresses by their ids',
    by(({ id }) => id),
  ),
  ordered(
    'default-first',
    'lists default addresses first',
    by(({ default: isDefault, alias_name, id }) => `${isDefault ? 0 : 1} ${alias_name} ${id}`),
  ),
  {
    id: 'pages-from-zero',
    fills: ['ADDR-LIST-PAGE-BASE', 'ADDR-LIST-PAGE-DEFAULT', 'ADDR-LIST-PAGE-ZERO'],
    sentence: 'counts pages from 0',
    rules: (original) => ({
      readPage: (raw) => (raw !== undefined && isWhole(raw) ? Number(raw) : 0) + 1,
      metaCurrentPage: ({ page }) => page - 1,
      metaNextPage: (facts) => {
        const next = original.metaNextPage(facts);
        return next === null ? null : next - 1;
      },
      metaPrevPage: (facts) => {
        const previous = original.metaPrevPage(facts);
        return previous === null ? null : previous - 1;
      },
    }),
  },
  {
    id: 'page-zero-is-last',
    fills: ['ADDR-LIST-PAGE-ZERO', 'ADDR-LIST-PAGE-NEGATIVE'],
    sentence: 'answers page 0 and negative pages like the hundredth',
    rules: (original) => ({
      readPage: (raw, env) => (raw !== undefined && Number(raw) <= 0 ? 100 : original.readPage(raw, env)),
    }),
  },
  refusing('zero-refused', 'page', ['ADDR-LIST-PAGE-ZERO'], 'refuses page 0', (raw) => raw === '0', 422),
  refusing(
    'odd-refused',
    'page',
    ['ADDR-LIST-PAGE-NEGATIVE', 'ADDR-LIST-PAGE-TEXT'],
    'refuses a page that is not a whole number',
    (raw) => !isWhole(raw),
  ),
  refusing(
    'zero-refused',
    'per_page',
    ['ADDR-LIST-PER-PAGE-ZERO'],
    'refuses per_page 0',
    (raw) => raw === '0',
    422,
  ),
  refusing(
    'odd-refused',
    'per_page',
    ['ADDR-LIST-PER-PAGE-NEGATIVE', 'ADDR-LIST-PER-PAGE-TEXT'],
    'refuses a per_page that is not a whole number',
    (raw) => !isWhole(raw),
  ),
  refusing(
    'over-refused',
    'per_page',
    ['ADDR-LIST-PER-PAGE-OVER'],
    'refuses a per_page above the maximum',
    (raw) => isWhole(raw) && Number(raw) > 20,
  ),
  {
    id: 'per-page-odd-is-one',
    fills: ['ADDR-LIST-PER-PAGE-ZERO', 'ADDR-LIST-PER-PAGE-NEGATIVE'],
    sentence: 'raises a per_page that is too small to 1',
    rules: (original) => ({
      readPerPage: (raw, env) => (raw !== undefined && Number(raw) < 1 ? 1 : original.readPerPage(raw, env)),
    }),
  },
  {
    id: 'per-page-read-leniently',
    fills: ['ADDR-LIST-PER-PAGE-TEXT', 'ADDR-LIST-PAGE-TEXT'],
    sentence: 'reads the digits that a number begins with',
    rules: (original) => ({
      readPerPage: (raw, env) => original.readPerPage(/^\d+/.exec(raw ?? '')?.[0], env),
      readPage: (raw, env) => original.readPage(/^\d+/.exec(raw ?? '')?.[0], env),
    }),
  },
  {
    id: 'page-beyond-404',
    fills: ['ADDR-LIST-PAGE-BEYOND'],
    sentence: 'answers 404 to a page after the last',
    rules: (original) => ({
      slicePage: (items, page, perPage) => {
        if (page > 1 && (page - 1) * perPage >= items.length)
          throw new AddressRefusal('notFound', 'no such page');
        return original.slicePage(items, page, perPage);
      },
    }),
  },
  {
    id: 'page-beyond-is-last',
    fills: ['ADDR-LIST-PAGE-BEYOND'],
    sentence: 'returns the last page for a page after it, and reports its number',
    rules: (original) => {
      const within = (page: number, total: number, perPage: number): number =>
        Math.max(1, Math.min(page, Math.ceil(total / perPage)));
      return {
        slicePage: (items, page, perPage) =>
          original.slicePage(items, within(page, items.length, perPage), perPage),
        serialiseMeta: (facts, env) =>
          original.serialiseMeta({ ...facts, page: within(facts.page, facts.total, facts.perPage) }, env),
      };
    },
  },
  {
    id: 'page-beyond-names-last',
    fills: ['ADDR-LIST-PAGE-BEYOND'],
    sentence: 'names the last page as the previous one of every page after it',
    rules: () => ({
      metaPrevPage: ({ total, page, perPage }) => {
        const last = Math.ceil(total / perPage);
        return page > 1 && last > 0 ? Math.min(page - 1, last) : null;
      },
    }),
  },
  {
    id: 'empty-has-one-page',
    fills: ['ADDR-LIST-EMPTY-META'],
    sentence: 'reports one page for an empty list',
    rules: () => ({
      metaTotalPages: ({ total, perPage }) => Math.max(1, Math.ceil(total / perPage)),
    }),
  },
  {
    id: 'empty-is-page-zero',
    fills: ['ADDR-LIST-EMPTY-META'],
    sentence: 'reports current_page 0 for an empty list',
    rules: () => ({ metaCurrentPage: ({ total, page }) => (total === 0 ? 0 : page) }),
  },
  {
    id: 'unknown-parameters-refused',
    fills: ['ADDR-LIST-UNKNOWN-PARAMETERS', 'ADDR-LIST-INVALID-ANSWER'],
    sentence: 'refuses query parameters that it does not know',
    wrap: changeAnswers(
      ({ url }) => COLLECTION.test(url.pathname),
      (response, { url }) => {
        const strange = [...url.searchParams.keys()].find((name) => name !== 'page' && name !== 'per_page');
        return strange === undefined || response.status === 401
          ? response
          : Response.json({ errors: [{ parameter: strange }] }, { status: 400 });
      },
    ),
  },
];
