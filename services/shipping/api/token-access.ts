import type { CheckContext } from '../../../lib/check/context.ts';
import { perRun, perRunOf } from '../../../lib/check/per-run.ts';
import { type Shelf, shelfFor } from '../../../lib/check/reuse.ts';
import type { Session } from '../../../lib/check/session.ts';
import { Answer } from '../../../lib/http/answer.ts';
import { Blocked, Skipped } from '../../../lib/model/verdict.ts';
import { mexican } from '../fixtures/mexican-data.ts';
import type { AddressCall } from './address-calls.ts';
import { AddressBook } from './addresses.ts';
import { type AccessToken, acceptedIn, endedIn, noteSeen, OAuth } from './oauth.ts';
import { TokenPool } from './token-pool.ts';

/** What shows whether a token is accepted. */
export type SeenBy = 'address book' | 'protected resource' | 'introspection';

type Presented = AccessToken | { raw: string } | 'none';

/** Statuses that say that there is no such path or no such method. */
const NOT_THERE = [404, 405, 501];

/** An answer to an introspection, which counts as a success only if it says `active: true`. */
class IntrospectionAnswer extends Answer {
  override get ok(): boolean {
    return super.ok && this.at('/active') === true;
  }
}

/**
 * Shows whether a token is accepted: at the resource that `shipping.protectedResource` names, or at the list
 * of addresses, or, where the target is an authorization server without either, by introspection.
 */
export class TokenAccess {
  readonly #book: AddressBook;
  readonly session: Session;
  readonly #context: CheckContext;

  constructor(context: CheckContext) {
    this.session = context.session;
    this.#context = context;
    this.#book = new AddressBook(context);
  }

