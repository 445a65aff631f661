import type { CheckContext } from '../../../lib/check/context.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { intervalFor } from '../../../lib/http/pacer.ts';
import { Undecided } from '../../../lib/model/verdict.ts';
import type { AddressCall } from '../api/address-calls.ts';
import { AddressBook, idOf } from '../api/addresses.ts';
import type { AccessToken } from '../api/oauth.ts';
import { paceOf } from '../api/pace.ts';
import { TokenAccess } from '../api/token-access.ts';

/** One request of a load, and what became of it. */
export interface Step {
  served: boolean;
  answer: Answer | undefined;
  /** Why there was no answer, if there was none: a limiter may drop connections. */
  error: string | undefined;
  durationMs: number;
}

/** The result of a load. */
export interface Load {
  steps: Step[];
  /** Time on the target from the first request to the last answer, in ms. */
  elapsedMs: number;
  /**
   * True where all requests were served but delayed, while a request with another token was not: this limiter
   * delays requests above the rate instead of refusing them.
   */
  isDelayed?: boolean;
}

/** Sends one request of a certain kind, with this token and handling of throttling. */
export type Kind = (options: LoadOptions) => Promise<Answer>;
/** The options that a request of a load is sent with. */
export type LoadOptions = Pick<AddressCall, 'auth' | 'throttled'>;

const RATE_PER_SECOND = 2;
/** Requests of one volley: more than any limiter serves at once. */
const VOLLEY = 4;
/** How long to wait for the answers to one volley before the next is sent, in ms of real time. */
const PATIENCE_MS = 100;
/** The longest time for which a client that was over its rate may be locked out, in milliseconds. */
const LOCKED_OUT_MS = 2_100_000;

/** How far apart volleys are, in milliseconds: in each second a limiter has to begin anew. */
const APART_MS = 1_000;
/**
 * Where answers are slow, a load has smaller volleys that follow sooner, until this many milliseconds are over:
 * otherwise a slow server would never be asked for more than the rate. This gap does not divide a second evenly,
 * so that volleys fall into every part of a fixed window.
 */
const SLOWLY = { size: 3, apartMs: 430, windowMs: 5_000 };

/** How many requests a load sends at once, and how often. */
export interface Volleys {
  count: number;
  size: number;
}

/** An answer that takes at least this long, in ms, may have been held back by a limiter. */
const LATE_MS = 1_500;

/**
 * Whether every request of a load was served, but at least one of them much later than `beside`, a request
 * that was sent with another token meanwhile.
 */
function isSlower(steps: Step[], beside: Step): boolean {
  const slowest = Math.max(...steps.map(({ durationMs }) => durationMs));
  return steps.every(({ served }) => served) && slowest >= LATE_MS && slowest > 3 * beside.durationMs;
}

