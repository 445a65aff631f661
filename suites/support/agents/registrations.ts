/** Registrations that ought to succeed: the twins of everything that is refused, and the fixtures of most checks. */
import type { CheckContext } from '../../../lib/check/context.ts';
import type { Session } from '../../../lib/check/session.ts';
import { Blocked, Skipped } from '../../../lib/check/verdict.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Assertion, Changes, IdentityProvider, Subject } from '../../../lib/idp/identity-provider.ts';
import type { Purse } from './attempts.ts';
import { codeOf } from './codes.ts';
import { Endpoint, fieldsWith } from './endpoint.ts';
import { canSign, identityProvider, Users } from './provider.ts';
import { scrape } from './scrape.ts';

/** One registration that was tried with an assertion. */
export interface Registration {
  user: Subject;
  assertion: Assertion;
  answer: Answer;
  /** The key; `undefined` when none came. */
  key: string | undefined;
}

/** How a registration is made. */
export interface Making {
  user?: Subject;
  changes?: Changes;
  purse?: Purse;
  url?: string;
  audience?: string;
}

/** The second registration of a user, and what lies around it. */
export interface Again {
  /** Two registrations of one user; the second one may have been refused. */
  first: Registration;
  second: Registration;
  /** One whose assertion had a minute left; `undefined` when that could not be told apart. */
  shortly: Registration | undefined;
  /** One whose assertion has every character of base64url in its payload; `undefined` likewise. */
  lettered: Registration | undefined;
  /** The first one after `replay_detected`, for the same user; `undefined` when that could not be told apart. */
  afterReplay: Registration | undefined;
}

const WEEKS_MS = 40 * 86_400_000;
/**
 * A claim that says nothing here (RFC 7519 4 has it ignored). In base64url its text gives `-` and `_`, wherever the
 * groups of three bytes begin; a decoder for plain base64 knows neither.
 */
const LETTERS = { name: 'Zoë ~~~???' };
/** Age at which an assertion has a minute left, in seconds. */
const MINUTE_LEFT = 240;
/** Rest before a second try after `server_error`, which is to be retried with backoff (section 7). */
const BACKOFF_MS = 1_000;

export class Registrations {
  readonly session: Session;
  readonly endpoint: Endpoint;
  readonly users: Users;

  constructor(context: Pick<CheckContext, 'session'>) {
    this.session = context.session;
    this.endpoint = new Endpoint(context);
    this.users = Users.of(context.session);
  }

  /** Whether valid assertions can be had at all. */
  get canSign(): boolean {
    return canSign(this.session);
  }

  /** The identity provider. Throws `Skipped` where there is none. */
  provider(): Promise<IdentityProvider> {
    return identityProvider(this.session);
  }

  /** Registers a user with a fresh assertion, changed as told; once more after `server_error`. */
  async register(purpose: string, making: Making = {}): Promise<Registration> {
    const made = await this.#once(purpose, making);
    if (made.answer.status !== 500 || codeOf(made.answer) !== 'server_error') return made;
    await this.session.time.wait(BACKOFF_MS);
    return this.#once(`${purpose} again after server_error`, { ...making, user: made.user });
  }