  /** Returns what shows on this target whether a token is accepted; `undefined` where nothing could. */
  seenBy(): Promise<SeenBy | undefined> {
    return seenBy(this.#context);
  }

  /**
   * Throws `Skipped` unless there is a resource that requires tokens: introspection has no rate limit and
   * serves nothing.
   */
  async requireResource(): Promise<void> {
    const by = await this.seenBy();
    if (by !== 'address book' && by !== 'protected resource') throw this.#lacksResource();
  }

  /** Throws `Skipped` where the target has no address book. For checks that need several of its endpoints. */
  async requireAddressBook(): Promise<void> {
    if ((await this.seenBy()) !== 'address book')
      throw new Skipped('the target has no address book, as far as this run can see');
  }

  /**
   * Presents a token and returns the answer, whose `ok` means that the token was accepted. Paced. Throws
   * `Skipped` where nothing shows that.
   */
  async present(auth: Presented, purpose = 'list addresses with the token'): Promise<Answer> {
    const by = await this.seenBy();
    if (by === undefined || (by === 'introspection' && auth === 'none')) throw this.#lacksResource();
    if (by !== 'introspection') {
      const answer = await this.send({ auth }, purpose);
      if (auth !== 'none' && 'pacer' in auth) noteSeen(this.#context.session, auth, answer);
      return answer;
    }
    const value = auth === 'none' ? '' : 'raw' in auth ? auth.raw : auth.value;
    const words = purpose.replace(/^list addresses/, 'introspect, in the place of a resource,');
    const answer = await new OAuth(this.#context).introspect(value, {}, undefined, words);
    return new IntrospectionAnswer(answer.exchange, answer.status, answer.text);
  }

  /** Sends the request that shows whether a token is accepted, to the list or the configured resource. */
  send(options: Pick<AddressCall, 'auth' | 'throttled'>, purpose: string): Promise<Answer> {
    const { baseUrl, protectedResource } = new OAuth(this.#context).config;
    if (protectedResource === undefined)
      return this.#book.call({ method: 'GET', path: '?per_page=1', purpose, ...options });
    const { method = 'GET', path } = protectedResource;
    const words = purpose.replace(/^list addresses/, 'use the protected resource');
    return this.#book.call({ method, url: `${baseUrl}${path}`, purpose: words, ...options });
  }

  /** Throws `Blocked` unless a token is accepted: the twin of every check that expects a refusal. */
  async requireAccepted(token: AccessToken): Promise<void> {
    const answer = await this.present(token);
    if (!answer.ok) {
      throw new Blocked(
        `a fresh token is not accepted: ${answer.exchange.purpose} answered ${answer.status}`,
        'TOKEN-OPENS-ADDRESS-BOOK',
      );
    }
  }

  readonly #takesInvented = perRunOf(
    this,
    'shipping: an invented token is accepted',
    async (): Promise<boolean> => {
      const answer = await this.present(
        { raw: `invented-${mexican(this.#context).string.alphanumeric(24)}` },
        'list addresses with an invented token',
      );
      return answer.ok;
    },
  );

  /** Throws `Blocked` where an invented token is accepted as well, so that being accepted means nothing. */
  async requireInventedRefused(): Promise<void> {
    if (await this.#takesInvented())
      throw new Blocked(
        'an invented token is accepted, so that being accepted means nothing',
        'TOKEN-ALTERED-REFUSED',
      );
  }

  /**
   * Returns a token that is known to be accepted and that no other check uses from now on: one that was
   * accepted when another check last presented it, or else a fresh one.
   */
  async anyToken(): Promise<AccessToken> {
    const { reuse, session, time } = this.#context;
    const accepted = acceptedIn(session);
    for (const shelf of [leftTokens, pooledTokens]) {
      const left = reuse.of(shelf);
      for (let token = left?.take(); token; token = left?.take()) {
        const shownBy = accepted.get(token.value);
        if (shownBy === undefined || time.elapsed() - token.issuedAt > OLDEST_MS) continue;
        session.http.recorder.restOn(shownBy);
        reuse.leave(leftTokens, token);
        return token;
      }
    }
    const fresh = await this.openToken();
    reuse.leave(leftTokens, fresh);
    return fresh;
  }

  /**
   * Returns a token that was issued not long ago and that no other check uses from now on, for requests to
   * the OAuth endpoints about it.
   */
  async livingToken(): Promise<AccessToken> {
    const { reuse, session, time } = this.#context;
    const isYoung = ({ issuedAt }: AccessToken) => time.elapsed() - issuedAt <= OLDEST_MS;
    let token: AccessToken | undefined;
    for (const shelf of [livingTokens, pooledTokens]) {
      const left = token ? undefined : reuse.of(shelf);
      token ??= left?.take();
      while (token && left && (endedIn(session).has(token.value) || !isYoung(token))) token = left.take();
    }
    token ??= await new OAuth(this.#context).issue();
    reuse.leave(livingTokens, token);
    return token;
  }

  /** Returns a fresh, accepted token. Throws `Blocked` where invented tokens are accepted, too. */
  async openToken(oauth = new OAuth(this.#context)): Promise<AccessToken> {
    await this.requireInventedRefused();
    const token = await oauth.issue();
    await this.requireAccepted(token);
    return token;
  }

  #lacksResource(): Skipped {
    return new Skipped(
      `set \`targets.${this.#context.target.name}.shipping.protectedResource\`: there is no address book to present tokens to`,
    );
  }
}

/** Tokens that checks left unrevoked; it is not known whether a resource accepts them. */
const livingTokens = shelfFor<AccessToken>();

/** Tokens that checks left unrevoked, and that were accepted when they were last presented. */
const leftTokens = shelfFor<AccessToken>();

/** Tokens of the pool, from which they are taken. */
const pooledTokens: Shelf<AccessToken> = (session) => TokenPool.of(session).tokens;

/** Older tokens are not reused, in milliseconds: well below the 2 hours that a token lives. */
const OLDEST_MS = 1_800_000;

/** See `TokenAccess.seenBy`; determined once in a run. */
const seenBy = perRun(
  'shipping: what shows whether a token is accepted',
  async (context: CheckContext): Promise<SeenBy | undefined> => {
    const oauth = new OAuth(context);
    if (oauth.config.protectedResource !== undefined) return 'protected resource';
    // Where the address book itself is under test, it has to exist.
    if (context.session.options.suites.includes('address-book')) return 'address book';
    const list = (auth: Presented, purpose: string) =>
      new AddressBook(context).call({ method: 'GET', path: '?per_page=1', purpose, auth });
    const token = await oauth.issue();
    const answer = await list(token, 'look for an address book');
    if (!NOT_THERE.includes(answer.status)) return 'address book';
    const without = await list('none', 'look for an address book without a token');
    if (without.status !== answer.status) return 'address book';
    const activeOf = async (value: string) => (await oauth.introspect(value)).at('/active');
    const distinguishes =
      (await activeOf(token.value)) === true && (await activeOf(`invented-${token.value}`)) === false;
    return distinguishes ? 'introspection' : undefined;
  },
);
