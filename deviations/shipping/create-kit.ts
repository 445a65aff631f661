/** Shared parts of the deviations of creates (4.3). */
import type { Address, Env, Fields, ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { ALL_FIELDS, ATTRIBUTES, type Attribute, idPart, lost, OPTIONAL, slug } from './fields.ts';

/** Stores an address with other values than were sent. */
export function storing(change: (address: Address, sent: Fields, env: Env) => Partial<Address>) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    buildAddress: (attributes, env) => {
      const address = original.buildAddress(attributes, env);
      return { ...address, ...change(address, attributes, env) };
    },
  });
}

/** Stores one field of an address with its text changed, if it has one. */
export function rewriting(field: Attribute, change: (text: string) => string | null) {
  return storing((address) => ({ [field]: address[field] === null ? null : change(address[field]) }));
}

/** Returns the id of the requirement that a create stores a field. */
export const keeps = (field: string): string => `ADDR-CREATE-KEEPS-${idPart(field)}`;

/** Stores every text of an address, and its label, changed. */
export function rewritingAll(change: (text: string) => string) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    buildAddress: (attributes, env) => {
      const address = original.buildAddress(attributes, env);
      const entries = Object.entries(address).map(([name, value]) => [
        name,
        value === null ? null : change(value),
      ]);
      return Object.fromEntries(entries) as Address;
    },
    buildTemplateValues: (template, env) => {
      const values = original.buildTemplateValues(template, env);
      return { ...values, alias_name: change(values.alias_name) };
    },
  });
}

/**
 * Deviations that drop one field in a create. An empty country code would not fit the schema, so that field
 * is left out.
 */
export const dropped: Deviation<ShippingRules>[] = ATTRIBUTES.filter((field) => field !== 'country_code').map(
  (field) => ({
    id: `create-drops-${slug(field)}`,
    breaks: [keeps(field)],
    sentence: `does not store ${field} when it creates an address`,
    rules: storing(() => ({ [field]: lost(field) })),
  }),
);

/** Changes of one field: what is stored differs from what was sent. */
export const altered: [
  id: string,
  field: Attribute,
  sentence: string,
  change: (text: string) => string | null,
][] = [
  ['name-in-capitals', 'name', 'stores names in capital letters', (text) => text.toUpperCase()],
  ['name-first-word', 'name', 'keeps only the first word of a name', (text) => text.split(' ')[0]!],
  ['name-turned', 'name', 'stores the last name first', (text) => text.split(' ').reverse().join(', ')],
  ['company-of-account', 'company', 'stores the company of the account', () => 'Account S.A.'],
  ['street1-abbreviated', 'street1', 'abbreviates Calle in streets', (text) => text.replace('Calle', 'C.')],
  [
    'street-number-one-more',
    'street_number',
    'stores street numbers with a hash before them',
    (text) => `#${text}`,
  ],
  [
    'street-number-zero',
    'street_number',
    'stores no street number where it is false in the language of the server: a zero',
    (text) => (text === '0' ? null : text),
  ],
  [
    'apartment-number-padded',
    'apartment_number',
    'pads apartment numbers to five digits',
    (text) => text.padStart(5, '0'),
  ],
  [
    'postal-code-number',
    'postal_code',
    'parses postal codes as numbers and drops the last digit',
    (text) => text.slice(0, -1),
  ],
  ['area-level1-upper-case', 'area_level1', 'stores states in capital letters', (text) => text.toUpperCase()],
  [
    'area-level2-of-lookup',
    'area_level2',
    'stores the municipality that a lookup of the postal code gives',
    () => 'Cuauhtémoc',
  ],
  [
    'area-level3-cut-off',
    'area_level3',
    'stores the first word of a neighbourhood',
    (text) => text.split(' ')[0]!,
  ],
  [
    'country-code-lower-case',
    'country_code',
    'stores country codes in lower case',
    (text) => text.toLowerCase(),
  ],
  [
    'country-code-of-account',
    'country_code',
    'stores the country of the account whatever was sent',
    () => 'US',
  ],
  [
    'phone-last-eight',
    'phone',
    'keeps only the last eight digits of phone numbers',
    (text) => text.slice(-8),
  ],
  ['email-of-account', 'email', 'stores the email address of the account', () => 'account@example.com'],
  [
    'email-without-dots',
    'email',
    'removes the dots from email addresses',
    (text) => text.replaceAll('.', ''),
  ],
  [
    'reference-cut-to-20',
    'reference',
    'truncates the reference to 20 characters, the width of a label',
    (text) => text.slice(0, 20),
  ],
  [
    'rfc-without-homoclave',
    'rfc',
    'drops the last three characters of a tax id',
    (text) => text.slice(0, -3),
  ],
];

export const alteredDeviations: Deviation<ShippingRules>[] = altered.map(([id, field, sentence, change]) => ({
  id: `create-${id}`,
  breaks: [keeps(field)],
  ...(field === 'reference' && {
    entails: [
      'ADDR-CREATE-KEEPS-LENGTH',
      'ADDR-CREATE-KEEPS-PUNCTUATION',
      'ADDR-CREATE-KEEPS-SPANISH',
      'ADDR-CREATE-KEEPS-OTHER-SCRIPTS',
    ],
  }),
  sentence,
  rules: (original) => ({
    ...rewriting(field, change)(original),
    // A service that stores country codes in lower case accepts them in lower case, too.
    addressFieldProblem: (name, value, env) =>
      original.addressFieldProblem(name, name === 'country_code' ? String(value).toUpperCase() : value, env),
  }),
}));

/** Deviations that make a required field optional. It is stored as an empty text if it is not sent. */
export const undemanded: Deviation<ShippingRules>[] = ALL_FIELDS.filter(
  (field) => !OPTIONAL.includes(field),
).map((field) => ({
  id: `create-without-${slug(field)}`,
  breaks: [`ADDR-CREATE-REQUIRES-${idPart(field)}`],
  sentence: `creates an address without ${field}`,
  rules: (original) => ({
    requiredTemplateFields: original.requiredTemplateFields.filter((each) => each !== field),
    createProblems: (body, env) =>
      original.createProblems(body, env).filter((problem) => problem !== `${field} is missing`),
    // An empty country code would not fit the schema.
    ...(field === 'country_code' && {
      addressDefaults: { ...original.addressDefaults, country_code: 'MX' },
    }),
  }),
}));

/** Deviations that make an optional field required. */
export const demanded: Deviation<ShippingRules>[] = OPTIONAL.map((field) => ({
  id: `create-demands-${slug(field)}`,
  breaks: [`ADDR-CREATE-OPTIONAL-${idPart(field)}`],
  // The create without any optional field is refused as well.
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

export const REQUIRED_IDS = [
  'ADDR-CREATE-REQUIRES-ADDRESS-ATTRIBUTES',
  ...ALL_FIELDS.filter((field) => !OPTIONAL.includes(field)).map(
    (field) => `ADDR-CREATE-REQUIRES-${idPart(field)}`,
  ),
];
