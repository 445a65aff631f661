/** Deletions of particular addresses, and creates that bring a deleted one back (4.3 and 4.5). */
import type { AddressTemplate, ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';

/** Keeps what a delete of some addresses ought to remove. */
const keeping = (
  id: string,
  words: string,
  isKept: (template: AddressTemplate) => boolean,
): Deviation<ShippingRules> => ({
  id: `delete-keeps-${id}`,
  breaks: ['ADDR-DELETE-GONE-READ'],
  entails: ['ADDR-DELETE-*'],
  sentence: `answers 200 to the delete of an address ${words}, and keeps it`,
  rules: (original) => ({
    templateDefaults: { ...original.templateDefaults, default: null },
    removeTemplate: (book, template, env) => {
      if (!isKept(template)) original.removeTemplate(book, template, env);
    },
  }),
});

/** Restores, in place of a new address, the deleted one that is alike. */
const restoring = (
  id: string,
  words: string,
  keyOf: (template: AddressTemplate) => unknown,
): Deviation<ShippingRules> => ({
  id: `create-restores-by-${id}`,
  breaks: ['ADDR-CREATE-KEEPS-COMPANY'],
  entails: ['ADDR-CREATE-*'],
  sentence: `restores a deleted address, as it was, when one of the same ${words} is created`,
  rules: (original) => {
    const deleted = new Map<unknown, AddressTemplate>();
    return {
      removeTemplate: (book, template, env) => {
        deleted.set(keyOf(template), template);
        original.removeTemplate(book, template, env);
      },
      buildTemplate: (body, env) => {
        const template = original.buildTemplate(body, env);
        return deleted.get(keyOf(template)) ?? template;
      },
    };
  },
});

export const deleteKindDeviations: Deviation<ShippingRules>[] = [
  keeping(
    'null-default',
    'whose default is null, which is no false',
    (template) => template.default === null,
  ),
  keeping('sparse', 'without a company', ({ address }) => address.company === null),
  {
    id: 'delete-keeps-default-in-list',
    breaks: ['ADDR-DELETE-GONE-LIST'],
    entails: ['ADDR-LIST-*', 'ADDR-META-*', 'ADDR-DELETE-*', 'ADDR-*-OTHERS-UNTOUCHED'],
    sentence: 'continues to list a default address that was deleted',
    rules: (original) => {
      const kept: AddressTemplate[] = [];
      return {
        removeTemplate: (book, template, env) => {
          if (template.default) kept.push(template);
          original.removeTemplate(book, template, env);
        },
        collection: (book) => [...original.collection(book), ...kept],
      };
    },
  },
  restoring('label', 'label', (template) => template.alias_name),
  restoring('email', 'e-mail address', ({ address }) => address.email),
];
