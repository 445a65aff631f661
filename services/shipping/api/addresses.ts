/** The address endpoints of specification 1 (4.1 to 4.6), with pacing, credentials and cleanup. */

import { CheckContext } from '../../../lib/check/context.ts';
import { carries } from '../../../lib/check/journal/format.ts';
import { perRunOf } from '../../../lib/check/per-run.ts';
import { requireOk } from '../../../lib/check/require.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import type { AddressTemplate } from '../../../schemas/shipping/index.ts';
import { clientOf, type Role } from '../cleanup/accounts.ts';
import { CreatedAddresses } from '../cleanup/created-addresses.ts';
import { keepDefaults } from '../cleanup/default-address.ts';
import { IssuedTokens } from '../cleanup/issued-tokens.ts';
import type { SavedAddresses } from '../cleanup/saved-addresses.ts';
import { marksOf, type NewAddress, newAddress } from '../fixtures/address-data.ts';
import { mexican } from '../fixtures/mexican-data.ts';
import { idOf, requirementOfId, storedIn } from './address-answers.ts';
import type { AddressCall } from './address-calls.ts';
import { ADDRESSES, AddressList } from './address-list.ts';
import { leftAddresses, takeSpare } from './left-addresses.ts';
import { type AccessToken, OAuth } from './oauth.ts';

export { idOf, requirementOfId, shows, storedIn } from './address-answers.ts';
export type { AddressCall, Auth } from './address-calls.ts';

/** An address that the suite made. */
export interface CreatedAddress {
  id: string;
  sent: NewAddress;
  /** The answer to the create. */
  answer: Answer;
  data: AddressTemplate;
}

/** Changes to a complete address; single fields of the nested object too. */
export type Changes = Partial<Omit<NewAddress, 'address_attributes'>> & {
  address_attributes?: Partial<NewAddress['address_attributes']>;
};

/** Calls the address book and removes what it made at the end of the run. */
export class AddressBook extends AddressList implements SavedAddresses {
  readonly #context: CheckContext;

  /** @param as the token that calls use unless they say otherwise; by default one of the run's pool */
  constructor(context: CheckContext, as?: AccessToken) {
    super(context.session, as);
    this.#context = context;
  }

  /** Returns a unique label for an address that this run saves, by which cleanup recognises it. */
  label(): string {
    return marksOf(this.session, this.nth()).alias_name;
  }

  /** Returns text that is unique to one address. */
  nth(): string {
    return `${this.session.options.seed.toString(36)}-${this.session.serial()}`;
  }

