/** Addresses that a client does not see, and can change all the same (4.4 to 4.6). */
import type { AddressEndpoint, ShippingRules } from '../../reference/shipping/index.ts';
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

export const otherClientDeviations: Deviation<ShippingRules>[] = (
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
