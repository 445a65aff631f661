/** Lists that show addresses as they were before an update, or otherwise on some pages (4.1 and 4.4). */
import type { AddressTemplate, ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import type { Attribute } from './fields.ts';
import { companyUnlisted } from './list-kit.ts';
import { withAddress } from './templates.ts';
import { remembering } from './update-kit.ts';

const ITEMS = ['ADDR-LIST-ITEM-*', 'ADDR-UPDATE-OTHERS-UNTOUCHED'];

/** Lists these fields as they were at the create. */
const listedAsCreated = (
  id: string,
  words: string,
  fields: readonly Attribute[],
): Deviation<ShippingRules> => ({
  id: `list-lacks-updates-of-${id}`,
  breaks: ['ADDR-UPDATE-IN-LIST'],
  entails: ITEMS,
  sentence: `lists ${words} of each address as at its create, in an index that updates of them do not reach`,
  rules: remembering((original, created) => ({
    collection: (book) =>
      original.collection(book).map((template) => {
        const first = created.get(template.id)?.address;
        return first ? withAddress(template, Object.fromEntries(fields.map((f) => [f, first[f]]))) : template;
      }),
  })),
});

/** Lists company as null on pages for whose query `holds` is true. */
const shortItems = (
  id: string,
  where: string,
  holds: (query: URLSearchParams) => boolean,
): Deviation<ShippingRules> => ({
  id: `list-short-items-${id}`,
  breaks: ['ADDR-LIST-ITEM-ADDRESS'],
  entails: ['ADDR-LIST-ITEM-*', 'ADDR-UPDATE-IN-LIST'],
  sentence: `lists company as null ${where}`,
  wrap: companyUnlisted(holds),
});

export const listAfterUpdateDeviations: Deviation<ShippingRules>[] = [
  listedAsCreated('contact', 'phone, e-mail address and street', ['phone', 'email', 'street1']),
  listedAsCreated('place', 'postal code and tax id', ['postal_code', 'rfc']),
  {
    id: 'list-lacks-updates-of-default',
    breaks: ['ADDR-UPDATE-IN-LIST'],
    entails: ITEMS,
    sentence: 'lists default of each address as at its create',
    rules: remembering((original, created) => ({
      collection: (book) =>
        original
          .collection(book)
          .map((each) => ({ ...each, default: (created.get(each.id) ?? each).default })),
    })),
  },
  {
    id: 'list-lacks-second-updates',
    breaks: ['ADDR-UPDATE-IN-LIST'],
    entails: ITEMS,
    sentence: 'lists an address as it was after its first update, whatever changes later',
    rules: (original) => {
      const first = new Map<string, AddressTemplate>();
      return {
        patchTemplate: (current, body, env) => {
          const next = original.patchTemplate(current, body, env);
          if (!first.has(current.id)) first.set(current.id, next);
          return next;
        },
        collection: (book) =>
          original.collection(book).map((template) => {
            const { verifications } = template;
            return { ...(first.get(template.id) ?? template), verifications };
          }),
      };
    },
  },
  shortItems('without-parameters', 'where no parameter is sent', ({ size }) => size === 0),
  shortItems(
    'on-small-pages',
    'on pages of less than 20',
    (query) => Number(query.get('per_page') ?? 20) < 20,
  ),
];
