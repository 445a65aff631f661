/** Other legitimate ways to handle a create (4.3). */
import { isDeepStrictEqual } from 'node:util';
import {
  type Address,
  AddressRefusal,
  type Fields,
  type ShippingRules,
} from '../../../reference/shipping/index.ts';
import { fieldsOf } from '../../shipping/fields.ts';
import type { Variant } from '../../types.ts';
import { uniqueLabels } from './create-kit.ts';

export const createVariants: Variant<ShippingRules>[] = [
  {
    id: 'invalid-400-errors',
    fills: [
      'ADDR-CREATE-INVALID-ANSWER',
      'ADDR-UPDATE-INVALID-ANSWER',
      'ADDR-VERIFY-INVALID-ANSWER',
      'ADDR-UPDATE-UNKNOWN-ANSWER',
      'ADDR-VERIFY-UNKNOWN-ANSWER',
    ],
    sentence: 'answers invalid bodies with 400 and a list of errors',
    rules: (original) => ({
      addressErrors: {
        ...original.addressErrors,
        invalid: { status: 400, message: 'invalid' },
        malformedBody: { status: 415, message: 'unreadable' },
      },
      addressErrorBody: (refusal, endpoint, env) =>
        refusal.code === 'invalid'
          ? { errors: [{ detail: refusal.detail }] }
          : original.addressErrorBody(refusal, endpoint, env),
    }),
  },
  {
    id: 'invalid-409-empty',
    fills: ['ADDR-CREATE-INVALID-ANSWER', 'ADDR-UPDATE-INVALID-ANSWER'],
    sentence: 'answers invalid bodies with 409 and null',
    rules: (original) => ({
      addressErrorStatus: (refusal, endpoint, env) =>
        refusal.code === 'invalid' ? 409 : original.addressErrorStatus(refusal, endpoint, env),
      addressErrorBody: (refusal, endpoint, env) =>
        refusal.code === 'invalid' ? null : original.addressErrorBody(refusal, endpoint, env),
    }),
  },
  {
    id: 'omitted-is-empty',
    fills: ['ADDR-CREATE-OMITTED-OPTIONALS'],
    sentence: 'returns an empty string where an optional field was not sent',
    rules: (original) => ({
      addressDefaults: Object.fromEntries(
        Object.entries(original.addressDefaults).map(([name, value]) => [name, value ?? '']),
      ) as Address,
    }),
  },
  {
    id: 'default-is-null',
    fills: ['ADDR-CREATE-OMITTED-DEFAULT'],
    sentence: 'returns default null where it was not sent',
    rules: (original) => ({ templateDefaults: { ...original.templateDefaults, default: null } }),
  },
  {
    id: 'first-is-default',
    fills: ['ADDR-CREATE-OMITTED-DEFAULT', 'ADDR-CREATE-SECOND-DEFAULT'],
    sentence: 'makes the only address of a book the default one where default was not sent',
    rules: (original) => {
      const unsaid = new Set<string>();
      return {
        buildTemplate: (body, env) => {
          const template = original.buildTemplate(body, env);
          if (fieldsOf(body.address_template).default === undefined) unsaid.add(template.id);
          return template;
        },
        addTemplate: (book, template, env) =>
          original.addTemplate(
            book,
            book.size === 0 && unsaid.has(template.id) ? { ...template, default: true } : template,
            env,
          ),
      };
    },
  },
  {
    id: 'one-default-per-book',
    fills: ['ADDR-CREATE-SECOND-DEFAULT', 'ADDR-UPDATE-SECOND-DEFAULT'],
    sentence: 'clears default on the other addresses when one becomes the default',
    rules: () => ({
      afterSave: (book, saved) => {
        if (saved.default !== true) return;
        for (const other of book.values()) {
          if (other.id !== saved.id && other.default) book.set(other.id, { ...other, default: false });
        }
      },
    }),
  },
  {
    id: 'one-default-per-type',
    fills: ['ADDR-CREATE-SECOND-DEFAULT', 'ADDR-UPDATE-SECOND-DEFAULT'],
    sentence: 'sets default to null on the other addresses of the same type when one becomes the default',
    rules: () => ({
      afterSave: (book, saved) => {
        if (saved.default !== true) return;
        for (const other of book.values()) {
          const same = other.id !== saved.id && other.address_type === saved.address_type;
          if (same && other.default) book.set(other.id, { ...other, default: null });
        }
      },
    }),
  },
  {
    id: 'labels-are-unique',
    fills: ['ADDR-CREATE-DUPLICATE-ALIAS'],
    sentence: 'refuses to give an address the label of another one',
    rules: uniqueLabels((label) => label),
  },
  {
    id: 'addresses-are-unique',
    fills: [],
    sentence: 'refuses to save an address whose values are those of another one, whatever its label is',
    rules: (original) => ({
      addTemplate: (book, template, env) => {
        const isSaved = [...book.values()].some(({ address }) =>
          isDeepStrictEqual(address, template.address),
        );
        if (isSaved) throw new AddressRefusal('invalid', 'this address is saved already');
        original.addTemplate(book, template, env);
      },
    }),
    conflicts: ['labels-name-addresses'],
  },
  ...(['email', 'phone', 'street1'] as const).map(
    (field): Variant<ShippingRules> => ({
      id: `one-address-per-${field}`,
      fills: [],
      sentence: `refuses to save an address whose ${field} is that of another one`,
      rules: (original) => ({
        addTemplate: (book, template, env) => {
          const isTaken = [...book.values()].some(
            ({ address }) => address[field] === template.address[field],
          );
          if (isTaken) throw new AddressRefusal('invalid', `the ${field} is taken`);
          original.addTemplate(book, template, env);
        },
      }),
      conflicts: ['labels-name-addresses'],
    }),
  ),
  {
    id: 'labels-name-addresses',
    fills: ['ADDR-CREATE-DUPLICATE-ALIAS'],
    sentence: 'takes a second address with the same label for new values of the first',
    rules: (original) => ({
      addTemplate: (book, template, env) => {
        const same = [...book.values()].find(({ alias_name }) => alias_name === template.alias_name);
        if (same) template.id = same.id;
        original.addTemplate(book, template, env);
      },
    }),
  },
  {
    id: 'labels-are-unique-by-collation',
    fills: ['ADDR-CREATE-DUPLICATE-ALIAS'],
    sentence: 'refuses to give an address a label that differs from that of another one in case only',
    rules: uniqueLabels((label) => label.toLowerCase()),
  },
  {
    id: 'stores-tax-id',
    fills: ['ADDR-CREATE-TAX-ID', 'ADDR-UPDATE-TAX-ID', 'ADDR-TAX-ID-TYPE-VALUES'],
    sentence: 'stores the tax id of an address',
    rules: (original) => ({
      writableAddressFields: [...original.writableAddressFields, 'tax_id_number', 'tax_id_type'],
    }),
  },
  {
    id: 'tax-id-from-rfc',
    fills: ['ADDR-TAX-ID-TYPE-VALUES'],
    sentence: 'shows the rfc as tax id as well',
    rules: () => ({
      serialiseAddress: (address) => ({
        ...address,
        tax_id_number: address.rfc,
        tax_id_type: address.rfc === null ? null : 'RFC',
      }),
    }),
  },
  {
    id: 'form-body-accepted',
    fills: ['ADDR-CREATE-FORM-BODY'],
    sentence: 'accepts a create as a form with brackets in its field names, too',
    rules: (original) => ({
      parseJson: (text, endpoint) => {
        if (endpoint !== 'create' || !/^address_template(\[|%5B)/i.test(text))
          return original.parseJson(text, endpoint);
        const template: Fields = {};
        const attributes: Fields = {};
        for (const [name, value] of new URLSearchParams(text)) {
          const [, outer = '', inner] = /^address_template\[(\w+)\](?:\[(\w+)\])?$/.exec(name) ?? [];
          if (inner !== undefined) attributes[inner] = value;
          else template[outer] = outer === 'default' ? value === 'true' : value;
        }
        return { address_template: { ...template, address_attributes: attributes } };
      },
    }),
  },
  {
    id: 'carriers-listed-from-the-start',
    fills: ['ADDR-CREATE-INITIAL-CARRIERS', 'ADDR-VERIFY-UNASKED-CARRIERS', 'ADDR-CARRIER-STATUS-VALUES'],
    sentence: 'lists every carrier from the start, as not verified',
    rules: () => ({
      serialiseTemplate: (template, _endpoint, env) => ({
        id: template.id,
        alias_name: template.alias_name,
        address_type: template.address_type,
        default: template.default,
        address: env.rules.serialiseAddress(template.address, env),
        verified_carriers: [
          ...env.carriers
            .filter((carrier) => !template.verifications.some((each) => each.carrier === carrier))
            .map((carrier) => ({ carrier_name: carrier, status: 'not_verified', verification_id: null })),
          ...template.verifications.map((each) => env.rules.serialiseCarrier(each, env)),
        ],
      }),
    }),
  },
  {
    id: 'without-location',
    fills: [],
    sentence: 'sends no Location with a 201',
    rules: () => ({ createdHeaders: () => ({}) }),
  },
  {
    id: 'ids-in-capitals',
    fills: ['ADDR-READ-ID-CASE'],
    sentence: 'writes ids in capital letters and finds them in either case',
    rules: (original) => ({
      newAddressId: (env) => original.newAddressId(env).toUpperCase(),
      findTemplate: (book, id, endpoint, env) => original.findTemplate(book, id.toUpperCase(), endpoint, env),
    }),
  },
  {
    id: 'ids-by-time',
    fills: [],
    sentence: 'makes ids that begin with the time, so that successive ones resemble each other',
    rules: () => {
      let count = 0;
      return {
        newAddressId: (env) => {
          count += 1;
          const time = env.clock.now().toString(16).padStart(12, '0').slice(-12);
          return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${count.toString(16).padStart(12, '0')}`;
        },
      };
    },
  },
  {
    id: 'listed-ids-in-capitals',
    fills: ['ADDR-READ-ID-CASE'],
    sentence: 'writes ids in capital letters in lists alone, and finds them in either case',
    rules: (original) => ({
      serialiseTemplate: (template, endpoint, env) => {
        const data = original.serialiseTemplate(template, endpoint, env);
        return endpoint === 'list' ? { ...data, id: template.id.toUpperCase() } : data;
      },
      findTemplate: (book, id, endpoint, env) => original.findTemplate(book, id.toLowerCase(), endpoint, env),
    }),
    conflicts: ['ids-in-capitals'],
  },
];
