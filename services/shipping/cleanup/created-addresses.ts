/** What the suite made in the address book, and its removal at the end of the run. */
import { CheckContext } from '../../../lib/check/context.ts';
import type { Session } from '../../../lib/check/session.ts';
import { AddressBook, idOf } from '../api/addresses.ts';

/** Journal numbers of one create: opened before the request is sent. */
interface Announced {
  entry: number;
  alias: string | undefined;
}

/** Keeps account of the addresses of a run. */
export class CreatedAddresses {
  readonly #session: Session;
  /** Journal entries by id, oldest first. */
  readonly #made = new Map<string, number>();
  /** Journal entries by label, of creates whose answer did not tell the id. */
  readonly #unidentified = new Map<string, number>();

  #repeated: string | undefined;
  #version = 0;

  private constructor(session: Session) {
    this.#session = session;
    session.onClose(() => this.#removeAll());
  }

  /** The account of a run. */
  static of(session: Session): Promise<CreatedAddresses> {
    return session.once('shipping: addresses made', async () => new CreatedAddresses(session));
  }

  /** Changes whenever a create or delete is sent, whatever becomes of it. */
  get version(): number {
    return this.#version;
  }

  /** Notes a delete that is about to be sent. */
  announceDelete(): void {
    this.#version += 1;
  }

  /** Notes a create that is about to be sent. */
  announce(alias: unknown): Announced {
    this.#version += 1;
    const text = typeof alias === 'string' ? alias : undefined;
    return {
      entry: this.#session.journal.open('shipping.address', { alias_name: text ?? null }),
      alias: text,
    };
  }

  /** Notes what came of it. */
  settle({ entry, alias }: Announced, ok: boolean, id: string | undefined): void {
    if (!ok) this.#session.journal.done(entry);
    else if (id !== undefined) this.#note(id, entry);
    else if (alias !== undefined) this.#unidentified.set(alias, entry);
  }

  /** Notes the id of an address that was found by its label; `wrong` is what its create gave instead. */
  identified(alias: string, id: string, wrong?: string): void {
    const entry = this.#unidentified.get(alias) ?? (wrong === undefined ? undefined : this.#made.get(wrong));
    if (entry === undefined) return;
    this.#unidentified.delete(alias);
    if (wrong !== undefined) this.#made.delete(wrong);
    this.#note(id, entry);
  }

  /** Notes that an address is gone. */
  removed(id: string): void {
    const entry = this.#made.get(id);
    if (entry === undefined) return;
    this.#session.journal.done(entry);
    this.#made.delete(id);
  }

  /** The ids of those that are still there. */
  living(): string[] {
    return [...this.#made.keys()];
  }

  /** An id that a create gave although an address has it that was made before and not removed. */
  get repeated(): string | undefined {
    return this.#repeated;
  }

  #note(id: string, entry: number): void {
    if (this.#made.has(id)) this.#repeated ??= id;
    this.#session.journal.note(entry, { id });
    this.#made.set(id, entry);
  }

  async #removeAll(): Promise<void> {
    const book = new AddressBook(new CheckContext(this.#session, [], 'clean up'));
    if (this.#unidentified.size > 0) {
      for (const item of await book.items()) {
        const [alias, id] = [item?.alias_name, idOf(item)];
        if (typeof alias === 'string' && id !== undefined) this.identified(alias, id);
      }
    }
    const left: string[] = [];
    for (const id of this.living()) {
      const answer = await book.remove(id, 'clean up');
      if (answer.status === 404) this.removed(id);
      else if (!answer.ok) left.push(`address ${id} could not be removed: delete answered ${answer.status}`);
    }
    if (left.length > 0) throw new Error(left.join('\n'));
  }
}
