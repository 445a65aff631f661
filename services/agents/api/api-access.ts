/** The API behind the key (endpoint 4, section 5): which calls it accepts, and which it refuses. */

import { randomBytes } from 'node:crypto';
import type { CheckContext } from '../../../lib/check/context.ts';
import type { Expect } from '../../../lib/check/expect.ts';
import { perRunOf } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked, Skipped } from '../../../lib/model/verdict.ts';
import { keyOf } from '../fixtures/registration.ts';
import { Registrations } from '../fixtures/registrations.ts';
import { keyOfCall, type ScrapeCall, scrape, scrapeNewly } from './scrape.ts';

/** Calls the API with and without keys, and judges whether a call was accepted. */
export class ApiAccess {
  readonly session: Session;
  readonly #registrations: Registrations;

  constructor(context: Pick<CheckContext, 'session'>) {
    this.session = context.session;
    this.#registrations = new Registrations(context);
  }

  /** Sends the scrape call with the given changes. */
  callApi(call: ScrapeCall): Promise<Answer> {
    return scrape(this.session, call);
  }

  /** Calls the API with the key of the run's first registration, before its user gets another one. */
  open(): Promise<Answer> {
    return this.#registrations.callApi();
  }

  /** Calls the API with a key that was issued recently; once in a run for each key. */
  newly(key: string): Promise<Answer> {
    return scrapeNewly(this, key);
  }

  /**
   * Calls the API with a key that was never issued; it has the form of the issued one, where there is one.
   * Throws `Skipped` where it may not have the form of a key.
   */
  readonly unknown = perRunOf(this, 'agents: API with an unknown key', async (): Promise<Answer> => {
    const issued = await this.#issued();
    const key = issued === undefined ? anyKey() : inventedLike(issued);
    const answer = await this.callApi({ purpose: 'call the API with an unknown key', key });
    if (answer.status === 400 && issued === undefined)
      throw new Skipped('a key that is made up is refused as malformed, and no issued one shows their form');
    return answer;
  });

  /**
   * Throws `Blocked` where the API does not accept the issued key, that is, where the call is answered 401.
   */
  async requireKeyAccepted(): Promise<void> {
    const { status } = await this.open();
    if (status === 401)
      throw new Blocked('the issued key does not open the API: answered 401', 'AGENT-KEY-OPENS');
  }

