/** The fields of specification 1, and how ids name them, for deviations that exist for every field. */
import type { AddressField, Fields } from '../../reference/shipping/index.ts';

/** The 14 fields of `address_attributes` (4.3). */
export const ATTRIBUTES = [
  'name',
  'company',
  'street1',
  'street_number',
  'apartment_number',
  'postal_code',
  'area_level1',
  'area_level2',
  'area_level3',
  'country_code',
  'phone',
  'email',
  'reference',
  'rfc',
] as const satisfies readonly AddressField[];

/** The three fields of `address_template` besides them. */
export const LABELS = ['alias_name', 'address_type', 'default'] as const;

export type Attribute = (typeof ATTRIBUTES)[number];
export type Label = (typeof LABELS)[number];

/** The fields that a create may leave out (4.3). */
export const OPTIONAL: readonly (Attribute | Label)[] = [
  'default',
  'company',
  'street_number',
  'apartment_number',
  'area_level3',
  'rfc',
];

/** The attributes whose value in answers may be null (section 2). */
export const NULLABLE: readonly Attribute[] = [
  'company',
  'street_number',
  'apartment_number',
  'area_level3',
  'reference',
  'rfc',
];

/** Returns a field's name as in requirement ids: `alias_name` becomes `ALIAS-NAME`. */
export function idPart(field: string): string {
  return field.toUpperCase().replaceAll('_', '-');
}

/** Returns a field's name as in ids of deviations: `alias_name` becomes `alias-name`. */
export function slug(field: string): string {
  return field.replaceAll('_', '-');
}

/** Returns the value that a lost field has: null where answers may have null, else an empty string. */
export function lost(field: Attribute): string | null {
  return NULLABLE.includes(field) ? null : '';
}

/** All fields of a request. */
export const ALL_FIELDS: readonly (Attribute | Label)[] = [...LABELS, ...ATTRIBUTES];

/** Returns a value if it is a JSON object, and otherwise an empty object. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
