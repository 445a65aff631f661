/** What the suite made in the address book, and its removal at the end of the run. */

import { carries } from '../../../lib/check/journal/format.ts';
import { type HasSession, perRun } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { FIELDS, type Values, valuesOf } from '../vocabulary.ts';
import type { Role } from './accounts.ts';
import { removeAddresses } from './remove-addresses.ts';
import type { SavedAddresses } from './saved-addresses.ts';

/** Everything of an account that carries the mark of the run. */
export const ALL_KIND = 'shipping.addresses';
/** A single address. */
export const ONE_KIND = 'shipping.address';

/** One create, as it is about to be sent. */
export interface Announced {
  account: Account;
  /** Number of the journal's entry. */
  entry: number;
  alias: string | undefined;
  /** What was sent, where that could not carry the mark. */
  sent: Values | undefined;
}

/** What was made as one client. */
interface Account {
  role: Role;
  /** Number of the journal's entry for everything that carries the mark. */
  all: number;
  /** Creates by the id that was answered, oldest first. */
  made: Map<string, Announced>;
  /** Creates without the mark whose address was deleted, as the answer said: looked for at the end, by their ids. */
  gone: Map<string, Announced>;
  /** Creates without an answer, or with one that does not tell whether there is an address now. */
  unsure: Set<Announced>;
}

type BookOf = (role: Role) => Promise<SavedAddresses>;

/** Keeps account of the addresses of a run. */
export class CreatedAddresses {
  readonly #session: Session;
  readonly #bookOf: BookOf;
  readonly #accounts = new Map<Role, Account>();
  /** Creates by label whose answer did not tell the id. */
  readonly #unidentified = new Map<string, Announced>();

  #repeated: string | undefined;
  #version = 0;

  private constructor(session: Session, bookOf: BookOf) {
    this.#session = session;
    this.#bookOf = bookOf;
  }

  /**
   * The account of a run.
   * @param bookOf gives the address book of a role, for cleaning
   */
  static readonly of = perRun(
    'shipping: addresses made',
    async ({ session }: HasSession, bookOf: BookOf) => new CreatedAddresses(session, bookOf),
    { by: () => [] },
  );

  /** Changes whenever a create or delete is sent, whatever becomes of it. */
  get version(): number {
    return this.#version;
  }

  /** Notes a delete that is about to be sent. */
  announceDelete(): void {
    this.#version += 1;
  }

  /** Notes a create that is about to be sent with this template, as this client. */
  announce(template: unknown, role: Role = 'first'): Announced {
    this.#version += 1;
    const { journal, mark } = this.#session;
    const account = this.#account(role);
    const marked = carries(template, mark);
    const sent = marked ? undefined : knownValues(template);
    const alias = (template as { alias_name?: unknown } | null | undefined)?.alias_name;
    const detail = { alias_name: typeof alias === 'string' ? alias : null, ...(sent && { sent }) };
    // What carries the mark is found by the entry of the account, so that this one need not outlast a power failure.
    const entry = journal.open(ONE_KIND, detail, { account: role, sync: !marked });
    const announced = { account, entry, alias: typeof alias === 'string' ? alias : undefined, sent };
    account.unsure.add(announced);
    return announced;
  }

  /**
   * Notes what came of it. A create that got no answer is never settled: it stays until it was looked for, and so
   * does one whose answer was another server's, or tells of no address.
   */
  settle(announced: Announced, answer: Pick<Answer, 'ok' | 'status'>, id: string | undefined): void {
    if (answer.ok && id !== undefined) {
      // Found by its label, one of two with the same label may be meant twice: only what creates say counts. A second
      // address with the label of the first may be taken for the same one (a silence).
      const earlier = this.#find(id);
      if (earlier && (earlier.alias === undefined || earlier.alias !== announced.alias))
        this.#repeated ??= id;
      this.#note(id, announced);
    } else if (answer.ok && announced.alias !== undefined) this.#unidentified.set(announced.alias, announced);
    else if (answer.status >= 400 && answer.status < 500) this.#close(announced);
  }

  /** Notes the id of an address that was found by its label; `wrong` is what its create gave instead. */
  identified(alias: string, id: string, wrong?: string): void {
    const mistaken = wrong === undefined ? undefined : this.#find(wrong);
    const announced = this.#unidentified.get(alias) ?? mistaken;
    if (announced === undefined) return;
    this.#unidentified.delete(alias);
    if (wrong !== undefined) announced.account.made.delete(wrong);
    this.#note(id, announced);
  }

  /** Notes that an address is gone. */
  removed(id: string): void {
    const announced = this.#find(id);
    if (announced === undefined) return;
    announced.account.made.delete(id);
    // What carries the mark is found in the list, should the answer not be true.
    if (announced.sent === undefined) this.#close(announced);
    else announced.account.gone.set(id, announced);
  }

  /** The ids of those that are still there. */
  remaining(): string[] {
    return [...this.#accounts.values()].flatMap(({ made }) => [...made.keys()]);
  }

  /** An id that a create gave although an address has it that was made before and not removed. */
  get repeated(): string | undefined {
    return this.#repeated;
  }

  #find(id: string): Announced | undefined {
    for (const { made } of this.#accounts.values()) {
      const announced = made.get(id);
      if (announced) return announced;
    }
    return undefined;
  }

  #note(id: string, announced: Announced): void {
    this.#session.journal.note(announced.entry, { id });
    announced.account.unsure.delete(announced);
    announced.account.made.set(id, announced);
  }

  #closeBoth({ made, gone }: Account, id: string): void {
    for (const some of [made, gone]) {
      const announced = some.get(id);
      if (announced) this.#close(announced);
      some.delete(id);
    }
  }

  #close(announced: Announced): void {
    announced.account.unsure.delete(announced);
    this.#session.journal.done(announced.entry);
  }

  #account(role: Role): Account {
    const known = this.#accounts.get(role);
    if (known) return known;
    const all = this.#session.journal.open(ALL_KIND, {}, { account: role });
    const account: Account = { role, all, made: new Map(), gone: new Map(), unsure: new Set() };
    this.#accounts.set(role, account);
    this.#session.onUndo(() => this.#removeAll(account));
    return account;
  }

  async #removeAll(account: Account): Promise<void> {
    const { made, gone, unsure, role, all } = account;
    const left = await removeAddresses(
      await this.#bookOf(role),
      this.#session,
      {
        mark: this.#session.mark,
        ids: [...made.keys()],
        gone: [...gone.keys()],
        sent: [...made.values(), ...gone.values(), ...unsure].flatMap(({ sent }) => (sent ? [sent] : [])),
        nameless: unsure.size > 0,
        unsure: unsure.size > 0,
      },
      (id) => this.#closeBoth(account, id),
    );
    if (left.length > 0) throw new Error(left.join('\n'));
    for (const announced of [...unsure, ...made.values(), ...gone.values()]) this.#close(announced);
    this.#session.journal.done(all);
  }
}

/** Those of the values of a template that a field of the API has. */
function knownValues(template: unknown): Values {
  if (template === null || typeof template !== 'object') return {};
  const values = valuesOf(template);
  return Object.fromEntries(FIELDS.flatMap(({ name }) => (name in values ? [[name, values[name]]] : [])));
}
