/** Reads and sets limits, and notes their previous values (DESIGN section 7, effects `settings`). */
import { perRunOf } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Body } from '../../../lib/http/body.ts';
import { readUntilSure } from '../../../lib/http/read-until-sure.ts';
import { Blocked, Skipped, Undecided } from '../../../lib/model/verdict.ts';
import { CacheApi, type RequestOptions, settingOf } from '../api/client.ts';
import { labelOf, type Place, Places, samePlace } from '../api/places.ts';
import { LIMIT_FIELD_IDS, limitId } from '../requirement-ids/limits.ts';
import { type Kind, LEVELS, type Level, PROPERTY } from '../vocabulary.ts';
import { isForbidden, requirePermitted } from './forbidden-settings.ts';
import { keyOf, type LimitMemory } from './limit-memory.ts';
import { type LimitBefore, readableLimits, topOf } from './readable-limits.ts';
import { memoryIn } from './run-memory.ts';
import { lowerThoseBelow } from './settable.ts';
import { settingIn } from './setting.ts';
import type { Attempt } from './types.ts';

/** A setting: its place, kind and body, the number in it if it is well-formed, and the place where its path spells it otherwise. */
type Setting = [
  place: Place,
  kind: Kind,
  body: Body | undefined,
  value: number | undefined,
  options?: RequestOptions | undefined,
  of?: Place,
];

const isSame = (one: Place | undefined, other: Place) => one !== undefined && samePlace(one, other);

/** See the module comment. Checks use it as `Limits`, which arranges the limits of several levels besides. */
export class LimitSettings {
  readonly session: Session;
  readonly api: CacheApi;
  readonly places: Places;

  constructor(context: { session: Session }) {
    this.session = context.session;
    this.api = new CacheApi(context);
    this.places = new Places(context);
  }

  /** Returns the integer in an answer to reading a limit, or undefined if there is none. */
  valueIn(answer: Answer, kind: Kind): number | undefined {
    const value = answer.ok ? answer.at(`/${PROPERTY[kind]}`) : undefined;
    return Number.isInteger(value) ? (value as number) : undefined;
  }

  /** Reads and returns the limit in force. Throws `Blocked` if it cannot be read. */
  async inForce(place: Place, kind: Kind, options?: RequestOptions): Promise<number> {
    return this.expectValue(await this.api.readLimit(place, kind, options), place, kind);
  }

  /** Returns the limit as it was last read, or reads it if a setting could have changed it since. */
  async known(place: Place, kind: Kind): Promise<number> {
    const { memory } = memoryIn(this.session);
    const value = memory.hasUnanswered(place, kind) ? undefined : memory.value(place, kind);
    return value ?? this.inForce(place, kind);
  }

  /** Returns a limit as it was before the run set the first one of its kind; undefined if none was set yet. */
  before(place: Place, kind: Kind): number | undefined {
    return memoryIn(this.session).changed.before(place, kind);
  }

  /**
   * Returns the value in an answer to reading a limit. Throws `Blocked` if there is none, and `Undecided` if
   * an unanswered setting has come into force only now, and so may have undone what was arranged since.
   */
  async expectValue(answer: Answer, place: Place, kind: Kind): Promise<number> {
    const value = this.valueIn(answer, kind);
    const { memory, changed } = memoryIn(this.session);
    const isOpen = memory.isUnread(place, kind) || changed.isMalformed(place, kind);
    if (value !== undefined && isOpen) changed.seen(place, kind, value);
    const late = memory.read(place, kind, value);
    if (late)
      throw new Undecided(
        `the ${kind} limit of the ${labelOf(place)} now reads ${value}: a setting that got no answer was carried out late`,
      );
    if (value !== undefined) return value;
    const by = answer.ok ? LIMIT_FIELD_IDS[kind] : limitId(place.level, kind, 'GET-STATUS');
    const what = `${answer.status}${answer.ok ? ` without an integer ${PROPERTY[kind]}` : ''}`;
    throw new Blocked(
      `the ${kind} limit of the ${labelOf(place)} cannot be read: answered ${what}`,
      by,
      answer.exchange,
    );
  }

