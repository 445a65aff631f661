/** What comes after a refusal (the column "retryable" of section 7), and the burst of one assertion (replay). */
import type { CheckContext } from '../../../lib/check/context.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Assertion } from '../../../lib/idp/identity-provider.ts';
import { fieldsWith } from './endpoint.ts';
import { allFaults, type Fault, Faults } from './faults/index.ts';
import { keyOf, type Registration, Registrations } from './registrations.ts';

/** One assertion sent several times at once. */
export interface Burst {
  assertion: Assertion;
  answers: Answer[];
  /** Errors of requests that got no answer. */
  unanswered: unknown[];
  /** Those that succeeded. */
  winners: Registration[];
}

/** Requests of a burst. */
const AT_ONCE = 5;
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
   * provoked before, so that its success shows recovery from all of them as well.
   */
  burst(): Promise<Burst> {
    return this.#session.once('agents: burst', async () => {
      await this.#faults.answers(allFaults.filter((fault) => fault.recovery));
      return this.#send(AT_ONCE, 'required');
    });
  }

  /** A larger burst, of a user who has not been seen before. */
  largeBurst(): Promise<Burst> {
    return this.#session.once('agents: large burst', () => this.#send(MANY_AT_ONCE, 'sweep'));
  }

  async #send(count: number, purse: 'required' | 'sweep'): Promise<Burst> {
    await this.#registrations.twin();
    const { users, endpoint } = this.#registrations;
    const user = purse === 'required' ? users.named('recovery') : users.next();
    const provider = await this.#registrations.provider();
    const assertion = await provider.mint(user, await this.#registrations.audience());
    await this.#openConnections(count);
    const body = { json: fieldsWith(assertion.token) };
    const purpose = `register with one assertion ${count} times at once`;
    // All of them or none: half a burst shows nothing.
    endpoint.attempts.take(purse, count);
    const posting = {
      purpose,
      body,
      purse: 'counted',
      url: await endpoint.url(),
      gatewayErrors: 'answer',
    } as const;
    const ended = await Promise.allSettled(Array.from({ length: count }, () => endpoint.post(posting)));
    const answers = ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const winners = answers
      .filter((answer) => answer.ok)
      .map((answer) => ({ user, assertion, answer, key: keyOf(answer) }));
    const unanswered = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    // Throttled or out of attempts as a whole: there is nothing to look at.
    if (answers.length === 0) throw unanswered[0];
    return { assertion, answers, unanswered, winners };
  }

  /** Connections that are open already let the requests of a burst arrive together. */
  async #openConnections(count: number): Promise<void> {
    const { discovery } = this.#registrations.endpoint;
    const ask = () =>
      this.#session.http.send({
        method: 'GET',
        url: discovery.urls.resource,
        purpose: 'open a connection for the burst',
      });
    await Promise.all(Array.from({ length: count }, ask));
  }

  /**
   * A good registration of the user with whom every kind of refusal has been provoked: the one of the burst, or
   * a single one where none of the burst succeeded.
   */
  recovered(): Promise<Registration> {
    return this.#session.once('agents: recovered', async () => {
      const { winners } = await this.burst();
      const user = this.#registrations.users.named('recovery');
      return winners[0] ?? this.#registrations.register('register the user after refusals', { user });
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

  /** The first assertion of the run once more, after other registrations have succeeded. */
  later(): Promise<Answer> {
    return this.#session.once('agents: replay later', async () => {
      const { user, assertion } = await this.#registrations.twin();
      await this.#registrations.again();
      await this.recovered();
      const { jti, exp } = assertion.claims;
      if (Number(exp) * 1000 - this.#session.time.now() > 30_000) {
        return this.#registrations.resend(
          assertion,
          'register with the first assertion again, after other registrations',
        );
      }
      // On a slow target it has expired by now; what counts is its `jti`.
      const purpose = 'register with the jti of the first assertion, after other registrations';
      return (await this.#registrations.register(purpose, { user, changes: { claims: { jti } } })).answer;
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
