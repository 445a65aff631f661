/** Every fault, each sent at most once in a run, and what came back. */
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

/** All faults, those of the larger sweep included. */
export const allFaults: Fault[] = [
  ...requestFaults,
  ...formFaults,
  ...signatureFaults,
  ...algorithmFaults,
  ...partyFaults,
  ...claimFaults,
];

/** The fault of the default run with an id. */
export function faultOf(id: string): Fault {
  const fault = allFaults.find((each) => each.id === id && each.case === undefined);
  if (!fault) throw new Error(`no fault ${id}`);
  return fault;
}

/** Names of the faults that were answered in a run. */
const answeredIn = perSession(() => new Set<string>());

export class Faults {
  readonly session: Session;
  readonly #registrations: Registrations;

  constructor(context: Pick<CheckContext, 'session'>) {
    this.session = context.session;
    this.#registrations = new Registrations(context);
  }

  /**
   * The answer to a fault: to its own request, or in the default run to another one that has the fault too.
   * First shows that a good registration is accepted; throws `Blocked` where it is not. Without a key, only
   * what needs no valid assertion is sent, and the rest throws `Skipped`.
   */
  async answer(fault: Fault): Promise<Answer> {
    const { attempts } = this.#registrations.endpoint;
    const instead = fault.shownBy && !attempts.mayIfSwept() ? await this.#shown(fault.shownBy) : undefined;
    if (instead) return instead;
    // What others could have shown costs extra, unless they were not refused: then it tells what is broken.
    return this.#own(fault);
  }

  /** The answer to the own request of a fault. */
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

  /** Sends a fault about a user, now. */
  async send(fault: Fault, user: Subject): Promise<Answer> {
    const extra =
      fault.sweep === true ||
      (fault.shownBy !== undefined && this.#registrations.endpoint.attempts.mayIfSwept());
    const { endpoint } = this.#registrations;
    return endpoint.post({
      purpose: fault.purpose,
      ...(fault.query && { url: withQuery(await endpoint.url(), fault.query) }),
      body: await fault.body(new FaultBuilder(this.#registrations, user)),
      budget: extra ? 'sweep' : fault.recovery || fault.reserved ? 'refusals' : 'required',
    });
  }

  /** Why the refusal of a fault shows nothing on this target; `undefined` where it does. */
  async whyNothingShown(fault: Fault): Promise<string | undefined> {
    return fault.whyNothingShown?.(new FaultBuilder(this.#registrations, this.#registrations.users.next()));
  }

  /**
   * Answers to the faults that can be sent in this run; those that cannot are left out. Throws `Skipped` where one that
   * was answered before cannot be sent again: without it a repeat would find nothing.
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

  /** The answer to the last of some faults, when all of them were refused for the right reason. */
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

/** An answer that did not come: the service may have stopped reading. */
export function isNoAnswer(error: unknown): boolean {
  return error instanceof Undecided && error.message.includes('got no answer');
}
