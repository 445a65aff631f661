/**
 * The registrations that a run made. The specification offers no way to withdraw one, so the run reports
 * them.
 */
import { perSession } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';

/**
 * The kind of their journal entry, which holds their number and the ids from the answers, but never a key.
 */
export const REGISTRATIONS_KIND = 'agents.registrations';

/** How many ids are kept; further registrations are only counted. */
const MOST_IDS = 200;
/** The form of ids that are kept. Anything else that a target may send as an id is not stored or shown. */
const ID = /^[\w.:@-]{1,80}$/;

/** See the module comment. */
export class MadeRegistrations {
  readonly #session: Session;
  #entry: number | undefined;
  #count = 0;
  /** Requests that were sent but got no certain answer: each of them may have made a registration. */
  #unanswered = 0;
  readonly #ids: string[] = [];

  private constructor(session: Session) {
    this.#session = session;
  }

  /** Returns the registrations of a run. */
  static readonly of = perSession((session) => {
    const fresh = new MadeRegistrations(session);
    session.onUndo(async () => {
      if (fresh.#entry === undefined) return;
      session.stays.push(...describeRegistrations(fresh.#count, fresh.#ids, fresh.#unanswered));
      session.journal.done(fresh.#entry);
    });
    return fresh;
  });

  /** Notes that a registration is about to be sent; has to be called before that. */
  announce(): void {
    this.#unanswered += 1;
    const { journal } = this.#session;
    if (this.#entry !== undefined) journal.note(this.#entry, { unanswered: this.#unanswered });
    else
      this.#entry = journal.open(
        REGISTRATIONS_KIND,
        { count: 0, ids: [], unanswered: this.#unanswered },
        { account: 'issuer' },
      );
  }

  /** Notes the answer to a registration. */
  answered(answer: Answer): void {
    // An error of a gateway does not say what the server behind it did.
    if (answer.status >= 500 || this.#entry === undefined) return;
    this.#unanswered -= 1;
    if (answer.ok) this.#count += 1;
    const id = answer.ok ? answer.at('/registration_id') : undefined;
    if (typeof id === 'string' && ID.test(id) && this.#ids.length < MOST_IDS) this.#ids.push(id);
    this.#session.journal.note(this.#entry, {
      count: this.#count,
      ids: this.#ids,
      unanswered: this.#unanswered,
    });
  }
}

/**
 * Returns a sentence with the number of registrations and the first of their ids, as a list of one item; an
 * empty list where there are none.
 * @param unanswered how many further requests may have made a registration
 */
export function describeRegistrations(count: number, ids: readonly string[], unanswered: number): string[] {
  const some = ids.slice(0, 5).join(', ');
  const more = ids.length > 5 ? ` and ${ids.length - 5} more` : '';
  const named = some === '' ? '' : ` (${some}${more})`;
  const lost = `up to ${unanswered} whose requests got no sure answer`;
  const what = [
    ...(count > 0 ? [`${count} ${count === 1 ? 'registration' : 'registrations'}${named}`] : []),
    ...(unanswered > 0 ? [count > 0 ? lost : `registrations, ${lost},`] : []),
  ];
  if (what.length === 0) return [];
  const stay = count === 1 && unanswered === 0 ? 'stays' : 'stay';
  return [`${what.join(' and ')} ${stay}: the specification has nothing that takes one back`];
}
