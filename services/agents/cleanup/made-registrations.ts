/** The registrations that a run made. The specification has nothing that takes one back, so they are told. */
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';

/** How the journal calls them: their number and the ids that were answered, never a key. */
export const REGISTRATIONS_KIND = 'agents.registrations';

/** How many ids are kept; further registrations are only counted. */
const MOST_IDS = 200;
/** What an id may be made of; anything else a target may have put there is not repeated. */
const ID = /^[\w.:@-]{1,80}$/;

/** See the module comment. */
export class MadeRegistrations {
  readonly #session: Session;
  #entry: number | undefined;
  #count = 0;
  readonly #ids: string[] = [];

  private constructor(session: Session) {
    this.#session = session;
  }

  /** Those of a run. */
  static of(session: Session): MadeRegistrations {
    const known = made.get(session);
    if (known) return known;
    const fresh = new MadeRegistrations(session);
    made.set(session, fresh);
    session.onUndo(async () => {
      if (fresh.#entry === undefined) return;
      if (fresh.#count > 0) session.stays.push(toldOf(fresh.#count, fresh.#ids));
      session.journal.done(fresh.#entry);
    });
    return fresh;
  }

  /** To be called before a registration is sent. */
  announce(): void {
    this.#entry ??= this.#session.journal.open(
      REGISTRATIONS_KIND,
      { count: 0, ids: [] },
      { account: 'issuer' },
    );
  }

  /** Notes what a registration was answered. */
  answered(answer: Answer): void {
    if (!answer.ok || this.#entry === undefined) return;
    this.#count += 1;
    const id = answer.at('/registration_id');
    if (typeof id === 'string' && ID.test(id) && this.#ids.length < MOST_IDS) this.#ids.push(id);
    this.#session.journal.note(this.#entry, { count: this.#count, ids: this.#ids });
  }
}

/** How many there are, and the first of their ids, in a sentence. */
export function toldOf(count: number, ids: readonly string[]): string {
  const some = ids.slice(0, 5).join(', ');
  const more = ids.length > 5 ? ` and ${ids.length - 5} more` : '';
  const named = some === '' ? '' : ` (${some}${more})`;
  return `${count} registrations${named} stay: the specification has nothing that takes one back`;
}

const made = new WeakMap<Session, MadeRegistrations>();
