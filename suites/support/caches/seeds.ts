/** Caches of the suite's own: made by the seed hook, since the API makes none, and removed at the end. */
import { createHash } from 'node:crypto';
import type { Session } from '../../../lib/check/session.ts';
import { Skipped, Undecided } from '../../../lib/check/verdict.ts';
import { CacheApi } from './client.ts';
import { inDoubt, withoutDoubt } from './lost-deletions.ts';
import { foldedName, fullNameOf, markOf, type Place, samePlace } from './places.ts';
import { cachesMarked, removeCaches } from './removal.ts';
import { timeOf } from './roster.ts';

/** A cache as it is known to be. */
export interface Known {
  id: number;
  key: string;
  ref: string;
  version: string;
  size_in_bytes: number;
  created_at: string;
  last_accessed_at: string;
}

/** A cache of the suite's own. */
export interface Seeded extends Known {
  repository: Place;
}

/** A cache to be made. Ages in seconds before the target's present. */
export interface Order {
  repository: Place;
  key: string;
  ref?: string;
  version?: string;
  size?: number;
  createdAgo?: number;
  accessedAgo?: number;
}

/** What the run has made so far. */
interface Living {
  /** Where each is, by id; those that checks deleted included. */
  caches: Map<number, Place>;
  /** All of them, in the order of their making. */
  seeded: Seeded[];
  /** Entries of the journal. */
  entries: number[];
  /** How many were ordered. */
  made: number;
  /** How many were ordered in a repository and not removed again, by its full name in lower case. */
  ordered: Map<string, number>;
  /** Orders that the hook did not answer: the journal's entry, full names of repositories, and what was ordered. */
  unanswered: { entry: number; repositories: string[]; wanted: Omit<Seeded, 'id'>[] }[];
  /** How often something was begun that is made once, by its name. */
  attempts: Map<string, number>;
}

export const MAIN = 'refs/heads/main';
const HOUR = 3600;

/** Makes caches and sees to it that none of them stays. */
export class Seeds {
  readonly #session: Session;
  readonly #api: CacheApi;
  /** Begins every key that the suite makes up. */
  readonly mark: string;

  constructor(context: { session: Session }) {
    this.#session = context.session;
    this.#api = new CacheApi(context);
    this.mark = markOf(context.session);
  }

  /** Whether caches can be made in this run. */
  get possible(): boolean {
    return this.#session.hooks.seed !== undefined && this.#session.options.effects.includes('write');
  }

