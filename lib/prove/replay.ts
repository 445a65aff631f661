/**
 * Records what was sent to one server, and sends the same to another, to find where they answer differently.
 */
import type { Transport, WireRequest, WireResponse } from '../http/transport.ts';
import type { HeaderPair } from '../model/results.ts';

/** A request that a check sends to the reference, and the answer that it gets. */
export interface MetAnswer {
  method: string;
  url: string;
  headers: HeaderPair[];
  body: string;
  status: number;
  answer: WireResponse;
}

/** One thing that happened on the wire. Steps are kept in the order in which they happened. */
export type Step =
  | {
      do: 'send';
      wire: WireRequest;
      /** Undefined where no answer came. */
      answer: WireResponse | undefined;
      met: MetAnswer | undefined;
    }
  /** The answer to the step at `place` arrived. */
  | { do: 'end'; place: number }
  | { do: 'move'; seconds: number };

/**
 * Returns a wire that records what happens on it, including the server's time at each request.
 * @param steps receives what happens
 * @param places receives the index in `steps` of each request, by its headers
 */
export function recording(wire: Transport, steps: Step[], places: Map<HeaderPair[], number>): Transport {
  const { moveClock } = wire;
  return {
    async send(request) {
      const at = { ...request, at: moveClock?.(0) ?? Date.now() };
      const step: Step = { do: 'send', wire: at, answer: undefined, met: undefined };
      const place = steps.push(step) - 1;
      places.set(request.headers, place);
      try {
        const answer = await wire.send(at);
        step.answer = answer;
        const { method, url, headers, body = '' } = request;
        step.met = { method, url, headers, body, status: answer.status, answer };
        return answer;
      } finally {
        steps.push({ do: 'end', place });
      }
    },
    ...(moveClock && {
      moveClock(seconds) {
        if (seconds !== 0) steps.push({ do: 'move', seconds });
        return moveClock(seconds);
      },
    }),
    close: () => wire.close(),
  };
}

/**
 * Sends to another server what was recorded, with the same requests under way at once.
 * @param onDifferent called with each request that is answered differently, and the answer; returns whether
 *   to stop there
 * @returns whether it was stopped
 */
export async function differing(
  wire: Transport,
  steps: readonly Step[],
  onDifferent: (place: number, answer: WireResponse | undefined) => boolean,
): Promise<boolean> {
  const underWay = new Map<number, Promise<WireResponse | undefined>>();
  try {
    for (const [place, step] of steps.entries()) {
      if (step.do === 'move') wire.moveClock?.(step.seconds);
      else if (step.do === 'send')
        underWay.set(
          place,
          wire.send(step.wire).catch(() => undefined),
        );
      else {
        const answer = await underWay.get(step.place);
        underWay.delete(step.place);
        const { answer: before } = steps[step.place] as Step & { do: 'send' };
        if (!isSame(answer, before) && onDifferent(step.place, answer)) return true;
      }
    }
    return false;
  } finally {
    await Promise.all(underWay.values());
    await wire.close();
  }
}

/** Whether two answers are the same in every respect. */
export function isSame(a: WireResponse | undefined, b: WireResponse | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.text === b.text &&
    a.status === b.status &&
    a.simulatedMs === b.simulatedMs &&
    a.headers.length === b.headers.length &&
    a.headers.every(([name, value], i) => name === b.headers[i]?.[0] && value === b.headers[i]?.[1])
  );
}
