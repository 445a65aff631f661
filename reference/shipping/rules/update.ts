/** Partial modification (sections 1 and 4.4): what a body leaves out is not replaced. */
import type { Address, AddressBook, AddressTemplate, Env, Fields, TemplateValues } from '../model.ts';
import { isObject } from './template-body.ts';

export const updateRules = {
  /** alias_name, address_type and default after the patch; `changes` is the `address_template`. */
  patchTemplateValues(current: TemplateValues, changes: Fields, _env: Env): TemplateValues {
    const { alias_name, address_type, default: isDefault } = changes;
    return {
      alias_name: (alias_name as string | undefined) ?? current.alias_name,
      address_type: (address_type as string | undefined) ?? current.address_type,
      default: isDefault === undefined ? current.default : (isDefault as boolean | null),
    };
  },

  /** The address after the patch; `changes` is the `address_attributes`. Null clears (silence). */
  patchAddress(current: Address, changes: Fields, env: Env): Address {
    const address = { ...current };
    for (const field of env.rules.writableAddressFields) {
      if (changes[field] !== undefined) address[field] = changes[field] as string | null;
    }
    return address;
  },

  /** The whole template after the patch. The optional `id` of the body changes nothing (silence). */
  patchTemplate(current: AddressTemplate, body: Fields, env: Env): AddressTemplate {
    const { rules } = env;
    const changes = isObject(body.address_template) ? body.address_template : {};
    const attributes = isObject(changes.address_attributes) ? changes.address_attributes : {};
    return {
      id: current.id,
      ...rules.patchTemplateValues(current, changes, env),
      address: rules.patchAddress(current.address, attributes, env),
      verifications: rules.verificationsAfterUpdate(current, changes, env),
    };
  },

  /** Replaces the old address with the changed one. */
  replaceTemplate(book: AddressBook, template: AddressTemplate, _env: Env): void {
    book.set(template.id, template);
  },
};
