/**
 * The 17 fields that create and update accept, and where each of them is found in requests and in answers.
 */
import { isDeepStrictEqual } from 'node:util';
import { short } from '../../lib/check/validator.ts';
import { valueAt } from '../../lib/http/answer.ts';
import { Blocked } from '../../lib/model/verdict.ts';
import {
  ATTRIBUTE_FIELDS,
  type AttributeField,
  OPTIONAL_ATTRIBUTES,
  TEMPLATE_FIELDS,
  type TemplateField,
} from './fixtures/address-data.ts';
import { FIELD_REQUIREMENTS, READ_ONLY_REQUIREMENTS } from './requirement-ids/field-requirements.ts';

export type FieldName = TemplateField | AttributeField;

/** Values by field, as a request sends them. */
export type Values = Partial<Record<FieldName, unknown>>;

/** One field that a client can write. */
export interface Field {
  name: FieldName;
  /** The name as it appears in requirement ids: `STREET-NUMBER`. */
  key: string;
  /** True for the fields of `address_attributes`. */
  nested: boolean;
  /** JSON pointer to it in an AddressTemplate. */
  pointer: string;
  /** True when answers may carry null (section 2). */
  nullable: boolean;
  /** True when create does not require it (4.3). */
  optional: boolean;
}

const NULLABLE: readonly FieldName[] = ['default', ...OPTIONAL_ATTRIBUTES, 'reference'];
const OPTIONAL: readonly FieldName[] = ['default', ...OPTIONAL_ATTRIBUTES];

function field(name: FieldName, nested: boolean): Field {
  return {
    name,
    key: name.toUpperCase().replaceAll('_', '-'),
    nested,
    pointer: nested ? `/address/${name}` : `/${name}`,
    nullable: NULLABLE.includes(name),
    optional: OPTIONAL.includes(name),
  };
}

/** All 17, in the order of the specification. */
export const FIELDS: readonly Field[] = [
  ...TEMPLATE_FIELDS.map((name) => field(name, false)),
  ...ATTRIBUTE_FIELDS.map((name) => field(name, true)),
];

/** All but the flag, which a request for another address may change. */
export const FIELDS_BUT_DEFAULT: readonly Field[] = FIELDS.filter(({ name }) => name !== 'default');

/** The two address fields that answers have and requests do not. */
export const READ_ONLY_FIELDS: readonly Field[] = ['tax_id_number', 'tax_id_type'].map((name) => ({
  ...field(name as FieldName, true),
  nullable: true,
}));

/** Returns the field with this name. */
export function fieldNamed(name: FieldName): Field {
  return FIELDS.find((f) => f.name === name)!;
}

/** Returns the `address_template` of a create or update with these values, which are given by field. */
export function templateOf(values: Values): Record<string, unknown> {
  const template: Record<string, unknown> = {};
  const attributes: Record<string, unknown> = {};
  for (const { name, nested } of FIELDS) {
    if (!(name in values)) continue;
    (nested ? attributes : template)[name] = values[name];
  }
  return { ...template, ...(Object.keys(attributes).length > 0 && { address_attributes: attributes }) };
}

/** Returns the values by field of an `address_template` as requests send it; the inverse of `templateOf`. */
export function valuesOf(template: object): Values {
  const { address_attributes: attributes, ...outer } = template as Record<string, unknown>;
  return { ...outer, ...(attributes as object | undefined) };
}

/** Returns the value of a field in an AddressTemplate; `undefined` where it is absent. */
export function valueIn(data: unknown, { pointer }: Field): unknown {
  return valueAt(data, pointer);
}

/** Whether section 2 allows a value of this type for the field; if not, another requirement fails. */
export function fits({ name, nullable }: Field, value: unknown): boolean {
  if (value === null) return nullable;
  // An empty string passes: it shows that the value was lost, not that its form is wrong.
  if (name === 'country_code') return typeof value === 'string' && /^([A-Za-z]{2})?$/.test(value);
  return typeof value === (name === 'default' ? 'boolean' : 'string');
}

/** Returns the id of the requirement about the type and presence of a field in answers. */
export function typeRequirement({ name }: Field): string {
  return READ_ONLY_REQUIREMENTS[name] ?? FIELD_REQUIREMENTS[name].type;
}

/**
 * Returns the value of a field in an AddressTemplate. Throws `Blocked` where it is absent or of a wrong type:
 * another requirement fails for that, and nothing can be said about the value itself.
 */
export function typedValue(data: unknown, field: Field): unknown {
  const value = valueIn(data, field);
  if (fits(field, value)) return value;
  throw new Blocked(
    `${field.pointer} is ${short(value)}, which is no value that it may have`,
    typeRequirement(field),
  );
}

/** A Mexican number with its country code, and with the 1 that mobile numbers had. */
const WITH_COUNTRY_CODE = /^521?(?=\d{10}$)/;

/**
 * Whether an answer shows the value that was sent. A telephone number may be stored in another form: only its
 * digits count, with or without the country code.
 */
export function isShown({ name }: Pick<Field, 'name'>, found: unknown, sent: unknown): boolean {
  if (name !== 'phone' || typeof found !== 'string' || typeof sent !== 'string') return found === sent;
  const [a, b] = [found, sent].map((text) => text.replaceAll(/\D/g, '').replace(WITH_COUNTRY_CODE, ''));
  return a === b;
}

/** Returns the fields that differ between two AddressTemplates and have a valid type in both. */
export function differing(left: unknown, right: unknown, fields: readonly Field[] = FIELDS): Field[] {
  return fields.filter((f) => {
    const [a, b] = [valueIn(left, f), valueIn(right, f)];
    return fits(f, a) && fits(f, b) && !isDeepStrictEqual(a, b);
  });
}
