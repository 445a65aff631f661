/** The wire: sends one request and reads the whole answer, within bounds. */
import { Agent, type Dispatcher, request } from 'undici';
import type { HeaderPair } from '../model/results.ts';

/** One request as it goes on the wire. */
export interface WireRequest {
  method: string;
  url: string;
  headers: HeaderPair[];
  body: string | undefined;
  /** For the whole exchange, in milliseconds. */
  timeoutMs: number;
  /** May be sent once more when the connection is closed under it: it has no effects, and nobody counts it. */
  resend?: boolean;
}

/** One answer as it came off the wire. */
export interface WireResponse {
  status: number;
  headers: HeaderPair[];
  text: string;
  bytes: number;
  /** Milliseconds that a simulated server let pass on its clock; a real one takes real time. */
  simulatedMs?: number;
}

/** Sends requests; real HTTP by default, in memory when the suite is proved against deviations. */
export interface Transport {
  /** Throws an `Error` whose message says what went wrong (refused, reset, timed out, too large). */
  send(request: WireRequest): Promise<WireResponse>;
  /**
   * In memory only: moves the server's clock by so many seconds and gives its time, in milliseconds since the
   * epoch. Takes the place of the clock hook, which would be every other request.
   */
  moveClock?(seconds: number): number;
  close(): Promise<void>;
}

/** Bodies past this are not read: no resource of the specifications comes near it. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Real HTTP/1.1 with keep-alive; redirects are never followed, certificates are checked. */
export function httpTransport(): Transport {
  const agent = new Agent({ keepAliveTimeout: 4_000, connections: 64, pipelining: 1 });
  return {
    send: async (wire) => {
      try {
        return await sendOnce(agent, wire);
      } catch (error) {
        // A kept connection that the server closes just as it is used again says nothing about the server.
        if (wire.resend && error instanceof ConnectionClosed) return sendOnce(agent, wire);
        throw error;
      }
    },
    close: () => agent.destroy(),
  };
}

async function sendOnce(dispatcher: Dispatcher, wire: WireRequest): Promise<WireResponse> {
  const signal = AbortSignal.timeout(wire.timeoutMs);
  try {
    const response = await request(wire.url, {
      dispatcher,
      method: wire.method as Dispatcher.HttpMethod,
      headers: wire.headers.flat(),
      body: wire.body ?? null,
      signal,
      responseHeaders: 'raw',
    });
    const { text, bytes } = await readBounded(response.body);
    return { status: response.statusCode, headers: pairs(response.headers as unknown), text, bytes };
  } catch (error) {
    if (signal.aborted) throw new Error(`no complete answer within ${wire.timeoutMs} ms`);
    const code = (error as { code?: string }).code;
    if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') {
      throw new ConnectionClosed(
        `connection closed before the answer was complete (${(error as Error).message})`,
      );
    }
    throw new Error(describe(error));
  }
}

/** The other side closed the connection before its answer was complete. */
class ConnectionClosed extends Error {}

async function readBounded(body: AsyncIterable<Buffer>): Promise<{ text: string; bytes: number }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES)
      throw new Error(`the body is larger than ${MAX_BODY_BYTES} bytes; not read further`);
    chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString('utf8'), bytes };
}

/** undici gives raw headers as a flat list of buffers or strings. */
function pairs(raw: unknown): HeaderPair[] {
  if (!Array.isArray(raw)) {
    return Object.entries(raw as Record<string, string | string[]>).flatMap(([k, v]) =>
      [v].flat().map((value): HeaderPair => [k, value]),
    );
  }
  const result: HeaderPair[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) result.push([String(raw[i]), String(raw[i + 1])]);
  return result;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: string }).code;
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `host name not found (${error.message})`;
  return code && !error.message.includes(code) ? `${error.message} (${code})` : error.message;
}