/**
 * Sends many requests with single tokens and records which are served. Times are on the target's clock unless
 * stated otherwise.
 */
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

  /** Lists addresses, which is the cheapest request there is. */
  list: Kind = (options) =>
    new TokenAccess(this.#context).send(options, 'list addresses, counted against the rate');

  /**
   * Returns one request for each address endpoint. Deletes have addresses of their own.
   *
   * @param id the address to read, update and verify
   * @param removable ids of addresses to delete; once they are used up, the list is requested instead
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
   * Returns requests to send in this order: a create, update and delete that can all succeed; then a read,
   * update and delete with an id that no address has; and last a create without any field.
   *
   * @param unknown an id that no address has
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

  /**
   * Sends `count` requests just under the documented rate, one after the other; several kinds take turns.
   *
   * @param inPairs after how many requests they come in pairs, one of which follows the other directly, and then
   *   none for a second, where the target is seen to serve that: the rate is the same, and the clock is moved
   *   half as often
   */
  async evenly(
    token: AccessToken,
    count: number,
    { kinds = [this.list], inPairs = 0 }: { kinds?: Kind[]; inPairs?: number } = {},
  ): Promise<Load> {
    const { time } = this.#context;
    const steps: Step[] = [];
    // Requests with other tokens no longer count either, where they are wrongly counted.
    await time.wait(1_100);
    const started = time.elapsed();
    for (let i = 0; i < count; i += 1) {
      if (i > 0) await time.wait(this.#spacing(i, inPairs));
      steps.push(await this.#step(token, kinds[i % kinds.length] as Kind));
    }
    return { steps, elapsedMs: time.elapsed() - started };
  }

  /**
   * Returns the milliseconds to wait between two requests at the documented rate. A clock that can be moved
   * advances in eighths of a second, so that 500 and 625 ms alternate: any three requests are then more than
   * a second apart.
   */
  #spacing(nth: number, inPairs: number): number {
    const { time, session } = this.#context;
    if (!time.movable) return intervalFor(RATE_PER_SECOND);
    if (nth >= inPairs && paceOf(session).together > 1) return (nth - inPairs) % 2 === 0 ? 1_125 : 0;
    return nth % 2 === 0 ? 500 : 625;
  }

  /** Sends `count` requests at the same time; by default, lists. */
  async burst(token: AccessToken, count: number, kinds: Kind[] = [this.list]): Promise<Step[]> {
    return Promise.all(
      Array.from({ length: count }, (_, i) => this.#step(token, kinds[i % kinds.length] as Kind)),
    );
  }

  /**
   * Sends volleys well above the rate, a second apart. Where answers are slow, the next volley does not wait for
   * them; see `SLOWLY`.
   *
   * @param another gives a token for one more request, sent where requests of the load still wait for their
   *   answers
   */
  async saturate(
    token: AccessToken,
    { count, size }: Volleys,
    kinds: Kind[] = [this.list],
    another?: () => Promise<AccessToken>,
  ): Promise<Load> {
    const { time } = this.#context;
    const volleys: Promise<Step[]>[] = [];
    // More than a second passes, so that earlier requests with this token no longer count.
    if (token.pacer?.isUsed !== false) await time.wait(1_100);
    const started = time.elapsed();
    let isSlow = false;
    const isOver = () => (isSlow ? time.elapsed() - started >= SLOWLY.windowMs : volleys.length >= count);
    while (!isOver()) {
      if (volleys.length > 0) await time.wait(isSlow ? SLOWLY.apartMs : APART_MS);
      // The kinds take turns across volleys: each volley begins with the next two kinds, which a limiter serves.
      // The last of five refuses updates, so that none that is served hides one that was refused.
      const at = ((volleys.length + 1) * RATE_PER_SECOND) % kinds.length;
      const volley = this.burst(token, isSlow ? SLOWLY.size : size, [
        ...kinds.slice(at),
        ...kinds.slice(0, at),
      ]);
      volleys.push(volley);
      isSlow = !(await this.#endsSoon(volley)) || isSlow;
    }
    const all = Promise.all(volleys);
    const beside =
      (await this.#endsSoon(all)) || !another ? undefined : await this.#step(await another(), this.list);
    const steps = (await all).flat();
    const isDelayed = beside?.served === true && isSlower(steps, beside);
    return { steps, elapsedMs: time.elapsed() - started, isDelayed };
  }

  /** Waits for answers, but not for long. Returns whether they came. */
  async #endsSoon(answers: Promise<unknown>): Promise<boolean> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    await this.#context.time.restUntil(answers.then(end, end), PATIENCE_MS);
    return isOver;
  }

  /**
   * Keeps `busy` above its rate and meanwhile sends `count` requests with each token of `calm` at the
   * documented rate. Returns the steps of each calm token, in the order of `calm`.
   */
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

  /**
   * Waits, with ever longer pauses, until the token is served again. Returns how long that took, in ms;
   * `undefined` where it takes more than half an hour: a client may be locked out for a while. Throws
   * `Undecided` where the run may not wait that long.
   */
  async recovers(token: AccessToken): Promise<number | undefined> {
    const { time } = this.#context;
    const limit = time.pollLimit(LOCKED_OUT_MS);
    let paused = 0;
    for (let pause = 2_000; paused + pause <= Math.max(limit, 2_000); pause *= 2) {
      await time.wait(pause);
      paused += pause;
      if ((await this.#step(token, this.list)).served) return paused;
    }
    if (limit < LOCKED_OUT_MS) {
      const wanted = `allow a longer wait with --max-wait ${LOCKED_OUT_MS / 1000}`;
      throw new Undecided(`not served again after ${paused / 1000} s; ${wanted}`);
    }
    return undefined;
  }

  async #step(token: AccessToken, kind: Kind): Promise<Step> {
    const started = this.#now();
    try {
      const answer = await kind({ auth: token, throttled: 'answer' });
      return {
        // Any success counts: the exact status is the subject of another requirement.
        served: answer.ok,
        answer,
        error: undefined,
        durationMs: this.#now() - started,
      };
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
      return { served: false, answer: undefined, error: error.message, durationMs: this.#now() - started };
    }
  }
}
