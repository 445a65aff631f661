/** 4.3, field by field: what was sent and what is stored, what is demanded and what is not. */
import { type Address, AddressRefusal, type Env, type Fields, type ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { ALL_FIELDS, ATTRIBUTES, type Attribute, idPart, lost, OPTIONAL, slug } from './fields.ts';

/** Stores something else than was sent in an address. */
function storing(change: (address: Address, sent: Fields, env: Env) => Partial<Address>) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    buildAddress: (attributes, env) => {
      const address = original.buildAddress(attributes, env);
      return { ...address, ...change(address, attributes, env) };
    },
  });
}

/** Stores a text of an address changed, where there is one. */
function rewriting(field: Attribute, change: (text: string) => string | null) {
  return storing((address) => ({ [field]: address[field] === null ? null : change(address[field]) }));
}

const keeps = (field: string): string => `ADDR-CREATE-KEEPS-${idPart(field)}`;

/** Every text of an address and its label, stored changed. */
function rewritingAll(change: (text: string) => string) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    buildAddress: (attributes, env) => {
      const address = original.buildAddress(attributes, env);
      const entries = Object.entries(address).map(([name, value]) => [name, value === null ? null : change(value)]);
      return Object.fromEntries(entries) as Address;
    },
    buildTemplateValues: (template, env) => {
      const values = original.buildTemplateValues(template, env);
      return { ...values, alias_name: change(values.alias_name) };
    },
  });
}

/** A field that create drops. (An empty country code would not fit the schema.) */
const dropped: Deviation<ShippingRules>[] = ATTRIBUTES.filter((field) => field !== 'country_code').map((field) => ({
  id: `create-drops-${slug(field)}`,
  breaks: [keeps(field)],
  sentence: `does not store ${field} when it creates an address`,
  rules: storing(() => ({ [field]: lost(field) })),
}));

/** A field that create stores otherwise than it was sent. */
const altered: [id: string, field: Attribute, sentence: string, change: (text: string) => string | null][] = [
  ['name-in-capitals', 'name', 'stores names in capital letters', (text) => text.toUpperCase()],
  ['name-first-word', 'name', 'keeps the first word of a name only', (text) => text.split(' ')[0]!],
  ['name-turned', 'name', 'puts the last name first', (text) => text.split(' ').reverse().join(', ')],
  ['company-of-account', 'company', 'stores the company of the account', () => 'Account S.A.'],
  ['street1-abbreviated', 'street1', 'abbreviates Calle in streets', (text) => text.replace('Calle', 'C.')],
  ['street-number-one-more', 'street_number', 'stores street numbers with a hash before them', (text) => `#${text}`],
  ['apartment-number-padded', 'apartment_number', 'pads apartment numbers to five digits', (text) => text.padStart(5, '0')],
  ['postal-code-number', 'postal_code', 'parses postal codes as numbers and divides off the last digit', (text) => text.slice(0, -1)],
  ['area-level1-upper-case', 'area_level1', 'stores states in capital letters', (text) => text.toUpperCase()],
  ['area-level2-of-lookup', 'area_level2', 'stores the municipality that a lookup of the postal code gives', () => 'Cuauhtémoc'],
  ['area-level3-cut-off', 'area_level3', 'stores the first word of a neighbourhood', (text) => text.split(' ')[0]!],
  ['country-code-lower-case', 'country_code', 'stores country codes in small letters', (text) => text.toLowerCase()],
  ['country-code-of-account', 'country_code', 'stores the country of the account whatever was sent', () => 'US'],
  ['phone-with-prefix', 'phone', 'puts the country prefix before phone numbers', (text) => `+52${text}`],
  ['phone-last-eight', 'phone', 'keeps the last eight digits of phone numbers', (text) => text.slice(-8)],
  ['email-of-account', 'email', 'stores the email address of the account', () => 'account@example.com'],
  ['email-without-dots', 'email', 'takes the dots out of email addresses', (text) => text.replaceAll('.', '')],
  ['reference-cut-to-20', 'reference', 'cuts the reference to the 20 characters of a label', (text) => text.slice(0, 20)],
  ['rfc-without-homoclave', 'rfc', 'cuts the last three characters off a tax id', (text) => text.slice(0, -3)],
];

