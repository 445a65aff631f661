/** The registration endpoint (endpoint 3): its address, and every single request to it. */

import type { CheckContext } from '../../../lib/check/context.ts';
import { perRunOf } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Body } from '../../../lib/http/body.ts';
import type { Call } from '../../../lib/http/client.ts';
import { isThrottled } from '../../../lib/http/throttling.ts';
import { Skipped, Undecided } from '../../../lib/model/verdict.ts';
import { idJag } from '../../../schemas/agents/index.ts';
import { MadeRegistrations } from '../cleanup/made-registrations.ts';
import { Discovery } from '../fixtures/discovery.ts';
import { codeOf, isListed } from '../judging/error-codes.ts';
import { type AttemptBudget, Attempts, inWords, ThrottledUser, UsedUp } from './attempts.ts';
import { noteUse } from './delivered-twice.ts';
import { headersFor } from './headers.ts';

/** The four fields of a registration, each with any JSON value; `undefined` leaves a field out. */
export type Fields = Record<string, unknown>;

/** Returns the fields of a good registration with this assertion. */
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
  /** What the attempt is counted as; `counted` where several requests were already counted together. */
  budget?: AttemptBudget | 'counted';
  /** Further headers. */
  headers?: Record<string, string>;
  /** Another address than the run's registration endpoint. */
  url?: string;
  /**
   * With `answer`, a gateway's error is an answer like any other: in a burst, the service itself may have
   * answered other requests.
   */
  gatewayErrors?: 'undecided' | 'answer';
  /** Sent to see whether another registration that was throttled is the only one: once, without waiting. */
  isProbe?: boolean;
  /**
   * Makes the body anew, with a newly minted assertion, for a registration that is sent again after it was
   * throttled: a limiter behind the replay store has used up the first one. Without it the same body is sent, and
   * `replay_detected` is undecided then.
   */
  renewed?: () => Promise<Body>;
  /** Set where `replay_detected` is looked for, even of what is sent again. */
  isReplay?: boolean;
  /** Called before the registration is sent again. */
  whenResent?: () => void;
}

/** How often a throttled registration is sent again. */
const THROTTLE_RETRIES = 6;

/** Finds the registration endpoint of a target and sends requests to it. */
export class Endpoint {
  readonly session: Session;
  readonly discovery: Discovery;
  readonly attempts: Attempts;

  constructor(context: Pick<CheckContext, 'session'>) {
    this.session = context.session;
    this.discovery = new Discovery(context);
    this.attempts = Attempts.of(context.session);
  }

  /** The registrations that the run has made, for the end of the run and for its journal. */
  get made(): MadeRegistrations {
    return MadeRegistrations.of(this.session);
  }

  /**
   * Whether the run may register at all: that needs the effect `write`, since a registration cannot be
   * undone.
   */
  get mayPost(): boolean {
    return this.session.options.effects.includes('write');
  }

