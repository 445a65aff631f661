import type { CheckContext } from '../../../lib/check/context.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import { mexican } from '../fixtures/mexican-data.ts';
import { AddressBook } from './addresses.ts';
import { type AccessToken, OAuth } from './oauth.ts';

/** The address book as a door: what does a token open? */
export class TokenAccess {
  readonly #book: AddressBook;
  readonly #context: CheckContext;

  constructor(context: CheckContext) {
    this.#context = context;
    this.#book = new AddressBook(context);
  }

  /** Asks for the list with one token, paced. */
  listAddresses(
    auth: AccessToken | { raw: string } | 'none',
    purpose = 'list addresses with the token',
  ): Promise<Answer> {
    return this.#book.call({ method: 'GET', path: '?per_page=1', purpose, auth });
  }

  /** Throws `Blocked` unless the token opens the door: the twin of every check that expects a shut one. */
  async opens(token: AccessToken): Promise<void> {
    const answer = await this.listAddresses(token);
    if (!answer.ok) {
      throw new Blocked(
        `a fresh token does not open the address book: list answered ${answer.status}`,
        'TOKEN-OPENS-ADDRESS-BOOK',
      );
    }
  }

  /** Throws `Blocked` when an invented token is let in as well, so that an open door says nothing. */
  async isGuarded(): Promise<void> {
    const open = await this.#context.session.once('shipping: door is guarded', async () => {
      const answer = await this.listAddresses(
        { raw: `invented-${mexican(this.#context).string.alphanumeric(24)}` },
        'list addresses with an invented token',
      );
      return answer.ok;
    });
    if (open)
      throw new Blocked(
        'the address book opens to an invented token, so that an open door says nothing',
        'ADDR-AUTH-LIST-GARBAGE',
      );
  }

  /** A fresh token that is known to open the door. */
  async openToken(oauth = new OAuth(this.#context)): Promise<AccessToken> {
    await this.isGuarded();
    const token = await oauth.issue();
    await this.opens(token);
    return token;
  }
}
