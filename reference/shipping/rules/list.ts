/** Listing and pagination (sections 2 and 4.1). */
import { wholeNumber } from '../../kit/numbers.ts';
import type { AddressBook, AddressTemplate, Env } from '../model.ts';

/** What the pagination meta is computed from. */
export interface PageFacts {
  /** Saved addresses in the whole collection. */
  total: number;
  page: number;
  perPage: number;
}

export const listRules = {
  defaultPage: 1,
  defaultPerPage: 20,
  maxPerPage: 20,

  /** The requested page; anything but a positive number means the first (silence). */
  readPage(raw: string | undefined, env: Env): number {
    return wholeNumber(raw) || env.rules.defaultPage;
  },

  /** Items per page: at most the maximum; anything but a positive number means the default (silence). */
  readPerPage(raw: string | undefined, env: Env): number {
    return Math.min(wholeNumber(raw) || env.rules.defaultPerPage, env.rules.maxPerPage);
  },

  /** The collection in listing order: oldest first (silence). */
  collection(book: AddressBook): AddressTemplate[] {
    return [...book.values()];
  },

  /** The items of one page. */
  slicePage(items: AddressTemplate[], page: number, perPage: number): AddressTemplate[] {
    return items.slice((page - 1) * perPage, page * perPage);
  },

  metaTotalCount(facts: PageFacts): number {
    return facts.total;
  },

  metaPerPage(facts: PageFacts): number {
    return facts.perPage;
  },

  metaCurrentPage(facts: PageFacts): number {
    return facts.page;
  },

  /** An empty collection has no pages (silence). */
  metaTotalPages(facts: PageFacts): number {
    return Math.ceil(facts.total / facts.perPage);
  },

  metaNextPage(facts: PageFacts): number | null {
    return facts.page * facts.perPage < facts.total ? facts.page + 1 : null;
  },

  /** Beyond the last page there is no previous one (silence). */
  metaPrevPage(facts: PageFacts): number | null {
    return facts.page > 1 && (facts.page - 1) * facts.perPage < facts.total ? facts.page - 1 : null;
  },

  /** The pagination meta as answered. */
  serialiseMeta(facts: PageFacts, env: Env): Record<string, unknown> {
    const { rules } = env;
    return {
      total_count: rules.metaTotalCount(facts),
      per_page: rules.metaPerPage(facts),
      current_page: rules.metaCurrentPage(facts),
      total_pages: rules.metaTotalPages(facts),
      next_page: rules.metaNextPage(facts),
      prev_page: rules.metaPrevPage(facts),
    };
  },
};
