/** Selecting, sorting and paging (section 4, endpoints 10 and 16). */

import type { CacheEntry, CacheList } from '../../../schemas/caches/index.ts';
import { isoTime } from '../../kit/clock.ts';
import { wholeNumber } from '../../kit/numbers.ts';
import type { Cache, Env, ListQuery, Page, Repository } from '../model.ts';
import type { Operation } from '../operations.ts';

export type SortField = 'created_at' | 'last_accessed_at' | 'size_in_bytes';
export type Direction = 'asc' | 'desc';

export const listRules = {
  defaultPerPage: 30,
  maxPerPage: 100,
  defaultSort: 'last_accessed_at' as SortField,
  defaultDirection: 'desc' as Direction,

  /**
   * Returns the number of items per page: the default unless a positive number is requested (silence), and at
   * most the maximum (silence).
   */
  readPerPage(raw: string | undefined, _operation: Operation, env: Env): number {
    return Math.min(wholeNumber(raw) || env.rules.defaultPerPage, env.rules.maxPerPage);
  },

  /**
   * Returns the number of the page, from 1. Anything but a positive number means the first page (silence).
   */
  readPage(raw: string | undefined, _operation: Operation): number {
    return wholeNumber(raw) || 1;
  },

  /** Returns the items of one page. A page beyond the last is empty (silence). */
  slicePage<Item>(items: Item[], page: number, perPage: number, _operation: Operation): Item[] {
    return items.slice((page - 1) * perPage, page * perPage);
  },

  cachesOf(repository: Repository, env: Env): Cache[] {
    return env.state.caches.filter((cache) => cache.repository === repository);
  },

  /** Whether a key equals or begins with the requested one. Every key begins with an empty one (silence). */
  matchesKey(asked: string, key: string): boolean {
    return key.startsWith(asked);
  },

  matchesRef(asked: string, ref: string): boolean {
    return ref === asked;
  },

  /**
   * Returns the caches that match the filters that are given. An empty filter counts as not given (silence).
   */
  selectCaches(caches: Cache[], { key, ref }: ListQuery, env: Env): Cache[] {
    const { rules } = env;
    return caches.filter(
      (cache) => (!key || rules.matchesKey(key, cache.key)) && (!ref || rules.matchesRef(ref, cache.ref)),
    );
  },

  /** Returns what to sort by. An unknown field means the default (silence). */
  readSort(raw: string | undefined, env: Env): SortField {
    return raw === 'created_at' || raw === 'last_accessed_at' || raw === 'size_in_bytes'
      ? raw
      : env.rules.defaultSort;
  },

  /** Returns the direction. An unknown one means the default (silence). */
  readDirection({ direction }: ListQuery, env: Env): Direction {
    return direction === 'asc' || direction === 'desc' ? direction : env.rules.defaultDirection;
  },

  sortValue: {
    created_at: (cache: Cache): number => cache.createdAt,
    last_accessed_at: (cache: Cache): number => cache.lastAccessedAt,
    size_in_bytes: (cache: Cache): number => cache.sizeInBytes,
  } as Record<SortField, (cache: Cache) => number>,

  /** Compares two caches in ascending order: returns a negative number when `a` comes first. */
  compareCaches(a: Cache, b: Cache, field: SortField, env: Env): number {
    const value = env.rules.sortValue[field];
    return value(a) - value(b);
  },

  /**
   * Returns the caches sorted. Those with equal values stay in the order of creation (silence), so that no
   * cache is missing from the pages or on two of them.
   */
  sortCaches(caches: Cache[], query: ListQuery, env: Env): Cache[] {
    const { rules } = env;
    const field = rules.readSort(query.sort, env);
    const sign = rules.readDirection(query, env) === 'asc' ? 1 : -1;
    return [...caches].sort((a, b) => sign * rules.compareCaches(a, b, field, env));
  },

  /** `total_count` of a list: the caches that match, over all pages. */
  countCaches(matching: Cache[], _page: Cache[], _all: Cache[]): number {
    return matching.length;
  },

  /** One page of the requested list: filtered, then sorted, then cut into pages. */
  arrangeCaches(all: Cache[], query: ListQuery, env: Env): Page<Cache> {
    const { rules } = env;
    const matching = rules.sortCaches(rules.selectCaches(all, query, env), query, env);
    const perPage = rules.readPerPage(query.per_page, 'list', env);
    const items = rules.slicePage(matching, rules.readPage(query.page, 'list'), perPage, 'list');
    return { items, total: rules.countCaches(matching, items, all) };
  },

  /** Time as ISO 8601 in UTC. */
  timestamp(milliseconds: number): string {
    return isoTime(milliseconds);
  },

  serialiseEntry(cache: Cache, env: Env): CacheEntry {
    const { rules } = env;
    return {
      id: cache.id,
      ref: cache.ref,
      key: cache.key,
      version: cache.version,
      last_accessed_at: rules.timestamp(cache.lastAccessedAt),
      created_at: rules.timestamp(cache.createdAt),
      size_in_bytes: cache.sizeInBytes,
    };
  },

  serialiseList(entries: CacheEntry[], total: number): CacheList {
    return { total_count: total, actions_caches: entries };
  },
};
