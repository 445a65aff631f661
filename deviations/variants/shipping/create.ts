/** Other legitimate ways to take a create (4.3). */
import { type Address, AddressRefusal, type Env, type Fields, type ShippingRules } from '../../../reference/shipping/index.ts';
import type { Variant } from '../../types.ts';

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Refuses creates and updates with problems of its own besides the original's. */
function strict(problemsOf: (template: Fields) => string[]) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    presentFieldProblems: (template, env) => [
      ...original.presentFieldProblems(template, env),
      ...problemsOf(template),
    ],
  });
}

/** Refuses attributes whose text does not match. */
const matching = (patterns: Record<string, RegExp>) =>
  strict((template) =>
    Object.entries(patterns)
      .filter(([name, pattern]) => {
        const value = fieldsOf(template.address_attributes)[name];
        return typeof value === 'string' && !pattern.test(value);
      })
      .map(([name]) => `${name} is not valid`),
  );

/** An address with an empty text where null is not allowed. */
function filled(address: Address, env: Env): Address {
  const complete = { ...address };
  for (const field of env.rules.requiredAddressFields) complete[field] ??= '';
  return complete;
}

/** Changes every text of a request body, wherever it stands. */
function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, change)]));
}

export const createVariants: Variant<ShippingRules>[] = [
  {
    id: 'types-from-and-to',
    fills: ['ADDR-ADDRESS-TYPE-VALUES'],
    sentence: 'takes the address types from and to only',
    rules: (original) => ({
      templateFieldProblem: (field, value) =>
        field === 'address_type' && value !== 'from' && value !== 'to'
          ? 'address_type is not one of from, to'
          : original.templateFieldProblem(field, value),
    }),
  },
  {
    id: 'invalid-400-errors',
    fills: ['ADDR-CREATE-INVALID-ANSWER', 'ADDR-UPDATE-INVALID-ANSWER', 'ADDR-VERIFY-INVALID-ANSWER', 'ADDR-UPDATE-UNKNOWN-ANSWER', 'ADDR-VERIFY-UNKNOWN-ANSWER'],
    sentence: 'answers what it does not take with 400 and a list of errors',
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
    sentence: 'answers what it does not take with 409 and null',
    rules: (original) => ({
      addressErrorStatus: (refusal, endpoint, env) =>
        refusal.code === 'invalid' ? 409 : original.addressErrorStatus(refusal, endpoint, env),
      addressErrorBody: (refusal, endpoint, env) =>
        refusal.code === 'invalid' ? null : original.addressErrorBody(refusal, endpoint, env),
    }),
  },
  {
    id: 'converts-types',
    fills: ['ADDR-CREATE-WRONG-TYPES', 'ADDR-UPDATE-WRONG-TYPES'],
    sentence: 'converts numbers to texts and texts to booleans',
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
            ...('default' in template && { default: typeof flag === 'string' ? flag === 'true' : flag === 1 || flag === 0 ? flag === 1 : flag }),
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
    sentence: 'takes null for a required text and stores an empty one',
    rules: (original) => ({
      addressFieldProblem: (field, value, env) =>
        value === null && field !== 'country_code' ? undefined : original.addressFieldProblem(field, value, env),
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
    sentence: 'takes empty texts for required fields',
    rules: (original) => ({
      addressFieldProblem: (field, value, env) =>
        value === '' && field !== 'country_code' ? undefined : original.addressFieldProblem(field, value, env),
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
    id: 'mexico-only',
    fills: ['ADDR-CREATE-OTHER-COUNTRY'],
    sentence: 'takes addresses in Mexico only',
    rules: matching({ country_code: /^MX$/ }),
  },
  {
    id: 'omitted-is-empty',
    fills: ['ADDR-CREATE-OMITTED-OPTIONALS'],
    sentence: 'reads an empty text where an optional field was not sent',
    rules: (original) => ({
      addressDefaults: Object.fromEntries(
        Object.entries(original.addressDefaults).map(([name, value]) => [name, value ?? '']),
      ) as Address,
    }),
  },
  {
    id: 'default-is-null',
    fills: ['ADDR-CREATE-OMITTED-DEFAULT'],
    sentence: 'reads default null where it was not sent',
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
    sentence: 'takes the flag from the other addresses when one becomes the default',
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
    sentence: 'takes the flag from the other addresses of the same type, which then read null',
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
    sentence: 'refuses a second address with the same label',
    rules: (original) => ({
      addTemplate: (book, template, env) => {
        const taken = [...book.values()].some(({ alias_name }) => alias_name === template.alias_name);
        if (taken) throw new AddressRefusal('invalid', 'alias_name is taken');
        original.addTemplate(book, template, env);
      },
    }),
  },
  {
    id: 'unknown-fields-refused',
    fills: ['ADDR-CREATE-UNKNOWN-FIELDS', 'ADDR-UPDATE-UNKNOWN-FIELDS', 'ADDR-CREATE-TAX-ID', 'ADDR-UPDATE-TAX-ID'],
    sentence: 'refuses fields that the tables do not list',
    rules: (original) => ({
      presentFieldProblems: (template, env) => {
        const known = [...env.rules.writableAddressFields] as string[];
        const labels = ['alias_name', 'address_type', 'default', 'address_attributes'];
        const strange = [
          ...Object.keys(template).filter((name) => !labels.includes(name)),
          ...Object.keys(fieldsOf(template.address_attributes)).filter((name) => !known.includes(name)),
        ];
        return [...original.presentFieldProblems(template, env), ...strange.map((name) => `${name} is not known`)];
      },
    }),
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
    sentence: 'takes a create as a form with brackets in its names, too',
    rules: (original) => ({
      parseJson: (text, endpoint) => {
        if (endpoint !== 'create' || !/^address_template(\[|%5B)/i.test(text)) return original.parseJson(text, endpoint);
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
    sentence: 'names no Location with a 201',
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
    sentence: 'makes ids that begin with the time, one like the next',
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
];
