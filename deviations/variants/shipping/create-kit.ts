/** Shared parts of the variants of creates (4.3). */
import {
  type Address,
  type AddressBook,
  AddressRefusal,
  type AddressTemplate,
  type Env,
  type Fields,
  type ShippingRules,
} from '../../../reference/shipping/index.ts';
import { fieldsOf } from '../../shipping/fields.ts';

/** Refuses creates and updates also for further problems, which `problemsOf` returns. */
export function strict(problemsOf: (template: Fields) => string[]) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    presentFieldProblems: (template, env) => [
      ...original.presentFieldProblems(template, env),
      ...problemsOf(template),
    ],
  });
}

/** Refuses attributes whose text does not match their pattern. */
export const matching = (patterns: Record<string, RegExp>) =>
  strict((template) =>
    Object.entries(patterns)
      .filter(([name, pattern]) => {
        const value = fieldsOf(template.address_attributes)[name];
        return typeof value === 'string' && !pattern.test(value);
      })
      .map(([name]) => `${name} is not valid`),
  );

/** Returns an address with empty strings instead of null where null is not allowed. */
export function filled(address: Address, env: Env): Address {
  const complete = { ...address };
  for (const field of env.rules.requiredAddressFields) complete[field] ??= '';
  return complete;
}

/** Returns a body with every text in it changed, at every depth. */
export function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, change)]));
}

/** Refuses creates and updates after which two addresses would have labels with the same `keyOf`. */
export const uniqueLabels =
  (keyOf: (label: string) => string) =>
  (original: ShippingRules): Partial<ShippingRules> => {
    const requireFree = (book: AddressBook, { id, alias_name: label }: AddressTemplate): void => {
      const same = [...book.values()].find((each) => keyOf(each.alias_name) === keyOf(label));
      if (same && same.id !== id) throw new AddressRefusal('invalid', 'alias_name is taken');
    };
    return {
      addTemplate: (book, template, env) => {
        requireFree(book, template);
        original.addTemplate(book, template, env);
      },
      replaceTemplate: (book, template, env) => {
        requireFree(book, template);
        original.replaceTemplate(book, template, env);
      },
    };
  };
