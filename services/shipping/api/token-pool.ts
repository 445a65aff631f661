/** The access tokens that ordinary requests use (sections 5 and 8). */
import { perSession } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import { type AccessToken, endedIn, OAuth } from './oauth.ts';

/** Tokens are replaced this long after issue, well before their 7200 s are over. Milliseconds. */
const REPLACE_AFTER_MS = 6_600_000;

/**
 * The tokens that ordinary requests use side by side: the limit is per token, so several of them together
 * are faster, and each of them stays within the rate.
 */
export class TokenPool {
  readonly #oauth: OAuth;
  readonly #session: Session;
  #size: number;
  #tokens: AccessToken[] = [];
  /** When each token was taken last, counted in requests. */
  readonly #takenAt = new WeakMap<AccessToken, number>();
  #taken = 0;

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
    if (!token || (freeAt(token) > now && this.#tokens.length < this.#size)) return this.fresh();
    this.#taken += 1;
    this.#takenAt.set(token, this.#taken);
    return token;
  }

  /** Requests a new token, which joins the pool. */
  async fresh(): Promise<AccessToken> {
    const fresh = await this.#oauth.issue();
    // A service may issue the same token again; then there is still only one token to pace.
    const known = this.#tokens.find((t) => t.value === fresh.value);
    if (known) this.#size = this.#tokens.length;
    else this.#tokens.push(fresh);
    return known ?? fresh;
  }

  /** Removes a token that the target no longer accepts. */
  drop(token: AccessToken): void {
    this.#tokens = this.#tokens.filter((t) => t !== token);
  }

  /** Continues with a single token, since the target seems to count the requests of all tokens together. */
  shrink(): void {
    this.#size = 1;
    this.#tokens = this.#tokens.slice(0, 1);
  }
}
