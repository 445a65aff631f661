/** A transport that records the answers of a server, and later repeats them without the server. */
import { openTransport as openCase } from '../../deviations/transport.ts';
import type { Transport, WireResponse } from '../../lib/http/transport.ts';

/** The recorded answers of a server. */
export interface Tape {
  /** In the order of the requests. */
  answers: (WireResponse | Error)[];
  /** Indexes of the requests, in the order in which they were answered. */
  order: number[];
  /** What the clock said first. Later moves depend on how long requests take, so they are not repeated. */
  clock?: number;
}

/**
 * The recording in use, and whether it is being made. The session of the checks opens its transport by this
 * module's path, so the recording is handed over in a global variable.
 */
const known = globalThis as { replayed?: { tape: Tape; making: boolean; params: never } };

/**
 * Chooses the tape on which the answers of a transport are
 * recorded (`making`), or from which they are repeated.
 */
export function useTape(tape: Tape, making: boolean, params: unknown): void {
  known.replayed = { tape, making, params: params as never };
}

export async function openTransport(): Promise<Transport> {
  const { tape, making, params } = known.replayed!;
  if (!making) {
    let [sent, answered, now] = [0, 0, tape.clock ?? 0];
    const waiting = new Map<number, () => void>();
    // Requests that are under way at the same time are answered in the recorded order.
    const pump = (): void => {
      const next = waiting.get(tape.order[answered] ?? -1);
      if (next === undefined) return;
      answered += 1;
      next();
      setImmediate(pump);
    };
    return {
      send: async () => {
        const number = sent++;
        const next = tape.answers[number];
        if (next === undefined) throw new Error('more requests than there were');
        await new Promise<void>((resolve) => {
          waiting.set(number, resolve);
          pump();
        });
        if (next instanceof Error) throw next;
        return next;
      },
      moveClock: (seconds) => {
        now += seconds * 1000;
        return now;
      },
      close: async () => {},
    };
  }
  let sent = 0;
  const wire = (await openCase(params)) as Transport;
  return {
    send: async (request) => {
      const number = sent++;
      const answer = await wire.send(request).catch((error: Error) => error);
      tape.answers[number] = answer;
      tape.order.push(number);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    moveClock: (seconds) => {
      const now = wire.moveClock!(seconds);
      tape.clock ??= now;
      return now;
    },
    close: () => wire.close(),
  };
}
