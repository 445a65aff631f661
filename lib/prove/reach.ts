/**
 * Which checks meet what a deviation changes. A deviation that does nothing but change some answers makes no
 * difference to a check that gets none of them, so that check need not run: it would say what it says of the
 * reference. Checks do not rest on each other, but for what they share, and that counts for all who share it.
 */
import { randomUUID } from 'node:crypto';
import { type RunInput, Session } from '../check/session.ts';
import type { DefinedCheck } from '../check/suite.ts';
import type { Exchange, HeaderPair } from '../model/results.ts';

/** A request that a check sends to the reference, and the status that it gets. */
export interface MetAnswer {
  method: string;
  url: string;
  headers: HeaderPair[];
  body: string;
  status: number;
}

/** What the module of the transport exports besides `openTransport`. */
export interface ConcernModule {
  /** The answers that the case of these parameters changes; undefined where it may change anything. */
  concernOf(params: unknown): ((answer: MetAnswer) => boolean) | undefined;
}

/** What each check meets on the reference. */
export class Reach {
  readonly #met = new Map<string, MetAnswer[]>();

  /** Runs the checks on the reference, which `input` opens. */
  static async trace(checks: readonly DefinedCheck[], input: Omit<RunInput, 'runId'>): Promise<Reach> {
    const reach = new Reach();
    const session = await Session.open({ ...input, runId: randomUUID() });
    const { recorder } = session.http;
    for (const check of checks) {
      // The sign of life is the same for all and decides about passes only.
      const { exchanges, sharedExchanges } = await check.run(session, { aliveAnyway: true });
      const shared = sharedExchanges.flatMap((id) => recorder.find(id) ?? []);
      reach.#met.set(check.id, [...exchanges, ...shared].flatMap(metAnswer));
    }
    await session.close();
    return reach;
  }

  /** Whether a check gets an answer that is changed. */
  meets(check: DefinedCheck, isChanged: (answer: MetAnswer) => boolean): boolean {
    return this.#met.get(check.id)?.some(isChanged) ?? true;
  }
}

function metAnswer({ request, response }: Exchange): MetAnswer[] {
  if (response === undefined) return [];
  const { method, url, headers, body } = request;
  return [{ method, url, headers, body: body?.text ?? '', status: response.status }];
}
