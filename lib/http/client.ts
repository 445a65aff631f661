import type { RunOptions } from '../config/types.ts';
import { messageOf } from '../model/message-of.ts';
import type { Exchange } from '../model/results.ts';
import { Skipped, Undecided } from '../model/verdict.ts';
import { Answer } from './answer.ts';
import type { Body } from './body.ts';
import { Budget } from './budget.ts';
import { Changes } from './changes.ts';
import { GATEWAY_ERRORS } from './doubt.ts';
import { Evidence } from './evidence.ts';
import type { OnLook } from './looks.ts';
import { originOf } from './origin.ts';
import type { Pacer } from './pacer.ts';
import { prepareRequest } from './prepare-request.ts';
import { readAgainWhileInDoubt } from './read-until-sure.ts';
import { Recorder } from './recorder.ts';
import { RoundTrips } from './round-trips.ts';
import { Settling } from './settling.ts';
import { GivenUp, isThrottled, retryAfterMs, Slowness } from './throttling.ts';
import type { Transport, WireResponse } from './transport.ts';
import { UnresponsiveTargets } from './unresponsive-targets.ts';

/** One request that a check wants sent. */
export interface Call {
  method: string;
  /** An absolute URL. */
  url: string;
  /** A few words for the report: `create an address`. */
  purpose: string;
  /** The name of the hook that it calls, where it calls one. */
  hook?: string;
  headers?: Record<string, string | undefined>;
  body?: Body;
  /** The answer issues credentials: whatever looks like one in it is redacted. */
  issuesCredentials?: boolean;
  /**
   * What to do when the target throttles (429, or 503 with Retry-After): wait and try again (default), or
   * return the answer to the check, which is then about throttling.
   */
  throttled?: 'retry' | 'answer';
  /** Called when the target throttles, before the next try. */
  onThrottled?: () => void;
  /**
   * Whether 502, 503 and 504 make the call undecided (default), are returned to the check, or (`lasting`) are
   * returned when they recur after a pause, and from then on at once.
   */
  gatewayErrors?: 'undecided' | 'answer' | 'lasting';
  /** Whether the body of the answer need not be text: nobody looks at it. By default it has to be. */
  anyBody?: boolean;
  /** In milliseconds; default: the timeout of the run. */
  timeoutMs?: number;
  /** The request is counted but not recorded: a call of the clock hook for the sake of pacing. */
  quiet?: boolean;
}

/** How the client lets time pass on the target; `TargetTime` implements it. */
export interface Pauses {
  /** Returns the target's time, in milliseconds since the epoch. */
  now(): number;
  /** Lets `ms` pass on the target's clock. */
  wait(ms: number): Promise<void>;
  /** Waits for `ms` in real time. */
  rest(ms: number): Promise<void>;
  /** Records that `ms` passed on the target without passing here. */
  spend(ms: number): void;
}

/** How often a throttled request is tried again; half as often after each one in a row that was given up. */
const THROTTLE_RETRIES = 4;
/** Longest wait for a gateway; and, in real time, for a limiter whose clock the hook does not move. */
const LONGEST_REST_MS = 10_000;
/** For calls that are `quiet`, nothing is recorded. */
const UNNOTED = { facts: {}, ended: () => {} };

/**
 * Sends requests and records them. Throws `Undecided` for what does not show whether the target conforms: no
 * answer, a gateway's error, or throttling that waiting does not end.
 */
export class HttpClient {
  readonly recorder = new Recorder();
  readonly budget: Budget;
  /** Makes requests that follow a change wait until reads show it. */
  readonly settling: Settling;
  /** The least time that requests take, which pacing relies on. */
  readonly roundTrips = new RoundTrips();
  /** The pacers of credentials with a rate, by the value of `Authorization`; see `sendPaced`. */
  readonly pacers = new Map<string, Pacer>();
  /** Set by the session, since each of the two needs the other. */
  time!: Pauses;
  /** Returns what is called with each part of the answer that a check reads. Only the proof sets it. */
  watch: ((exchange: Exchange) => OnLook) | undefined;
  readonly #evidence = new Evidence();
  readonly #changes = new Changes();
  readonly #transport: Transport;
  readonly #timeoutMs: number;
  readonly #unresponsive = new UnresponsiveTargets((ms) => this.time.rest(ms));
  readonly #slowness = new Slowness();
  readonly #givenUp = new GivenUp();
  /** Requests whose answers have not arrived yet. */
  readonly #underWay = new Set<Promise<unknown>>();
  /** Origins where a gateway's error recurred after a pause. */
  readonly #lasting = new Set<string>();
  /** How many requests had been sent before it was begun to undo what the run made. */
  #sentBeforeUndoing: number | undefined;