  /** Makes caches, in the given order. Throws `Skipped` where the target lends no hook for it. */
  async make(orders: readonly Order[]): Promise<Seeded[]> {
    const { hooks, target, journal, options } = this.#session;
    const { seed } = hooks;
    if (!seed)
      throw new Skipped(`set \`targets.${target.name}.hooks.seed\`: this check needs caches of its own`);
    if (!options.effects.includes('write')) throw new Skipped('effects `write` are off for this run');
    const present = await this.#present();
    const living = await this.#living();
    const wanted = orders.map((order) => this.#complete(order, living.made++, present));
    const repositories = [...new Set(orders.map(({ repository }) => fullNameOf(repository)))];
    for (const { repository } of orders) count(living, repository, 1);
    const entry = journal.open(SEED_JOURNAL_KIND, { mark: this.mark, repositories });
    const made = async (): Promise<Seeded[]> => {
      const told = await seed(
        wanted.map(({ repository: { names }, ...rest }) => ({ owner: names[0], repo: names[1], ...rest })),
      );
      return wanted.map((cache, i) => ({ ...cache, ...toldOf(told[i], i, present) }));
    };
    const seeded = await made().catch((error: unknown) => {
      living.unanswered.push({ entry, repositories, wanted });
      throw error;
    });
    for (const { id, repository } of seeded) living.caches.set(id, repository);
    living.entries.push(entry);
    living.seeded.push(...seeded);
    return seeded;
  }

  /**
   * Every cache that this run made in a repository, those that are gone again included, but none that may go
   * at any time because a deletion of it was not answered.
   */
  async ownIn(repository: Place): Promise<Seeded[]> {
    const { seeded } = await this.#living();
    return withoutDoubt(
      this.#session,
      seeded.filter((cache) => samePlace(cache.repository, repository)),
    );
  }

  /** Every cache that this run made and that may go at any time because a deletion of it was not answered. */
  async doubtful(): Promise<Seeded[]> {
    return inDoubt(this.#session, (await this.#living()).seeded);
  }

  /**
   * How many caches this run ordered in a repository and did not remove: as long as that stays the same, so does
   * what is in it. What checks delete through the API is counted on.
   */
  async orderedIn(repository: Place): Promise<number> {
    return (await this.#living()).ordered.get(foldedName(repository)) ?? 0;
  }

  /** Bytes of the caches that this run made in a repository and did not remove; those deleted through the API count. */
  async bytesIn(repository: Place): Promise<number> {
    const { seeded, caches, unanswered } = await this.#living();
    const held = [
      ...seeded.filter(({ id }) => caches.has(id)),
      ...unanswered.flatMap(({ wanted }) => wanted),
    ];
    return held
      .filter((cache) => samePlace(cache.repository, repository))
      .reduce((sum, cache) => sum + cache.size_in_bytes, 0);
  }

  /**
   * What keys begin with in something that is made once. When it is begun again, because a request was not
   * answered, it gives another mark: what the first attempt left must not be taken for part of the second.
   */
  async markFor(name: string): Promise<string> {
    const { attempts } = await this.#living();
    const before = attempts.get(name) ?? 0;
    attempts.set(name, before + 1);
    return before === 0 ? this.mark : `${this.mark}r${before}`;
  }

  /** Removes caches before the end of the run. */
  async remove(caches: readonly Seeded[]): Promise<void> {
    await removeCaches(
      this.#session,
      this.#api,
      new Map(caches.map(({ id, repository }) => [id, repository])),
    );
    const living = await this.#living();
    for (const { id, repository } of caches) {
      if (living.caches.delete(id)) count(living, repository, -1);
    }
  }

  /** Whether an entry is one that this run made, by its key. */
  isOwn(entry: { readonly key?: unknown }): boolean {
    return typeof entry.key === 'string' && entry.key.includes(this.mark);
  }

  /** A cache with everything filled in that the order leaves open: unlike all others, and close to the present. */
  #complete(order: Order, i: number, present: number): Omit<Seeded, 'id'> {
    const at = (secondsAgo: number) => `${new Date(present - secondsAgo * 1000).toISOString().slice(0, 19)}Z`;
    const { repository, key, ref = MAIN } = order;
    return {
      repository,
      key,
      ref,
      version: order.version ?? hash(`${this.mark} ${key} ${ref} ${i}`),
      size_in_bytes: order.size ?? 1_000 + 7 * i,
      created_at: at(order.createdAgo ?? 3 * HOUR + 37 * i),
      last_accessed_at: at(order.accessedAgo ?? HOUR + 13 * i),
    };
  }

  /** The target's time in milliseconds, as its clock hook says, else as far as it is known. */
  async #present(): Promise<number> {
    const { time, hooks } = this.#session;
    // Asked once: whatever is advanced from then on is known.
    const ahead = await this.#session.once('caches: clock', async () => {
      const now = await hooks.clock?.(0);
      return (now ?? time.now()) - Date.now() - time.advancedMs;
    });
    return Date.now() + ahead + time.advancedMs;
  }

  #living(): Promise<Living> {
    return this.#session.once('caches: seeded', async () => {
      const living: Living = {
        caches: new Map(),
        seeded: [],
        entries: [],
        made: 0,
        ordered: new Map(),
        unanswered: [],
        attempts: new Map(),
      };
      this.#session.onClose(async () => {
        await removeCaches(this.#session, this.#api, living.caches);
        for (const entry of living.entries) this.#session.journal.done(entry);
        for (const { entry, repositories } of living.unanswered) {
          const left = await cachesMarked(this.#session, this.mark, repositories);
          await removeCaches(this.#session, this.#api, left);
          this.#session.journal.done(entry);
        }
      });
      return living;
    });
  }
}

/** How the journal calls caches that were seeded. */
export const SEED_JOURNAL_KIND = 'caches.seeded';

/**
 * What the hook's answer tells of a cache: its id; its version, which the target may compute by itself; and
 * its times, where the target stamps the present on whatever is made. Everything else is as it was ordered.
 */
function toldOf(made: unknown, i: number, present: number): { id: number } & Partial<Known> {
  const { id, version, created_at, last_accessed_at } = (made ?? {}) as Record<string, unknown>;
  if (!Number.isInteger(id)) throw new Undecided(`hook seed: entry ${i} of the answer has no integer \`id\``);
  const stamped = (value: unknown): value is string => Math.abs(timeOf(value) - present) < STAMPED_WITHIN_MS;
  return {
    id: id as number,
    ...(typeof version === 'string' && version !== '' && { version }),
    ...(stamped(created_at) && { created_at }),
    ...(stamped(last_accessed_at) && { last_accessed_at }),
  };
}

function count({ ordered }: Living, repository: Place, by: number): void {
  ordered.set(foldedName(repository), (ordered.get(foldedName(repository)) ?? 0) + by);
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Nothing is ordered to be this young: a time so close to the present is the target's own stamp. */
const STAMPED_WITHIN_MS = 5 * 60_000;
