/** Shared parts of the deviations of the list (4.1). */
import type { AddressTemplate, Env, ShippingRules } from '../../reference/shipping/index.ts';
import { changeAnswers, withBody } from '../kit/answers.ts';
import { COLLECTION } from './paths.ts';

export type Serialised = Record<string, unknown>;

/** Replaces how pages are cut. */
export function cutting(cut: (items: AddressTemplate[], page: number, perPage: number) => AddressTemplate[]) {
  return (): Partial<ShippingRules> => ({ slicePage: cut });
}

/** Replaces how pages are cut; `cut` also gets whether per_page was sent, and the correct way to cut. */
export function cuttingBySize(
  cut: (
    isSent: boolean,
    items: AddressTemplate[],
    page: number,
    perPage: number,
    rightly: ShippingRules['slicePage'],
  ) => AddressTemplate[],
) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    let isSent = true;
    return {
      readPerPage: (raw, env) => {
        isSent = raw !== undefined;
        return original.readPerPage(raw, env);
      },
      slicePage: (items, page, perPage) => cut(isSent, items, page, perPage, original.slicePage),
    };
  };
}

/** Applies the maximum of per_page only where `bounded` holds for the page number in the query. */
export function boundedWhere(bounded: (page: string | undefined) => boolean) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    let asked: string | undefined;
    return {
      readPage: (raw, env) => {
        asked = raw;
        return original.readPage(raw, env);
      },
      readPerPage: (raw, env) =>
        Number(raw) > 20 && !bounded(asked) ? Math.min(Number(raw), 100) : original.readPerPage(raw, env),
    };
  };
}

/** Changes how an address looks in a list. How it looks in a read stays. */
export function listingItems(change: (item: Serialised, template: AddressTemplate, env: Env) => Serialised) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    serialiseTemplate: (template, endpoint, env) => {
      const item = original.serialiseTemplate(template, endpoint, env);
      return endpoint === 'list' ? change(item, template, env) : item;
    },
  });
}

/** Returns the first address of the book that contains a template. */
export function firstOf(template: AddressTemplate, env: Env): AddressTemplate | undefined {
  const book = [...env.state.books.values()].find((each) => each.has(template.id));
  return book?.values().next().value;
}

/** Further requirements about the contents of pages that fail where pages are cut wrongly. */
export const PAGES = [
  'ADDR-LIST-NO-REPEATS',
  'ADDR-LIST-NO-GAPS',
  'ADDR-LIST-PER-PAGE-HONOURED',
  'ADDR-CREATE-LISTED',
];

/** Lists company as null in answers to lists for whose query `holds` is true. */
export const companyUnlisted = (holds: (query: URLSearchParams) => boolean) =>
  changeAnswers(
    ({ method, url }) => method === 'GET' && COLLECTION.test(url.pathname) && holds(url.searchParams),
    (response) =>
      withBody(response, (body) => {
        const { data, ...rest } = body as { data?: { address: object }[] };
        if (data === undefined) return body;
        return {
          data: data.map((item) => ({ ...item, address: { ...item.address, company: null } })),
          ...rest,
        };
      }),
  );
