/** Requests to the address endpoints of specification 1: where they go, and with which token. */
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Body } from '../../../lib/http/body.ts';
import type { AccessToken } from './oauth.ts';
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

/** Sends calls, each with a token of the run's pool unless it says otherwise. */
export class AddressCalls {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /**
   * Sends one call. Where a token of the pool is refused with 401 or 403, the call is repeated once with a
   * fresh token: the target may have ended the first one meanwhile, and section 7 does not show how it then
   * answers.
   */
  async send(call: AddressCall): Promise<Answer> {
    if (call.auth !== undefined && call.auth !== 'pool') return this.#send(call, call.auth);
    const pool = TokenPool.of(this.#session);
    const token = await pool.take();
    const answer = await this.#send(call, token, () => pool.shrink());
    if (answer.status !== 401 && answer.status !== 403) return answer;
    pool.drop(token);
    return this.#send(call, await pool.fresh());
  }

  #send(call: AddressCall, auth: Exclude<Auth, 'pool'>, onThrottled?: () => void): Promise<Answer> {
    const { baseUrl, headers } = this.#session.target.shipping!;
    const token = auth !== 'none' && 'pacer' in auth ? auth : undefined;
    const send = () =>
      this.#session.http.send({
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