  /** Returns a complete, valid address that has not been saved yet. */
  fresh(changes: Changes = {}): NewAddress {
    const nth = this.nth();
    const fresh = newAddress(mexican(this.#context), nth, marksOf(this.session, nth));
    return {
      ...fresh,
      ...changes,
      address_attributes: { ...fresh.address_attributes, ...changes.address_attributes },
    };
  }

  /** Sends a create with exactly this body. Any address that it makes is removed at the end of the run. */
  async post(
    body: unknown,
    purpose = 'create an address',
    options: Partial<AddressCall> = {},
  ): Promise<Answer> {
    await this.before();
    const template = (body as { address_template?: { alias_name?: unknown; default?: unknown } } | null)
      ?.address_template;
    if (template?.default) await keepDefaults(this, () => bookOf(this.session, 'first'));
    const made = await this.#created();
    const entry = made.announce(template, this.#roleOf(options.auth));
    const answer = await this.session
      .lockOf(ADDRESSES)
      .change(() => this.call({ method: 'POST', purpose, body: { json: body }, ...options }));
    made.settle(entry, answer, idOf(answer.at('/data')));
    return answer;
  }

  #created(): Promise<CreatedAddresses> {
    return CreatedAddresses.of(this, (role) => bookOf(this.session, role));
  }

  /** Returns the role of the client that a call is sent as. */
  #roleOf(auth: AddressCall['auth']): Role {
    if (auth === undefined || auth === 'pool' || auth === 'none') return 'first';
    return IssuedTokens.of(this.session).ownerOf('raw' in auth ? auth.raw : auth.value);
  }

  /** Returns the list as it was before the run saved anything. */
  readonly before = perRunOf(
    this,
    'shipping: list before anything is saved',
    async (): Promise<Answer> => this.list({}, 'list before anything is saved'),
    { lasting: true },
  );

  /** Creates a valid address, changed by `changes`. Throws `Blocked` when that makes no address. */
  async create(changes: Changes = {}, purpose?: string): Promise<CreatedAddress> {
    const sent = this.fresh(changes);
    const made = await this.made(sent, await this.post({ address_template: sent }, purpose));
    if (Object.keys(changes).length === 0 && purpose === undefined)
      this.#context.reuse.leave(leftAddresses, made.id);
    return made;
  }

  /**
   * Returns the id of an address that no other check uses from now on and that may be changed in any way: one
   * that another check left, whatever it looks like, or else a new one.
   */
  async anyId(): Promise<string> {
    return takeSpare(this.#context.reuse, await this.remaining()) ?? (await this.create()).id;
  }

  /**
   * Returns the address that a create made. Where the answer does not give its id, the list is searched for
   * its label. Throws `Blocked` when there is no such address; and, unless `repeats` is `taken`, once two
   * creates gave the same id, since a later address may then have replaced an earlier one.
   */
  async made(
    sent: NewAddress,
    answer: Answer,
    repeats: 'refused' | 'taken' = 'refused',
  ): Promise<CreatedAddress> {
    if (answer.ok && repeats === 'refused') await this.#idsDiffer();
    const data = answer.at('/data') as AddressTemplate | undefined;
    const id = idOf(data);
    const leadsTo = answer.ok && id !== undefined ? await this.#idsLeadTo(id, sent) : 'nothing';
    if (leadsTo === 'own') return { id: id!, sent, answer, data: data! };
    if (answer.ok) {
      const item = await this.listed((each) => each.alias_name === sent.alias_name);
      const listedId = idOf(item);
      if (item && listedId !== undefined) {
        (await this.#created()).identified(sent.alias_name, listedId, id);
        return { id: listedId, sent, answer, data: data ?? item };
      }
    }
    if (answer.ok && id !== undefined && leadsTo !== 'another') return { id, sent, answer, data: data! };
    const wrong = id === undefined ? ' without `data.id`' : ' with the `data.id` of another address';
    const full = `, while ${(await this.remaining()).length} addresses of this run are saved`;
    throw new Blocked(
      `no address could be created: create answered ${answer.status}${answer.ok ? wrong : full}`,
      answer.ok ? requirementOfId(answer) : 'ADDR-CREATE-STATUS',
      answer.exchange,
    );
  }

  readonly #createTwo = perRunOf(this, 'shipping: two ids', async (): Promise<void> => {
    for (const nth of ['one', 'another'])
      await this.post({ address_template: this.fresh() }, `create ${nth} address, for its id`);
  });

  /** Throws `Blocked` where two addresses got the same id. To see that, two are created in a row. */
  async #idsDiffer(): Promise<void> {
    await this.#createTwo();
    const { repeated } = await this.#created();
    if (repeated !== undefined && (await this.#idsLeadTo(repeated)) === 'own')
      throw new Blocked(`two addresses were given the id ${repeated}`, 'ADDR-CREATE-ID-UNIQUE');
  }

  /** Throws `Blocked` unless a read or the list shows the address. */
  async requireExists({ id, sent }: CreatedAddress): Promise<void> {
    if ((await this.read(id)).ok) return;
    const item = await this.listed((each) => each.alias_name === sent.alias_name);
    if (idOf(item) === id) return;
    throw new Blocked('the address that was created is not there', 'ADDR-CREATE-READABLE');
  }

  /**
   * Finds out, once in a run, where the id in the answer to a create leads. An id that leads to somebody
   * else's address is not used, since that address would be changed and deleted.
   */
  readonly #idsLeadTo = perRunOf(
    this,
    'shipping: create tells the id',
    async (id: string, sent?: NewAddress): Promise<'own' | 'another' | 'nothing'> => {
      const read = await this.read(id);
      const label = read.at('/data/alias_name');
      if (!read.ok) return 'nothing';
      const isOther = typeof label === 'string' && label !== '' && label !== sent?.alias_name;
      return isOther && !carries(read.at('/data'), this.session.mark) ? 'another' : 'own';
    },
    { by: () => [] },
  );

  /** Reads an address. Returns the answer, whatever it is. */
  read(id: string, purpose = 'read the address'): Promise<Answer> {
    return this.call({ method: 'GET', path: pathTo(id), purpose });
  }

  /**
   * Reads an address that has to be there. Throws `Blocked` when it is not, or when the answer shows another
   * one.
   */
  async stored(
    id: string,
    purpose = 'read the address back',
  ): Promise<{ answer: Answer; data: AddressTemplate }> {
    return storedIn(await this.read(id, purpose), id, purpose);
  }

  /**
   * Sends a PATCH with `changes` as `address_template` (none if `undefined`), and `extra` next to it in the
   * body.
   */
  async update(
    id: string,
    changes: unknown,
    extra: Record<string, unknown> = {},
    purpose = 'update the address',
    options: Partial<AddressCall> = {},
  ): Promise<Answer> {
    const json = changes === undefined ? extra : { ...extra, address_template: changes };
    const { default: isDefault } = (changes ?? {}) as { default?: unknown };
    // A target may take any value for true, even an empty text.
    if (isDefault || isDefault === '') await keepDefaults(this, () => bookOf(this.session, 'first'));
    return this.call({ method: 'PATCH', path: pathTo(id), purpose, body: { json }, ...options });
  }

  /** Updates an address. Throws `Blocked` unless the target accepts that. */
  async updated(id: string, changes: unknown, extra: Record<string, unknown> = {}): Promise<Answer> {
    const answer = await this.update(id, changes, extra);
    requireOk(answer, 'ADDR-UPDATE-STATUS');
    return answer;
  }

  /** Deletes an address. Returns the answer, whatever it is. */
  async remove(
    id: string,
    purpose = 'delete the address',
    options: Partial<AddressCall> = {},
  ): Promise<Answer> {
    const made = await this.#created();
    made.announceDelete();
    const answer = await this.session
      .lockOf(ADDRESSES)
      .change(() => this.call({ method: 'DELETE', path: pathTo(id), purpose, ...options }));
    if (answer.ok) made.removed(id);
    return answer;
  }

  /** Deletes an address that has to be there. Throws `Blocked` unless the target accepts that. */
  async removed(id: string): Promise<Answer> {
    const answer = await this.remove(id);
    requireOk(answer, 'ADDR-DELETE-STATUS');
    return answer;
  }

  /** Sends a verify with exactly this body. Returns the answer, whatever it is. */
  verify(
    id: string,
    body: unknown,
    purpose = 'verify the address',
    options: Partial<AddressCall> = {},
  ): Promise<Answer> {
    const path = `${pathTo(id)}/verify_by_carriers`;
    return this.call({ method: 'POST', path, purpose, body: { json: body }, ...options });
  }

  /** Returns a number that changes whenever a create or delete is sent, whatever its outcome. */
  async version(): Promise<number> {
    return (await this.#created()).version;
  }

  /** Returns the ids of the addresses that the suite made and did not remove. */
  async remaining(): Promise<string[]> {
    return (await this.#created()).remaining();
  }

  /** Notes an address that was created in another way than with `post`, so that it is removed as well. */
  async adopt(id: string): Promise<void> {
    const made = await this.#created();
    made.settle(made.announce(undefined), { ok: true, status: 200 }, id);
  }
}

/** Returns the address book of a role, for cleanup. */
export async function bookOf(session: Session, role: string): Promise<AddressBook> {
  const context = new CheckContext(session, [], 'clean up');
  if (role === 'first') return new AddressBook(context);
  return new AddressBook(context, await new OAuth({ session }).issue(clientOf(session, role)));
}

function pathTo(id: string): string {
  return `/${encodeURIComponent(id)}`;
}