  /**
   * Returns a key that the API accepts now, and the status of the call with it. Where the user's second
   * registration ended the first key, that is the second key; where all of them have ended, that of a new
   * registration. Throws `Blocked` where there is none, since the refusal of another key would then show
   * nothing.
   */
  readonly openingKey = perRunOf(
    this,
    'agents: opening key',
    async (): Promise<{ key: string; status: number }> => {
      await this.requireKeyAccepted();
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
        const answer = await this.callApi({
          purpose: 'call the API with an issued key',
          key,
          good: true,
        });
        if (!(await this.isShut(answer))) return { key, status: answer.status };
      }
      throw new Blocked('no issued key opens the API any more', 'AGENT-KEY-STAYS');
    },
  );

  /**
   * Makes a registration, where earlier keys have ended, and returns its key; `undefined` where it has none.
   */
  readonly freshKey = perRunOf(this, 'agents: fresh key', async (): Promise<string | undefined> => {
    return (await this.#registrations.register('register a user, since the keys of the others have ended'))
      .key;
  });

  /**
   * Throws `Blocked` unless an unknown key is refused: otherwise it would show nothing that a good key is
   * accepted.
   */
  async requireUnknownKeyRefused(): Promise<void> {
    const { status } = await this.unknown();
    if (status === 401 || status === 403) return;
    throw new Blocked(
      `an unknown key is answered ${status}, so that letting a key in shows nothing`,
      'AGENT-KEY-UNKNOWN',
    );
  }

  /**
   * Fails the check unless the answer refuses access: with 401 or 403 or, where it is known what a good key
   * is answered, with any other 4xx than that.
   * @param openStatus status of the same call with a good key
   * @param why completes "although …", where the purpose of the request does not say it
   */
  expectKeyRefused(expect: Expect, answer: Answer, openStatus: number | undefined, why?: string): void {
    const { status } = answer;
    const among = openStatus === undefined ? status === 403 : status >= 400 && status < 500;
    const although = why === undefined ? '' : `, although ${why}`;
    expect.that(
      status === 401 || (among && status !== openStatus),
      `${answer.exchange.purpose}: answered ${status}${although}`,
      {
        answer,
        at: 'status',
        expected:
          openStatus === undefined ? '401 or 403' : `401, or another 4xx that a good key is not answered`,
        found: String(status),
      },
    );
  }

  /**
   * Fails the check unless something that resembles a key is refused. Throws `Skipped` where nothing can be
   * told: a service may answer 400 both to what has not the form of a key and to a good call.
   * @param openStatus status of the same call with a good key
   */
  expectNearKeyRefused(expect: Expect, answer: Answer, openStatus: number, why?: string): void {
    if (answer.status === 400 && openStatus === 400)
      throw new Skipped('a call with a good key is answered 400 as well');
    this.expectKeyRefused(expect, answer, openStatus, why);
  }

  /**
   * Returns whether a call with an issued key was refused for the key: with 401, or with another 4xx that comes
   * again where another key of the run gets a success meanwhile. Neither 402, which is about credits, nor 429
   * counts. For such another 4xx, up to three more calls are made, once in a run for each
   * answer.
   */
  async isShut(answer: Answer): Promise<boolean> {
    const { status } = answer;
    if (status === 401) return true;
    const key = keyOfCall(answer);
    if (key === undefined || status < 400 || status > 499 || status === 402 || status === 429) return false;
    return this.#isKeyToBlame(answer, key);
  }

  readonly #isKeyToBlame = perRunOf(
    this,
    'agents: whether a key is to blame',
    async (answer: Answer, key: string): Promise<boolean> => {
      const others = this.#registrations.successes.flatMap((each) => keyOf(each) ?? []);
      const same = 'make the same call with';
      for (const other of new Set([others[0], others.at(-1)])) {
        if (other === undefined || other === key) continue;
        const { ok } = await this.callApi({ purpose: `${same} another key`, key: other, good: true });
        if (!ok) continue;
        const again = await this.callApi({ purpose: `${same} the key that was refused`, key, good: true });
        return again.status === answer.status;
      }
      return false;
    },
    { by: (answer) => [answer.exchange.id] },
  );

  /**
   * Fails the check if a call with an issued key was refused for the key (see `isShut`).
   * @param message the message of that failure where the status is 401
   */
  async expectKeyAccepted(expect: Expect, answer: Answer, message: string): Promise<void> {
    if (await this.isShut(answer)) this.failShut(expect, answer, message);
  }

  /** Fails the check, since this call with an issued key was refused for the key. `message` is as above. */
  failShut(expect: Expect, answer: Answer, message: string): never {
    const status = String(answer.status);
    const expected = 'neither 401 nor another refusal of this key';
    return expect.fail(message.replace('401', status), { answer, at: 'status', expected, found: status });
  }

  /**
   * Returns a random string with the length and kinds of characters of the issued key; any random string
   * where no key was issued.
   */
  async invented(): Promise<string> {
    const issued = await this.#issued();
    return issued === undefined ? anyKey() : inventedLike(issued);
  }

  async #issued(): Promise<string | undefined> {
    const { canSign, endpoint } = this.#registrations;
    return canSign && endpoint.mayPost ? (await this.#registrations.first()).key : undefined;
  }
}

function anyKey(): string {
  return `conformance-${randomBytes(24).toString('hex')}`;
}

/**
 * The least number of characters that are replaced by random ones, so that the result is not somebody's key
 * by chance.
 */
const LEAST_REDRAWN = 8;

/**
 * Returns a random string with the length and kinds of characters of an issued key, and never that key
 * itself. A prefix up to a separator, which keys of one kind share, is kept, unless too few characters follow
 * it.
 */
export function inventedLike(issued: string): string {
  const shared = /^[A-Za-z]+[_-]/.exec(issued)?.[0] ?? '';
  const prefix = issued.length - shared.length < LEAST_REDRAWN ? '' : shared;
  const random = randomBytes(issued.length);
  const rest = [...issued.slice(prefix.length)].map((c, i) => redrawn(c, random[i] as number));
  const invented = prefix + rest.join('');
  // A key that consists of separators and punctuation has no character that could be replaced.
  return invented === issued ? randomBytes(24).toString('hex') : invented;
}

/** Returns a random character of the same kind; any other character is returned unchanged. */
function redrawn(character: string, random: number): string {
  const kinds = ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEF', 'GHIJKLMNOPQRSTUVWXYZ'];
  const kind = kinds.find((each) => each.includes(character));
  return kind === undefined ? character : (kind[random % kind.length] as string);
}
