/** Other legitimate ways to validate and convert values (4.3). */
import type { Fields, ShippingRules } from '../../../reference/shipping/index.ts';
import { fieldsOf } from '../../shipping/fields.ts';
import type { Variant } from '../../types.ts';
import { filled, mapTexts, matching, strict } from './create-kit.ts';

export const valueVariants: Variant<ShippingRules>[] = [
  {
    id: 'types-from-and-to',
    fills: ['ADDR-ADDRESS-TYPE-VALUES'],
    sentence: 'accepts only the address types from and to',
    rules: (original) => ({
      templateFieldProblem: (field, value) =>
        field === 'address_type' && value !== 'from' && value !== 'to'
          ? 'address_type is not one of from, to'
          : original.templateFieldProblem(field, value),
    }),
  },
  {
    id: 'letters-are-ascii',
    fills: [],
    sentence: 'refuses texts with letters that are not in ASCII',
    rules: strict((template) =>
      /[^ -~]/.test(JSON.stringify(template)) ? ['only letters of ASCII are taken'] : [],
    ),
    // The names of places in the capital have accents.
    conflicts: ['places-belong-together', 'settlements-belong-together'],
  },
  {
    id: 'converts-types',
    fills: ['ADDR-CREATE-WRONG-TYPES', 'ADDR-UPDATE-WRONG-TYPES'],
    sentence: 'converts numbers to strings and strings to booleans',
    rules: (original) => ({
      parseJson: (text, endpoint) => {
        const body = original.parseJson(text, endpoint);
        const template = fieldsOf(body.address_template);
        const attributes = template.address_attributes;
        const texts = (fields: Fields): Fields =>
          Object.fromEntries(
            Object.entries(fields).map(([name, value]) => [
              name,
              typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
            ]),
          );
        if (Object.keys(template).length === 0) return body;
        const { default: flag, ...labels } = template;
        return {
          ...body,
          address_template: {
            ...texts(labels),
            ...('default' in template && {
              default:
                typeof flag === 'string' ? flag === 'true' : flag === 1 || flag === 0 ? flag === 1 : flag,
            }),
            ...(attributes !== undefined && {
              address_attributes:
                typeof attributes === 'object' && attributes !== null && !Array.isArray(attributes)
                  ? texts(attributes as Fields)
                  : attributes,
            }),
          },
        };
      },
    }),
  },
  {
    id: 'null-is-an-empty-text',
    fills: ['ADDR-CREATE-NULL-REQUIRED'],
    sentence: 'accepts null for a required string and stores an empty one',
    rules: (original) => ({
      addressFieldProblem: (field, value, env) =>
        value === null && field !== 'country_code'
          ? undefined
          : original.addressFieldProblem(field, value, env),
      buildAddress: (attributes, env) => filled(original.buildAddress(attributes, env), env),
      patchAddress: (current, changes, env) => filled(original.patchAddress(current, changes, env), env),
    }),
  },
  {
    id: 'null-optional-refused',
    fills: ['ADDR-CREATE-NULL-OPTIONAL', 'ADDR-UPDATE-NULL'],
    sentence: 'refuses null for every field',
    rules: strict((template) => [
      ...Object.entries(fieldsOf(template.address_attributes))
        .filter(([, value]) => value === null)
        .map(([name]) => `${name} is null`),
      ...(template.default === null ? ['default is null'] : []),
    ]),
  },
  {
    id: 'empty-strings-accepted',
    fills: ['ADDR-CREATE-EMPTY-STRINGS'],
    sentence: 'accepts empty strings for required fields',
    rules: (original) => ({
      addressFieldProblem: (field, value, env) =>
        value === '' && field !== 'country_code'
          ? undefined
          : original.addressFieldProblem(field, value, env),
      templateFieldProblem: (field, value) =>
        value === '' && field !== 'default' ? undefined : original.templateFieldProblem(field, value),
    }),
  },
  {
    id: 'trims-white-space',
    fills: ['ADDR-CREATE-WHITESPACE'],
    sentence: 'removes white space at the ends of texts',
    rules: (original) => ({
      parseJson: (text, endpoint) =>
        mapTexts(original.parseJson(text, endpoint), (each) => each.trim()) as Fields,
    }),
  },
  {
    id: 'normalises-to-nfc',
    fills: ['ADDR-CREATE-WHITESPACE'],
    sentence: 'brings texts into normalization form C',
    rules: (original) => ({
      parseJson: (text, endpoint) =>
        mapTexts(original.parseJson(text, endpoint), (each) => each.normalize('NFC')) as Fields,
    }),
    conflicts: ['trims-white-space'],
  },
  {
    id: 'at-most-60-characters',
    fills: ['ADDR-CREATE-MAX-LENGTH'],
    sentence: 'refuses texts of more than 60 characters',
    rules: strict((template) =>
      [...Object.values(template), ...Object.values(fieldsOf(template.address_attributes))].some(
        (value) => typeof value === 'string' && value.length > 60,
      )
        ? ['a text is too long']
        : [],
    ),
  },
  {
    id: 'labels-of-30-characters',
    fills: ['ADDR-CREATE-MAX-LENGTH'],
    sentence: 'refuses labels of more than 30 characters, and other texts of more than 35',
    rules: strict(({ alias_name, address_attributes }) => {
      const isLonger = (value: unknown, most: number) => typeof value === 'string' && value.length > most;
      const texts = Object.values(fieldsOf(address_attributes));
      return isLonger(alias_name, 30) || texts.some((value) => isLonger(value, 35))
        ? ['a text is too long']
        : [];
    }),
  },
  {
    id: 'latin-only',
    fills: ['ADDR-CREATE-VALUE-RULES'],
    sentence: 'refuses texts with letters that are not Latin',
    rules: strict((template) =>
      [...Object.values(template), ...Object.values(fieldsOf(template.address_attributes))].some(
        (value) => typeof value === 'string' && /[^\u0020-\u024f\u2010-\u2027]/u.test(value),
      )
        ? ['a text has characters that labels cannot carry']
        : [],
    ),
  },
  {
    id: 'strict-values',
    fills: ['ADDR-CREATE-VALUE-RULES', 'ADDR-CREATE-OTHER-COUNTRY'],
    sentence: 'checks email, postal code, phone, tax id and country',
    rules: matching({
      email: /^[^@\s]+@[^@\s]+\.[a-z]{2,}$/,
      postal_code: /^\d{5}$/,
      phone: /^\d{10}$/,
      rfc: /^[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}$/,
      country_code: /^MX$/,
    }),
  },
  {
    id: 'names-of-letters',
    fills: ['ADDR-CREATE-VALUE-RULES'],
    sentence:
      'refuses names with anything but Latin letters, and numbers of houses and flats with anything but digits',
    rules: matching({ name: /^[\p{Script=Latin} ]+$/u, street_number: /^\d+$/, apartment_number: /^\d+$/ }),
  },
  {
    id: 'mexico-only',
    fills: ['ADDR-CREATE-OTHER-COUNTRY'],
    sentence: 'accepts only addresses in Mexico',
    rules: matching({ country_code: /^MX$/ }),
  },
  {
    id: 'unknown-fields-refused',
    fills: [
      'ADDR-CREATE-UNKNOWN-FIELDS',
      'ADDR-UPDATE-UNKNOWN-FIELDS',
      'ADDR-CREATE-TAX-ID',
      'ADDR-UPDATE-TAX-ID',
    ],
    sentence: 'refuses fields that the tables do not list',
    rules: (original) => ({
      presentFieldProblems: (template, env) => {
        const known = [...env.rules.writableAddressFields] as string[];
        const labels = ['alias_name', 'address_type', 'default', 'address_attributes'];
        const strange = [
          ...Object.keys(template).filter((name) => !labels.includes(name)),
          ...Object.keys(fieldsOf(template.address_attributes)).filter((name) => !known.includes(name)),
        ];
        return [
          ...original.presentFieldProblems(template, env),
          ...strange.map((name) => `${name} is not known`),
        ];
      },
    }),
  },
];
