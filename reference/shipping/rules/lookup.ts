/** Which addresses a request can see, and how one is found and removed (sections 4.2 and 4.5). */
import type { AddressBook, AddressEndpoint, AddressTemplate, Env, IssuedToken } from '../model.ts';

export const lookupRules = {
  /** The address book that a token gives access to: every client has one of its own (silence). */
  bookOf(token: IssuedToken, env: Env): AddressBook {
    const { books } = env.state;
    let book = books.get(token.clientId);
    if (book === undefined) {
      book = new Map();
      books.set(token.clientId, book);
    }
    return book;
  },

  /** The address with this id; undefined when it does not exist. */
  findTemplate(
    book: AddressBook,
    id: string,
    _endpoint: AddressEndpoint,
    _env: Env,
  ): AddressTemplate | undefined {
    return book.get(id);
  },

  /** Removes an address for good, and nothing else. */
  removeTemplate(book: AddressBook, template: AddressTemplate, _env: Env): void {
    book.delete(template.id);
  },
};
