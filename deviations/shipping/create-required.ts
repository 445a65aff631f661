/** What a create requires, and what it must not require (4.3). */
import { AddressRefusal, type Fields, type ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { demanded, REQUIRED_IDS, undemanded } from './create-kit.ts';

/** Accepts every create whose `address_template` is an object for which `passes` holds. */
function validatingUnless(passes: (template: Fields) => boolean) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    createProblems: (body, env) =>
      isObject(body.address_template) && passes(body.address_template)
        ? []
        : original.createProblems(body, env),
    // An empty country code would not fit the schema.
    addressDefaults: { ...original.addressDefaults, country_code: 'MX' },
  });
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const createRequiredDeviations: Deviation<ShippingRules>[] = [
  ...undemanded,
  ...demanded,
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
    id: 'create-without-address-attributes',
    breaks: ['ADDR-CREATE-REQUIRES-ADDRESS-ATTRIBUTES'],
    sentence: 'creates an address without address_attributes',
    rules: (original) => ({
      requiredTemplateFields: original.requiredTemplateFields.filter((each) => each !== 'address_attributes'),
      addressDefaults: { ...original.addressDefaults, country_code: 'MX' },
    }),
  },
  {
    id: 'create-empty-attributes',
    breaks: ['ADDR-CREATE-REQUIRES-TOGETHER'],
    sentence: 'creates an address from empty address_attributes, which it does not validate',
    rules: validatingUnless(
      ({ address_attributes: sent }) => isObject(sent) && Object.keys(sent).length === 0,
    ),
  },
  {
    id: 'create-empty-template',
    breaks: ['ADDR-CREATE-REQUIRES-TOGETHER'],
    sentence: 'creates an address from an empty address_template, which it does not validate',
    rules: validatingUnless((template) => Object.keys(template).length === 0),
  },
  {
    id: 'create-one-label-is-enough',
    breaks: ['ADDR-CREATE-REQUIRES-TOGETHER'],
    sentence: 'gives an address without both labels a made-up alias_name and address_type',
    rules: validatingUnless(
      ({ alias_name, address_type, address_attributes }) =>
        alias_name === undefined && address_type === undefined && address_attributes !== undefined,
    ),
  },
  {
    id: 'create-refused-and-saved',
    breaks: [...REQUIRED_IDS, 'ADDR-CREATE-REQUIRES-OBJECTS', 'ADDR-CREATE-REQUIRES-TOGETHER'],
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
    sentence: 'requires only one of name and company, and only one of phone and email',
    rules: (original) => ({
      createProblems: (body, env) =>
        original.createProblems(body, env).filter((problem) => !/^(name|phone) is missing$/.test(problem)),
    }),
  },
  {
    id: 'create-mends-broken-json',
    breaks: ['ADDR-CREATE-BROKEN-JSON'],
    sentence: 'completes a truncated JSON body',
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
    sentence: 'answers 400 to a truncated body but saves an empty address',
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
