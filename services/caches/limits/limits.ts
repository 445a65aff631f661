/** Limits: read, set, and remembered before they are set (DESIGN section 7, effects `settings`). */
import { perRunOf, perSession } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Body } from '../../../lib/http/body.ts';
import { readUntilSure } from '../../../lib/http/sure.ts';
import { Blocked, Skipped, Undecided } from '../../../lib/model/verdict.ts';
import { CacheApi, type RequestOptions, settingOf } from '../api/client.ts';
import { BESIDE, labelOf, type Place, Places } from '../api/places.ts';
import { ChangedLimits } from '../cleanup/changed-limits.ts';
import { LIMIT_FIELD_IDS, limitId } from '../ids/limits.ts';
import { type Kind, LEVELS, type Level, PROPERTY } from '../vocabulary.ts';
import { LimitMemory } from './limit-memory.ts';
import { type LimitBefore, readableLimits, topOf } from './readable-limits.ts';
import { onceMore, settingIn } from './setting.ts';
import type { Attempt, Ladder } from './types.ts';

export type { Attempt, Ladder };

/** What a run has to put back, and what it knows. */
const memoryIn = perSession((session) => ({
  changed: new ChangedLimits(session, new CacheApi({ session })),
  now: new LimitMemory(),
}));

/** See the module comment. Every setting of something that exists goes through here. */
export class Limits {
  readonly session: Session;
  readonly api: CacheApi;
  readonly places: Places;

  constructor(context: { session: Session }) {
    this.session = context.session;
    this.api = new CacheApi(context);
    this.places = new Places(context);
  }

  /** The integer that an answer to reading a limit carries, if it does. */
  valueIn(answer: Answer, kind: Kind): number | undefined {
    const value = answer.ok ? answer.at(`/${PROPERTY[kind]}`) : undefined;
    return Number.isInteger(value) ? (value as number) : undefined;
  }

  /** The limit in force. Throws `Blocked` where it cannot be read. */
  async inForce(place: Place, kind: Kind, options?: RequestOptions): Promise<number> {
    return this.expectValue(await this.api.readLimit(place, kind, options), place, kind);
  }

  /** The same, as it was last read, where nothing was sent since that could have changed it. */
  async known(place: Place, kind: Kind): Promise<number> {
    const { now } = memoryIn(this.session);
    const value = now.hasUnanswered(place, kind) ? undefined : now.value(place, kind);
    return value ?? this.inForce(place, kind);
  }

  /**
   * The value in an answer to reading a limit. Throws `Blocked` where there is none, and `Undecided` where a
   * setting whose answer was lost has come into force only now: whatever was arranged since is undone by it.
   */
  async expectValue(answer: Answer, place: Place, kind: Kind): Promise<number> {
    const value = this.valueIn(answer, kind);
    const { now, changed } = memoryIn(this.session);
    const isOpen = now.isUnread(place, kind) || changed.isMalformed(place, kind);
    if (value !== undefined && isOpen) changed.seen(place, kind, value);
    const late = now.read(place, kind, value);
    if (late)
      throw new Undecided(
        `the ${kind} limit of the ${labelOf(place)} now reads ${value}: a setting that got no answer was carried out late`,
      );
    if (value !== undefined) return value;
    const by = answer.ok ? LIMIT_FIELD_IDS[kind] : limitId(place.level, kind, 'GET-STATUS');
    const what = `${answer.status}${answer.ok ? ` without an integer ${PROPERTY[kind]}` : ''}`;
    throw new Blocked(`the ${kind} limit of the ${labelOf(place)} cannot be read: answered ${what}`, by);
  }

  /**
   * Sends a setting; the limit is put back at the end of the run. `of` is the place whose limit it is, where
   * the path spells it otherwise. Throws `Blocked` where it cannot be read before.
   */
  put(place: Place, kind: Kind, body: Body | undefined, options?: RequestOptions): Promise<Answer> {
    return this.#send(place, kind, body, undefined, options);
  }

  /** Sets a limit to a number; otherwise like `put`. */
  set(place: Place, kind: Kind, value: number, options?: RequestOptions, of = place): Promise<Answer> {
    return this.#send(place, kind, settingOf(kind, value), value, options, of);
  }

