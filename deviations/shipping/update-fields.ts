/** Updates, field by field: fields that are not set, not kept, or required (1 and 4.4). */
import type { ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { ALL_FIELDS, type Attribute, fieldsOf, LABELS, lost, slug } from './fields.ts';
import { withAddress } from './templates.ts';
import { demanding, kept, optional, sets, updating } from './update-kit.ts';

/** Deviations that do not write one field in an update. */
const unset: Deviation<ShippingRules>[] = ALL_FIELDS.map((field) => ({
  id: `update-ignores-${slug(field)}`,
  breaks: [sets(field)],
  entails: ['ADDR-UPDATE-COMBINED', 'ADDR-UPDATE-SUCCESSIVE'],
  sentence: `does not change ${field} in an update`,
  rules: updating((next, current) =>
    isLabel(field)
      ? { ...next, [field]: current[field] }
      : withAddress(next, { [field]: current.address[field] }),
  ),
}));

function isLabel(field: string): field is (typeof LABELS)[number] {
  return (LABELS as readonly string[]).includes(field);
}

/** Returns the value that a field has after an update has reset it. */
function reset(field: (typeof ALL_FIELDS)[number]): unknown {
  if (field === 'alias_name') return 'Address';
  if (field === 'address_type') return 'origin';
  if (field === 'default') return null;
  return field === 'country_code' ? 'US' : lost(field as Attribute);
}

/** Deviations that reset one field when an update does not send it. */
const forgotten: Deviation<ShippingRules>[] = ALL_FIELDS.map((field) => ({
  id: `update-resets-${slug(field)}`,
  breaks: [kept(field), 'ADDR-UPDATE-EMPTY-TEMPLATE', 'ADDR-UPDATE-EMPTY-ATTRIBUTES'],
  entails: ['ADDR-UPDATE-SUCCESSIVE', 'ADDR-UPDATE-CONCURRENT-KEPT'],
  sentence: `resets ${field} in an update that does not send it`,
  rules: updating((next, _current, sent) => {
    const attributes = fieldsOf(sent.address_attributes);
    if (isLabel(field)) return sent[field] === undefined ? { ...next, [field]: reset(field) } : next;
    return attributes[field] === undefined
      ? withAddress(next, { [field]: reset(field) as string | null })
      : next;
  }),
}));

/** Deviations that require one field in an update. */
const demanded: Deviation<ShippingRules>[] = ALL_FIELDS.map((field) => ({
  id: `update-demands-${slug(field)}`,
  breaks: [optional(field)],
  entails: ['ADDR-UPDATE-*'],
  sentence: `refuses an update without ${field}`,
  rules: demanding(
    (sent) => (isLabel(field) ? sent[field] : fieldsOf(sent.address_attributes)[field]) !== undefined,
  ),
}));

/** Returns a text without accents and case, as some collations compare it. */
const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Deviations that save a field only where it has changed, and compare its values loosely. */
const similar: Deviation<ShippingRules>[] = (
  [
    [
      'street_number',
      'numbers',
      'as numbers',
      (one: string, other: string) => one.trim() !== '' && Number(one) === Number(other),
    ],
    [
      'name',
      'collation',
      'without regard to accents and case',
      (one, other) => folded(one) === folded(other),
    ],
  ] as [Attribute, string, string, (one: string, other: string) => boolean][]
).map(([field, slugOf, how, isSame]) => ({
  id: `update-compares-${slug(field)}-${slugOf}`,
  breaks: [sets(field)],
  sentence: `saves ${field} only where it differs from what was saved, compared ${how}`,
  rules: updating((next, { address }) =>
    isSame(address[field] ?? '', next.address[field] ?? '')
      ? withAddress(next, { [field]: address[field] })
      : next,
  ),
}));

export const updateFieldDeviations: Deviation<ShippingRules>[] = [
  ...unset,
  ...forgotten,
  ...demanded,
  ...similar,
];
