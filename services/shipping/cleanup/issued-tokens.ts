/** The tokens that were issued to a run, and their revocation at its end. */
import { perSession } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { type Client, clientOf, type Role } from './accounts.ts';

/** Kind of the journal entry for tokens: their number and when the last one expires, never a token. */
export const TOKENS_KIND = 'shipping.tokens';

/** The lifetime in seconds that is assumed where a token response states none (section 5). */
const LIFETIME_S = 7_200;
/** Milliseconds until a revoked token that is still active is introspected once more. */
const SETTLE_MS = 500;
/** How many revocations are under way at once. */
const AT_ONCE = 4;

interface Issued {
  /** On the scale of `TargetTime.elapsed()`. */
  expiresAt: number;
}

/** The tokens of one client. */
interface Account {
  entry: number;
  count: number;
  remaining: Map<string, Issued>;
  /** Whether a token was issued twice: others may be using it as well. */
  shared: boolean;
}

/** The requests that are needed to end tokens; `OAuth` sends them. */
interface TokenCalls {
  end(token: string, client: Client): Promise<Answer>;
  introspectAs(client: Client, token: string, purpose: string): Promise<Answer>;
}

/** See the module comment. */
export class IssuedTokens {
  readonly #session: Session;
  readonly #accounts = new Map<Role, Account>();
  #calls: TokenCalls | undefined;

  private constructor(session: Session) {
    this.#session = session;
  }

  /** The tokens of a run. */
  static readonly of = perSession((session) => {
    const made = new IssuedTokens(session);
    session.onUndo(() => made.#revokeAll(), 'last');
    return made;
  });

  /**
   * Has to be called before a token is requested as the client with this id. Returns the role of that client;
   * `undefined` where the configuration has no such client.
   *
   * @param calls sends the requests that end the token when the run is over
   */
  announce(clientId: unknown, calls: TokenCalls): Role | undefined {
    this.#calls = calls;
    const { shipping } = this.#session.target;
    if (typeof clientId !== 'string') return undefined;
    const role = clientId === shipping?.clientId ? 'first' : 'second';
    if (role === 'second' && clientId !== shipping?.secondClient?.clientId) return undefined;
    if (!this.#accounts.has(role)) {
      const entry = this.#session.journal.open(TOKENS_KIND, { count: 0 }, { account: role });
      this.#accounts.set(role, { entry, count: 0, remaining: new Map(), shared: false });
    }
    return role;
  }

  /** Notes the token in a token response. */
  issued(role: Role, answer: Answer): void {
    const account = this.#accounts.get(role);
    const value = answer.ok ? answer.at('/access_token') : undefined;
    if (!account || typeof value !== 'string' || value === '') return;
    const said = answer.at('/expires_in');
    const seconds = typeof said === 'number' && said > 0 ? said : LIFETIME_S;
    account.count += 1;
    account.shared ||= account.remaining.has(value);
    account.remaining.set(value, { expiresAt: this.#session.time.elapsed() + seconds * 1_000 });
    const until = new Date(Date.now() + seconds * 1_000).toISOString();
    this.#session.journal.note(account.entry, { count: account.count, until });
  }

  /** Notes that a token was named in a revocation that succeeded. */
  revoked(value: string): void {
    for (const { remaining } of this.#accounts.values()) remaining.delete(value);
  }

  /** Returns the role of the client that a token was issued to; the first where that is not known. */
  ownerOf(value: string): Role {
    for (const [role, { remaining }] of this.#accounts) if (remaining.has(value)) return role;
    return 'first';
  }

  /** Revokes the tokens that are still valid, as far as possible; the others expire by themselves. */
  async #revokeAll(): Promise<void> {
    for (const [role, account] of this.#accounts) {
      if (mayRevoke(this.#session, account)) await this.#revoke(role, account);
      this.#session.journal.done(account.entry);
    }
  }

  /**
   * Revokes the tokens of one client. Where that does not work, reports how many are still valid, and does
   * not try again, since they expire.
   */
  async #revoke(role: Role, { remaining }: Account): Promise<void> {
    const now = this.#session.time.elapsed();
    const values = [...remaining].filter(([, { expiresAt }]) => expiresAt > now).map(([value]) => value);
    const client = clientOf(this.#session, role);
    const until = Math.max(...[...remaining.values()].map(({ expiresAt }) => expiresAt));
    const ended: string[] = [];
    for (let i = 0; i < values.length; i += AT_ONCE) {
      const some = values.slice(i, i + AT_ONCE);
      const answers = await Promise.allSettled(some.map((value) => this.#calls?.end(value, client)));
      const ok = some.filter((_, n) => answers[n]?.status === 'fulfilled' && answers[n].value?.ok);
      if (ok.length === 0) break;
      ended.push(...ok);
    }
    const [last] = ended.slice(-1);
    const isActive = last !== undefined && (await this.#isActive(last, client));
    const alive = values.length - (isActive ? 0 : ended.length);
    if (alive === 0) return;
    const at = new Date(Date.now() + until - now).toISOString();
    this.#session.stays.push(
      `up to ${alive} access tokens of the ${role} client live until ${at}: ${isActive ? 'one that was revoked is still active, says introspection' : 'revoking them was not answered with success'}`,
    );
  }

  /** Whether introspection calls a revoked token active: the answer to the revocation does not show that. */
  async #isActive(token: string, client: Client): Promise<boolean> {
    const purpose = 'look whether a token that was revoked has ended';
    for (const waitMs of [0, SETTLE_MS]) {
      if (waitMs > 0) await this.#session.time.rest(waitMs);
      const answer = await this.#calls?.introspectAs(client, token, purpose).catch(() => undefined);
      if (answer?.ok !== true || answer.at('/active') !== true) return false;
    }
    return true;
  }
}

/**
 * Whether the tokens may be revoked: not in a run that may only read, and not where the target may have given
 * the run a token that others use as well, which can be noticed only if the run requests several tokens.
 */
function mayRevoke(session: Session, { count, shared, remaining }: Account): boolean {
  return session.options.effects.includes('write') && count > 1 && remaining.size > 0 && !shared;
}
