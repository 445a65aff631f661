import type { CheckContext } from '../../../lib/check/context.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { intervalFor } from '../../../lib/http/pacer.ts';
import { Undecided } from '../../../lib/model/verdict.ts';
import type { AddressCall } from '../api/address-calls.ts';
import { AddressBook, idOf } from '../api/addresses.ts';
import type { AccessToken } from '../api/oauth.ts';
import { TokenAccess } from '../api/token-access.ts';

/** One request of a load. */
export interface Step {
  served: boolean;
  answer: Answer | undefined;
  /** Why there was no answer: a limiter may drop connections. */
  error: string | undefined;
  durationMs: number;
}

/** What a load came to. */
export interface Load {
  steps: Step[];
  /** Time on the target from the first request to the last answer, in ms. */
  elapsedMs: number;
  /** All were served, and only the token of the load was kept waiting: the limiter delays what is over the rate. */
  isDelayed?: boolean;
}

/** One kind of request of a load: sends one with the token, and as it comes. */
export type Kind = (options: LoadOptions) => Promise<Answer>;
/** What a request of a load is sent with. */
export type LoadOptions = Pick<AddressCall, 'auth' | 'throttled'>;

const RATE_PER_SECOND = 2;
/** Requests of one volley: more than any limiter serves at once. */
const VOLLEY = 4;
/** Requests of one volley that keeps a token over its rate: about seven a second, more than three times the rate. */
const SATURATING = 3;
/** How long the next volley waits for the answers of the last, in ms of real time. */
const PATIENCE_MS = 100;

/** Answers that come this late, in ms, may have been held back. */
const LATE_MS = 1_500;

/** Whether all of a load was served, and part of it much later than a request that was sent meanwhile. */
function isSlower(steps: Step[], beside: Step): boolean {
  const slowest = Math.max(...steps.map(({ durationMs }) => durationMs));
  return steps.every(({ served }) => served) && slowest >= LATE_MS && slowest > 3 * beside.durationMs;
}

/** Puts load on single tokens and counts what is served. Time is the target's. */
export class RateProbe {
  readonly #context: CheckContext;
  readonly #book: AddressBook;
  readonly #now: () => number;

  /** @param now real time in ms, by which the duration of each request is measured */
  constructor(context: CheckContext, now = () => performance.now()) {
    this.#context = context;
    this.#now = now;
    this.#book = new AddressBook(context);
  }

