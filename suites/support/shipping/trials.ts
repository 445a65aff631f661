/** Requests whose outcome is left open, done and undone: for observations. */
import type { CheckContext } from '../../../lib/check/context.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { short } from '../../../lib/schema/validator.ts';
import { AddressBook, type AddressCall, idOf } from './addresses.ts';
import { type FieldName, fieldNamed, templateOf, type Values, valueIn, valuesOf } from './fields.ts';
import { Updates } from './updates.ts';
import { outcome } from './words.ts';

/** What came of a trial: the answer, and the address that it carries where it was accepted. */
export interface Trial {
  answer: Answer;
  id: string | undefined;
  data: unknown;
}

/** Creates and updates in ways of which the outcome is not known. */
export class Trials {
  readonly #book: AddressBook;
  readonly #updates: Updates;

  constructor(context: CheckContext) {
    this.#book = new AddressBook(context);
    this.#updates = new Updates(context);
  }

  /** Creates a complete address with some values changed; an accepted one is gone directly after. */
  async create(
    changes: Values,
    extra: Record<string, unknown> = {},
    options: Partial<AddressCall> = {},
  ): Promise<Trial> {
    const values = { ...valuesOf(this.#book.fresh()), ...changes };
    const names = Object.keys(changes).join(', ');
    const body = { address_template: { ...templateOf(values), ...extra } };
    return this.#look(await this.#book.post(body, `create with ${names || 'something unusual'}`, options));
  }

  /** Sends exactly this body as a create. */
  async post(body: unknown, purpose: string): Promise<Trial> {
    return this.#look(await this.#book.post(body, purpose));
  }

  /** Updates a fresh address, time after time; it is gone afterwards. `extra` goes beside the fields. */
  async updates(tries: readonly { changes: Values; extra?: Record<string, unknown> }[]): Promise<Trial[]> {
    const { id } = await this.#updates.start('full');
    const trials: Trial[] = [];
    for (const { changes, extra } of tries) {
      const names = Object.keys(changes).join(', ') || 'something unusual';
      const answer = await this.#book.update(id, { ...templateOf(changes), ...extra }, {}, `update ${names}`);
      trials.push({ answer, id, data: answer.ok ? answer.at('/data') : undefined });
    }
    await this.#book.remove(id);
    return trials;
  }

  async #look(answer: Answer): Promise<Trial> {
    const id = idOf(answer.at('/data'));
    if (!answer.ok || id === undefined) return { answer, id, data: undefined };
    await this.#book.remove(id);
    return { answer, id, data: answer.at('/data') };
  }
}

/** What became of a field: refused, or accepted and answered as. */
export function became({ answer, data }: Trial, name: FieldName): string {
  return answer.ok ? `accepted, answers ${short(valueIn(data, fieldNamed(name)), 60)}` : outcome(answer);
}
