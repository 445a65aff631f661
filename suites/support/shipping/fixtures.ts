/** Addresses that several checks of a run look at; nobody changes any but the last. */
import { isDeepStrictEqual } from 'node:util';
import type { CheckContext } from '../../../lib/check/context.ts';
import { Blocked, Undecided } from '../../../lib/check/verdict.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { AddressTemplate } from '../../../schemas/shipping/index.ts';
import { AddressBook, type Made } from './addresses.ts';
import { type NewAddress, OPTIONAL_ATTRIBUTES } from './data.ts';

/** An address with a read of it directly after its create. */
export interface Fixture extends Made {
  read: { answer: Answer; data: AddressTemplate };
}

/** Makes each of them once in a run. All throw `Blocked` when the target does not create or read. */
export class Fixtures {
  readonly #context: CheckContext;
  readonly #book: AddressBook;

  constructor(context: CheckContext) {
    this.#context = context;
    this.#book = new AddressBook(context);
  }

  /** An address with every field, `default` false, another one being the default. */
  async full(): Promise<Fixture> {
    // A service may make its only address the default whatever the create says.
    await this.default().catch((error: unknown) => {
      if (error instanceof Undecided) throw error;
    });
    return this.#once('full', this.#book.fresh());
  }

  /** An address without any of the fields that create does not demand. */
  sparse(): Promise<Fixture> {
    const sent = this.#book.fresh();
    delete (sent as Partial<NewAddress>).default;
    for (const name of OPTIONAL_ATTRIBUTES) delete sent.address_attributes[name];
    return this.#once('sparse', sent);
  }

  /** An address that was made with `default` true. */
  default(): Promise<Fixture> {
    return this.#once('default', this.#book.fresh({ default: true }));
  }

  /**
   * An address whose `default` is null, where the target takes null for it (a silence); then, and only then, it
   * can be seen whether the property is there all the same.
   */
  nulled(): Promise<Fixture | undefined> {
    return this.#context.session.once('shipping: nulled address', async () => {
      const sent = this.#book.fresh();
      const answer = await this.#book.post(
        { address_template: { ...sent, default: null } },
        'create with default null',
      );
      if (!answer.ok) return undefined;
      const made = await this.#book.made(sent, answer);
      return { ...made, read: await this.#book.stored(made.id) };
    });
  }

  /** An address for requests that are likely to be refused, and of which nobody minds if they are not. */
  bystander(): Promise<Fixture> {
    return this.#once('bystander', this.#book.fresh());
  }

  /** The answer to a valid create, whatever it is. */
  created(): Promise<{ sent: NewAddress; answer: Answer }> {
    return this.#context.session.once('shipping: create', async () => {
      const sent = this.#book.fresh();
      return { sent, answer: await this.#book.post({ address_template: sent }) };
    });
  }

  /** The address that came of it. */
  async made(): Promise<Made> {
    const { sent, answer } = await this.created();
    return this.#context.session.once('shipping: created address', () => this.#book.made(sent, answer));
  }

  /** The answer to the delete of an address that was there, whatever it is. */
  deleted(): Promise<{ id: string; answer: Answer }> {
    return this.#context.session.once('shipping: delete', async () => {
      const made = await this.#book.create();
      const answer = await this.#book.remove(made.id);
      // What is refused has to have been there.
      if (!answer.ok) await this.#book.isThere(made);
      return { id: made.id, answer };
    });
  }

  /** An address that was deleted. Throws `Blocked` where delete does not succeed. */
  async gone(): Promise<string> {
    const { id, answer } = await this.deleted();
    if (answer.ok) return id;
    throw new Blocked(`a valid DELETE was answered with ${answer.status}`, 'ADDR-DELETE-STATUS');
  }

  /** An address to be aimed at and missed; another one where the last was hit. */
  async target(name: string): Promise<Fixture> {
    const { session } = this.#context;
    const last = await session.once(`shipping: target of ${name}`, async () => ({
      fixture: undefined as Fixture | undefined,
    }));
    if (last.fixture) {
      const answer = await this.#book.read(last.fixture.id);
      const data = answer.at('/data');
      if (answer.ok && isDeepStrictEqual(data, last.fixture.read.data)) return last.fixture;
    }
    const made = await this.#book.create();
    last.fixture = { ...made, read: await this.#book.stored(made.id) };
    return last.fixture;
  }

  #once(name: string, sent: NewAddress): Promise<Fixture> {
    return this.#context.session.once(`shipping: ${name} address`, async () => {
      const made = await this.#book.made(sent, await this.#book.post({ address_template: sent }));
      return { ...made, read: await this.#book.stored(made.id) };
    });
  }
}