  async #send(
    place: Place,
    kind: Kind,
    body: Body | undefined,
    value: number | undefined,
    options: RequestOptions | undefined,
    of = place,
  ): Promise<Answer> {
    await this.protect(of, kind);
    const { now, changed } = memoryIn(this.session);
    changed.setting(of, kind, body);
    let answer: Answer;
    try {
      answer = await this.api.putLimit(place, kind, body, options);
    } catch (error) {
      changed.lost(of, kind);
      now.lost(of, kind, value ?? settingIn(body, kind));
      throw error;
    }
    now.sent(of, kind, answer.ok, value);
    await this.#lookAbove(of, kind, now);
    return answer;
  }

  /** Reads limits above a place again that a setting which was not answered may still change. */
  async #lookAbove(place: Place, kind: Kind, now: LimitMemory): Promise<void> {
    for (const key of ['enterprise', 'organization', 'otherOrganization'] as const) {
      const other = this.places.find(key);
      if (!other || LEVELS.indexOf(other.level) >= LEVELS.indexOf(place.level)) continue;
      if (now.hasUnanswered(other, kind)) await this.inForce(other, kind);
    }
  }

  /** Sets a limit, reading it before and after. */
  async attempt(place: Place, kind: Kind, value: number, options?: RequestOptions): Promise<Attempt> {
    const before = await this.known(place, kind);
    const answer = await this.lower(place, kind, value, options);
    const read = await this.api.readLimit(place, kind);
    return { value, before, answer, read, after: await this.expectValue(read, place, kind) };
  }

  /**
   * Brings limits to the given values, with no level above one over it and none lowered below one under it on
   * the way. Throws `Blocked` where that does not work.
   *
   * @param wanted from the highest level to the lowest
   */
  arrange(kind: Kind, wanted: readonly (readonly [Place, number])[]): Promise<void> {
    const work = () => this.#arrange(kind, wanted);
    // They may not be what the run assumes: settings of others may have changed them.
    return onceMore(work, () => this.refresh(kind));
  }

  async #arrange(kind: Kind, wanted: readonly (readonly [Place, number])[]): Promise<void> {
    const { now } = memoryIn(this.session);
    for (const [place] of wanted) if (now.hasUnanswered(place, kind)) await this.inForce(place, kind);
    if (wanted.every(([place, value]) => now.isSet(place, kind, value))) return;
    for (const [place, value] of wanted) {
      if (value > (await this.known(place, kind))) await this.#bring(place, kind, value);
    }
    for (const [place, value] of [...wanted].reverse()) {
      if (!now.isSet(place, kind, value)) await this.#bring(place, kind, value);
    }
  }

  async #bring(place: Place, kind: Kind, value: number): Promise<void> {
    const answer = await this.lower(place, kind, value);
    // Some refuse what is in force already.
    if (!answer.ok && (await this.inForce(place, kind)) !== value) {
      const what = `the ${kind} limit of the ${labelOf(place)}`;
      const id = limitId(place.level, kind, 'SET-STATUS');
      throw new Blocked(`${what} cannot be set to ${value}: answered ${answer.status}`, id);
    }
    const { now } = memoryIn(this.session);
    if (now.trusts(place, kind)) return void now.read(place, kind, value);
    await this.expectStored(place, kind, value);
    now.stored(place, kind);
  }

  /** Throws `Blocked` unless a limit reads what it was set to with success: what is built on it could not be judged. */
  async expectStored(place: Place, kind: Kind, value: number): Promise<void> {
    const found = await this.inForce(place, kind);
    if (found === value) return;
    const id = limitId(place.level, kind, 'SET-STORES');
    throw new Blocked(
      `the ${kind} limit of the ${labelOf(place)} was set to ${value} and reads ${found}`,
      id,
    );
  }

  /** Throws `Blocked` unless a limit can be set to a value in the usual way: the twin of a setting that did not work. */
  expectSettable(place: Place, kind: Kind, value: number): Promise<void> {
    return this.#bring(place, kind, value);
  }

  /**
   * Sets a limit. Where lowering is refused, other places below it that are over the value are lowered to it
   * and it is tried once more: whether a level can be lowered below those under it is left open.
   */
  async lower(place: Place, kind: Kind, value: number, options?: RequestOptions): Promise<Answer> {
    const before = memoryIn(this.session).now.value(place, kind) ?? Number.POSITIVE_INFINITY;
    const answer = await this.set(place, kind, value, options);
    if (answer.ok || value >= before || place.level === 'repository') return answer;
    let lowered = false;
    for (const key of BESIDE) {
      const other = this.places.find(key);
      if (!other || LEVELS.indexOf(other.level) <= LEVELS.indexOf(place.level)) continue;
      const now = this.valueIn(await this.api.readLimit(other, kind), kind);
      if (now !== undefined && now > value) lowered = (await this.set(other, kind, value)).ok || lowered;
    }
    return lowered ? this.set(place, kind, value, options) : answer;
  }

  /**
   * The places of the hierarchy, where they are configured and can be read, and values that their limits may be set to.
   *
   * @param needed levels that the caller cannot do without: throws `Skipped` where one is not configured, and
   * `Blocked` where its limit cannot be read
   */
  async ladder(kind: Kind, ...needed: Level[]): Promise<Ladder> {
    const top = await this.top(kind);
    const readable = await this.#readable(kind);
    for (const key of needed) {
      const place = this.places.need(key);
      if (!readable.some((each) => each.place.level === key)) await this.inForce(place, kind);
    }
    const step = Math.max(1, Math.floor(top / 10));
    const v = [0, 1, 2, 3, 4, 5].map((n) => top - n * step) as unknown as Ladder['v'];
    if (v[5] < 1) {
      throw new Skipped(
        `the ${kind} limit above all others is ${top}, which leaves no room to test below it`,
      );
    }
    // One that could not be read at first may be readable by now.
    const place = (level: Level) =>
      (readable.find((each) => each.place.level === level)?.place ??
        (needed.includes(level) ? this.places.need(level) : undefined)) as Place;
    const [enterprise, organization, repository] = LEVELS.map(place) as [Place, Place, Place];
    return { enterprise, organization, repository, v };
  }

  /**
   * Sets the levels apart, so that each can be moved by one step with nothing in the way, and gives the place
   * of one level, what it is set to and what it can be set to. Each has two values to be at, and stays at the one
   * that it has been set to.
   */
  async spread(level: Level, kind: Kind): Promise<{ place: Place; from: number; to: number }> {
    const { v, ...places } = await this.ladder(kind, level);
    const all = LEVELS.map((each): Place | undefined => places[each]);
    const { now } = memoryIn(this.session);
    const at = all.map((place, i) => (place && now.isSet(place, kind, v[2 * i + 1]!) ? 1 : 0));
    const wanted = all.flatMap((place, i): [Place, number][] => (place ? [[place, v[2 * i + at[i]!]!]] : []));
    await this.arrange(kind, wanted);
    const i = LEVELS.indexOf(level);
    return { place: all[i]!, from: v[2 * i + at[i]!]!, to: v[2 * i + 1 - at[i]!]! };
  }

  /** Reads the limits of all levels again: one may have been changed by what was sent of another. */
  async refresh(kind: Kind): Promise<void> {
    const readers = (await this.#readable(kind)).map(({ place }) => this.inForce.bind(this, place, kind));
    await this.session.together(readers);
  }

  /** What the highest configured level had before the run: nothing is set above it but to see it refused. */
  async top(kind: Kind): Promise<number> {
    const configured = LEVELS.flatMap((level) => this.places.find(level) ?? []);
    const top = topOf(await this.#readable(kind), configured.length);
    return top ?? this.inForce(configured[0] ?? this.places.need('repository'), kind);
  }

  /** The levels that are configured and whose limit can be read, from the highest on. */
  async levels(kind: Kind): Promise<Level[]> {
    return (await this.#readable(kind)).map(({ place }) => place.level);
  }

  async #readable(kind: Kind): Promise<readonly LimitBefore[]> {
    return readableLimits(this, memoryIn(this.session).now, kind);
  }

  /** Notes a limit in the journal before it is changed for the first time, to be put back at the end. */
  async protect(place: Place, kind: Kind): Promise<void> {
    if (!this.session.options.effects.includes('settings'))
      throw new Skipped('effects `settings` are off for this run');
    const { changed } = memoryIn(this.session);
    const isNoted = () => changed.before(place, kind) !== undefined;
    if (isNoted() && changed.hasAll(kind)) return;
    if (LEVELS.some((level) => this.places.find(level))) await this.top(kind);
    await this.#protectAll(kind);
    if (isNoted()) return;
    const value = await this.inForce(place, kind);
    if (changed.isAnySet(kind))
      throw new Undecided(`the ${kind} limit of the ${labelOf(place)} was not known before others were set`);
    changed.add(place, kind, value);
  }

  /**
   * Notes all limits of a kind that the configuration names before the first of them is changed: a service may
   * lower those below one that is lowered, and nobody would know afterwards what they were.
   */
  readonly #protectAll = perRunOf(
    this,
    'caches: limits before',
    async (kind: Kind): Promise<void> => {
      const { recorder } = this.session.http;
      const read = async (place: Place) =>
        this.valueIn(await readUntilSure(recorder, () => this.api.readLimit(place, kind)), kind);
      await memoryIn(this.session).changed.addAll(kind, this.places.all(), read);
    },
    { lasting: true },
  );
}
