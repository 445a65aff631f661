/** The limits that a run changes: noted in the journal before each setting, and restored at the end. */
import type { Session } from '../../../lib/check/session.ts';
import type { Body } from '../../../lib/http/body.ts';
import type { CacheApi } from '../api/client.ts';
import { type Place, samePlace } from '../api/places.ts';
import { type Kind, PROPERTY } from '../vocabulary.ts';
import { type ChangedLimit, restoreLimits } from './restore-limits.ts';

/** The kind of journal entry for a limit that was changed. */
export const LIMIT_KIND = 'caches.limit';

/** See the module comment. */
export class ChangedLimits {
  readonly #session: Session;
  /** The kinds (retention, storage) whose limits were all read before the first of them was set. */
  readonly #looked = new Set<Kind>();
  readonly #limits: { limit: ChangedLimit; entry: number }[] = [];

  /** @param api the client that restores the limits at the end of the session */
  constructor(session: Session, api: CacheApi) {
    this.#session = session;
    session.onUndo(async () => {
      const limits = this.#limits.map(({ limit }) => limit);
      const wrong = await restoreLimits(api, session, limits, (limit) =>
        session.journal.done(this.#limits[limits.indexOf(limit)]!.entry),
      );
      if (wrong.length > 0) throw new Error(wrong.join('; '));
    });
  }

  /** Returns the value of a limit before the run changed it, or undefined if it was not noted. */
  before(place: Place, kind: Kind): number | undefined {
    return this.#find(place, kind)?.limit.value;
  }

  /** Whether any limit of a kind was set, or may have been: limits of lower levels may have followed it. */
  isAnySet(kind: Kind): boolean {
    return this.#limits.some(({ limit }) => limit.kind === kind && !isUntouched(limit));
  }

  /** Notes a limit and its present value, before it is changed for the first time. */
  add(place: Place, kind: Kind, value: number): void {
    const limit: ChangedLimit = { level: place.level, names: [...place.names], kind, value, set: [] };
    const entry = this.#session.journal.open(LIMIT_KIND, { ...structuredClone(limit) }, { account: 'token' });
    this.#limits.push({ limit, entry });
  }

  /** Reads and notes limits before the first of them is set. Those that cannot be read are left out. */
  async addAll(
    kind: Kind,
    places: readonly Place[],
    read: (place: Place) => Promise<number | undefined>,
  ): Promise<void> {
    const unknown = places.filter((place) => this.before(place, kind) === undefined && !this.isAnySet(kind));
    const values = await this.#session.together(unknown.map((place) => () => read(place)));
    for (const [i, place] of unknown.entries()) if (values[i] !== undefined) this.add(place, kind, values[i]);
    this.#looked.add(kind);
  }

  /** Whether `addAll` has read all limits of a kind. */
  hasAll(kind: Kind): boolean {
    return this.#looked.has(kind);
  }

  /**
   * Reads a noted limit again right before it is set for the first time. Where somebody else has changed it
   * since it was noted, the new value is the one to restore.
   */
  async lookAgain(place: Place, kind: Kind, read: () => Promise<number | undefined>): Promise<void> {
    const known = this.#find(place, kind);
    // The first limit of a kind to be set was noted just before.
    if (!known || !isUntouched(known.limit) || !this.isAnySet(kind)) return;
    const now = await read();
    const sameKind = this.#limits.map(({ limit }) => limit).filter((limit) => limit.kind === kind);
    // A value that the run set elsewhere, or that it may have set, may be due to the run.
    if (now === undefined || sameKind.some(({ malformed, lost }) => malformed || lost)) return;
    if (sameKind.some(({ value, set }) => value === now || set.includes(now))) return;
    known.limit.value = now;
    this.#session.journal.note(known.entry, { value: now }, true);
  }

  /** Notes what is about to be set. The journal is on disk before the request is sent. */
  setting(place: Place, kind: Kind, body: Body | undefined): void {
    const known = this.#find(place, kind);
    if (!known) return;
    const { limit, entry } = known;
    const { values, malformed } = meaningsOf(body, kind);
    const fresh = values.filter((value) => !limit.set.includes(value) && value !== limit.value);
    if (fresh.length === 0 && (!malformed || limit.malformed)) return;
    limit.set.push(...fresh);
    if (malformed) limit.malformed = true;
    this.#session.journal.note(entry, { set: limit.set, ...(limit.malformed && { malformed: true }) }, true);
  }

  /** Notes what a limit reads right after a setting, which may differ from the value that was sent. */
  seen(place: Place, kind: Kind, value: number): void {
    const known = this.#find(place, kind);
    if (!known) return;
    const { limit, entry } = known;
    const isNew = !limit.set.includes(value) && limit.value !== value;
    if (!isNew && !limit.malformed) return;
    if (isNew) limit.set.push(value);
    // Now it is known how the target understood the malformed setting.
    const wasMalformed = limit.malformed === true;
    delete limit.malformed;
    this.#session.journal.note(entry, { set: limit.set, ...(wasMalformed && { malformed: false }) });
  }

  /**
   * Whether a malformed setting was sent, so that its value is uncertain, and the limit was not read since.
   */
  isMalformed(place: Place, kind: Kind): boolean {
    return this.#find(place, kind)?.limit.malformed === true;
  }

  /** Notes that a setting was not answered. */
  lost(place: Place, kind: Kind): void {
    const known = this.#find(place, kind);
    if (!known || known.limit.lost) return;
    known.limit.lost = true;
    this.#session.journal.note(known.entry, { lost: true });
  }

  #find(place: Place, kind: Kind): { limit: ChangedLimit; entry: number } | undefined {
    return this.#limits.find(({ limit }) => limit.kind === kind && samePlace(limit, place));
  }
}

/** Whether the run has not set a limit, and has not tried to. */
function isUntouched({ set, malformed, lost }: ChangedLimit): boolean {
  return set.length === 0 && !malformed && !lost;
}

/**
 * Returns the values that a target may understand in a setting. If the body is malformed, a target may as
 * well refuse it and take none of them.
 */
function meaningsOf(body: Body | undefined, kind: Kind): { values: number[]; malformed: boolean } {
  const json = body && 'json' in body ? (body.json as Record<string, unknown> | null) : undefined;
  const value = json?.[PROPERTY[kind]];
  if (Number.isInteger(value)) return { values: [value as number], malformed: false };
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  if (!Number.isFinite(number)) return { values: [], malformed: true };
  return { values: [...new Set([Math.trunc(number), Math.round(number)])], malformed: true };
}
