/**
 * Finds out which checks a case can affect. A check that would see the same in each answer of the case as in
 * the answers of the reference need not run, since it would say the same. To know this, the checks are run on
 * the reference, and everything they look at in its answers is noted; the first difference that a check could
 * see must be among that. Checks do not depend on each other except through what they share, and that counts
 * for all that share it.
 */
import { openWire } from '../check/open-transport.ts';
import { type RunInput, Session } from '../check/session.ts';
import type { DefinedCheck } from '../check/suite.ts';
import { Comparison, type Look } from '../http/looks.ts';
import type { WireResponse } from '../http/transport.ts';
import type { HeaderPair } from '../model/results.ts';
import { Looks } from './looks.ts';
import { differing, isSame, type MetAnswer, recording, type Step } from './replay.ts';
import { ALIKE } from './run-case.ts';

/** What a case does, if all it does is to change answers of one kind. */
export interface Concern {
  /** Whether it may change this answer. */
  concerns(met: MetAnswer): boolean;
  /**
   * Returns what the case answers instead, for an answer that
   * it concerns. Has to be called in the order of the requests.
   */
  change(met: MetAnswer): Promise<WireResponse>;
}

/** What the module of the transport exports besides `openTransport`. */
export interface ConcernModule {
  /** Returns undefined where the case with these parameters may change anything. */
  concernOf(params: unknown): Concern | undefined;
}

/** Once more than this share of the checks is affected, it is not worthwhile to find out about the others. */
const MOST = 0.5;

/** What each check meets on the reference. */
export class Reach {
  /** For each check, the indexes in `#steps` of its requests. */
  readonly #met = new Map<string, number[]>();
  /**
   * For each index in `#steps`, the checks that the request counts for, with what they look at in its answer.
   */
  readonly #checks = new Map<number, Map<string, Set<Look>>>();
  readonly #steps: Step[] = [];
  /** By index in `#steps`, the check that sent the request. */
  readonly #sentBy = new Map<number, string>();
  /** The checks that judge answers which others got. */
  #judges: readonly DefinedCheck[] = [];
  /** Indexes in `#steps` of requests that even the reference answers differently the second time. */
  #unsteady: readonly number[] = [];

  /** Runs the checks on the reference, which `input` opens, and returns what they met. */
  static async trace(checks: readonly DefinedCheck[], input: Omit<RunInput, 'runId'>): Promise<Reach> {
    const reach = new Reach();
    reach.#judges = checks.filter(({ faults }) => faults !== undefined);
    const places = new Map<HeaderPair[], number>();
    const session = await Session.open({ ...input, ...ALIKE }, (wire) =>
      recording(wire, reach.#steps, places),
    );
    const { recorder } = session.http;
    const met = new Map(checks.map(({ id }) => [id, new Set<number>()]));
    const ends = new Map<string, number>();
    const looks = new Looks((check, place) => met.get(check)?.add(place));
    session.http.watch = ({ request }) =>
      looks.watch(places.get(request.headers) as number, () => recorder.scope);
    for (const check of checks) {
      const from = reach.#steps.length;
      const { sharedExchanges } = await check.run(session);
      const own = met.get(check.id) as Set<number>;
      // This includes requests from before the check was repeated.
      for (let place = from; place < reach.#steps.length; place += 1) {
        if (reach.#steps[place]?.do !== 'send') continue;
        own.add(place);
        reach.#sentBy.set(place, check.id);
      }
      for (const { request } of sharedExchanges.flatMap((id) => recorder.find(id) ?? []))
        own.add(places.get(request.headers) as number);
      ends.set(check.id, looks.count);
    }
    for (const [id, own] of met) {
      const end = ends.get(id) as number;
      reach.#met.set(id, [...own]);
      for (const place of own) {
        const known = reach.#checks.get(place) ?? new Map<string, Set<Look>>();
        reach.#checks.set(place, known.set(id, looks.of(id, place, end)));
      }
    }
    await session.close();
    const unsteady: number[] = [];
    await differing(await openWire(input), reach.#steps, (place) => unsteady.push(place) === 0);
    reach.#unsteady = unsteady;
    return reach;
  }

  /** Whether a check gets an answer that the case may change. */
  meets(check: DefinedCheck, { concerns }: Concern): boolean {
    return this.#met.get(check.id)?.some((place) => this.#answers(place).some(concerns)) ?? true;
  }

  /** Returns the checks that see a difference in the changed answers. */
  async seeing(change: Concern): Promise<ReadonlySet<string>> {
    const seeing = new Set<string>();
    for (const place of this.#steps.keys()) {
      for (const met of this.#answers(place).filter(change.concerns)) {
        // A server that breaks down while it answers gives no answer.
        const answer = await change.change(met).catch(() => undefined);
        if (!isSame(answer, met.answer)) this.#see(place, answer, seeing);
      }
    }
    return seeing;
  }

  #answers(place: number): MetAnswer[] {
    const step = this.#steps[place];
    return step?.do === 'send' && step.met !== undefined ? [step.met] : [];
  }

  /**
   * Sends the requests that were sent to the reference to
   * the case that `input` opens, and compares the answers.
   * @returns the checks that see another answer; undefined where most of them do
   */
  async touched(input: Omit<RunInput, 'runId'>): Promise<ReadonlySet<string> | undefined> {
    const touched = new Set<string>();
    const touch = (place: number, answer?: WireResponse): boolean => {
      this.#see(place, answer, touched);
      return touched.size > this.#met.size * MOST;
    };
    if (this.#unsteady.map((place) => touch(place)).includes(true)) return undefined;
    const isAll = await differing(await openWire(input), this.#steps, touch);
    return isAll ? undefined : touched;
  }

  /**
   * Adds the checks that see a difference between an answer and that of the reference. A check that judges what others
   * got needs the one that sends the request.
   */
  #see(place: number, answer: WireResponse | undefined, seeing: Set<string>): void {
    const step = this.#steps[place];
    const before = step?.do === 'send' ? step.answer : undefined;
    const comparison =
      before && answer && before.simulatedMs === answer.simulatedMs
        ? new Comparison(before, answer)
        : undefined;
    for (const [id, looks] of this.#checks.get(place) ?? []) {
      if (!seeing.has(id) && !comparison?.isAlike(looks)) seeing.add(id);
    }
    const sender = this.#sentBy.get(place);
    if (step?.do !== 'send' || !answer || sender === undefined) return;
    const { method, url, headers, body } = step.wire;
    const seen = { method, url, headers, body, status: answer.status, text: answer.text };
    for (const { id, faults } of this.#judges) {
      if (seeing.has(id) && seeing.has(sender)) continue;
      if (faults?.(seen)) seeing.add(id).add(sender);
    }
  }
}
