/** Fakes of the transport, the clock and the catalogue, for unit tests of `lib`. */

import { expect } from 'vitest';
import { CheckContext } from '../../lib/check/context.ts';
import type { Session } from '../../lib/check/session.ts';
import { Answer } from '../../lib/http/answer.ts';
import { type Call, HttpClient } from '../../lib/http/client.ts';
import { TargetTime } from '../../lib/http/time.ts';
import type { Transport, WireRequest, WireResponse } from '../../lib/http/transport.ts';
import type { Requirement } from '../../lib/model/catalogue/types.ts';
import type { HeaderPair } from '../../lib/model/results.ts';
import { Undecided } from '../../lib/model/verdict.ts';

/** A required entry of a catalogue, changed by `changes`. */
export function requirement(id: string, changes: Partial<Requirement> = {}): Requirement {
  return {
    id,
    section: '4.1',
    level: 'required',
    basis: 'stated',
    title: `${id} holds`,
    statement: `What ${id} says.`,
    severity: 'major',
    cause: 'Somebody forgot.',
    ...changes,
  };
}

/** What one request is answered with: an answer, an error, or something made of the request. */
export type Reply = Partial<WireResponse> | Error | ((request: WireRequest) => Partial<WireResponse> | Error);

/** A client whose transport answers from a list, the last entry repeatedly, and whose waits take no time. */
export function scriptedClient(...replies: Reply[]): {
  http: HttpClient;
  /** The requests that were sent. */
  sent: WireRequest[];
  /** What was waited for, in ms. */
  waits: number[];
} {
  const sent: WireRequest[] = [];
  const waits: number[] = [];
  const transport: Transport = {
    send: async (request) => {
      const next = replies[Math.min(sent.length, replies.length - 1)] ?? {};
      sent.push(request);
      const reply = typeof next === 'function' ? next(request) : next;
      if (reply instanceof Error) throw reply;
      const text = reply.text ?? '';
      return { status: 200, headers: [], bytes: Buffer.byteLength(text), ...reply, text };
    },
    close: async () => {},
  };
  const http = new HttpClient(transport, { timeoutMs: 1_000 });
  http.time = timeThat((ms) => waits.push(ms), http);
  http.time.rest = async () => {};
  return { http, sent, waits };
}

/** Sends a request that has to be given up as undecided, and returns how many times it was tried. */
export async function triesUntilGivenUp(
  { http, sent }: Pick<ReturnType<typeof scriptedClient>, 'http' | 'sent'>,
  call: Call,
): Promise<number> {
  const before = sent.length;
  await expect(http.send(call)).rejects.toBeInstanceOf(Undecided);
  return sent.length - before;
}

/** Time that passes as soon as it is waited for; `told` hears how long, in ms, rounded as the hook is told. */
export function timeThat(told: (ms: number) => void, http = {} as HttpClient): TargetTime {
  const recorder = http.recorder ?? { passed: () => {} };
  const clock = async (seconds: number) => {
    told(seconds * 1000);
    return undefined;
  };
  return new TargetTime({ http: { recorder } as HttpClient, clock }, { maxWaitMs: 0 });
}

let exchanges = 0;

/** An answer as a check gets it. */
export function answerOf(status: number, body: unknown, headers: HeaderPair[] = []): Answer {
  exchanges += 1;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Answer(
    {
      id: `a${exchanges}`,
      purpose: 'ask for something',
      startedAt: '2026-01-01T00:00:00.000Z',
      durationMs: 1,
      request: { method: 'GET', url: 'http://target.example/thing', headers: [] },
      response: { status, headers, body: { text, bytes: Buffer.byteLength(text) } },
    },
    status,
    text,
  );
}

/** What a check is given, over a client. */
export function contextFor(cited: Requirement[], http: HttpClient = scriptedClient({}).http): CheckContext {
  return new CheckContext(
    { http, options: { seed: 1 } } as unknown as Session,
    cited,
    cited[0]?.id ?? 'TEST',
  );
}
