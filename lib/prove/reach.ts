/**
 * Which checks meet what a case changes. A check that sees in the answers of the case, one by one, what it sees in those
 * of the reference need not run: it would say what it says of the reference. What it looks at in them is noted when it
 * runs on the reference; the first thing that is different is among that. Checks do not rest on each other, but for
 * what they share, and that counts for all who share it.
 */
import { openWire, type RunInput, Session } from '../check/session.ts';
import type { DefinedCheck } from '../check/suite.ts';
import { Comparison, type Look } from '../http/looks.ts';
import type { WireResponse } from '../http/transport.ts';
import type { HeaderPair } from '../model/results.ts';
import { Looks } from './looks.ts';
import { differing, isSame, type MetAnswer, recording, type Step } from './replay.ts';
import { ALIKE } from './run-case.ts';

/** What a case does where all it does is to change answers of one kind. */
export interface Concern {
  /** Whether it may change an answer. */
  concerns(met: MetAnswer): boolean;
  /** What stands in the place of an answer that it concerns; to be asked in the order of the requests. */
  change(met: MetAnswer): Promise<WireResponse>;
}

/** What the module of the transport exports besides `openTransport`. */
export interface ConcernModule {
  /** Undefined where the case of these parameters may change anything. */
  concernOf(params: unknown): Concern | undefined;
}

/** Past this share of the checks it is not worth while to know which are not met. */
const MOST = 0.5;

/** What each check meets on the reference. */
export class Reach {
  /** For each check, the indexes in `#steps` of its requests. */
  readonly #met = new Map<string, number[]>();
  /** For each index in `#steps`, the checks that the request counts for, with what they look at in its answer. */
  readonly #checks = new Map<number, Map<string, Set<Look>>>();
  readonly #steps: Step[] = [];
  /** Requests that the reference itself does not answer the same twice. */
  #unsteady: readonly number[] = [];

  /** Runs the checks on the reference, which `input` opens. */
  static async trace(checks: readonly DefinedCheck[], input: Omit<RunInput, 'runId'>): Promise<Reach> {
    const reach = new Reach();
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
      // Also what it sent before it was repeated.
      for (let place = from; place < reach.#steps.length; place += 1)
        if (reach.#steps[place]?.do === 'send') own.add(place);
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

  /** Whether a check gets an answer that may be changed. */
  meets(check: DefinedCheck, { concerns }: Concern): boolean {
    return this.#met.get(check.id)?.some((place) => this.#answers(place).some(concerns)) ?? true;
  }

  /** The checks that see a difference in the answers that are changed. */
  async seeing(change: Concern): Promise<ReadonlySet<string>> {
    const seeing = new Set<string>();
    for (const place of this.#steps.keys()) {
      for (const met of this.#answers(place).filter(change.concerns)) {
        // What breaks down while it answers gives no answer.
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
   * Sends to the case that `input` opens what was sent to the reference, and compares the answers.
   * @returns the checks that get another answer; undefined where most of them do
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

  /** Adds the checks that see a difference between an answer and that of the reference. */
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
  }
}
