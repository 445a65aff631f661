/**
 * Which checks meet what a case changes. A check that gets from the case, answer by answer, what it gets from the
 * reference need not run: it would say what it says of the reference. Checks do not rest on each other, but for what
 * they share, and that counts for all who share it.
 */
import { randomUUID } from 'node:crypto';
import { openWire, type RunInput, Session } from '../check/session.ts';
import type { DefinedCheck } from '../check/suite.ts';
import type { HeaderPair } from '../model/results.ts';
import { differing, type MetAnswer, recording, type Step } from './replay.ts';

/** What the module of the transport exports besides `openTransport`. */
export interface ConcernModule {
  /** The answers that the case of these parameters changes; undefined where it may change anything. */
  concernOf(params: unknown): ((answer: MetAnswer) => boolean) | undefined;
}

/** Past this share of the checks it is not worth while to know which are not met. */
const MOST = 0.6;

/** What each check meets on the reference. */
export class Reach {
  /** For each check, the indexes in `#steps` of its requests. */
  readonly #met = new Map<string, number[]>();
  /** For each index in `#steps`, the checks that the request counts for. */
  readonly #checks = new Map<number, string[]>();
  readonly #steps: Step[] = [];
  /** Requests that the reference itself does not answer the same twice. */
  #unsteady: readonly number[] = [];

  /** Runs the checks on the reference, which `input` opens. */
  static async trace(checks: readonly DefinedCheck[], input: Omit<RunInput, 'runId'>): Promise<Reach> {
    const reach = new Reach();
    const places = new Map<HeaderPair[], number>();
    const session = await Session.open({ ...input, runId: randomUUID(), raw: true }, (wire) =>
      recording(wire, reach.#steps, places),
    );
    const { recorder } = session.http;
    for (const check of checks) {
      const { exchanges, sharedExchanges } = await check.run(session);
      const shared = sharedExchanges.flatMap((id) => recorder.find(id) ?? []);
      const met = [...exchanges, ...shared].map(({ request }) => places.get(request.headers) as number);
      reach.#met.set(check.id, met);
      for (const place of met) {
        const known = reach.#checks.get(place);
        if (known) known.push(check.id);
        else reach.#checks.set(place, [check.id]);
      }
    }
    await session.close();
    const unsteady: number[] = [];
    await differing(await openWire(input), reach.#steps, (place) => unsteady.push(place) === 0);
    reach.#unsteady = unsteady;
    return reach;
  }

  /** Whether a check gets an answer that is changed. */
  meets(check: DefinedCheck, isChanged: (answer: MetAnswer) => boolean): boolean {
    return this.#met.get(check.id)?.some((place) => this.#answers(place).some(isChanged)) ?? true;
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
    const touch = (place: number): boolean => {
      for (const id of this.#checks.get(place) ?? []) touched.add(id);
      return touched.size > this.#met.size * MOST;
    };
    if (this.#unsteady.map(touch).includes(true)) return undefined;
    const isAll = await differing(await openWire(input), this.#steps, touch);
    return isAll ? undefined : touched;
  }
}
