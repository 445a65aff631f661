/** The wire: sends one request and reads the whole answer, within limits of size and time. */
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { rootCertificates } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import type { NetworkConfig } from '../config/types.ts';
import { EqualParts } from '../model/equal-parts.ts';
import type { HeaderPair } from '../model/results.ts';
import { decodeBody } from './decode.ts';
import { ProxyConnections, proxyFor, proxyName, type RequestThroughProxy } from './proxy.ts';
import { ConnectionClosed, describe, ProxyFailed } from './wire-errors.ts';

/** One request as it goes on the wire. */
export interface WireRequest {
  method: string;
  url: string;
  headers: HeaderPair[];
  body?: string | undefined;
  /** What is sent instead of `body`, where the body is not UTF-8. In-memory transports send `body`. */
  bytes?: Buffer | undefined;
  /** Timeout of the whole exchange, in milliseconds. */
  timeoutMs: number;
  /** How many bytes of the answer's body are read at most; default and greatest: `MAX_BODY_BYTES`. */
  mostBytes?: number | undefined;
  /** It may be sent once more if the connection closes early: it has no effects, and no check counts it. */
  resend?: boolean;
  /** It calls a hook, to which `network.socket` does not lead. */
  isHook?: boolean;
  /**
   * In-memory transports only: the time on the server's clock while it answers, in milliseconds since the
   * epoch. The same requests at the same times then get the same answers.
   */
  at?: number;
}

/** One answer as it came off the wire. */
export interface WireResponse {
  status: number;
  headers: HeaderPair[];
  /** The body without its content codings (RFC 9110 8.4), as UTF-8. */
  text: string;
  /** Size of that body. */
  bytes: number;
  /** Why the body cannot be what the server meant to send: no verdict may depend on it. */
  damage?: string;
  /** How many milliseconds a simulated server let pass on its clock; a real one takes real time. */
  simulatedMs?: number;
}

/** Sends requests: over real HTTP by default, and in memory in the proof. */
export interface Transport {
  /**
   * Sends one request and returns its answer.
   * @throws Error whose message says what went wrong (refused, reset, timed out, too large)
   */
  send(request: WireRequest): Promise<WireResponse>;
  /**
   * In-memory transports only: moves the server's clock by so many seconds and returns its time, in
   * milliseconds since the epoch. It replaces the clock hook, whose calls would be every other request.
   */
  moveClock?(seconds: number): number;
  close(): Promise<void>;
}

/** Largest body in bytes that is read or decoded: no resource of the specifications comes near it. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Largest header section in bytes that is read: larger than any that common servers send. */
const MAX_HEADER_BYTES = 64 * 1024;
/** Idle connections are kept for 4 s, or as long as the server says; one origin has at most 64 at once. */
const KEPT = { keepAlive: true, timeout: 4_000, maxSockets: 64 };

/**
 * Returns a transport over real HTTP/1.1 with keep-alive. Interim answers (1xx) are ignored, content codings
 * are decoded, redirects are never followed, and certificates are verified whatever the environment says.
 * @param network certificates and socket of the target; their files are read here
 */
export function httpTransport(network: NetworkConfig = {}): Transport {
  const connections = new ConnectionPools(network);
  return {
    send: async (wire) => {
      try {
        return await sendOnce(connections, wire);
      } catch (error) {
        // A server may close an idle connection just as it is used again; that is no fault of the server.
        if (wire.resend && error instanceof ConnectionClosed) return sendOnce(connections, wire);
        throw error;
      }
    },
    close: async () => connections.close(),
  };
}

/** How requests to one origin are sent. */
interface Way {
  /** The proxy in words, where there is one. */
  proxy?: string;
  options: https.RequestOptions;
}

/** The connections of one transport. */
class ConnectionPools {
  /** What answers have in common. */
  readonly parts = new EqualParts();
  readonly #http = new http.Agent(KEPT);
  readonly #https: https.Agent;
  readonly #proxied = new ProxyConnections();
  readonly #network: NetworkConfig;
  readonly #ways = new Map<string, Way>();
  /** TLS options towards the target, not towards a proxy: trusted authorities, and a client certificate. */
  readonly #tls: Pick<https.AgentOptions, 'rejectUnauthorized' | 'ca' | 'cert' | 'key'>;

