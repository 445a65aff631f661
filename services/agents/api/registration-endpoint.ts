/** The registration endpoint (endpoint 3): where it is, and every single request to it. */

import type { CheckContext } from '../../../lib/check/context.ts';
import { perRunOf } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Body } from '../../../lib/http/body.ts';
import { type Call, isThrottled } from '../../../lib/http/client.ts';
import { Skipped } from '../../../lib/model/verdict.ts';
import { idJag } from '../../../schemas/agents/index.ts';
import { MadeRegistrations } from '../cleanup/made-registrations.ts';
import { Discovery } from '../fixtures/discovery.ts';
import { codeOf, isListed } from '../judging/error-codes.ts';
import { type AttemptBudget, Attempts } from './attempts.ts';
import { headersFor } from './headers.ts';

/** The four fields of a registration, as some JSON value each; `undefined` leaves one out. */
export type Fields = Record<string, unknown>;

/** The fields of a good registration. */
export function fieldsWith(assertion: unknown): Fields {
  return {
    type: 'identity_assertion',
    assertion_type: idJag,
    assertion,
    requested_credential_type: 'api_key',
  };
}

/** How one request to the endpoint is sent. */
export interface Posting {
  purpose: string;
  body: Body;
  /** What the attempt is counted as; `counted` when that has been done, for several at once. */
  budget?: AttemptBudget | 'counted';
  /** Another address than the run's registration endpoint. */
  url?: string;
  /** What is answered by a gateway is an answer here: others of a burst were answered by the service. */
  gatewayErrors?: 'undecided' | 'answer';
}

/** So often a throttled registration is sent again. */
const THROTTLE_RETRIES = 3;

export class Endpoint {
  readonly session: Session;
  readonly discovery: Discovery;
  readonly attempts: Attempts;

  constructor(context: Pick<CheckContext, 'session'>) {
    this.session = context.session;
    this.discovery = new Discovery(context);
    this.attempts = Attempts.of(context.session);
  }

  /** The registrations of the run, for its end and its journal. */
  get made(): MadeRegistrations {
    return MadeRegistrations.of(this.session);
  }

  /** Whether the run may register at all: a registration cannot be undone. */
  get mayPost(): boolean {
    return this.session.options.effects.includes('write');
  }

  /**
   * Sends one request, which counts as an attempt. Throws `Skipped` when no more may be made and `Undecided`
   * when the target throttles.
   */
  async post({ purpose, body, budget = 'required', url, gatewayErrors }: Posting): Promise<Answer> {
    const to = url ?? (await this.url());
    if (!this.mayPost)
      throw new Skipped('effects `write` are off for this run, so that nothing is registered');
    this.discovery.origins.require(to);
    if (budget !== 'counted') this.attempts.take(budget);
    this.#hideAssertion(body);
    const { made } = this;
    made.announce();
    const answer = await this.#unthrottled({
      method: 'POST',
      url: to,
      purpose,
      headers: headersFor(this.discovery.config),
      body,
      throttled: 'answer',
      issuesCredentials: true,
      ...(gatewayErrors && { gatewayErrors }),
    });
    made.answered(answer);
    if (isThrottled(answer)) this.attempts.stop(answer);
    return answer;
  }

  /** The answer once the target does not throttle any more; the last one where waiting does not help. */
  async #unthrottled(call: Call): Promise<Answer> {
    let answer = await this.session.http.send(call);
    for (let tries = 0; isThrottled(answer) && tries < THROTTLE_RETRIES; tries += 1) {
      const ms = this.attempts.restFor(answer);
      if (ms === undefined) break;
      this.session.http.recorder.disturbances.noteResent(answer.exchange);
      // What stands in front of a service may count by another clock than the one that the hook moves.
      await (tries === 0 ? this.session.time.wait(ms) : this.session.time.rest(ms));
      answer = await this.session.http.send(call);
    }
    return answer;
  }

  /** Signed by someone whom the target trusts, and often good for a while: also where it was changed. */
  #hideAssertion(body: Body): void {
    const { secrets } = this.session;
    const raw = 'raw' in body ? body.raw : '';
    const { assertion = /"(eyJ[^"]*)"/.exec(raw)?.[1] } = (('json' in body && body.json) || {}) as Fields;
    if (typeof assertion === 'string' && assertion.includes('eyJ')) secrets.add(assertion, 'assertion');
  }

  /**
   * The address that is used from discovery on: `register_uri`. Where nothing there answers like a registration
   * endpoint, the documented path, so that a wrong address in the metadata is blamed for that alone.
   */
  readonly url = perRunOf(this, 'agents: registration endpoint', async (): Promise<string> => {
    const urls = await this.discovery.registerUrls();
    if (urls.length === 1) return urls[0] as string;
    for (const url of urls) if (speaksRegistration(await this.probe(url))) return url;
    return urls[0] as string;
  });

  /** The answer of an address to a registration whose JSON breaks off; asked once for each address. */
  readonly probe = perRunOf(
    this,
    'agents: malformed registration',
    async (url: string): Promise<Answer> =>
      this.post({
        purpose: 'register with JSON that breaks off',
        body: brokenOff(fieldsWith('not.an.assertion')),
        url,
      }),
  );
}

/** How the JSON of a registration is written, and what is said of it. */
export interface Writing {
  /** With escapes (RFC 8259 7), white space, and the members in another order. */
  escaped?: boolean | undefined;
  /** With a charset in its `Content-Type`, which changes nothing (RFC 8259 11). */
  charset?: boolean | undefined;
}

/** The fields as a JSON body. */
export function jsonOf(fields: Fields, { escaped, charset }: Writing): Body {
  if (!escaped && !charset) return { json: fields };
  const raw = escaped ? escapedJson(fields) : JSON.stringify(fields);
  return { raw, type: charset ? 'application/json; charset=utf-8' : 'application/json' };
}

function escapedJson(fields: Fields): string {
  const members = Object.entries(fields)
    .reverse()
    .map(([name, value]) => {
      // An assertion stays as it is, so that it is recognised where secrets are taken out.
      const text = JSON.stringify(value);
      return `\t${escapedText(JSON.stringify(name))} :\r\n ${name === 'assertion' ? text : escapedText(text)}`;
    });
  return `\n{${members.join(' ,\n')}\n}\n`;
}

/** A JSON text whose first letter is an escape. */
function escapedText(json: string): string {
  return json.replace(/^"([a-z])/, (_, letter: string) => `"\\u00${letter.charCodeAt(0).toString(16)}`);
}

/** JSON that lacks its last character: only a parser that is too kind takes it. */
export function brokenOff(fields: Fields): Body {
  return { raw: JSON.stringify(fields).slice(0, -1), type: 'application/json' };
}

/** Refuses in the form of section 2, or takes what it is given. */
function speaksRegistration(answer: Answer): boolean {
  return answer.ok || isListed(codeOf(answer) ?? '');
}