const alteredDeviations: Deviation<ShippingRules>[] = altered.map(([id, field, sentence, change]) => ({
  id: `create-${id}`,
  breaks: [keeps(field)],
  ...(field === 'reference' && { entails: ['ADDR-CREATE-KEEPS-LENGTH', 'ADDR-CREATE-KEEPS-PUNCTUATION', 'ADDR-CREATE-KEEPS-SPANISH', 'ADDR-CREATE-KEEPS-OTHER-SCRIPTS'] }),
  sentence,
  rules: (original) => ({
    ...rewriting(field, change)(original),
    // What is stored in small letters is taken in small letters as well.
    addressFieldProblem: (name, value, env) =>
      original.addressFieldProblem(name, name === 'country_code' ? String(value).toUpperCase() : value, env),
  }),
}));

/** A required field that is not demanded; it reads as an empty text then. */
const undemanded: Deviation<ShippingRules>[] = ALL_FIELDS.filter((field) => !OPTIONAL.includes(field)).map(
  (field) => ({
    id: `create-without-${slug(field)}`,
    breaks: [`ADDR-CREATE-REQUIRES-${idPart(field)}`],
    sentence: `creates an address without ${field}`,
    rules: (original) => ({
      requiredTemplateFields: original.requiredTemplateFields.filter((each) => each !== field),
      createProblems: (body, env) =>
        original.createProblems(body, env).filter((problem) => problem !== `${field} is missing`),
      // So that what is answered still fits the schema.
      ...(field === 'country_code' && {
        addressDefaults: { ...original.addressDefaults, country_code: 'MX' },
      }),
    }),
  }),
);

/** An optional field that is demanded. */
const demanded: Deviation<ShippingRules>[] = OPTIONAL.map((field) => ({
  id: `create-demands-${slug(field)}`,
  breaks: [`ADDR-CREATE-OPTIONAL-${idPart(field)}`],
  // A create without any optional field is refused as well.
  entails: OPTIONAL.map((each) => `ADDR-CREATE-OPTIONAL-${idPart(each)}`).concat('ADDR-CREATE-STATUS'),
  sentence: `refuses a create without ${field}, which is optional`,
  rules: (original) => ({
    createProblems: (body, env) => {
      const problems = original.createProblems(body, env);
      const template = (body.address_template ?? {}) as Fields;
      const attributes = (template.address_attributes ?? {}) as Fields;
      const sent = field === 'default' ? template.default : attributes[field];
      return sent === undefined ? [...problems, `${field} is missing`] : problems;
    },
  }),
}));

const REQUIRED_IDS = [
  'ADDR-CREATE-REQUIRES-ADDRESS-ATTRIBUTES',
  ...ALL_FIELDS.filter((field) => !OPTIONAL.includes(field)).map((field) => `ADDR-CREATE-REQUIRES-${idPart(field)}`),
];

