/** The API behind the key (endpoint 4, section 5): what opens it and what does not. */

import { randomBytes } from 'node:crypto';
import type { CheckContext } from '../../../lib/check/context.ts';
import type { Expect } from '../../../lib/check/expect.ts';
import { perRunOf } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import { Registrations } from '../fixtures/registrations.ts';
import { type ScrapeCall, scrape, scrapeNewly } from './scrape.ts';

export class ApiAccess {
  readonly session: Session;
  readonly #registrations: Registrations;

  constructor(context: Pick<CheckContext, 'session'>) {
    this.session = context.session;
    this.#registrations = new Registrations(context);
  }

  /** Sends the scrape call, changed as told. */
  callApi(call: ScrapeCall): Promise<Answer> {
    return scrape(this.session, call);
  }

  /** The call with the key of the run's first registration, made before its user got another one. */
  open(): Promise<Answer> {
    return this.#registrations.callApi();
  }

  /** The call with a key, made once: what it opens when it is new. */
  newly(key: string): Promise<Answer> {
    return scrapeNewly(this, key);
  }

  /** The call with a key that was never issued, of the form that the issued one has, where there is one. */
  readonly unknown = perRunOf(
    this,
    'agents: API with an unknown key',
    async (): Promise<Answer> =>
      this.callApi({ purpose: 'call the API with an unknown key', key: await this.invented() }),
  );

  /** Throws `Blocked` where the issued key does not open the API. */
  async opens(): Promise<void> {
    const { status } = await this.open();
    if (status === 401)
      throw new Blocked('the issued key does not open the API: answered 401', 'AGENT-KEY-OPENS');
  }

  /**
   * A key that opens the API now, and how the call with it is answered. Where the first key of the user was ended
   * by the second one, that is the second; where all of them have ended, that of a new registration. Throws `Blocked` where
   * there is none, since a refusal then shows nothing.
   */
  readonly openingKey = perRunOf(
    this,
    'agents: opening key',
    async (): Promise<{ key: string; status: number }> => {
      await this.opens();
      const { first, second } = await this.#registrations.again();
      const keys = [
        async () => this.#registrations.key(),
        () => first.key,
        () => second.key,
        () => this.freshKey(),
      ];
      for (const make of keys) {
        const key = await make();
        if (key === undefined) continue;
        const { status } = await this.callApi({
          purpose: 'call the API with an issued key',
          key,
          good: true,
        });
        if (status !== 401) return { key, status };
      }
      throw new Blocked('no issued key opens the API any more', 'AGENT-KEY-STAYS');
    },
  );

  /** The key of a registration that is made for it, where earlier keys have ended; `undefined` where none is given. */
  readonly freshKey = perRunOf(this, 'agents: fresh key', async (): Promise<string | undefined> => {
    return (await this.#registrations.register('register a user, since the keys of the others have ended'))
      .key;
  });

  /** Throws `Blocked` where an unknown key is let in as well: then a key that is let in shows nothing. */
  async isGuarded(): Promise<void> {
    const { status } = await this.unknown();
    if (status === 401 || status === 403) return;
    throw new Blocked(
      `an unknown key is answered ${status}, so that letting a key in shows nothing`,
      'AGENT-KEY-UNKNOWN',
    );
  }

  /**
   * The answer keeps the caller out: 401, or 403 where a good key is not answered that itself.
   * @param openStatus of the same call with a good key
   * @param why completes "although …", where the purpose of the request does not say it
   */
  expectShut(expect: Expect, answer: Answer, openStatus: number | undefined, why?: string): void {
    const shut = answer.status === 401 || (answer.status === 403 && openStatus !== 403);
    const although = why === undefined ? '' : `, although ${why}`;
    expect.that(shut, `${answer.exchange.purpose}: answered ${answer.status}${although}`, {
      answer,
      at: 'status',
      expected: openStatus === 403 ? '401' : '401 or 403',
      found: String(answer.status),
    });
  }

  /** The answer lets the caller in: whatever else it says, it is no 401, of which `message` tells. */
  expectOpen(expect: Expect, answer: Answer, message: string): void {
    const where = { answer, at: 'status', expected: 'anything but 401', found: '401' };
    expect.that(answer.status !== 401, message, where);
  }

  /** A random text of the length and characters of the issued key; any random text where there is none. */
  async invented(): Promise<string> {
    const { canSign, endpoint } = this.#registrations;
    const issued = canSign && endpoint.mayPost ? (await this.#registrations.first()).key : undefined;
    if (issued === undefined) return `conformance-${randomBytes(24).toString('hex')}`;
    return inventedLike(issued);
  }
}

/** Characters that are drawn anew at least, so that nobody holds the key by chance. */
const LEAST_REDRAWN = 8;

/**
 * A random text of the length and characters of an issued key, and never that key itself. A prefix up to a
 * separator, which keys of one kind share, stays as it is; a short key with a separator in it has none.
 */
export function inventedLike(issued: string): string {
  const shared = /^[A-Za-z]+[_-]/.exec(issued)?.[0] ?? '';
  const prefix = issued.length - shared.length < LEAST_REDRAWN ? '' : shared;
  const random = randomBytes(issued.length);
  const rest = [...issued.slice(prefix.length)].map((c, i) => redrawn(c, random[i] as number));
  const invented = prefix + rest.join('');
  // Nothing of it can be drawn anew where it is all separators and other signs.
  return invented === issued ? randomBytes(24).toString('hex') : invented;
}

/** Another character of the same kind. */
function redrawn(character: string, random: number): string {
  const kinds = ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEF', 'GHIJKLMNOPQRSTUVWXYZ'];
  const kind = kinds.find((each) => each.includes(character));
  return kind === undefined ? character : (kind[random % kind.length] as string);
}
