/** The access tokens that ordinary requests use (sections 5 and 8). */
import { perSession } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import { type AccessToken, endedIn, OAuth } from './oauth.ts';

/** Tokens are replaced this long after issue, well before their 7200 s are over. Milliseconds. */
const REPLACE_AFTER_MS = 6_600_000;

/** How many tokens there are at first where the clock can be moved. */
const FEW = 6;
/** After this long, in milliseconds, any token may be used again, unless requests wait for it. */
const LONGEST_REST_MS = 1_030;

/**
 * The tokens that ordinary requests use side by side: the limit is per token, so several of them together
 * are faster, and each of them stays within the rate.
 */
export class TokenPool {
  readonly #oauth: OAuth;
  readonly #session: Session;
  #size: number;
  #tokens: AccessToken[] = [];
  /** How often the clock was moved for these tokens. */
  #rests = 0;
  /** When each token was taken last, counted in requests. */
  readonly #takenAt = new WeakMap<AccessToken, number>();
  #taken = 0;
  #latest: AccessToken | undefined;
  /** A fresh token that is under way for requests whose tokens were refused. */
  #renewal: Promise<AccessToken> | undefined;

  constructor(session: Session) {
    this.#session = session;
    this.#oauth = new OAuth({ session });
    const rate = this.#oauth.config.rate;
    // Where the clock has to be moved before a token may be used again, more tokens make that necessary less
    // often.
    this.#size = rate?.unlimited ? 1 : (rate?.tokens ?? (session.time.movable ? 16 : 8));
  }

  /** The pool of a run. */
  static readonly of = perSession((session) => new TokenPool(session));

  /** Its tokens, oldest first. Whoever takes one out may do with it what they like. */
  get tokens(): AccessToken[] {
    return this.#tokens;
  }

  /**
   * Returns the token that may be used soonest; its pacer holds the request back until then. Of several that
   * may be used now it is the one that was taken longest ago, so that requests made at the same time do not
   * wait for each other.
   */
  async take(): Promise<AccessToken> {
    const now = this.#session.time.elapsed();
    const ended = endedIn(this.#session);
    this.#tokens = this.#tokens.filter((t) => now - t.issuedAt < REPLACE_AFTER_MS && !ended.has(t.value));
    const freeAt = ({ pacer }: AccessToken) => Math.max(now, pacer.freeAt);
    const takenAt = (token: AccessToken) => this.#takenAt.get(token) ?? 0;
    const [token] = [...this.#tokens].sort((a, b) => freeAt(a) - freeAt(b) || takenAt(a) - takenAt(b));
    if (!token) this.#rests = 0;
    if (!token || (freeAt(token) > now && this.#tokens.length < this.#enough)) return this.fresh();
    if (freeAt(token) > now) await this.#restAll(now);
    this.#taken += 1;
    this.#takenAt.set(token, this.#taken);
    return token;
  }

  /**
   * How many tokens are worth their requests, one to issue each and one to revoke it. Where the clock can be moved
   * for one check at a time these are few at first, and one more for each two calls of the clock hook.
   */
  get #enough(): number {
    const { time, atOnce } = this.#session;
    return time.movable && atOnce === 1 ? Math.min(this.#size, FEW + this.#rests / 2) : this.#size;
  }

  /** Where the clock has to be moved, moves it until all tokens may be used again, so that this lasts longer. */
  async #restAll(now: number): Promise<void> {
    const { time, atOnce } = this.#session;
    if (!time.movable || atOnce > 1) return;
    this.#rests += 1;
    const until = Math.max(...this.#tokens.map(({ pacer }) => pacer.freeAt));
    await time.wait(Math.min(until - now, LONGEST_REST_MS));
  }

  /** Requests a new token, which joins the pool. */
  async fresh(): Promise<AccessToken> {
    const fresh = await this.#oauth.issue();
    // A service may issue the same token again; then there is still only one token to pace.
    const known = this.#tokens.find((t) => t.value === fresh.value);
    if (known) this.#size = this.#tokens.length;
    else this.#tokens.push(fresh);
    this.#latest = known ?? fresh;
    return this.#latest;
  }

  /**
   * Removes a token that the target no longer accepts, and returns a fresh one: the same for all who ask at the same
   * time.
   */
  instead(token: AccessToken): Promise<AccessToken> {
    this.#tokens = this.#tokens.filter((t) => t !== token);
    if (this.#renewal) return this.#session.time.whileAnother(this.#renewal);
    this.#renewal = this.fresh().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  /** Whether no other token has been issued for the pool since this one. */
  isLatest(token: AccessToken): boolean {
    return token === this.#latest;
  }

  /** Has this many tokens at most, so that fewer are issued and revoked, and requests wait for them instead. */
  limitTo(most: number): void {
    this.#size = Math.min(this.#size, most);
  }

  /** Continues with a single token, since the target seems to count the requests of all tokens together. */
  shrink(): void {
    this.#size = 1;
    this.#tokens = this.#tokens.slice(0, 1);
  }
}
