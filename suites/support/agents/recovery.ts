/** What comes after a refusal (the column "retryable" of section 7), and the burst of one assertion (replay). */
import type { CheckContext } from '../../../lib/check/context.ts';
import type { Session } from '../../../lib/check/session.ts';
import { Blocked, Skipped, Undecided } from '../../../lib/check/verdict.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Assertion, Subject } from '../../../lib/idp/identity-provider.ts';
import { codeOf } from './codes.ts';
import { fieldsWith, type Posting } from './endpoint.ts';
import { allFaults, type Fault, Faults } from './faults/index.ts';
import { keyOf, type Registration, Registrations, told } from './registrations.ts';
import { headersFor } from './requests.ts';
import { scrapeNewly } from './scrape.ts';

/** One assertion sent several times at once. */
export interface Burst {
  assertion: Assertion;
  answers: Answer[];
  /** Errors of requests that got no answer. */
  unanswered: unknown[];
  /** Those that succeeded. */
  winners: Registration[];
  /** A registration of the same user with an assertion of its own, under way at the same time. */
  other?: Registration;
  /** A registration of a new user, under way at the same time. */
  newcomer?: Registration;
}

/** Requests of a burst with the same assertion. */
const AT_ONCE = 4;
/** What an assertion has left when it is sent again at last: enough to be good to everybody. */
const BEFORE_EXPIRY_MS = 60_000;
/** Requests of the larger burst, when the run may make that many attempts. */
const MANY_AT_ONCE = 16;

export class Recovery {
  readonly #session: Session;
  readonly #registrations: Registrations;
  readonly #faults: Faults;

  constructor(context: Pick<CheckContext, 'session'>) {
    this.#session = context.session;
    this.#registrations = new Registrations(context);
    this.#faults = new Faults(context);
  }

