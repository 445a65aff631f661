/** Requests to the address endpoints of specification 1: where they go, and with which token. */
import { perRunOf } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Body } from '../../../lib/http/body.ts';
import { type AccessToken, noteSeen } from './oauth.ts';
import { paceOf } from './pace.ts';
import { TokenPool } from './token-pool.ts';

/** How a call authenticates: with a token of the pool (default), one token, a raw value, or not at all. */
export type Auth = 'pool' | 'none' | AccessToken | { raw: string };

/** One call to an address endpoint. */
export interface AddressCall {
  method: string;
  /** What follows `/api/v1/address_templates` in the URL. */
  path?: string;
  /** An absolute URL of the service, which takes the place of `path`. */
  url?: string;
  purpose: string;
  body?: Body;
  auth?: Auth;
  /** These replace the usual headers; `undefined` removes one. */
  headers?: Record<string, string | undefined>;
  throttled?: 'retry' | 'answer';
}

/** Two answers within this time, in milliseconds, were not held back for the rate. */
const PROMPT_MS = 400;

/** How often a call is sent with another token, at most. */
const RENEWALS = 4;

/** Whether the token of a call was accepted, whatever became of the call. */
const isAdmitted = ({ status }: Answer): boolean => status !== 401 && status !== 403;

/** Whether a call is made with a token that is paced. */
const hasPacer = (auth: Auth): auth is AccessToken => typeof auth === 'object' && 'pacer' in auth;

/** Sends calls, each with a token of the run's pool unless it says otherwise. */
export class AddressCalls {
  readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /**
   * Sends one call. Where a token of the pool is refused with 401 or 403, the call is repeated with a fresh token:
   * the target may have ended the first one meanwhile, and section 7 does not show how it then answers.
   */
  async send(call: AddressCall): Promise<Answer> {
    const { auth = 'pool' } = call;
    const pace = paceOf(this.session);
    if (!pace.isKnown && this.#hasToWait(auth)) await this.#learnPace();
    const slower = () => {
      pace.together = 1;
    };
    if (auth !== 'pool') return this.#send(call, auth, slower);
    const pool = TokenPool.of(this.session);
    const token = await pool.take();
    // First the requests of each token come evenly, and if that does not help, all with one token.
    const answer = await this.#send(call, token, () => (pace.together > 1 ? slower() : pool.shrink()));
    if (isAdmitted(answer)) {
      if (answer.ok) noteSeen(this.session, token, answer);
      return answer;
    }
    return this.#sendAnew(call, token, RENEWALS);
  }

  /** Sends a call with another token of the pool than the one that was refused. */
  async #sendAnew(call: AddressCall, refused: AccessToken, times: number): Promise<Answer> {
    const pool = TokenPool.of(this.session);
    const token = await pool.instead(refused);
    const answer = await this.#send(call, token);
    // Where each token ends the earlier ones, one that was issued for another request at the same time ended it.
    if (isAdmitted(answer) || times === 1 || pool.isLatest(token)) return answer;
    return this.#sendAnew(call, token, times - 1);
  }

  /** Whether a call has to wait, or to ask for another token, as long as requests come evenly. */
  #hasToWait(auth: Auth): boolean {
    const tokens = auth === 'pool' ? TokenPool.of(this.session).tokens : hasPacer(auth) ? [auth] : [];
    const now = this.session.time.elapsed();
    return tokens.length > 0 && tokens.every(({ pacer }) => pacer.freeAt > now);
  }

  /**
   * Sends two requests at once, and notes whether both are served without a delay. Where the clock is not moved,
   * or nothing is paced, requests in pairs would gain nothing.
   */
  readonly #learnPace = perRunOf(this, 'shipping: two requests at once', async (): Promise<void> => {
    const { time, target } = this.session;
    const pace = paceOf(this.session);
    if (time.movable && !target.shipping?.rate?.unlimited) {
      const token = await TokenPool.of(this.session).take();
      const purpose = 'list addresses, two at once';
      const call = { method: 'GET', path: '?per_page=1', purpose, throttled: 'answer' } as const;
      await token.pacer.ready();
      const started = time.elapsed();
      const answers = await Promise.all([this.#send(call, token), this.#send(call, token)]).catch(() => []);
      const isPrompt = time.elapsed() - started < PROMPT_MS;
      if (isPrompt && answers.length > 0 && answers.every(({ ok }) => ok)) pace.together = 2;
    }
    pace.isKnown = true;
  });

  #send(call: AddressCall, auth: Exclude<Auth, 'pool'>, onThrottled?: () => void): Promise<Answer> {
    const { baseUrl, headers } = this.session.target.shipping!;
    const token = hasPacer(auth) ? auth : undefined;
    const send = () =>
      this.session.http.send({
        method: call.method,
        url: call.url ?? `${baseUrl}/api/v1/address_templates${call.path ?? ''}`,
        purpose: call.purpose,
        headers: {
          'content-type': 'application/json',
          ...(headers as Record<string, string> | undefined),
          ...(auth !== 'none' && { authorization: `Bearer ${'raw' in auth ? auth.raw : auth.value}` }),
          ...call.headers,
        },
        ...(call.body && { body: call.body }),
        throttled: call.throttled ?? 'retry',
        ...(call.throttled === 'answer' && { gatewayErrors: 'answer' as const }),
        ...(onThrottled && { onThrottled }),
      });
    // Where the rate itself is under test, requests are not paced.
    return token && call.throttled !== 'answer'
      ? token.pacer.run(send)
      : send().finally(() => token?.pacer.used(false));
  }
}
