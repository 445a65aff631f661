/** Shared parts of the deviations of the list (4.1). */
import type { AddressTemplate, Env, ShippingRules } from '../../reference/shipping/index.ts';

export type Serialised = Record<string, unknown>;

/** Cuts pages in another way. */
export function cutting(cut: (items: AddressTemplate[], page: number, perPage: number) => AddressTemplate[]) {
  return (): Partial<ShippingRules> => ({ slicePage: cut });
}

/** Cuts pages in another way; gets whether per_page was sent, and how pages are cut correctly. */
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

/** Limits per_page only on the pages, as given in the query, for which `bounded` holds. */
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

/** Changes what an item of a list looks like; a read of it stays as it is. */
export function listingItems(change: (item: Serialised, template: AddressTemplate, env: Env) => Serialised) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    serialiseTemplate: (template, endpoint, env) => {
      const item = original.serialiseTemplate(template, endpoint, env);
      return endpoint === 'list' ? change(item, template, env) : item;
    },
  });
}

/** The first address of the book that a template is in. */
export function firstOf(template: AddressTemplate, env: Env): AddressTemplate | undefined {
  const book = [...env.state.books.values()].find((each) => each.has(template.id));
  return book?.values().next().value;
}

/** Requirements about the arithmetic of the meta that a page that is cut wrongly breaks as well. */
export const PAGES = [
  'ADDR-LIST-NO-REPEATS',
  'ADDR-LIST-NO-GAPS',
  'ADDR-LIST-PER-PAGE-HONOURED',
  'ADDR-CREATE-LISTED',
];
