/** The addresses that updates are made on (4.4): new ones, and ones that earlier updates left whole. */
import type { CheckContext } from '../../../lib/check/context.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { AddressTemplate } from '../../../schemas/shipping/index.ts';
import { AddressBook, storedIn } from './addresses.ts';
import { type NewAddress, OPTIONAL_ATTRIBUTES } from './data.ts';
import { FIELDS, fits, valueIn } from './fields.ts';

/** Which fields an address has to begin with: all of them, or those alone that create demands. */
export type Start = 'full' | 'sparse';

/** Fields of free text, and what some begin with: an update that writes back what it read has to keep it as well. */
const TEXTS = ['street1', 'company', 'area_level3', 'reference'] as const;
const SPECIAL = ' Ñandú & <5> "007"';

/** An address that updates are made on, as it was read after the last of them. */
export interface Subject {
  id: string;
  first: AddressTemplate;
  data: AddressTemplate;
  /** How many requests the run had sent by then. */
  at: number;
}

const subjectsBySession = new WeakMap<Session, Map<string, Subject>>();

function subjectsOf(session: Session): Map<string, Subject> {
  const known = subjectsBySession.get(session);
  if (known) return known;
  const subjects = new Map<string, Subject>();
  subjectsBySession.set(session, subjects);
  return subjects;
}

/** Makes them, and knows which ones there are. */
export class UpdateSubjects {
  readonly #context: CheckContext;
  readonly #book: AddressBook;

  constructor(context: CheckContext) {
    this.#context = context;
    this.#book = new AddressBook(context);
  }

  /** What a create sends for an address to begin with. */
  toSend(start: Start, isDefault = false): NewAddress {
    const sent = this.#book.fresh({ default: isDefault });
    if (start === 'full') return sent;
    delete (sent as Partial<NewAddress>).default;
    for (const name of OPTIONAL_ATTRIBUTES) delete sent.address_attributes[name];
    return sent;
  }

  /**
   * An address to update, as it reads before. `isDefault` and what is added to its texts are left out where the
   * target refuses them.
   */
  async start(start: Start, isDefault = false, added = ''): Promise<{ id: string; data: AddressTemplate }> {
    const sent = this.toSend(start, isDefault);
    if (added !== '') {
      sent.alias_name += added;
      for (const name of TEXTS) if (name in sent.address_attributes) sent.address_attributes[name] += added;
    }
    const answer = await this.#book.post({ address_template: sent });
    if (!answer.ok && added !== '') return this.start(start, isDefault);
    if (!answer.ok && isDefault) return this.start(start);
    const { id } = await this.#book.made(sent, answer);
    const read = await this.#book.read(id, 'read the address back');
    // A text that makes the answer unreadable is another requirement's.
    if (added !== '' && read.ok && read.json === undefined) return this.start(start, isDefault);
    return { id, data: storedIn(read, id, 'read the address back').data };
  }

  /**
   * An address to update next, as it reads now: the one that the last such update was made on, as long as it is
   * whole. It is read again where anything was sent since. It is given out once: `keep` has to be called with what
   * it has become.
   */
  async next(start: Start, isDefault: boolean): Promise<Omit<Subject, 'at'> & { key: string }> {
    const key = `${start} ${isDefault}`;
    const subjects = subjectsOf(this.#context.session);
    const last = subjects.get(key);
    subjects.delete(key);
    if (last) {
      const isCurrent = last.at === this.#context.http.recorder.count;
      const read = isCurrent
        ? undefined
        : await this.#book.read(last.id, 'read the address before the update');
      const data = read ? (read.at('/data') as AddressTemplate | undefined) : last.data;
      if (isFit(data, start, isDefault)) return { key, id: last.id, first: last.first, data };
    }
    const { id, data } = await this.start(start, isDefault, SPECIAL);
    return { key, id, first: data, data };
  }

  /** Keeps an address for the next update of the same kind, as it was read just now. */
  keep(key: string, subject: Omit<Subject, 'at'>): void {
    subjectsOf(this.#context.session).set(key, { ...subject, at: this.#context.http.recorder.count });
  }
}

/** Whether an address has what updates need to begin with: a value for every field, or for all but optional ones. */
function isFit(data: AddressTemplate | undefined, start: Start, isDefault: boolean): data is AddressTemplate {
  if (isDefault && data?.default !== true) return false;
  return FIELDS.every((field) => {
    const value = valueIn(data, field);
    return (start === 'sparse' && field.optional) || (fits(field, value) && value !== null && value !== '');
  });
}
