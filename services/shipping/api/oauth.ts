/** The OAuth endpoints of specification 1 (4.7 to 4.9), and the access tokens that the suites use. */

import type { CheckContext } from '../../../lib/check/context.ts';
import { perSession } from '../../../lib/check/per-run.ts';
import { type Reuse, shelfFor } from '../../../lib/check/reuse.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Body } from '../../../lib/http/body.ts';
import { originOf } from '../../../lib/http/origin.ts';
import { intervalFor, Pacer } from '../../../lib/http/pacer.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import type { Client } from '../cleanup/accounts.ts';
import { IssuedTokens } from '../cleanup/issued-tokens.ts';
import type { ShippingConfig } from '../configuration.ts';
import { paceOf } from './pace.ts';

export type { Client };

/** Parameters of a request to one of the OAuth endpoints; `undefined` leaves one out. */
export type Params = Record<string, string | undefined>;
export type Encoding = 'form' | 'json';
export type Endpoint = 'token' | 'revoke' | 'introspect';

/** An access token with the pacing that belongs to it. */
export interface AccessToken {
  value: string;
  pacer: Pacer;
  /** When it was issued, on the scale of `TargetTime.elapsed()`. */
  issuedAt: number;
  /** The token response that issued it. */
  answer: Answer;
}

const PURPOSE: Record<Endpoint, string> = {
  token: 'ask for an access token',
  revoke: 'revoke a token',
  introspect: 'introspect a token',
};

/** The kind of body for good requests until the target is seen to accept the other one. */
const FIRST_TRIED: Record<Endpoint, Encoding> = { token: 'form', revoke: 'json', introspect: 'json' };

/** The kind of body that each endpoint was seen to accept: a server may accept forms only, or JSON only. */
const acceptedEncodings = perSession(() => new Map<Endpoint, Encoding>());

/** Calls the OAuth endpoints, and notes the tokens that they issue or end. */
export class OAuth {
  readonly session: Session;
  readonly #reuse: Reuse | undefined;

  constructor(context: Pick<CheckContext, 'session'> & Partial<Pick<CheckContext, 'reuse'>>) {
    this.session = context.session;
    this.#reuse = context.reuse;
  }

  /** The configuration of the service; without it, the suites do not run. */
  get config(): ShippingConfig {
    return this.session.target.shipping as ShippingConfig;
  }

  /** The client that the suite works as. */
  get client(): Client {
    const { clientId, clientSecret } = this.config;
    return { clientId, clientSecret };
  }

  /** The second client; checks that use it need `shipping.secondClient`. */
  get secondClient(): Client {
    return this.config.secondClient as Client;
  }

  /** Returns the URL of an endpoint. */
  url(endpoint: Endpoint): string {
    return `${this.config.baseUrl}/api/v1/oauth/${endpoint}`;
  }

  /** Sends parameters to an endpoint, as a form or as JSON, and notes which tokens are issued or revoked. */
  async post(
    endpoint: Endpoint,
    params: Params,
    encoding: Encoding,
    purpose = PURPOSE[endpoint],
  ): Promise<Answer> {
    const tokens = IssuedTokens.of(this.session);
    const role = endpoint === 'token' ? tokens.announce(params.client_id, this) : undefined;
    for (const value of Object.values(params)) {
      if (endpoint === 'introspect' || value === undefined) continue;
      acceptedIn(this.session).delete(value);
      sentValuesIn(this.session).add(value);
    }
    const body: Body = encoding === 'form' ? { form: params } : { json: params };
    const answer = await this.session.http.send({
      method: 'POST',
      url: this.url(endpoint),
      purpose,
      issuesCredentials: endpoint === 'token',
      headers: { ...(this.config.headers as Record<string, string> | undefined) },
      body,
    });
    if (role) tokens.issued(role, answer);
    if (endpoint === 'revoke' && answer.ok && params.token !== undefined) tokens.revoked(params.token);
    return answer;
  }

  /** Revokes a token that is no longer needed, at the end of the run. The answer decides no verdict. */
  async end(token: string, client: Client): Promise<Answer> {
    const params = { ...credentials(client), token };
    return this.post('revoke', params, await this.encoding('revoke'), 'revoke a token of this run');
  }

  /** Introspects a token as this client, at the end of the run. */
  async introspectAs(client: Client, token: string, purpose: string): Promise<Answer> {
    const params = { ...credentials(client), token };
    return this.post('introspect', params, await this.encoding('introspect'), purpose);
  }

  /** Returns the kind of body that an endpoint is known to accept, or else the one to try first. */
  async encoding(endpoint: Endpoint): Promise<Encoding> {
    return acceptedEncodings(this.session).get(endpoint) ?? FIRST_TRIED[endpoint];
  }

