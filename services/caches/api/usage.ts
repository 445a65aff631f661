/** Usage figures (endpoints 9, 10 and 15): read, and waited for, since they lag. */

import type { CheckContext } from '../../../lib/check/context.ts';
import { requireOk } from '../../../lib/check/require.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import type { Known } from './cache.ts';
import { CacheApi, type Query } from './client.ts';
import { countIn } from './lists.ts';
import { foldedName, type Place, Places } from './places.ts';

/** Size and number as they stand in an answer: any of them may be missing or wrong. */
export interface Figures {
  answer: Answer;
  size: unknown;
  count: unknown;
}

/** Size and number as they ought to be. */
export interface Sum {
  size: number;
  count: number;
}

/** One repository in usage by repository. */
export interface UsageItem extends Figures {
  name: string;
}

/** One page of usage by repository. */
export interface UsagePage {
  answer: Answer;
  items: UsageItem[];
  total: number | undefined;
}

/** How often the figures are refreshed, about (section 2); a change has to arrive within a multiple of it. */
export const REFRESH_MS = 5 * 60_000;
/** By then a change has arrived, unless figures are refreshed too seldom. */
export const PATIENCE_MS = 4 * REFRESH_MS;
/** Less than the refresh time: how often figures are read where many clients read them. */
const OFTEN_MS = 4 * 60_000;
const REAL_STEP_MS = 30_000;
/** How long figures are waited for that have not come in time, to see whether they come at all; in few steps. */
const MUCH_LATER_MS = 3 * 3_600_000;
const MUCH_LATER_STEPS = 6;
/** More pages than this are not walked. */
const MAX_PAGES = 60;

/** What caches come to. */
export function sumOf(caches: Iterable<Known>): Sum {
  const sum = { size: 0, count: 0 };
  for (const { size_in_bytes } of caches) {
    sum.size += size_in_bytes;
    sum.count += 1;
  }
  return sum;
}

/** Reads figures. */
export class Usage {
  readonly session: Session;
  readonly api: CacheApi;
  readonly places: Places;

  constructor(context: Pick<CheckContext, 'session'>) {
    this.session = context.session;
    this.api = new CacheApi(context);
    this.places = new Places(context);
  }

  /** The figures of one repository. Throws `Blocked` when there are none. */
  async ofRepository(repository: Place): Promise<Figures> {
    const answer = await this.api.repositoryUsage(repository);
    return this.#figures(
      answer,
      'CACHE-REPO-USAGE-STATUS',
      'active_caches_size_in_bytes',
      'active_caches_count',
    );
  }

  /** The figures of an organization. Throws `Blocked` when there are none. */
  async ofOrganization(organization: Place): Promise<Figures> {
    const answer = await this.api.organizationUsage(organization);
    return this.#figures(
      answer,
      'CACHE-ORG-USAGE-STATUS',
      'total_active_caches_size_in_bytes',
      'total_active_caches_count',
    );
  }

  #figures(answer: Answer, by: string, size: string, count: string): Figures {
    requireOk(answer, by);
    return { answer, size: answer.at(`/${size}`), count: answer.at(`/${count}`) };
  }

  /** The page in an answer; undefined when it is none. */
  pageIn(answer: Answer): UsagePage | undefined {
    const list = answer.ok ? answer.at('/repository_cache_usages') : undefined;
    if (!Array.isArray(list)) return undefined;
    const items = list.map(
      (item: Record<string, unknown> | null): UsageItem => ({
        answer,
        name: String(item?.full_name).toLowerCase(),
        size: item?.active_caches_size_in_bytes,
        count: item?.active_caches_count,
      }),
    );
    return { answer, items, total: countIn(answer) };
  }

  /** One page of usage by repository. Throws `Blocked` when there is none. */
  async page(organization: Place, query: Query = {}): Promise<UsagePage> {
    const answer = await this.api.usageByRepository(organization, query);
    const page = this.pageIn(answer);
    if (page) return page;
    const by = answer.ok ? 'CACHE-BY-REPO-USAGES-FIELD' : 'CACHE-BY-REPO-STATUS';
    throw new Blocked(
      `${answer.exchange.purpose}: answered ${answer.status}${answer.ok ? ' without the array' : ''}`,
      by,
    );
  }

  /**
   * Page after page until one is not full and `total_count` is reached, or one brings no new repository.
   *
   * @param most pages to read; without it so many that a list which never ends is noticed, and then `Blocked`
   */
  async walk(organization: Place, perPage = 100, most?: number): Promise<UsagePage[]> {
    const pages: UsagePage[] = [];
    const seen = new Set<string>();
    for (let n = 1; n <= (most ?? MAX_PAGES); n += 1) {
      const query = { per_page: perPage, page: n };
      const page =
        n === 1
          ? await this.page(organization, query)
          : this.pageIn(await this.api.usageByRepository(organization, query));
      // What a page past the end is answered with is left open.
      if (!page) return pages;
      const before = seen.size;
      for (const { name } of page.items) seen.add(name);
      if (n > 1 && seen.size === before) return pages;
      pages.push(page);
      if (page.items.length < perPage && seen.size >= (page.total ?? 0)) return pages;
    }
    if (most !== undefined) return pages;
    throw new Blocked(`usage by repository has more than ${MAX_PAGES} pages of ${perPage}`);
  }

  /** The items of one repository in pages of usage by repository. */
  itemsOf(repository: Place, pages: readonly UsagePage[]): UsageItem[] {
    const name = foldedName(repository);
    return pages.flatMap((page) => page.items.filter((item) => item.name === name));
  }

  /** Whether every item has a full name, of owner and repository. */
  inFull(pages: readonly UsagePage[]): boolean {
    return pages.every(({ items }) => items.every(({ name }) => name.includes('/')));
  }

  /**
   * Reads until `done` says that everything has arrived, letting refresh times go by, a few at most.
   * Where time is real it ends with `--max-wait`.
   *
   * @param often reads before each refresh time is over: a server that keeps figures for some time after they were
   * last read never refreshes them then
   */
  async settle<T>(read: () => Promise<T>, done: (reading: T) => boolean, often = false): Promise<T> {
    const { time } = this.session;
    const limit = time.pollLimit(PATIENCE_MS);
    const between = often ? OFTEN_MS : REFRESH_MS;
    const step = time.movable ? between : REAL_STEP_MS;
    if (time.movable) await time.wait(step);
    let reading = await read();
    for (let passed = step; !done(reading) && passed < limit; passed += step) {
      await time.wait(step);
      reading = await read();
    }
    return reading;
  }

  /** Reads after so long that figures which are refreshed too seldom are right as well; undefined where time is real. */
  async muchLater<T>(read: () => Promise<T>): Promise<T | undefined> {
    const { time } = this.session;
    if (!time.movable) return undefined;
    for (let i = 0; i < MUCH_LATER_STEPS; i += 1) await time.wait(MUCH_LATER_MS / MUCH_LATER_STEPS);
    return read();
  }
}