  /**
   * A fresh assertion sent several times at once. It is for the user with whom every kind of refusal has been
   * provoked before, so that its success shows recovery from all of them as well; and since that user is new,
   * a further assertion among them shows whether the service makes two users of one.
   */
  burst(): Promise<Burst> {
    return this.#session.once('agents: burst', async () => {
      await this.#faults.answers(allFaults.filter((fault) => fault.recovery));
      let burst = await this.#send(AT_ONCE, 'required');
      // Where the service fails what comes at the same time for one user, the burst is tried by itself.
      const failed = burst.answers.some((answer) => codeOf(answer) === 'server_error');
      if (burst.winners.length === 0 && burst.other?.answer.ok && failed)
        burst = await this.#send(AT_ONCE, 'required', false);
      // What the key opens is seen before anything else happens to it.
      const key = goodOf(burst)?.key;
      if (key !== undefined) await scrapeNewly(this.#session, key).catch(() => undefined);
      return burst;
    });
  }

  /** A larger burst, of a user who has not been seen before. */
  largeBurst(): Promise<Burst> {
    return this.#session.once('agents: large burst', () => this.#send(MANY_AT_ONCE, 'sweep'));
  }

  async #send(count: number, purse: 'required' | 'sweep', withOther = purse === 'required'): Promise<Burst> {
    await this.#registrations.twin();
    const { users, endpoint } = this.#registrations;
    const user = purse === 'required' ? users.named('recovery') : users.next();
    const provider = await this.#registrations.provider();
    const assertion = await provider.mint(user, await this.#registrations.audience());
    const beside = withOther && !users.fixed ? [user, users.next()] : [];
    const audience = await this.#registrations.audience();
    const others = await Promise.all(
      beside.map(async (each) => ({ user: each, assertion: await provider.mint(each, audience) })),
    );
    await this.#openConnections(count + others.length);
    const body = { json: fieldsWith(assertion.token) };
    const purpose = `register with one assertion ${count} times at once`;
    // All of them or none: half a burst shows nothing.
    endpoint.attempts.take(purse, count + others.length);
    const posting = {
      purpose,
      body,
      purse: 'counted',
      url: await endpoint.url(),
      gatewayErrors: 'answer',
    } as const;
    const [ended, [other, newcomer]] = await Promise.all([
      Promise.allSettled(Array.from({ length: count }, () => endpoint.post(posting))),
      Promise.all(others.map((each) => this.#meanwhile(posting, each.user, each.assertion))),
    ]);
    const answers = ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const winners = answers
      .filter((answer) => answer.ok)
      .map((answer) => ({ user, assertion, answer, key: keyOf(answer) }));
    const unanswered = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    // Throttled or out of attempts as a whole: there is nothing to look at.
    if (answers.length === 0) throw unanswered[0];
    return {
      assertion,
      answers,
      unanswered,
      winners,
      ...(other && { other }),
      ...(newcomer && { newcomer }),
    };
  }

  /** A registration while a burst is under way; `undefined` when no answer came. */
  async #meanwhile(posting: Posting, user: Subject, assertion: Assertion): Promise<Registration | undefined> {
    try {
      const answer = await this.#registrations.endpoint.post({
        ...posting,
        purpose: 'register with another assertion at the same time',
        body: { json: fieldsWith(assertion.token) },
      });
      return { user, assertion, answer, key: keyOf(answer) };
    } catch (error) {
      if (error instanceof Undecided) return undefined;
      throw error;
    }
  }

  /** Connections that are open already let the requests of a burst arrive together. */
  async #openConnections(count: number): Promise<void> {
    const { discovery } = this.#registrations.endpoint;
    const ask = () =>
      this.#session.http.send({
        method: 'GET',
        url: discovery.urls.resource,
        purpose: 'open a connection for the burst',
        headers: headersFor(discovery.config),
      });
    await Promise.all(Array.from({ length: count }, ask));
  }

  /**
   * A good registration of the user with whom every kind of refusal has been provoked: the one of the burst, or
   * a single one where none of the burst succeeded.
   */
  recovered(): Promise<Registration> {
    return this.#session.once('agents: recovered', async () => {
      const user = this.#registrations.users.named('recovery');
      const good = goodOf(await this.burst());
      return good ?? this.#registrations.register('register the user after refusals', { user });
    });
  }

  /** The refusal of one fault and a good registration right after it, for a user of its own. */
  alone(fault: Fault): Promise<{ refused: Answer; good: Registration }> {
    return this.#session.once(`agents: recovery after ${fault.id} alone`, async () => {
      const user = this.#registrations.users.next();
      const refused = await this.#faults.send(fault, user);
      const good = await this.#registrations.register('register the same user after one refusal', { user });
      return { refused, good };
    });
  }

  /**
   * The first assertion of the run once more, after other registrations have succeeded and, where time can be let
   * pass, shortly before it expires.
   */
  later(): Promise<Answer> {
    return this.#session.once('agents: replay later', async () => {
      const { time } = this.#session;
      let { assertion } = await this.#registrations.twin();
      await this.#registrations.again();
      await this.recovered();
      const left = () => Number(assertion.claims.exp) * 1000 - time.now();
      // On a slow target the first one has expired by now, and need not be remembered any more.
      if (left() < BEFORE_EXPIRY_MS) {
        const fresh = await this.#registrations.register('register a user to try the assertion again');
        if (!fresh.answer.ok)
          throw new Blocked(`a good registration is answered ${told(fresh.answer)}`, 'AGENT-REG-STATUS');
        assertion = fresh.assertion;
      }
      try {
        await time.pass(left() - BEFORE_EXPIRY_MS, 'whether a jti is remembered as long as its assertion');
      } catch (error) {
        if (!(error instanceof Skipped)) throw error;
      }
      return this.#registrations.resend(assertion, 'register with an assertion that was redeemed long ago');
    });
  }

  /** A newly signed assertion of another user with the `jti` of one that was redeemed. */
  reusedByOther(): Promise<Registration> {
    return this.#session.once('agents: jti used by another user', async () => {
      const { jti } = (await this.#redeemed()).claims;
      return this.#registrations.register('register another user with a used jti', {
        changes: { claims: { jti } },
      });
    });
  }

  /** A newly signed assertion of the same user with the `jti` of one that was redeemed. */
  reusedBySame(purse: 'required' | 'sweep'): Promise<Registration> {
    return this.#session.once('agents: jti used by the same user', async () => {
      const { first } = await this.#registrations.again();
      const { jti } = (await this.#redeemed()).claims;
      const making = { user: first.user, purse, changes: { claims: { jti } } };
      return this.#registrations.register('register the same user with a used jti', making);
    });
  }

  /** An assertion that was redeemed and not sent since. */
  async #redeemed(): Promise<Assertion> {
    const { first, second } = await this.#registrations.again();
    return (second.answer.ok ? second : first).assertion;
  }
}

/** A registration of a burst that succeeded. */
function goodOf({ winners, other }: Burst): Registration | undefined {
  return winners[0] ?? (other?.answer.ok ? other : undefined);
}
