/** Updates in which a field that an earlier update set is again what it was at the create (1 and 4.4). */
import type { ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { fieldsOf } from './fields.ts';
import { withAddress } from './templates.ts';
import { kept, remembering, updating } from './update-kit.ts';

/** Sets a text of the address back to that of the create where an update does not send it. */
const backToCreated = (field: 'reference' | 'rfc'): Deviation<ShippingRules> => ({
  id: `update-sets-${field}-back`,
  breaks: ['ADDR-UPDATE-SUCCESSIVE'],
  entails: ['ADDR-UPDATE-OMITTED-*', 'ADDR-UPDATE-EMPTY-*'],
  sentence: `takes ${field} from the address as it was created where an update does not send it`,
  rules: remembering((original, created) => ({
    patchTemplate: (current, body, env) => {
      const next = original.patchTemplate(current, body, env);
      const attributes = fieldsOf(fieldsOf(body.address_template).address_attributes);
      const first = created.get(current.id);
      const isOmitted = first !== undefined && attributes[field] === undefined;
      return isOmitted ? withAddress(next, { [field]: first.address[field] }) : next;
    },
  })),
});

export const fallBackDeviations: Deviation<ShippingRules>[] = [
  backToCreated('reference'),
  backToCreated('rfc'),
  {
    id: 'update-sets-default-back',
    breaks: ['ADDR-UPDATE-SUCCESSIVE'],
    entails: ['ADDR-UPDATE-OMITTED-*', 'ADDR-UPDATE-EMPTY-*'],
    sentence: 'takes default from the address as it was created where an update does not send it',
    rules: remembering((original, created) => ({
      patchTemplate: (current, body, env) => {
        const next = original.patchTemplate(current, body, env);
        const first = created.get(current.id);
        const isOmitted = first !== undefined && fieldsOf(body.address_template).default === undefined;
        return isOmitted ? { ...next, default: first.default } : next;
      },
    })),
  },
  {
    id: 'update-sets-type-back',
    breaks: ['ADDR-UPDATE-SUCCESSIVE'],
    entails: ['ADDR-UPDATE-OMITTED-KEPT-ADDRESS-TYPE'],
    sentence: 'makes an address of another type one of the usual type where an update does not send the type',
    rules: updating((next, _current, sent) =>
      sent.address_type === undefined ? { ...next, address_type: 'from' } : next,
    ),
  },
  {
    id: 'update-sets-country-back',
    breaks: ['ADDR-UPDATE-SUCCESSIVE'],
    entails: ['ADDR-UPDATE-OMITTED-KEPT-COUNTRY-CODE'],
    sentence: 'moves an address of another country to Mexico where an update does not send the country',
    rules: updating((next, _current, sent) =>
      fieldsOf(sent.address_attributes).country_code === undefined
        ? withAddress(next, { country_code: 'MX' })
        : next,
    ),
  },
  {
    id: 'update-empties-null',
    breaks: (['street_number', 'apartment_number', 'area_level3', 'rfc'] as const).map(kept),
    entails: ['ADDR-UPDATE-*'],
    sentence: 'saves an empty text for each optional field that is null and that an update does not send',
    rules: updating((next, _current, sent) => {
      const given = fieldsOf(sent.address_attributes);
      const nulls = Object.entries(next.address).filter(
        ([name, value]) => value === null && !(name in given),
      );
      return withAddress(next, Object.fromEntries(nulls.map(([name]) => [name, ''])));
    }),
  },
];
