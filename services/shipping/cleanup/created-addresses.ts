/** The addresses that the suite made, and their removal at the end of the run. */

import { carries } from '../../../lib/check/journal/format.ts';
import { type HasSession, perRun } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Scope } from '../../../lib/http/recorder.ts';
import { FIELDS, type Values, valuesOf } from '../vocabulary.ts';
import type { Role } from './accounts.ts';
import { removeAddresses } from './remove-addresses.ts';
import type { SavedAddresses } from './saved-addresses.ts';

/** The purpose of creates of which only the number of addresses matters: where room is short, others count instead. */
export const TO_FILL = 'create an address to fill pages';

/** Kind of the journal entry for everything in an account that carries the mark of the run. */
export const ALL_KIND = 'shipping.addresses';
/** Kind of the journal entry for a single address. */
export const ONE_KIND = 'shipping.address';

/** An account may be full with this number of addresses. */
const MANY = 10;

/** One create, as it is about to be sent. */
export interface Announced {
  account: Account;
  /** Number of the journal's entry. */
  entry: number;
  alias: string | undefined;
  /** The check or the shared fixture that made it. */
  by: Scope;
  /** What was sent, where it does not carry the mark of the run. */
  sent: Values | undefined;
}

/** The addresses that were made as one client. */
interface Account {
  role: Role;
  /** Number of the journal's entry for everything that carries the mark. */
  all: number;
  /** The creates, by the id in their answer, oldest first. */
  made: Map<string, Announced>;
  /**
   * The creates without the mark whose address was deleted with success, by its id. The end of the run looks
   * for these ids once more, since the answer to a delete may be false.
   */
  gone: Map<string, Announced>;
  /** The creates without an answer, or with one that does not show whether there is an address now. */
  unsure: Set<Announced>;
}

type BookOf = (role: Role) => Promise<SavedAddresses>;

/** Keeps track of the addresses of a run. */
export class CreatedAddresses {
  readonly #session: Session;
  readonly #bookOf: BookOf;
  readonly #accounts = new Map<Role, Account>();
  /** Creates whose answer did not give the id, by label. */
  readonly #unidentified = new Map<string, Announced>();

  /** Whether a create was refused since `unneeded` was last asked. */
  #isRefused = false;
  /** Whether a create succeeded since `unneeded` last named any. */
  #hasRoomHelped = true;
  #repeated: string | undefined;
  #version = 0;

  private constructor(session: Session, bookOf: BookOf) {
    this.#session = session;
    this.#bookOf = bookOf;
  }

  /**
   * Returns the record of the addresses of a run.
   *
   * @param bookOf gives the address book of a role, for cleanup
   */
  static readonly of = perRun(
    'shipping: addresses made',
    async ({ session }: HasSession, bookOf: BookOf) => new CreatedAddresses(session, bookOf),
    { by: () => [] },
  );

  /** A number that changes whenever a create or delete is sent, whatever its outcome. */
  get version(): number {
    return this.#version;
  }

  /** Notes a delete that is about to be sent. */
  announceDelete(): void {
    this.#version += 1;
  }

  /** Notes a create that is about to be sent as this client. Returns what `settle` needs. */
  announce(template: unknown, role: Role = 'first'): Announced {
    this.#version += 1;
    const { journal, mark } = this.#session;
    const account = this.#account(role);
    const marked = carries(template, mark);
    const sent = marked ? undefined : knownValues(template);
    const alias = (template as { alias_name?: unknown } | null | undefined)?.alias_name;
    const detail = { alias_name: typeof alias === 'string' ? alias : null, ...(sent && { sent }) };
    // The entry of the account covers an address with the mark, so this one need not survive a power failure.
    const entry = journal.open(ONE_KIND, detail, { account: role, sync: !marked });
    const by = this.#session.http.recorder.scope;
    const announced = { account, entry, alias: typeof alias === 'string' ? alias : undefined, by, sent };
    account.unsure.add(announced);
    return announced;
  }

  /**
   * Notes the outcome of a create. One without an answer is never settled: it stays open until its address
   * was looked for at the end of the run. So does one whose answer may come from another server, such as a
   * gateway's error, or does not show whether there is an address.
   */
  settle(announced: Announced, answer: Pick<Answer, 'ok' | 'status'>, id: string | undefined): void {
    this.#hasRoomHelped ||= answer.ok;
    if (answer.ok && id !== undefined) {
      // Only an id in the answer to a create counts as repeated: a search by label may find the same one of
      // two addresses with one label twice. Nor does it count where both creates sent the same label, or one
      // sent none, since the target may treat the second address as the first (a silence).
      const earlier = this.#find(id);
      if (earlier?.alias && announced.alias && earlier.alias !== announced.alias) this.#repeated ??= id;
      this.#note(id, announced);
    } else if (answer.ok && announced.alias !== undefined) this.#unidentified.set(announced.alias, announced);
    else if (answer.status >= 400 && answer.status < 500) {
      this.#isRefused = true;
      this.#close(announced);
    }
  }

  /** Notes the id of an address that was found by its label, and the `wrong` one that its create gave. */
  identified(alias: string, id: string, wrong?: string): void {
    const mistaken = wrong === undefined ? undefined : this.#find(wrong);
    const announced = this.#unidentified.get(alias) ?? mistaken;
    if (announced === undefined) return;
    this.#unidentified.delete(alias);
    if (wrong !== undefined) announced.account.made.delete(wrong);
    this.#note(id, announced);
  }

  /** Notes that the delete of an address was answered with success. */
  removed(id: string): void {
    const announced = this.#find(id);
    if (announced === undefined) return;
    announced.account.made.delete(id);
    // If that answer is false, an address with the mark is still found in the list at the end of the run.
    if (announced.sent === undefined) this.#close(announced);
    else announced.account.gone.set(id, announced);
  }

  /** Returns the ids of the addresses that were not removed. */
  remaining(): string[] {
    return [...this.#accounts.values()].flatMap(({ made }) => [...made.keys()]);
  }

  /**
   * Returns the ids of the first client's addresses that checks other than the running one made for themselves, or
   * that were made for a fixture that failed, or only to fill pages, if a create was refused since this was last asked, which many addresses
   * may be the reason of. What failed is then made anew.
   */
  unneeded(): string[] {
    const { check } = this.#session.http.recorder;
    const made = [...(this.#accounts.get('first')?.made ?? [])];
    const mayBeFull = this.#isRefused && made.length >= MANY;
    this.#isRefused = false;
    // Where none was created since room was made, the number of addresses is not the reason.
    if (!mayBeFull || !this.#hasRoomHelped) return [];
    this.#session.forgetFailed();
    const isOver = (by: Scope) => (by.parent === undefined ? by !== check : by.isForgotten);
    const isFiller = (id: string, { own }: Scope) =>
      own.some(({ purpose, response }) => purpose === TO_FILL && response?.body.text?.includes(id));
    const ids = made.flatMap(([id, { by }]) => (isOver(by) || isFiller(id, by) ? [id] : []));
    this.#hasRoomHelped = ids.length === 0;
    return ids;
  }

  /**
   * An id that a create was answered with although an earlier address, which was not removed since, has the
   * same id.
   */
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

/** Returns those values of a template that belong to a field of the API. */
function knownValues(template: unknown): Values {
  if (template === null || typeof template !== 'object') return {};
  const values = valuesOf(template);
  return Object.fromEntries(FIELDS.flatMap(({ name }) => (name in values ? [[name, values[name]]] : [])));
}