  /**
   * Sends one request, which counts as an attempt. Throws `Skipped` when no more attempts, no registrations
   * at all, or no requests to this address are allowed, and `Undecided` when the target throttles.
   */
  async post(posting: Posting): Promise<Answer> {
    const { purpose, body, budget = 'required', headers, url, gatewayErrors, isProbe } = posting;
    const to = url ?? (await this.url());
    if (!this.mayPost)
      throw new Skipped('effects `write` are off for this run, so that nothing is registered');
    this.discovery.origins.require(to);
    if (budget !== 'counted') this.attempts.take(budget);
    const noteAnswer = noteUse(this.session, this.#hideAssertion(body));
    const { made } = this;
    made.announce();
    const call: Call = {
      method: 'POST',
      url: to,
      purpose,
      headers: headersFor(this.discovery.config, headers),
      body,
      throttled: 'answer',
      issuesCredentials: true,
      ...(gatewayErrors && { gatewayErrors }),
    };
    const answer = await (isProbe ? this.session.http.send(call) : this.#unthrottled(call, posting));
    made.answered(answer);
    noteAnswer(answer, codeOf(answer));
    if (!isThrottled(answer)) return answer;
    if (!isProbe && (await this.attempts.isOnlySome(this.registersAnother)))
      throw new ThrottledUser(
        `${purpose}: the target throttles this (${inWords(answer)}), and registers another user meanwhile`,
      );
    return this.attempts.stop(answer);
  }

  /** Whether a new user is registered. Set by what makes good registrations. */
  registersAnother: () => Promise<boolean> = async () => false;

  /**
   * Sends a call, and again for as long as the target throttles and waiting may help. Returns the last
   * answer. Throws `UsedUp` where the same assertion was sent again and its `jti` had been used up.
   */
  async #unthrottled(call: Call, { renewed, isReplay, whenResent }: Posting): Promise<Answer> {
    await this.attempts.whileOthersRest();
    let answer = await this.session.http.send(call);
    if (this.session.http.recorder.hasLanes && !isThrottled(answer)) this.attempts.served();
    let tries = 0;
    for (; isThrottled(answer) && tries < THROTTLE_RETRIES; tries += 1) {
      if (!(await this.attempts.rest(answer, tries))) break;
      whenResent?.();
      const body = (await renewed?.()) ?? (call.body as Body);
      this.#hideAssertion(body);
      answer = await this.session.http.send({ ...call, body });
      if (!isThrottled(answer)) this.attempts.served();
    }
    if (tries > 0 && !renewed && !isReplay && codeOf(answer) === 'replay_detected')
      throw new UsedUp(
        `${call.purpose}: the target throttled this, and has used up its assertion all the same`,
      );
    return answer;
  }

  /**
   * Registers the assertion of a body as a secret, even where it was altered: an issuer that the target
   * trusts has signed it, and it may stay valid for a while.
   * @returns the assertion
   */
  #hideAssertion(body: Body): string | undefined {
    const { secrets } = this.session;
    const raw = 'raw' in body ? body.raw : '';
    const { assertion = /"(eyJ[^"]*)"/.exec(raw)?.[1] } = (('json' in body && body.json) || {}) as Fields;
    if (typeof assertion !== 'string' || !assertion.includes('eyJ')) return undefined;
    secrets.add(assertion, 'assertion');
    return assertion;
  }

  /**
   * The address of the registration endpoint, for all checks that do not name one: `register_uri` from
   * discovery. Where nothing there answers like a registration endpoint, it is the documented path, so that a
   * wrong address in the metadata fails only the requirement about that address.
   */
  readonly url = perRunOf(this, 'agents: registration endpoint', async (): Promise<string> => {
    const urls = await this.discovery.registerUrls();
    if (urls.length === 1) return urls[0] as string;
    for (const url of urls) {
      const answer = await this.probe(url).catch((error: unknown) => {
        if (!(error instanceof Undecided)) throw error;
        return undefined;
      });
      if (answer && speaksRegistration(answer)) return url;
    }
    return urls[0] as string;
  });

  /** Sends a registration with truncated JSON to an address, once in a run for each address. */
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

/** How the JSON of a registration is written, and what its `Content-Type` says. */
export interface Writing {
  /** With escapes (RFC 8259 7), white space, and the members in another order. */
  escaped?: boolean | undefined;
  /** With a charset in its `Content-Type`, which changes nothing (RFC 8259 11). */
  charset?: boolean | undefined;
}

/** Returns the fields as a JSON body. */
export function jsonOf(fields: Fields, { escaped, charset }: Writing): Body {
  if (!escaped && !charset) return { json: fields };
  const raw = escaped ? escapedJson(fields) : JSON.stringify(fields);
  return { raw, type: charset ? 'application/json; charset=utf-8' : 'application/json' };
}

function escapedJson(fields: Fields): string {
  const members = Object.entries(fields)
    .reverse()
    .map(([name, value]) => {
      // The assertion is not escaped, so that redaction recognises it.
      const text = JSON.stringify(value);
      return `\t${escapedText(JSON.stringify(name))} :\r\n ${name === 'assertion' ? text : escapedText(text)}`;
    });
  return `\n{${members.join(' ,\n')}\n}\n`;
}

/** Returns a JSON string with its first letter written as an escape. */
function escapedText(json: string): string {
  return json.replace(/^"([a-z])/, (_, letter: string) => `"\\u00${letter.charCodeAt(0).toString(16)}`);
}

/** Returns JSON without its last character, which only a lenient parser accepts. */
export function brokenOff(fields: Fields): Body {
  return { raw: JSON.stringify(fields).slice(0, -1), type: 'application/json' };
}

/**
 * Returns whether an answer looks like that of a registration endpoint: a success, or a refusal with a code
 * of section 7.
 */
function speaksRegistration(answer: Answer): boolean {
  return answer.ok || isListed(codeOf(answer) ?? '');
}
