/** The transport of a proof: requests are answered in memory, by the reference as one case changes it. */
import type { JSONWebKeySet } from 'jose';
import { type Clock, offsetClock } from '../reference/kit/clock.ts';
import { PREFIX_HEADER } from '../reference/kit/mount.ts';
import { beginSequence } from '../reference/kit/random.ts';
import type { Handler } from '../reference/kit/service.ts';
import { allCases, type RunnableCase } from './index.ts';
import { concernOf as concernOfFilter, headersOnWire } from './kit/answers.ts';
import { lightRequest, useLightResponses } from './kit/light.ts';
import { startService } from './service.ts';
import type { AnsweredRequest, FieldRequirements } from './types.ts';

/** The parameters of `openTransport`. */
export interface ProofTransportParams {
  /** Id of the case. */
  case: string;
  /** URL of the target, without a slash at the end. */
  url: string;
  fields: FieldRequirements;
  issuer: string;
  jwks: JSONWebKeySet;
}

interface WireRequest {
  method: string;
  url: string;
  headers: [string, string][];
  body: string | undefined;
  timeoutMs: number;
  /**
   * The server's time while it answers, in milliseconds since the epoch. If it is given, random ids are
   * repeatable too.
   */
  at?: number;
}

interface WireResponse {
  status: number;
  headers: [string, string][];
  text: string;
  bytes: number;
  simulatedMs?: number;
}

/** Passes a request on to the handler for the first segment of its path, without that segment. */
async function dispatch(
  handlers: Record<string, Handler>,
  url: string,
  wire: WireRequest,
): Promise<Response> {
  const { origin, pathname, search } = wire.url.startsWith(`${url}/`)
    ? partsOf(url, wire.url)
    : new URL(wire.url);
  const end = pathname.indexOf('/', 1);
  const prefix = end === -1 ? pathname : pathname.slice(0, end);
  const handler = Object.hasOwn(handlers, prefix) ? handlers[prefix] : undefined;
  if (handler === undefined) return Response.json({ message: 'nothing here' }, { status: 404 });
  const inner = `${origin}${pathname.slice(prefix.length) || '/'}${search}`;
  const request = lightRequest(inner, wire.method, wire.headers, wire.body ?? '');
  request.headers.append(PREFIX_HEADER, prefix);
  return handler(request);
}

/** Splits a URL without parsing all of it, which would take longer. */
function partsOf(origin: string, address: string): { origin: string; pathname: string; search: string } {
  const rest = address.slice(origin.length);
  const at = rest.indexOf('?');
  return at === -1
    ? { origin, pathname: rest, search: '' }
    : { origin, pathname: rest.slice(0, at), search: rest.slice(at) };
}

/** Opens the transport to a fresh server of one case. Throws an Error where no case has the id. */
export async function openTransport(params: unknown) {
  const { case: id, url, fields, issuer, jwks } = params as ProofTransportParams;
  useLightResponses();
  const { facts, change, trivial, surface } = caseOf(id, fields);
  const clock = standingClock();
  let sent = 0;
  let spentMs = 0;
  let underWay = 0;
  const { handle, hooks } = startService(
    facts.service,
    change ?? {},
    { clock, issuer, jwks: sameKeys(jwks), publicUrl: url },
    (ms) => {
      spentMs += ms;
    },
  );
  const handlers: Record<string, Handler> = {
    [`/${facts.service}`]: trivial === undefined ? handle : trivial.serve(surface),
    '/hooks': hooks,
  };
  return {
    async send(wire: WireRequest): Promise<WireResponse> {
      underWay += 1;
      sent += 1;
      // Where the time is given, random values depend only on the number of requests so far, so that equal
      // runs get equal answers.
      clock.stand(wire.at);
      beginSequence(wire.at === undefined ? undefined : sent);
      const response = await dispatch(handlers, url, wire);
      const text = await response.text();
      // The time that a slow server takes also passes for the client that waits for it. Simultaneous requests
      // share the time that passed while they were answered.
      const [simulatedMs, each] = [spentMs, spentMs / underWay];
      spentMs = 0;
      underWay = 0;
      if (each > wire.timeoutMs) throw new Error(`no complete answer within ${wire.timeoutMs} ms`);
      return { ...wireOf(response, text), ...(simulatedMs > 0 && { simulatedMs }) };
    },
    moveClock(seconds: number): number {
      clock.stand(undefined);
      clock.advance(seconds * 1000);
      return clock.now();
    },
    async close(): Promise<void> {},
  };
}