  async #once(
    purpose: string,
    { user = this.users.next(), changes, purse, url, audience }: Making,
  ): Promise<Registration> {
    const provider = await this.provider();
    const assertion = await provider.mint(user, audience ?? (await this.audience()), changes);
    const answer = await this.endpoint.post({
      purpose,
      body: { json: fieldsWith(assertion.token) },
      ...(purse && { purse }),
      ...(url !== undefined && { url }),
    });
    return { user, assertion, answer, key: keyOf(answer) };
  }

  /** The audience of assertions: the one with which the first registration was made. */
  async audience(): Promise<string> {
    return (await this.first()).assertion.claims.aud as string;
  }

  /** The first registration of the run, with a good assertion for a new user. It may have been refused. */
  first(): Promise<Registration> {
    return this.session.once('agents: first registration', async () => {
      await this.provider();
      const user = this.users.named('first');
      let made: Registration | undefined;
      // Where the two ways of discovery disagree, either may be the one that is right.
      for (const audience of await this.endpoint.discovery.audiences()) {
        made = await this.register('register a new user', { user, audience });
        if (made.answer.ok || codeOf(made.answer) !== 'audience_mismatch') return made;
      }
      return made as Registration;
    });
  }

  /** The first registration, known to be good: the twin. Throws `Blocked` when it was refused. */
  async twin(): Promise<Registration> {
    const made = await this.first();
    if (made.answer.ok) return made;
    throw new Blocked(`a good registration is answered ${told(made.answer)}`, 'AGENT-REG-STATUS');
  }

  /** A key that was issued. Throws `Blocked` when there is none. */
  async key(): Promise<string> {
    const { key } = await this.twin();
    if (key !== undefined) return key;
    throw new Blocked('the registration response has no key', 'AGENT-REG-API-KEY');
  }

  /** The scrape call with the key of the first registration, before the user gets another one. */
  knock(): Promise<Answer> {
    return this.session.once('agents: door with the first key', async () =>
      scrape(this.session, {
        purpose: 'call the API with the issued key',
        key: await this.key(),
        good: true,
      }),
    );
  }

  /** The scrape call with the first key later on: after its assertion was replayed, after the user got another one. */
  async firstKeyLater(): Promise<{ afterReplay: Answer; afterSecond: Answer }> {
    await this.again();
    return {
      afterReplay: await this.#knockAfter('replay'),
      afterSecond: await this.#knockAfter('second key'),
    };
  }

  #knockAfter(event: string): Promise<Answer> {
    return this.session.once(`agents: door with the first key after the ${event}`, async () =>
      scrape(this.session, {
        purpose: `call the API with the first key after the ${event}`,
        key: await this.key(),
        good: true,
      }),
    );
  }

  /** The first user once more, weeks later. Throws `Skipped` where that much time may not pass. */
  weeksLater(): Promise<Registration> {
    return this.session.once('agents: weeks later', async () => {
      const { user } = (await this.again()).first;
      await this.session.time.pass(WEEKS_MS, 'whether a user is still known weeks later');
      return this.register('register the same user weeks later', { user });
    });
  }

  /** The assertion of the first registration once more, unchanged. */
  replay(): Promise<Answer> {
    return this.session.once('agents: replay', async () => {
      const { assertion } = await this.twin();
      return this.resend(assertion, 'register with the assertion that was just redeemed');
    });
  }

  /** Sends an assertion as it is. */
  resend(assertion: Assertion, purpose: string, purse: Purse = 'required'): Promise<Answer> {
    return this.endpoint.post({ purpose, body: { json: fieldsWith(assertion.token) }, purse });
  }

  /**
   * Registers the first user again, after the replay and with an assertion that has a minute left. All in one
   * when it succeeds; only when it does not, what stood in the way is found out with further attempts.
   */
  again(): Promise<Again> {
    return this.session.once('agents: registered again', async () => {
      const first = await this.twin();
      // Whether the first key opens the API is seen before there is another one.
      await this.knock().catch(() => undefined);
      await this.replay();
      await this.#knockAfter('replay').catch(() => undefined);
      const { user } = first;
      const shortly = await this.#lettered('register the same user again, with a minute left', {
        user,
        changes: { age: MINUTE_LEFT },
      });
      if (shortly.answer.ok) {
        await this.#knockAfter('second key').catch(() => undefined);
        return { first, second: shortly, shortly, lettered: shortly, afterReplay: shortly };
      }
      const plainly = await this.register('register the same user again', { user });
      if (!plainly.answer.ok && this.users.fixed)
        return { first, second: plainly, shortly: undefined, lettered: undefined, afterReplay: undefined };
      if (plainly.answer.ok) {
        const apart = await this.#apart(user);
        return { first, second: plainly, afterReplay: plainly, ...apart };
      }
      const other = this.users.next();
      const once = await this.register('register another user', { user: other });
      if (!once.answer.ok)
        return { first, second: plainly, shortly: undefined, lettered: undefined, afterReplay: undefined };
      const twice = await this.register('register that user again', { user: other });
      const apart = await this.#apart(undefined);
      const afterReplay = twice.answer.ok ? plainly : undefined;
      return { first: once, second: twice, afterReplay, ...apart };
    });
  }

  /** What was tried in one, one by one: for a user, or for new ones. */
  async #apart(user: Subject | undefined): Promise<Pick<Again, 'shortly' | 'lettered'>> {
    const of = user === undefined ? {} : { user };
    return {
      shortly: await this.register('register with a minute left', { ...of, changes: { age: MINUTE_LEFT } }),
      lettered: await this.#lettered('register with `-` and `_` in the payload', of),
    };
  }

  /** Registers with `LETTERS` among the claims, unless a hook signs that do not want them. */
  async #lettered(purpose: string, making: Making): Promise<Registration> {
    try {
      return await this.register(purpose, {
        ...making,
        changes: { ...making.changes, claims: { ...making.changes?.claims, ...LETTERS } },
      });
    } catch (error) {
      if (!(error instanceof Skipped) || this.#hasOwnKey) throw error;
      return this.register(purpose, making);
    }
  }

  /** Whether assertions are signed with a configured key, as they are asked for. */
  get #hasOwnKey(): boolean {
    return this.session.target.agents?.key !== undefined;
  }
}

/** The key in an answer: where it belongs, or wherever else a success carries it. */
export function keyOf(answer: Answer): string | undefined {
  if (!answer.ok) return undefined;
  return find(answer.json, 'api_key') ?? find(answer.json, 'credential');
}

function find(value: unknown, name: string): string | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  const own = (value as Record<string, unknown>)[name];
  if (typeof own === 'string' && own !== '') return own;
  for (const inner of Object.values(value)) {
    const found = find(inner, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Status and code of an answer in a few words. */
export function told(answer: Answer): string {
  const code = codeOf(answer);
  return code === undefined ? String(answer.status) : `${answer.status} ${code}`;
}
