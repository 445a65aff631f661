/** Services that refuse a second default address, where others move the flag (4.3 and 4.4). */
import {
  type AddressBook,
  AddressRefusal,
  type AddressTemplate,
  type ShippingRules,
} from '../../../reference/shipping/index.ts';
import { occupied } from '../../shipping/occupied.ts';
import type { Variant } from '../../types.ts';

/** Refuses an address that is the default, where another one is. */
function refuseSecond(book: AddressBook, { id, default: isDefault }: AddressTemplate): void {
  const isSecond = isDefault && [...book.values()].some((each) => each.default && each.id !== id);
  if (isSecond) throw new AddressRefusal('invalid', 'another address is the default');
}

const refusingInUpdates = (original: ShippingRules): Partial<ShippingRules> => ({
  replaceTemplate: (book, template, env) => {
    if (!book.get(template.id)?.default) refuseSecond(book, template);
    original.replaceTemplate(book, template, env);
  },
});

const refusing = (original: ShippingRules): Partial<ShippingRules> => ({
  ...refusingInUpdates(original),
  addTemplate: (book, template, env) => {
    refuseSecond(book, template);
    original.addTemplate(book, template, env);
  },
});

export const oneDefaultVariants: Variant<ShippingRules>[] = [
  {
    id: 'second-default-refused',
    fills: ['ADDR-CREATE-SECOND-DEFAULT', 'ADDR-UPDATE-SECOND-DEFAULT'],
    sentence: 'refuses to make a second address the default, in a create and in an update',
    rules: refusing,
  },
  {
    id: 'second-default-refused-in-update',
    fills: ['ADDR-UPDATE-SECOND-DEFAULT'],
    sentence: 'refuses an update that makes a second address the default',
    rules: refusingInUpdates,
  },
  {
    id: 'second-default-refused-beside-others',
    fills: ['ADDR-CREATE-SECOND-DEFAULT', 'ADDR-UPDATE-SECOND-DEFAULT'],
    sentence:
      'refuses to make a second address the default, on an account that has a default address of others',
    rules: (original) => ({ ...occupied(3).rules(original), ...refusing(original) }),
  },
];