  /**
   * Sends a setting with this body, which may be malformed. The limit is restored at the end of the run.
   * Throws `Skipped` if the effects `settings` are off, and `Blocked` if the limit cannot be read before.
   */
  put(place: Place, kind: Kind, body: Body | undefined, options?: RequestOptions): Promise<Answer> {
    return this.#send(place, kind, body, undefined, options);
  }

  /** Sets a limit to a number; otherwise like `put`. `of` is the place if `place` is another spelling. */
  set(place: Place, kind: Kind, value: number, options?: RequestOptions, of = place): Promise<Answer> {
    return this.#send(place, kind, settingOf(kind, value), value, options, of);
  }

  async #send(...setting: Setting): Promise<Answer> {
    const answer = await this.#sendNoted(...setting);
    const [place, , , value, options = {}, of = place] = setting;
    const isUsual = value !== undefined && (options.auth ?? 'full') === 'full' && !options.headers;
    if (isUsual && isForbidden(answer) && LEVELS.some((level) => isSame(this.places.find(level), of)))
      await requirePermitted(this, of, (kind, present, auth) =>
        this.#sendNoted(of, kind, settingOf(kind, present), present, { auth }),
      );
    return answer;
  }

  /** Sends a setting, and notes what it does to what is known of the limits. */
  async #sendNoted(...[place, kind, body, value, options, of = place]: Setting): Promise<Answer> {
    await this.protect(of, kind);
    const { memory, changed, first } = memoryIn(this.session);
    changed.setting(of, kind, body);
    let answer: Answer;
    try {
      answer = await this.api.putLimit(place, kind, body, options);
    } catch (error) {
      changed.lost(of, kind);
      memory.lost(of, kind, value ?? settingIn(body, kind));
      throw error;
    }
    memory.sent(of, kind, answer.ok, value);
    const key = keyOf(of, kind);
    const isSure = this.session.http.recorder.disturbances.doubtOf(answer.exchange) === undefined;
    if (answer.ok && isSure && value !== undefined && !first.has(key)) first.set(key, answer);
    await this.#lookAbove(of, kind, memory);
    return answer;
  }

  /** Reads again the limits above a place that an unanswered setting may still change. */
  async #lookAbove(place: Place, kind: Kind, memory: LimitMemory): Promise<void> {
    for (const key of ['enterprise', 'organization', 'otherOrganization'] as const) {
      const other = this.places.find(key);
      if (!other || LEVELS.indexOf(other.level) >= LEVELS.indexOf(place.level)) continue;
      if (memory.hasUnanswered(other, kind)) await this.inForce(other, kind);
    }
  }

  /** Returns the answer to the first setting of a limit in this run that was accepted without doubt. */
  firstAnswer(place: Place, kind: Kind): Answer | undefined {
    return memoryIn(this.session).first.get(keyOf(place, kind));
  }

  /** Sets a limit, and returns its values before and after. */
  async attempt(place: Place, kind: Kind, value: number, options?: RequestOptions): Promise<Attempt> {
    const before = await this.known(place, kind);
    const answer = await this.lower(place, kind, value, options);
    const read = await this.api.readLimit(place, kind);
    return { value, before, answer, read, after: await this.expectValue(read, place, kind) };
  }

  /** Sets a limit. Throws `Blocked` unless that works in the usual way: the twin of a setting that failed. */
  async expectSettable(place: Place, kind: Kind, value: number): Promise<void> {
    // Where a check is repeated, it may have to prepare a limit or not: such settings are told apart by their purpose.
    const purpose = `prepare the ${kind} limit of the ${labelOf(place)}`;
    const answer = await this.lower(place, kind, value, { purpose });
    // Some servers refuse to set a limit to the value that it already has.
    if (!answer.ok && (await this.inForce(place, kind)) !== value) {
      const what = `the ${kind} limit of the ${labelOf(place)}`;
      const id = limitId(place.level, kind, 'SET-STATUS');
      throw new Blocked(`${what} cannot be set to ${value}: answered ${answer.status}`, id, answer.exchange);
    }
    const { memory } = memoryIn(this.session);
    if (memory.trusts(place, kind)) return void memory.read(place, kind, value);
    await this.expectStored(place, kind, value);
    memory.stored(place, kind);
  }

  /** Throws `Blocked` unless a limit reads as the value to which it was successfully set. */
  async expectStored(place: Place, kind: Kind, value: number): Promise<void> {
    const found = await this.inForce(place, kind);
    if (found === value) return;
    const id = limitId(place.level, kind, 'SET-STORES');
    const what = `the ${kind} limit of the ${labelOf(place)} was set to ${value} and reads ${found}`;
    throw new Blocked(what, id);
  }

  /**
   * Sets a limit. If lowering it is refused, lowers other places below it that exceed the value, and tries
   * once more: the specification leaves open whether a level can be lowered below those under it.
   */
  async lower(place: Place, kind: Kind, value: number, options?: RequestOptions): Promise<Answer> {
    const before = memoryIn(this.session).memory.value(place, kind) ?? Number.POSITIVE_INFINITY;
    const answer = await this.set(place, kind, value, options);
    if (answer.ok || value >= before || place.level === 'repository') return answer;
    const lowered = await lowerThoseBelow(this, place, kind, value);
    return lowered ? this.set(place, kind, value, options) : answer;
  }

  /** Returns the highest level's limit before the run. */
  async top(kind: Kind): Promise<number> {
    const configured = LEVELS.flatMap((level) => this.places.find(level) ?? []);
    const top = topOf(await this.readable(kind), configured.length);
    return top ?? this.inForce(configured[0] ?? this.places.need('repository'), kind);
  }

  /** Returns the levels that are configured and whose limit can be read, the highest first. */
  async levels(kind: Kind): Promise<Level[]> {
    return (await this.readable(kind)).map(({ place }) => place.level);
  }

  /** Returns the limits before the run of the levels that are configured and can be read, the highest first. */
  protected readonly readable = (kind: Kind): Promise<readonly LimitBefore[]> =>
    readableLimits(this, memoryIn(this.session).memory, kind);

  /** Notes a limit in the journal before it is changed for the first time, so that it can be restored. */
  async protect(place: Place, kind: Kind): Promise<void> {
    if (!this.session.options.effects.includes('settings'))
      throw new Skipped('effects `settings` are off for this run');
    const { changed } = memoryIn(this.session);
    const isNoted = () => changed.before(place, kind) !== undefined;
    const read = async () => this.valueIn(await this.api.readLimit(place, kind), kind);
    if (isNoted() && changed.hasAll(kind)) return changed.lookAgain(place, kind, read);
    if (LEVELS.some((level) => this.places.find(level))) await this.top(kind);
    await this.#protectAll(kind);
    if (isNoted()) return;
    const value = await this.inForce(place, kind);
    if (changed.isAnySet(kind))
      throw new Undecided(`the ${kind} limit of the ${labelOf(place)} was not known before others were set`);
    changed.add(place, kind, value);
  }

  /**
   * Notes the limits of all configured places before the first of a kind is changed: a service may lower
   * limits below one that is lowered, and their previous values would then be unknown.
   */
  readonly #protectAll = perRunOf(
    this,
    'caches: limits before',
    async (kind: Kind): Promise<void> => {
      const sure = (place: Place) =>
        readUntilSure(this.session.http.recorder, () => this.api.readLimit(place, kind));
      const read = async (place: Place) => this.valueIn(await sure(place), kind);
      await memoryIn(this.session).changed.addAll(kind, this.places.all(), read);
    },
    { lasting: true },
  );
}
