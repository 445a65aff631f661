/**
 * Other legitimate ways to handle an id in a body, although the path has one or a new address gets one (4.3,
 * 4.4, 4.6).
 */
import { AddressRefusal, type Fields, type ShippingRules } from '../../../reference/shipping/index.ts';
import type { Variant } from '../../types.ts';

/** Refuses bodies at one endpoint for which `isWrong` holds. */
const refusing =
  (endpoint: string, isWrong: (body: Fields) => boolean) =>
  (original: ShippingRules): Partial<ShippingRules> => ({
    parseJson: (text, each) => {
      const body = original.parseJson(text, each);
      if (each === endpoint && isWrong(body)) throw new AddressRefusal('invalid', 'there is an id in it');
      return body;
    },
  });

const idAmongFields = (body: Fields): boolean =>
  typeof body.address_template === 'object' &&
  body.address_template !== null &&
  'id' in body.address_template;

export const idVariants: Variant<ShippingRules>[] = [
  {
    id: 'create-with-id-refused',
    fills: ['ADDR-CREATE-UNKNOWN-FIELDS'],
    sentence: 'refuses a create that carries an id',
    rules: refusing('create', (body) => 'id' in body || idAmongFields(body)),
  },
  {
    id: 'update-with-id-among-fields-refused',
    fills: ['ADDR-UPDATE-UNKNOWN-FIELDS'],
    sentence: 'refuses an update with an id among its fields',
    rules: refusing('update', idAmongFields),
  },
  {
    id: 'create-takes-new-id',
    fills: ['ADDR-CREATE-UNKNOWN-FIELDS'],
    sentence: 'saves an address under the id that the create carries, unless another one has it',
    rules: (original) => {
      let wanted: unknown;
      return {
        parseJson: (text, endpoint) => {
          const body = original.parseJson(text, endpoint);
          wanted = idAmongFields(body) ? (body.address_template as Fields).id : undefined;
          return body;
        },
        newAddressId: (env) => {
          const isTaken = [...env.state.books.values()].some((book) => book.has(String(wanted)));
          return typeof wanted === 'string' && !isTaken ? wanted : original.newAddressId(env);
        },
      };
    },
  },
];
