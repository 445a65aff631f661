/** Reads usage figures (endpoints 9, 10 and 15), and waits for them, since they may lag (section 2). */

import type { CheckContext } from '../../../lib/check/context.ts';
import { requireOk } from '../../../lib/check/require.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import type { Known } from './cache.ts';
import { CacheApi, type Query } from './client.ts';
import { countIn } from './lists.ts';
import { MAX_PAGES, walkPages } from './pages.ts';
import { foldedName, labelOf, type Place, Places } from './places.ts';

/** The size and the number of caches in an answer; each may be missing or of the wrong type. */
export interface Figures {
  answer: Answer;
  size: unknown;
  count: unknown;
}

/** The size in bytes and the number of caches that usage figures ought to show. */
export interface Sum {
  size: number;
  count: number;
}

/** One repository in usage by repository; its full name in lower case. */
export interface UsageItem extends Figures {
  name: string;
}

/** One page of usage by repository. */
export interface UsagePage {
  answer: Answer;
  items: UsageItem[];
  total: number | undefined;
}

/**
 * About how often figures are refreshed, in milliseconds (section 2). A change has to show within a multiple
 * of it.
 */
export const REFRESH_MS = 5 * 60_000;
/** The time in milliseconds after which figures that still do not show a change are refreshed too seldom. */
export const PATIENCE_MS = 4 * REFRESH_MS;
/** Milliseconds between frequent reads: less than the refresh time, as if many clients read the figures. */
const OFTEN_MS = 4 * 60_000;
const REAL_STEP_MS = 30_000;
/** How long to wait further, to see whether late figures ever arrive, and in how many steps. */
const MUCH_LATER_MS = 3 * 3_600_000;
const MUCH_LATER_STEPS = 6;

/** Returns the total size and the number of some caches. */
export function sumOf(caches: Iterable<Known>): Sum {
  const sum = { size: 0, count: 0 };
  for (const { size_in_bytes } of caches) {
    sum.size += size_in_bytes;
    sum.count += 1;
  }
  return sum;
}

/** Reads usage figures. */
export class Usage {
  readonly session: Session;
  readonly api: CacheApi;
  readonly places: Places;

  constructor(context: Pick<CheckContext, 'session'>) {
    this.session = context.session;
    this.api = new CacheApi(context);
    this.places = new Places(context);
  }

  /** Reads the figures of one repository (endpoint 15). Throws `Blocked` if the answer is not a success. */
  async ofRepository(repository: Place): Promise<Figures> {
    const answer = await this.api.repositoryUsage(repository);
    requireOk(answer, 'CACHE-REPO-USAGE-STATUS');
    return this.repositoryFiguresIn(answer);
  }

  /** Returns the figures in an answer about one repository; undefined ones if it is not a success. */
  repositoryFiguresIn(answer: Answer): Figures {
    const [size, count] = [answer.at('/active_caches_size_in_bytes'), answer.at('/active_caches_count')];
    return { answer, size, count };
  }

  /** Reads the figures of an organization (endpoint 9). Throws `Blocked` if the answer is not a success. */
  async ofOrganization(organization: Place): Promise<Figures> {
    const answer = await this.api.organizationUsage(organization);
    requireOk(answer, 'CACHE-ORG-USAGE-STATUS');
    const [size, count] = ['size_in_bytes', 'count'].map((what) => answer.at(`/total_active_caches_${what}`));
    return { answer, size, count };
  }

  /** Returns the page in an answer, or undefined if it has no array of repositories. */
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

  /** Reads one page of usage by repository (endpoint 10). Throws `Blocked` if the answer is not a page. */
  async page(organization: Place, query: Query = {}): Promise<UsagePage> {
    return this.expectPage(await this.api.usageByRepository(organization, query));
  }

  /** Returns the page in an answer. Throws `Blocked` if the answer is not a page (see `pageIn`). */
  expectPage(answer: Answer): UsagePage {
    const page = this.pageIn(answer);
    if (page) return page;
    const by = answer.ok ? 'CACHE-BY-REPO-USAGES-FIELD' : 'CACHE-BY-REPO-STATUS';
    throw new Blocked(
      `${answer.exchange.purpose}: answered ${answer.status}${answer.ok ? ' without the array' : ''}`,
      by,
      answer.exchange,
    );
  }

  /** Reads usage by repository in pages, as `walkPages` says, to which `most` goes. */
  walk(organization: Place, perPage = 100, most?: number): Promise<UsagePage[]> {
    const list = {
      name: `usage of the ${labelOf(organization)} by ${perPage}`,
      perPage,
      request: (page: number) => this.api.usageByRepository(organization, { per_page: perPage, page }),
      pageIn: (answer: Answer) => this.pageIn(answer),
      expectPage: (answer: Answer) => this.expectPage(answer),
      entriesIn: ({ items }: UsagePage) => items.map(({ name }) => name),
      endless: `usage by repository has more than ${MAX_PAGES} pages of ${perPage}`,
    };
    return walkPages(this.session, list, most);
  }

  /** Returns the items of one repository in pages of usage by repository. */
  itemsOf(repository: Place, pages: readonly UsagePage[]): UsageItem[] {
    const name = foldedName(repository);
    return pages.flatMap((page) => page.items.filter((item) => item.name === name));
  }

  /** Whether the name of every item has both an owner and a repository. */
  inFull(pages: readonly UsagePage[]): boolean {
    return pages.every(({ items }) => items.every(({ name }) => name.includes('/')));
  }

  /**
   * Reads again and again, for a few refresh times at most, until `done` says that everything has arrived.
   * Where the target's clock cannot be moved, `--max-wait` bounds the time. Returns the last reading.
   *
   * @param often reads more often than figures are refreshed. A wrong server that caches figures, and extends
   *   the cache's lifetime at each read, never refreshes them then
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

  /**
   * Reads after so long a time that even figures which are refreshed too seldom are right. Returns undefined
   * where the target's clock cannot be moved.
   */
  async muchLater<T>(read: () => Promise<T>): Promise<T | undefined> {
    const { time } = this.session;
    if (!time.movable) return undefined;
    for (let i = 0; i < MUCH_LATER_STEPS; i += 1) await time.wait(MUCH_LATER_MS / MUCH_LATER_STEPS);
    return read();
  }
}