  constructor(
    transport: Transport,
    options: Pick<RunOptions, 'timeoutMs' | 'settleMs' | 'maxRequests' | 'maxTimeMs' | 'sentBefore'>,
  ) {
    this.#transport = transport;
    this.settling = new Settling(options.settleMs ?? 0);
    this.budget = new Budget(options);
    this.#timeoutMs = options.timeoutMs;
  }

  /** Returns how many requests are kept back for cleaning up. Set by the session. */
  reserved: () => number = () => 0;

  /** Why no further request may be sent; `undefined` while one may. */
  get spent(): string | undefined {
    return this.budget.spent(this.recorder.count + this.reserved());
  }

  /**
   * From now on, requests undo what a run made: they have no limit, and reads are sent again while their answers are
   * in doubt.
   */
  beginUndoing(): void {
    this.budget.lift();
    this.#sentBeforeUndoing = this.recorder.count;
  }

  /** How many requests undid what the run made. */
  get undoing(): number {
    return this.recorder.count - (this.#sentBeforeUndoing ?? this.recorder.count);
  }

  /** Sends a call like an earlier request, whose headers it has, when the rate of its credentials allows one. */
  sendPaced(call: Call): Promise<Answer> {
    const pacer = this.pacers.get(call.headers?.authorization ?? '');
    return pacer ? pacer.run(() => this.send(call)) : this.send(call);
  }

  /** Sends a call; see `Call` for what is retried. A redirect is returned like any answer, not followed. */
  send(call: Call): Promise<Answer> {
    const send = () => this.#sendUntilServed(call);
    const isSentAgain = this.#sentBeforeUndoing !== undefined && call.method === 'GET';
    return isSentAgain ? readAgainWhileInDoubt(this.recorder, send, (ms) => this.time.rest(ms)) : send();
  }

  async #sendUntilServed(call: Call): Promise<Answer> {
    const origin = originOf(call.url);
    for (let attempt = 0; ; attempt += 1) {
      if (call.throttled !== 'answer' && this.#slowness.of(origin) > 0) await this.#slowly(origin);
      const answer = await this.#sendOnce(call);
      if (call.gatewayErrors === 'lasting' && GATEWAY_ERRORS.includes(answer.status)) {
        if (attempt > 0) this.#lasting.add(origin);
        if (this.#lasting.has(origin)) return answer;
        await this.time.wait(Math.min(retryAfterMs(answer, this.time.now()) ?? 1_000, LONGEST_REST_MS));
        continue;
      }
      const throttled = isThrottled(answer);
      if (!throttled) {
        this.#givenUp.served(call.url, answer.ok || attempt > 0);
        this.#slowness.served(origin);
      }
      if (!throttled || call.throttled === 'answer') return this.#judge(call, answer);
      const givenUp = this.#givenUp.of(call.url);
      if (attempt >= THROTTLE_RETRIES >> givenUp) {
        this.#givenUp.another(call.url);
        throw new Undecided(
          `${call.purpose}: the target kept throttling (${answer.status}) although requests were paced`,
        );
      }
      const toldMs = retryAfterMs(answer, this.time.now());
      const waitMs = toldMs ?? 1_000 * 2 ** attempt;
      if (waitMs > 60_000)
        throw new Undecided(
          `${call.purpose}: the target throttles for another ${Math.ceil(waitMs / 1000)} s`,
        );
      this.roundTrips.distrust(origin);
      call.onThrottled?.();
      this.recorder.disturbances.noteResent(answer.exchange);
      // A limiter in front of the service may use another clock than the one that the hook moves.
      const isLast = attempt === THROTTLE_RETRIES - 1;
      const inVain = attempt > 0 && givenUp === 0 && (toldMs !== undefined || isLast);
      if (attempt > 0 && toldMs === undefined) this.#slowness.refused(origin);
      if (inVain && waitMs <= LONGEST_REST_MS && !this.#transport.moveClock) await this.time.rest(waitMs);
      else await this.time.wait(waitMs);
    }
  }

  /** Rests in real time before a request to a target that keeps saying "too fast", and not until when. */
  async #slowly(origin: string): Promise<void> {
    if (!this.#transport.moveClock) await this.time.rest(this.#slowness.of(origin));
  }

  #judge(call: Call, answer: Answer): Answer {
    if (call.gatewayErrors !== 'answer' && GATEWAY_ERRORS.includes(answer.status)) {
      throw new Undecided(`${call.purpose}: a gateway answered ${answer.status} in the service's place`);
    }
    return answer;
  }

  async #sendOnce(call: Call): Promise<Answer> {
    const origin = originOf(call.url);
    const withheld = await this.#unresponsive.reasonToWithhold(origin);
    if (withheld !== undefined) throw new Undecided(withheld);
    const { spent } = this;
    if (spent !== undefined) {
      this.recorder.cutShort();
      throw new Skipped(spent);
    }
    const settles = !call.quiet && call.throttled !== 'answer';
    if (settles) await this.settling.wait((ms) => this.time.rest(ms));
    const { headers, wire } = prepareRequest(call);
    const { facts, ended } = call.quiet ? UNNOTED : this.recorder.sends();
    const exchange: Exchange = {
      id: this.recorder.nextId(),
      purpose: call.purpose,
      startedAt: new Date().toISOString(),
      durationMs: 0,
      ...(call.hook !== undefined && { hook: call.hook }),
      ...facts,
      request: {
        method: call.method,
        url: call.url,
        headers,
        ...(wire && { body: this.#evidence.of(wire.body, Buffer.byteLength(wire.bytes ?? wire.body)) }),
      },
    };
    const started = performance.now();
    const sending = this.#transport.send({
      method: call.method,
      url: call.url,
      headers,
      ...wire,
      timeoutMs: call.timeoutMs ?? this.#timeoutMs,
      mostBytes: this.#evidence.mostBytes,
      // In a check about throttling, a request that was sent twice would count twice against the rate.
      resend: call.method === 'GET' && call.throttled !== 'answer',
      isHook: call.hook !== undefined,
    });
    this.#underWay.add(sending);
    let response: WireResponse;
    try {
      response = await sending;
    } catch (error) {
      if (settles) this.settling.note(call.method);
      const message = messageOf(error);
      exchange.error = message;
      exchange.durationMs = performance.now() - started;
      this.recorder.keep(exchange, { quiet: call.quiet });
      // A limiter may drop connections that come too fast; that does not make the target gone.
      if (call.throttled !== 'answer') this.#unresponsive.unanswered(origin, message);
      throw new Undecided(`${call.purpose}: ${call.method} ${call.url} got no answer: ${message}`);
    } finally {
      ended();
      this.#underWay.delete(sending);
    }
    if (settles) this.settling.note(call.method);
    const { simulatedMs = 0 } = response;
    if (simulatedMs > 0) this.time.spend(simulatedMs);
    exchange.durationMs = performance.now() - started + simulatedMs;
    this.#unresponsive.answered(origin);
    this.roundTrips.note(origin, exchange.durationMs);
    exchange.response = {
      status: response.status,
      headers: response.headers,
      body: this.#evidence.of(response.text, response.bytes),
    };
    const { damage } = response;
    if (damage !== undefined && !call.anyBody) exchange.error = `the body of the answer: ${damage}`;
    this.recorder.keep(exchange, { issues: call.issuesCredentials, quiet: call.quiet });
    if (exchange.error !== undefined)
      throw new Undecided(`${call.purpose}: ${call.method} ${call.url}: ${exchange.error}`);
    return this.#changes.note(new Answer(exchange, response.status, response.text, this.watch?.(exchange)));
  }

  /** Refuses every further request; resolves once those under way were answered or given up. */
  async stop(reason: string): Promise<void> {
    this.budget.stop(reason);
    await Promise.allSettled(this.#underWay);
  }

  /** Closes every connection. */
  close(): Promise<void> {
    return this.#transport.close();
  }
}
