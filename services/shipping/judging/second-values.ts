import type { CheckContext } from '../../../lib/check/context.ts';
import { perRunOf } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import { AddressBook } from '../api/addresses.ts';

type Limited = 'address_type' | 'country_code';

/** Values that a target is likely to accept besides the one that the specification shows. */
const CANDIDATES: Record<Limited, readonly string[]> = { address_type: ['to'], country_code: ['US'] };
const SHOWN: Record<Limited, string> = { address_type: 'from', country_code: 'MX' };

/** Returns the only value that the specification shows for a field; `undefined` for other fields. */
export function fixedValue(name: string): string | undefined {
  return SHOWN[name as Limited];
}

/**
 * Finds second values for the two fields for which the specification shows a single one. Which other values
 * exist is a silence, so a value counts only where a create with it is accepted and the address reads back
 * with it.
 */
export class SecondValues {
  readonly session: Session;
  readonly #context: CheckContext;

  constructor(context: CheckContext) {
    this.session = context.session;
    this.#context = context;
  }

  /** Returns a second value that the target is known to accept; `undefined` where none was found. */
  readonly of = perRunOf(
    this,
    'shipping: second value that is taken',
    async (name: Limited): Promise<string | undefined> => {
      const book = new AddressBook(this.#context);
      for (const value of CANDIDATES[name]) {
        const sent = book.fresh(
          name === 'address_type' ? { address_type: value } : { address_attributes: { country_code: value } },
        );
        const answer = await book.post({ address_template: sent }, `create with ${name} ${value}`);
        if (!answer.ok) continue;
        const { id } = await book.made(sent, answer);
        const { answer: read } = await book.stored(id);
        await book.remove(id);
        const pointer = name === 'address_type' ? '/data/address_type' : '/data/address/country_code';
        if (read.at(pointer) === value) return value;
      }
      return undefined;
    },
  );
}
