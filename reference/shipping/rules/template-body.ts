/** What a create or update request may carry (sections 4.3 and 4.4). */
import type { AddressEndpoint, AddressField, AddressTemplate, Env, Fields } from '../model.ts';
import { AddressRefusal } from '../refusal.ts';

const requiredAddressFields: AddressField[] = [
  'name',
  'street1',
  'postal_code',
  'area_level1',
  'area_level2',
  'country_code',
  'phone',
  'email',
  'reference',
];

const writableAddressFields: AddressField[] = [
  ...requiredAddressFields,
  'company',
  'street_number',
  'apartment_number',
  'area_level3',
  'rfc',
];

/** True for a JSON object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function absent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

export const templateBodyRules = {
  /** Properties of `address_template` that create requires. */
  requiredTemplateFields: ['alias_name', 'address_type', 'address_attributes'],

  /** Properties of `address_attributes` that create requires. */
  requiredAddressFields,

  /** Properties of `address_attributes` that requests may carry; others are ignored (silence). */
  writableAddressFields,

  /**
   * Parses the body of a request to an address endpoint. Throws an `AddressRefusal` unless it is a JSON
   * object.
   */
  parseJson(text: string, _endpoint: AddressEndpoint): Fields {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new AddressRefusal('malformedBody', 'the request body is not JSON');
    }
    if (!isObject(value)) throw new AddressRefusal('malformedBody', 'the request body is not an object');
    return value;
  },

  /** Returns what is wrong with the type or form of one template property, or undefined. */
  templateFieldProblem(field: string, value: unknown): string | undefined {
    if (field === 'default') {
      return value === null || typeof value === 'boolean' ? undefined : 'default is not a boolean';
    }
    if (field === 'address_attributes') {
      return isObject(value) ? undefined : 'address_attributes is not an object';
    }
    return typeof value === 'string' && value !== '' ? undefined : `${field} is not a text`;
  },

  /** Returns what is wrong with the type or form of one address property, or undefined. */
  addressFieldProblem(field: AddressField, value: unknown, env: Env): string | undefined {
    if (env.rules.requiredAddressFields.includes(field) && absent(value)) return `${field} is blank`;
    if (value !== null && typeof value !== 'string') return `${field} is not a text`;
    if (field === 'country_code' && !/^[A-Z]{2}$/.test(String(value))) {
      return 'country_code is not a two-letter code';
    }
    return undefined;
  },

  /** Returns everything that is wrong with the properties that are present, in a create or an update. */
  presentFieldProblems(template: Fields, env: Env): string[] {
    const { rules } = env;
    const problems: (string | undefined)[] = [];
    for (const field of ['alias_name', 'address_type', 'default', 'address_attributes']) {
      if (template[field] !== undefined) problems.push(rules.templateFieldProblem(field, template[field]));
    }
    const attributes = template.address_attributes;
    if (isObject(attributes)) {
      for (const field of rules.writableAddressFields) {
        const value = attributes[field];
        if (value !== undefined) problems.push(rules.addressFieldProblem(field, value, env));
      }
    }
    return problems.filter((problem) => problem !== undefined);
  },

  /** Returns everything that is wrong with a create body; an empty list if it can be stored. */
  createProblems(body: Fields, env: Env): string[] {
    const { rules } = env;
    const template = body.address_template;
    if (!isObject(template)) return ['address_template is missing'];
    const problems = rules.requiredTemplateFields
      .filter((field) => template[field] === undefined)
      .map((field) => `${field} is missing`);
    const attributes = template.address_attributes;
    if (isObject(attributes)) {
      for (const field of rules.requiredAddressFields) {
        if (attributes[field] === undefined) problems.push(`${field} is missing`);
      }
    }
    return [...problems, ...rules.presentFieldProblems(template, env)];
  },

  /**
   * Returns everything that is wrong with an update body, in which nothing is required; an empty list if
   * nothing is.
   */
  updateProblems(body: Fields, _current: AddressTemplate, env: Env): string[] {
    const template = body.address_template;
    if (template === undefined) return [];
    if (!isObject(template)) return ['address_template is not an object'];
    return env.rules.presentFieldProblems(template, env);
  },
};
