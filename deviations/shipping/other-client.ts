/** Addresses that a client does not see, and can change all the same (4.4 to 4.6). */
import type { AddressEndpoint, AddressTemplate, ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { bookOf } from './second-times.ts';

/** Finds addresses of every client at one endpoint. */
const findingForAll =
  (at: AddressEndpoint) =>
  (original: ShippingRules): Partial<ShippingRules> => ({
    findTemplate: (book, id, endpoint, env) =>
      original.findTemplate((endpoint === at && bookOf(id, env)) || book, id, endpoint, env),
    replaceTemplate: (book, template, env) =>
      original.replaceTemplate(bookOf(template.id, env) ?? book, template, env),
    removeTemplate: (book, template, env) =>
      original.removeTemplate(bookOf(template.id, env) ?? book, template, env),
  });

/** Keeps lists by their parameters alone until an address is created, changed or deleted. */
function cachingLists(original: ShippingRules): Partial<ShippingRules> {
  const lists = new Map<string, AddressTemplate[]>();
  return {
    slicePage: (items, page, perPage) => {
      const key = `${page} ${perPage}`;
      const list = lists.get(key) ?? original.slicePage(items, page, perPage);
      lists.set(key, list);
      return list;
    },
    addTemplate: (...args) => {
      lists.clear();
      original.addTemplate(...args);
    },
    replaceTemplate: (...args) => {
      lists.clear();
      original.replaceTemplate(...args);
    },
    removeTemplate: (...args) => {
      lists.clear();
      original.removeTemplate(...args);
    },
  };
}

const changing: Deviation<ShippingRules>[] = (
  [
    ['update', 'updates'],
    ['verify', 'verifies'],
    ['delete', 'deletes'],
  ] as const
).map(([endpoint, does]) => ({
  id: `${endpoint}-for-all-clients`,
  breaks: [`ADDR-${endpoint.toUpperCase()}-OTHER-CLIENT`],
  sentence: `${does} addresses of other clients, for which a read does not find them`,
  rules: findingForAll(endpoint),
}));

export const otherClientDeviations: Deviation<ShippingRules>[] = [
  ...changing,
  {
    id: 'read-for-all-clients',
    breaks: ['ADDR-READ-OTHER-CLIENT'],
    sentence: 'reads addresses of other clients, which the list does not show',
    rules: findingForAll('read'),
  },
  {
    id: 'list-cached-for-all-clients',
    breaks: ['ADDR-LIST-OTHER-CLIENT'],
    sentence: 'keeps lists by their parameters, whoever asks',
    rules: cachingLists,
  },
];