export const createFieldDeviations: Deviation<ShippingRules>[] = [
  ...dropped,
  ...alteredDeviations,
  ...undemanded,
  ...demanded,
  {
    id: 'create-areas-swapped',
    breaks: [keeps('area_level1'), keeps('area_level2')],
    sentence: 'swaps state and municipality',
    rules: storing(({ area_level1, area_level2 }) => ({ area_level1: area_level2, area_level2: area_level1 })),
  },
  {
    id: 'create-street-number-joined',
    breaks: [keeps('street1'), keeps('street_number')],
    sentence: 'joins the street number to the street',
    rules: storing(({ street1, street_number }) => ({
      street1: street_number === null ? street1 : `${street1} ${street_number}`,
      street_number: null,
    })),
  },
  {
    id: 'create-rfc-moved',
    breaks: [keeps('rfc')],
    sentence: 'stores rfc under tax_id_number',
    rules: storing(({ rfc }) => ({ rfc: null, tax_id_number: rfc, tax_id_type: rfc === null ? null : 'rfc' })),
  },
  {
    id: 'create-alias-numbered',
    breaks: [keeps('alias_name')],
    sentence: 'makes labels unique by adding a number',
    rules: (original) => {
      let count = 0;
      return {
        buildTemplateValues: (template, env) => {
          const values = original.buildTemplateValues(template, env);
          count += 1;
          return { ...values, alias_name: `${values.alias_name} (${count})` };
        },
      };
    },
    entails: ['ADDR-CREATE-LISTED'],
  },
  {
    id: 'create-alias-from-name',
    breaks: [keeps('alias_name')],
    entails: ['ADDR-CREATE-LISTED'],
    sentence: 'makes the label from name and street',
    rules: (original) => ({
      buildTemplate: (body, env) => {
        const template = original.buildTemplate(body, env);
        return { ...template, alias_name: `${template.address.name}, ${template.address.street1}` };
      },
    }),
  },
  {
    id: 'create-type-usual',
    breaks: [keeps('address_type')],
    sentence: 'stores every address with the type that it calls usual',
    rules: (original) => ({
      buildTemplateValues: (template, env) => ({
        ...original.buildTemplateValues(template, env),
        address_type: 'origin',
      }),
    }),
  },
  {
    id: 'create-default-false-is-null',
    breaks: [keeps('default')],
    sentence: 'takes default false for not sent and stores null',
    rules: (original) => ({
      buildTemplateValues: (template, env) => {
        const values = original.buildTemplateValues(template, env);
        return { ...values, default: values.default || null };
      },
    }),
  },
  {
    id: 'create-default-always-false',
    breaks: [keeps('default')],
    sentence: 'stores default false whatever was sent',
    rules: (original) => ({
      buildTemplateValues: (template, env) => ({
        ...original.buildTemplateValues(template, env),
        default: false,
      }),
    }),
  },
  {
    id: 'create-folds-accents',
    breaks: ['ADDR-CREATE-KEEPS-SPANISH'],
    entails: ATTRIBUTES.map(keeps),
    sentence: 'folds letters with accents to plain ones for label printers',
    rules: rewritingAll((text) => text.normalize('NFD').replaceAll(/\p{Mark}/gu, '')),
  },
  {
    id: 'create-reads-latin1',
    breaks: ['ADDR-CREATE-KEEPS-SPANISH'],
    entails: [...ATTRIBUTES.map(keeps), 'ADDR-CREATE-KEEPS-OTHER-SCRIPTS'],
    sentence: 'decodes request bodies as Latin-1',
    rules: rewritingAll((text) => Buffer.from(text, 'utf8').toString('latin1')),
  },
  {
    id: 'create-loses-n-tilde',
    breaks: ['ADDR-CREATE-KEEPS-SPANISH'],
    entails: ATTRIBUTES.map(keeps),
    sentence: 'stores ñ as n',
    rules: rewritingAll((text) => text.replaceAll('ñ', 'n').replaceAll('Ñ', 'N')),
  },
  {
    id: 'create-escapes-html',
    breaks: ['ADDR-CREATE-KEEPS-PUNCTUATION'],
    sentence: 'escapes text for HTML on its way in',
    rules: rewritingAll((text) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    ),
  },
  {
    id: 'create-strips-quotes',
    breaks: ['ADDR-CREATE-KEEPS-PUNCTUATION'],
    sentence: 'deletes quotes from text',
    rules: rewritingAll((text) => text.replaceAll(/['"]/g, '')),
  },
  {
    id: 'create-doubles-quotes',
    breaks: ['ADDR-CREATE-KEEPS-PUNCTUATION'],
    sentence: 'stores single quotes doubled, as SQL has them',
    rules: rewritingAll((text) => text.replaceAll("'", "''")),
  },
  {
    id: 'create-strips-tags',
    breaks: ['ADDR-CREATE-KEEPS-PUNCTUATION'],
    sentence: 'deletes what looks like an HTML tag from text',
    rules: rewritingAll((text) => text.replaceAll(/<[^>]*>/g, '')),
  },
  {
    id: 'create-decodes-percent',
    breaks: ['ADDR-CREATE-KEEPS-PUNCTUATION'],
    sentence: 'undoes percent-encoding in text',
    rules: rewritingAll((text) => text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))),
  },
  {
    id: 'create-strips-backslashes',
    breaks: ['ADDR-CREATE-KEEPS-PUNCTUATION'],
    sentence: 'deletes backslashes from text',
    rules: rewritingAll((text) => text.replaceAll('\\', '')),
  },
  {
    id: 'create-cuts-at-ampersand',
    breaks: ['ADDR-CREATE-KEEPS-PUNCTUATION'],
    sentence: 'keeps text up to the first ampersand',
    rules: rewritingAll((text) => text.split('&')[0]!),
  },
  {
    id: 'create-three-byte-text',
    breaks: ['ADDR-CREATE-KEEPS-OTHER-SCRIPTS'],
    sentence: 'stores a question mark for every character above U+FFFF',
    rules: rewritingAll((text) => text.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '?')),
  },
  {
    id: 'create-latin-only',
    breaks: ['ADDR-CREATE-KEEPS-OTHER-SCRIPTS'],
    sentence: 'stores question marks for letters that are not Latin',
    rules: rewritingAll((text) => text.replaceAll(/[^\u0000-\u024F]/gu, '?')),
  },
  {
    id: 'create-drops-emoji',
    breaks: ['ADDR-CREATE-KEEPS-OTHER-SCRIPTS'],
    sentence: 'deletes emoji from text',
    rules: rewritingAll((text) => text.replaceAll(/\p{Extended_Pictographic}/gu, '')),
  },
  ...[50, 100, 191, 255].map(
    (limit): Deviation<ShippingRules> => ({
      id: `create-cuts-at-${limit}`,
      breaks: ['ADDR-CREATE-KEEPS-LENGTH'],
      entails: ['ADDR-CREATE-KEEPS-*'],
      sentence: `cuts text to ${limit} characters without a word`,
      rules: rewritingAll((text) => text.slice(0, limit)),
    }),
  ),
  {
    id: 'create-without-address-template',
    breaks: ['ADDR-CREATE-REQUIRES-ADDRESS-TEMPLATE'],
    sentence: 'creates an address from a body without address_template',
    rules: (original) => ({
      createProblems: (body, env) =>
        body.address_template === undefined ? [] : original.createProblems(body, env),
      addressDefaults: { ...original.addressDefaults, country_code: 'MX' },
    }),
  },
  {
    id: 'create-from-flat-body',
    breaks: ['ADDR-CREATE-REQUIRES-ADDRESS-TEMPLATE'],
    sentence: 'takes the fields of address_template at the top of the body as well',
    rules: (original) => ({
      parseJson: (text, endpoint) => {
        const body = original.parseJson(text, endpoint);
        const flat = endpoint === 'create' && body.address_template === undefined && body.alias_name !== undefined;
        return flat ? { address_template: body } : body;
      },
    }),
  },
  {
    id: 'create-without-address-attributes',
    breaks: ['ADDR-CREATE-REQUIRES-ADDRESS-ATTRIBUTES'],
    sentence: 'creates an address without address_attributes',
    rules: (original) => ({
      requiredTemplateFields: original.requiredTemplateFields.filter((each) => each !== 'address_attributes'),
      addressDefaults: { ...original.addressDefaults, country_code: 'MX' },
    }),
  },
  {
    id: 'create-refused-and-saved',
    breaks: REQUIRED_IDS,
    sentence: 'saves an address before it refuses the create for what is missing',
    rules: (original) => ({
      createProblems: (body, env) => {
        const problems = original.createProblems(body, env);
        const book = env.state.books.values().next().value;
        const mx = { ...env.rules, addressDefaults: { ...original.addressDefaults, country_code: 'MX' } };
        if (problems.length > 0 && book && body.address_template !== undefined) {
          original.addTemplate(book, original.buildTemplate(body, { ...env, rules: mx }), env);
        }
        return problems;
      },
    }),
  },
  {
    id: 'create-empty-is-missing-only',
    breaks: ['ADDR-CREATE-REQUIRES-NAME', 'ADDR-CREATE-REQUIRES-PHONE'],
    sentence: 'takes either name or company, and either phone or email, for enough',
    rules: (original) => ({
      createProblems: (body, env) =>
        original.createProblems(body, env).filter((problem) => !/^(name|phone) is missing$/.test(problem)),
    }),
  },
  {
    id: 'create-mends-broken-json',
    breaks: ['ADDR-CREATE-BROKEN-JSON'],
    sentence: 'closes what a broken-off JSON body has left open',
    rules: (original) => ({
      parseJson: (text, endpoint) => {
        for (const end of ['', '}', '}}', '}}}', '"}}', '"}}}', 'null}}}']) {
          try {
            return original.parseJson(`${text.replace(/,\s*$/, '')}${end}`, endpoint);
          } catch (refusal) {
            if (!(refusal instanceof AddressRefusal)) throw refusal;
          }
        }
        return original.parseJson(text, endpoint);
      },
    }),
  },
  {
    id: 'create-broken-json-saves-default',
    breaks: ['ADDR-CREATE-BROKEN-JSON'],
    sentence: 'answers 400 to a broken-off body and saves an empty address',
    rules: (original) => ({
      createProblems: (body, env) => {
        if (!body.broken) return original.createProblems(body, env);
        const book = env.state.books.values().next().value;
        const mx = { ...env.rules, addressDefaults: { ...original.addressDefaults, country_code: 'MX' } };
        if (book) original.addTemplate(book, original.buildTemplate({}, { ...env, rules: mx }), env);
        throw new AddressRefusal('malformedBody');
      },
      parseJson: (text, endpoint) => {
        try {
          return original.parseJson(text, endpoint);
        } catch (refusal) {
          if (endpoint === 'create') return { broken: true };
          throw refusal;
        }
      },
    }),
  },
];