  /** The cheapest request there is. */
  list: Kind = (options) =>
    new TokenAccess(this.#context).send(options, 'list addresses, counted against the rate');

  /**
   * Requests of every address endpoint, one of each: what changes or removes something has an address of its own.
   * @param removable ids of addresses to delete; once they are gone, the list takes their place
   */
  everyKind(id: string, carriers: string[], removable: string[]): Kind[] {
    const book = this.#book;
    const purpose = (what: string) => `${what}, counted against the rate`;
    return [
      this.list,
      (options) =>
        book.call({
          method: 'GET',
          path: `/${encodeURIComponent(id)}`,
          purpose: purpose('read'),
          ...options,
        }),
      (options) => book.post({ address_template: book.fresh() }, purpose('create'), options),
      (options) => book.update(id, { alias_name: book.label() }, {}, purpose('update'), options),
      (options) => book.verify(id, { carriers }, purpose('verify'), options),
      (options) => {
        const next = removable.pop();
        return next === undefined ? this.list(options) : book.remove(next, purpose('delete'), options);
      },
    ];
  }

  /**
   * One request of each kind, in an order in which all can succeed, and then with an id that nobody has: create,
   * update, delete, read, update, delete, and a create that lacks everything.
   */
  oneByOne(unknown: string): Kind[] {
    const book = this.#book;
    const purpose = (what: string) => `${what}, counted against the rate`;
    let id = unknown;
    const read: Kind = (options) =>
      book.call({ method: 'GET', path: `/${encodeURIComponent(id)}`, purpose: purpose('read'), ...options });
    const update: Kind = (options) =>
      book.update(id, { alias_name: book.label() }, {}, purpose('update'), options);
    return [
      async (options) => {
        const answer = await book.post({ address_template: book.fresh() }, purpose('create'), options);
        id = idOf(answer.at('/data')) ?? unknown;
        return answer;
      },
      update,
      async (options) => {
        const answer = await book.remove(id, purpose('delete'), options);
        id = unknown;
        return answer;
      },
      read,
      update,
      (options) => book.remove(id, purpose('delete'), options),
      (options) => book.post({}, purpose('create'), options),
    ];
  }

  /** Requests at just under the documented rate, one after the other; of some kinds in turn. */
  async evenly(token: AccessToken, count: number, kinds: Kind[] = [this.list]): Promise<Load> {
    const { time } = this.#context;
    const steps: Step[] = [];
    await time.wait(1_100);
    const started = time.elapsed();
    for (let i = 0; i < count; i += 1) {
      if (i > 0) await time.wait(this.#spacing(i));
      steps.push(await this.#step(token, kinds[i % kinds.length] as Kind));
    }
    return { steps, elapsedMs: time.elapsed() - started };
  }

  /**
   * Milliseconds between two requests at the documented rate. A clock that is moved goes by eighths of a
   * second, so half a second and a little more take turns: no three requests are less than a second apart.
   */
  #spacing(nth: number): number {
    if (!this.#context.time.movable) return intervalFor(RATE_PER_SECOND);
    return nth % 2 === 0 ? 500 : 625;
  }

  /** Requests at once; by default lists. */
  async burst(token: AccessToken, count: number, kinds: Kind[] = [this.list]): Promise<Step[]> {
    return Promise.all(
      Array.from({ length: count }, (_, i) => this.#step(token, kinds[i % kinds.length] as Kind)),
    );
  }

  /**
   * Volleys well above the rate until the window is over. The next one does not wait for the answers of the last
   * where these take their time: else a slow server is never asked for more than the rate.
   *
   * @param another gives a token for one request while those of the load wait for their answers, where they do
   */
  async saturate(
    token: AccessToken,
    windowMs: number,
    kinds: Kind[],
    another?: () => Promise<AccessToken>,
  ): Promise<Load> {
    const { time } = this.#context;
    const volleys: Promise<Step[]>[] = [];
    // Whatever the token was used for before is over, so that the first volley finds it fresh.
    await time.wait(1_100);
    const started = time.elapsed();
    while (time.elapsed() - started < windowMs) {
      // Of several kinds, the next volley begins where the last one ended.
      const at = (volleys.length * SATURATING) % kinds.length;
      const volley = this.burst(token, SATURATING, [...kinds.slice(at), ...kinds.slice(0, at)]);
      volleys.push(volley);
      await time.restUntil(volley, PATIENCE_MS);
      // Not a multiple of a second: volleys fall into every part of a fixed window.
      const left = windowMs - (time.elapsed() - started);
      if (left > 0) await time.wait(Math.min(left, 430));
    }
    let isOver = false;
    const all = Promise.all(volleys).finally(() => {
      isOver = true;
    });
    await time.restUntil(all, PATIENCE_MS);
    const beside = isOver || !another ? undefined : await this.#step(await another(), this.list);
    const steps = (await all).flat();
    const isDelayed = beside?.served === true && isSlower(steps, beside);
    return { steps, elapsedMs: time.elapsed() - started, isDelayed };
  }

  /** Requests of each of `calm` at the documented rate while `busy` is kept over its own; their steps, in order. */
  async beside(busy: AccessToken, calm: AccessToken[], count: number): Promise<Step[][]> {
    const { time } = this.#context;
    const steps: Step[][] = calm.map(() => []);
    await time.wait(1_100);
    for (let i = 0; i < count; i += 1) {
      const volley = this.burst(busy, VOLLEY);
      for (const [n, token] of calm.entries()) steps[n]!.push(await this.#step(token, this.list));
      await volley;
      await time.wait(intervalFor(RATE_PER_SECOND));
    }
    return steps;
  }

  /** Pauses until the token is served again, ever longer; `undefined` when it is not after a minute. */
  async recovers(token: AccessToken): Promise<number | undefined> {
    const { time } = this.#context;
    const limit = time.pollLimit(64_000);
    let paused = 0;
    for (let pause = 2_000; paused + pause <= Math.max(limit, 2_000); pause *= 2) {
      await time.wait(pause);
      paused += pause;
      if ((await this.#step(token, this.list)).served) return paused;
    }
    if (limit < 62_000)
      throw new Undecided(
        `not served again after ${paused / 1000} s; allow a longer wait with --max-wait 64`,
      );
    return undefined;
  }

  async #step(token: AccessToken, kind: Kind): Promise<Step> {
    const started = this.#now();
    try {
      const answer = await kind({ auth: token, throttled: 'answer' });
      return {
        // Which success it is, is another requirement's.
        served: answer.ok,
        answer,
        error: undefined,
        durationMs: this.#now() - started,
      };
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
      return {
        served: false,
        answer: undefined,
        error: error.message,
        durationMs: this.#now() - started,
      };
    }
  }
}