  constructor(network: NetworkConfig) {
    const { ca, certificate, certificateKey } = network;
    this.#network = network;
    this.#tls = {
      // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch verification off unnoticed.
      rejectUnauthorized: true,
      ...(ca !== undefined && { ca: [...rootCertificates, readFileSync(ca, 'utf8')] }),
      ...(certificate !== undefined && { cert: readFileSync(certificate) }),
      ...(certificateKey !== undefined && { key: readFileSync(certificateKey) }),
    };
    this.#https = new https.Agent({ ...KEPT, ...this.#tls });
  }

  /** Returns how requests to a URL are sent; cached by origin, since a run has only a few. */
  optionsFor(url: URL, isHook: boolean): Way {
    const origin = `${isHook} ${url.protocol}//${url.username}:${url.password}@${url.host}`;
    const known = this.#ways.get(origin);
    if (known) return known;
    const way = this.#wayTo(url, isHook);
    this.#ways.set(origin, way);
    return way;
  }

  #wayTo(url: URL, isHook: boolean): Way {
    const socket = isHook ? undefined : this.#network.socket;
    const proxy = proxyFor(url, this.#network, isHook);
    const { protocol, hostname, port, auth } = urlToHttpOptions(url);
    const base = { protocol, hostname, port, auth, maxHeaderSize: MAX_HEADER_BYTES };
    if (proxy !== undefined) {
      const name = proxyName(proxy, this.#network);
      const { ca, rejectUnauthorized } = this.#tls;
      const agent = this.#proxied.through(proxy, name, url.protocol, { ...KEPT, rejectUnauthorized, ca });
      return { proxy: name, options: { ...base, ...this.#tls, agent } };
    }
    const agent = url.protocol === 'https:' ? this.#https : this.#http;
    return {
      options: { ...base, agent, ...(socket !== undefined && { socketPath: socket }) },
    };
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
    this.#proxied.close();
  }
}

async function sendOnce(connections: ConnectionPools, wire: WireRequest): Promise<WireResponse> {
  const url = new URL(wire.url);
  let way: Way | undefined;
  try {
    way = connections.optionsFor(url, wire.isHook ?? false);
    const response = await exchange(way, url, wire);
    connections.parts.join(response.headers);
    return { ...response, text: connections.parts.text(response.text) };
  } catch (error) {
    throw described(error, url.protocol, way?.proxy);
  }
}

/** Returns the error in words. One behind a proxy may be the proxy's: the message then names it. */
function described(error: unknown, protocol: string, proxy: string | undefined): Error {
  const inWords = describe(error, protocol);
  const isNamed = proxy === undefined || inWords.message.includes(proxy);
  if (!isNamed) inWords.message = `${inWords.message} (through ${proxy})`;
  return inWords;
}

/**
 * Sends one request and reads its answer. It uses plain events: iterating over the stream, with a signal to
 * abort it, takes as long as the request itself.
 */
function exchange({ proxy, options }: Way, url: URL, wire: WireRequest): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    // Only with it does the end of a request also end a connection to a proxy that is still being made.
    const ended = proxy === undefined ? undefined : new AbortController();
    const request = (url.protocol === 'https:' ? https : http).request({
      ...options,
      path: url.pathname + url.search,
      method: wire.method,
      ...(ended && ({ ended: ended.signal } satisfies RequestThroughProxy)),
    });
    const timer = setTimeout(() => giveUp(late(wire, proxy, request.socket !== null)), wire.timeoutMs);
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    const giveUp = (why: string | Error) => {
      fail(typeof why === 'string' ? new Error(why) : why);
      ended?.abort();
      request.destroy();
    };
    // This listener stays when the promise has settled: bytes past the end of an answer are an error of the
    // connection, and an 'error' event without a listener would end the process.
    request.on('error', fail);
    // A proxy that refuses to open a tunnel answers itself: that is not the target's answer.
    request.on('proxyConnect', ({ statusCode }: { statusCode?: number }) => {
      if (statusCode !== undefined && statusCode !== 200)
        giveUp(new ProxyFailed(`${proxy} answered ${statusCode} in the place of a connection`));
    });
    request.on('response', (response) => {
      if (proxy !== undefined && response.statusCode === 407)
        return giveUp(new ProxyFailed(`${proxy} answered 407: it wants to know who asks`));
      const most = wire.mostBytes ?? MAX_BODY_BYTES;
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('error', fail);
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > most) giveUp(`the body is larger than ${most} bytes; not read further`);
        else chunks.push(chunk);
      });
      response.on('end', () => {
        clearTimeout(timer);
        // Resolved one turn later, so that an error about bytes past the end of this answer can reject the
        // promise first.
        setImmediate(() => resolve(wireResponse(response, Buffer.concat(chunks))));
      });
    });
    for (const [name, values] of grouped(wire.headers)) request.setHeader(name, values);
    const body = wire.bytes ?? wire.body;
    if (body !== undefined) request.setHeader('content-length', Buffer.byteLength(body));
    request.end(body);
  });
}

/** Returns the error for a request that took too long. */
function late({ timeoutMs }: WireRequest, proxy: string | undefined, isConnected: boolean): Error {
  if (proxy === undefined) return new Error(`no complete answer within ${timeoutMs} ms`);
  if (!isConnected) return new ProxyFailed(`${proxy} made no connection within ${timeoutMs} ms`);
  return new Error(`no complete answer within ${timeoutMs} ms through ${proxy}`);
}

function wireResponse(response: IncomingMessage, body: Buffer): WireResponse {
  const headers = headerPairs(response.rawHeaders);
  return { status: response.statusCode ?? 0, headers, ...decodeBody(body, headers, MAX_BODY_BYTES) };
}

/** Converts headers as Node lists them, names and values in turn, to pairs. */
export function headerPairs(raw: readonly string[]): HeaderPair[] {
  const pairs: HeaderPair[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) pairs.push([raw[i]!, raw[i + 1]!]);
  return pairs;
}

/** Groups repeated headers: each name once with its values, in the order of first occurrence. */
function grouped(headers: HeaderPair[]): Map<string, string[]> {
  const names = new Map<string, string>();
  const groups = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const first = names.get(name.toLowerCase()) ?? name;
    names.set(name.toLowerCase(), first);
    groups.set(first, [...(groups.get(first) ?? []), value]);
  }
  return groups;
}
