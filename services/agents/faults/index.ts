/** All faults, and the answers to them; each fault is sent at most once in a run. */
import type { CheckContext } from '../../../lib/check/context.ts';
import { perRunOf, perSession } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { Skipped, Undecided } from '../../../lib/model/verdict.ts';
import { Registrations } from '../fixtures/registrations.ts';
import type { Subject } from '../idp/identity-provider.ts';
import { codeOf, meansOneOf } from '../judging/error-codes.ts';
import { fits, isRefusal } from '../judging/refusal.ts';
import { algorithmFaults } from './algorithm.ts';
import { claimFaults } from './claims.ts';
import { type Fault, nameOf } from './fault.ts';
import { FaultBuilder } from './fault-builder.ts';
import { formFaults } from './form.ts';
import { partyFaults } from './parties.ts';
import { requestFaults } from './request.ts';
import { signatureFaults } from './signature.ts';

export { type Fault, nameOf } from './fault.ts';

/** All faults, including those of the larger sweep. */
export const allFaults: Fault[] = [
  ...requestFaults,
  ...formFaults,
  ...signatureFaults,
  ...algorithmFaults,
  ...partyFaults,
  ...claimFaults,
];

/**
 * Returns the fault of the default run that belongs to a requirement. Throws an `Error` where there is none.
 */
export function faultOf(id: string): Fault {
  const fault = allFaults.find((each) => each.id === id && each.case === undefined);
  if (!fault) throw new Error(`no fault ${id}`);
  return fault;
}

/** Names of the faults that have been answered in the run. */
const answeredIn = perSession(() => new Set<string>());

/** Names of the faults that have been sent in the run. */
const sentIn = perSession(() => new Set<string>());

/** Sends the faults of a run, and keeps their answers. */
export class Faults {
  readonly session: Session;
  readonly #registrations: Registrations;

  constructor(context: Pick<CheckContext, 'session'>) {
    this.session = context.session;
    this.#registrations = new Registrations(context);
  }

  /**
   * Returns the answer to a fault: to its own request or, in the default run, to the request of another fault
   * that includes this one (`Fault.shownBy`). Before its own request, a good registration is sent; throws
   * `Blocked` where that is refused. Without a signing key, only faults that need no valid assertion are
   * sent; for the others, throws `Skipped`.
   */
  async answer(fault: Fault): Promise<Answer> {
    const { attempts } = this.#registrations.endpoint;
    const instead = fault.shownBy && !attempts.mayIfSwept() ? await this.#shown(fault.shownBy) : undefined;
    if (instead) return instead;
    // If other faults include this one, its own request counts as an attempt of the larger sweep. In the
    // default run it is sent only if those were not refused for the right reason, to find out which
    // requirement is broken.
    return this.#own(fault);
  }

  /** Sends the fault's own request, once in a run. */
  readonly #own = perRunOf(
    this,
    'agents: fault',
    async (fault: Fault): Promise<Answer> => {
      if (this.#registrations.canSign || !fault.keyless) await this.#registrations.twin();
      const { users } = this.#registrations;
      const part = fault.recovery ? 'recovery' : fault.known;
      const user = part === undefined ? users.next() : users.named(part);
      return this.send(fault, user);
    },
    { by: (fault) => [nameOf(fault)] },
  );

  /**
   * Throws `Skipped`, naming the key to set, where a fault was not sent and the refusal of others makes it only
   * likely that it is refused.
   */
  requireShown(fault: Fault): void {
    if (fault.likely && !sentIn(this.session).has(nameOf(fault)))
      this.#registrations.endpoint.attempts.requireSweep(1);
  }

  /** Sends a fault with an assertion about `user`, even if the fault was sent before. */
  async send(fault: Fault, user: Subject): Promise<Answer> {
    sentIn(this.session).add(nameOf(fault));
    const extra =
      fault.sweep === true ||
      (fault.shownBy !== undefined && this.#registrations.endpoint.attempts.mayIfSwept());
    const { endpoint } = this.#registrations;
    const body = async () => fault.body(new FaultBuilder(this.#registrations, user));
    const bearer = await fault.bearer?.(new FaultBuilder(this.#registrations, user));
    if (bearer !== undefined) this.session.secrets.add(bearer, 'assertion');
    return endpoint.post({
      purpose: fault.purpose,
      ...(fault.query && { url: withQuery(await endpoint.url(), fault.query) }),
      ...(bearer !== undefined && { headers: { authorization: `Bearer ${bearer}` } }),
      body: await body(),
      renewed: body,
      budget: extra ? 'sweep' : fault.recovery || fault.reserved ? 'refusals' : 'required',
    });
  }

  /**
   * Returns, in words, why the refusal of a fault proves nothing on this target; `undefined` where it does
   * prove something.
   */
  async whyNothingShown(fault: Fault): Promise<string | undefined> {
    return fault.whyNothingShown?.(new FaultBuilder(this.#registrations, this.#registrations.users.next()));
  }

  /**
   * Returns the answers to those of the faults that can be sent in this run. Throws `Skipped` where none can
   * be sent, and where a fault that was answered before cannot be sent again: a check that is repeated to
   * confirm a failure would otherwise miss that failure.
   */
  async answers(faults: readonly Fault[]): Promise<{ fault: Fault; answer: Answer }[]> {
    const found: { fault: Fault; answer: Answer }[] = [];
    const answered = answeredIn(this.session);
    let skipped: Skipped | undefined;
    for (const fault of faults) {
      try {
        found.push({ fault, answer: await this.answer(fault) });
        answered.add(nameOf(fault));
      } catch (error) {
        if (!(error instanceof Skipped) || answered.has(nameOf(fault))) throw error;
        skipped ??= error;
      }
    }
    if (found.length === 0 && skipped) throw skipped;
    return found;
  }

  /**
   * Returns the answer to the last of these faults if all of them were refused for the right reason;
   * otherwise `undefined`.
   */
  async #shown(ids: string[]): Promise<Answer | undefined> {
    let last: Answer | undefined;
    for (const id of ids) {
      const fault = faultOf(id);
      const answer = await this.answer(fault).catch((error: unknown) => {
        if (error instanceof Skipped) return undefined;
        throw error;
      });
      if (!answer) return undefined;
      const code = codeOf(answer);
      const right =
        code !== undefined &&
        fault.reason &&
        (fits(code, fault.reason) || meansOneOf(code, fault.reason.codes));
      if (!isRefusal(answer) || !right) return undefined;
      last = answer;
    }
    return last;
  }
}

function withQuery(address: string, query: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Returns whether an error says that no answer came: a service may stop reading a very long request and close
 * the connection.
 */
export function isNoAnswer(error: unknown): boolean {
  return error instanceof Undecided && error.message.includes('got no answer');
}