  /**
   * Sends a good request in the kind of body that the endpoint accepts. Where that is not known yet and the
   * first kind is refused, the other is tried as well, and is used from then on if it is accepted.
   */
  async good(endpoint: Endpoint, params: Params, purpose?: string): Promise<Answer> {
    const taken = acceptedEncodings(this.session);
    const first = await this.encoding(endpoint);
    const answer = await this.post(endpoint, params, first, purpose);
    if (answer.ok) taken.set(endpoint, first);
    if (answer.ok || (taken.has(endpoint) && endpoint !== 'token')) return answer;
    const other = first === 'form' ? 'json' : 'form';
    const second = await this.post(endpoint, params, other, purpose);
    if (second.ok) taken.set(endpoint, other);
    return second.ok ? second : answer;
  }

  /**
   * Requests a token with client credentials. Returns the answer, whatever it is.
   *
   * @param params changes single parameters, or removes them where `undefined`
   */
  async request(params: Params = {}, encoding?: Encoding, purpose?: string): Promise<Answer> {
    return this.post(
      'token',
      { grant_type: 'client_credentials', ...credentials(this.client), ...params },
      encoding ?? (await this.encoding('token')),
      purpose,
    );
  }

  /**
   * Requests a fresh access token that nothing else uses: as a form, or as JSON where the target issues none
   * for a form. Throws `Blocked` when none is issued.
   */
  async issue(client: Client = this.client, params: Params = {}): Promise<AccessToken> {
    const all = { grant_type: 'client_credentials', ...credentials(client), ...params };
    const token = this.toToken(await this.good('token', all));
    if (client.clientId === this.client.clientId && Object.keys(params).length === 0)
      this.#reuse?.leave(pairs, token);
    return token;
  }

  /**
   * Requests two tokens for requests that are sent at the same time. Where the target issues one token twice, a
   * request with the second does not wait for one with the first: section 8 allows two a second.
   */
  async issueTwo(): Promise<[AccessToken, AccessToken]> {
    const [one, other] = [await this.issue(), await this.issue()];
    return [one, one.value === other.value ? { ...other, pacer: one.pacer.beside() } : other];
  }

  /** Returns the access token in a token response. Throws `Blocked` when the response has none. */
  toToken(answer: Answer): AccessToken {
    const value = answer.at('/access_token');
    if (!answer.ok || typeof value !== 'string' || value === '') {
      throw new Blocked(
        `no access token to be had: the token endpoint answered ${answer.status}`,
        'TOKEN-ISSUE-STATUS',
      );
    }
    return { value, pacer: this.#pacerOf(value), issuedAt: this.session.time.elapsed(), answer };
  }

  /** Returns the pacer of a token value: a service may issue the same token several times. */
  #pacerOf(token: string): Pacer {
    const { http, time } = this.session;
    const authorization = `Bearer ${token}`;
    const known = http.pacers.get(authorization);
    if (known) return known;
    const { rate, baseUrl } = this.config;
    const interval = rate?.unlimited ? 0 : intervalFor(rate?.perSecond ?? 2);
    const lead = () => http.roundTrips.leadMs(originOf(baseUrl));
    const pacer = new Pacer(time, interval, lead, () => paceOf(this.session).together);
    http.pacers.set(authorization, pacer);
    return pacer;
  }

  /** Introspects a token, in the kind of body that the endpoint accepts. */
  introspect(token: string, params: Params = {}, encoding?: Encoding, purpose?: string): Promise<Answer> {
    return this.about('introspect', token, params, encoding, purpose);
  }

  /**
   * Sends a request about a token. Where it is a good one with its usual parameters, it also shows which kind
   * of body the endpoint accepts.
   */
  protected async about(
    endpoint: 'revoke' | 'introspect',
    token: string,
    params: Params,
    encoding?: Encoding,
    purpose?: string,
  ): Promise<Answer> {
    const all = { ...credentials(this.client), token, ...params };
    if (encoding === undefined && Object.keys(params).length === 0) return this.good(endpoint, all, purpose);
    return this.post(endpoint, all, encoding ?? (await this.encoding(endpoint)), purpose);
  }
}

/** Access tokens that were requested in the usual way, for use of their refresh tokens. */
export const pairs = shelfFor<AccessToken>();

/** Every value that was sent as a parameter to one of the OAuth endpoints other than introspection. */
export const sentValuesIn = perSession(() => new Set<string>());

/**
 * By access token, the exchange that last showed that the token is accepted. An entry is deleted once the
 * token is sent to an OAuth endpoint other than introspection, which may have ended it.
 */
export const acceptedIn = perSession(() => new Map<string, string>());

/** Notes whether an answer to a request with a token shows that the token is accepted. */
export function noteSeen(session: Session, { value }: AccessToken, answer: Answer): void {
  if (answer.ok) acceptedIn(session).set(value, answer.exchange.id);
  else acceptedIn(session).delete(value);
}

/**
 * Tokens that were named in a revocation, or whose refresh token a check has taken. A service may issue the
 * same token several times, so every check that holds one may have lost it.
 */
export const endedIn = perSession(() => new Set<string>());

/** Returns the two parameters that authenticate a client (4.7). */
export function credentials(client: Client): { client_id: string; client_secret: string } {
  return { client_id: client.clientId, client_secret: client.clientSecret };
}
