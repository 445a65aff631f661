/** Addresses that several checks of a run look at, and nobody changes. */
import type { CheckContext } from '../../../lib/check/context.ts';
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
    await this.default().catch(() => undefined);
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

  #once(name: string, sent: NewAddress): Promise<Fixture> {
    return this.#context.session.once(`shipping: ${name} address`, async () => {
      const made = await this.#book.made(sent, await this.#book.post({ address_template: sent }));
      return { ...made, read: await this.#book.stored(made.id) };
    });
  }
}