const keySets = new Map<string, JSONWebKeySet>();

/** Returns the same object for equal keys in this thread: verified assertions are cached by that object. */
function sameKeys(jwks: JSONWebKeySet): JSONWebKeySet {
  const text = JSON.stringify(jwks);
  const known = keySets.get(text) ?? jwks;
  keySets.set(text, known);
  return known;
}

/** Creates a clock that shows real time plus whatever it was advanced by, unless a time is set. */
function standingClock(): Clock & { stand(at: number | undefined): void } {
  const real = offsetClock();
  let standing: number | undefined;
  // By how many milliseconds a slow server has delayed answers since a time was first set.
  let late = 0;
  return {
    now: () => (standing === undefined ? real.now() : standing + late),
    advance: (ms) => {
      if (standing !== undefined) late += ms;
      real.advance(ms);
    },
    stand: (at) => {
      standing = at;
    },
  };
}

/** A request as it was sent, with the answer of the unchanged reference. */
interface SentRequest {
  method: string;
  url: string;
  headers: [string, string][];
  body: string;
  status: number;
  answer: WireResponse;
}

/** What a case changes, where it only filters answers of one kind. */
interface ChangedAnswers {
  concerns(sent: SentRequest): boolean;
  /** Returns the answer that replaces the reference's. Must be called in the order of the requests. */
  change(sent: SentRequest): Promise<WireResponse>;
}

/**
 * Returns what a case changes; undefined where that may be anything. Throws an Error where no case has the
 * id.
 */
export function concernOf(params: unknown): ChangedAnswers | undefined {
  const { case: id, fields } = params as ProofTransportParams;
  const { facts, change } = caseOf(id, fields);
  if (facts.kind !== 'deviation' || change?.wrap === undefined || change.rules) return undefined;
  const concern = concernOfFilter(change.wrap);
  if (concern === undefined) return undefined;
  const concerns = (sent: SentRequest): boolean => {
    const asked = askedBy(sent, `/${facts.service}`);
    return asked !== undefined && concern(asked, sent.status);
  };
  let given: WireResponse | undefined;
  const filter = change.wrap(async () => responseOf(given as WireResponse), standingClock());
  return {
    concerns,
    async change({ method, url, headers, body, answer }) {
      useLightResponses();
      given = answer;
      const own = new URL(url);
      const inner = `${own.origin}${own.pathname.slice(facts.service.length + 1)}${own.search}`;
      const prefixed = [...headers, [PREFIX_HEADER, `/${facts.service}`] as const];
      const response = await filter(lightRequest(inner, method, prefixed, body));
      return wireOf(response, await response.text());
    },
  };
}

/** Makes an answer that went on the wire into a Response, so that it can be filtered. */
function responseOf({ status, headers, text }: WireResponse): Response {
  return new Response(text === '' ? null : text, { status, headers });
}

/** Makes a Response into an answer for the wire. */
function wireOf(response: Response, text: string): WireResponse {
  return {
    status: response.status,
    headers: headersOnWire(response),
    text,
    bytes: Buffer.byteLength(text),
  };
}

const asked = new WeakMap<SentRequest, AnsweredRequest>();

/**
 * Returns a request as the service behind a prefix sees it; undefined for a request to anything else, such as
 * a hook.
 */
function askedBy(sent: SentRequest, prefix: string): AnsweredRequest | undefined {
  const known = asked.get(sent);
  if (known) return known;
  const url = new URL(sent.url);
  if (!url.pathname.startsWith(`${prefix}/`)) return undefined;
  url.pathname = url.pathname.slice(prefix.length);
  const request = { method: sent.method, url, headers: new Headers(sent.headers), text: sent.body };
  asked.set(sent, request);
  return request;
}

function caseOf(id: string, fields: FieldRequirements): RunnableCase {
  const found = allCases(fields).get(id);
  if (found === undefined) throw new Error(`there is no case ${id}`);
  return found;
}
