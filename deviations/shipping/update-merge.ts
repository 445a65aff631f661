/** What an update leaves unchanged, and how it is merged (1 and 4.4). */
import type { Address, AddressTemplate, Fields, ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { ATTRIBUTES, type Attribute, fieldsOf, LABELS } from './fields.ts';
import { withAddress } from './templates.ts';
import { ALL_KEPT, demanding, kept, racing, remembering, sets, updating } from './update-kit.ts';

/** Saves, where an update is refused, what `changed` makes of the address; nothing where that is undefined. */
const savingRefused =
  (changed: (current: AddressTemplate, sent: Fields) => AddressTemplate | undefined) =>
  (original: ShippingRules): Partial<ShippingRules> => ({
    updateProblems: (body, current, env) => {
      const problems = original.updateProblems(body, current, env);
      const next = problems.length > 0 ? changed(current, fieldsOf(body.address_template)) : undefined;
      const book = [...env.state.books.values()].find((each) => each.has(current.id));
      if (next) book?.set(current.id, next);
      return problems;
    },
  });

/** Saves the company of a refused update where `holds` is true for what was sent. */
const savingCompanyWhere = (holds: (sent: Fields) => boolean) =>
  savingRefused((current, sent) => {
    const { company } = fieldsOf(sent.address_attributes);
    const isSaved = holds(sent) && typeof company === 'string';
    return isSaved ? { ...current, address: { ...current.address, company } } : undefined;
  });

/** Saves the label of a refused update where `holds` is true for what was sent. */
const savingLabelWhere = (holds: (sent: Fields) => boolean) =>
  savingRefused((current, sent) => {
    const { alias_name } = sent;
    return holds(sent) && typeof alias_name === 'string' ? { ...current, alias_name } : undefined;
  });

export const updateMergeDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'update-replaces-attributes',
    breaks: [...ALL_KEPT],
    entails: ['ADDR-UPDATE-EMPTY-ATTRIBUTES', 'ADDR-UPDATE-SUCCESSIVE', 'ADDR-UPDATE-COMBINED'],
    sentence: 'replaces the whole address by the address_attributes of an update',
    rules: updating((next, _current, sent, env) => {
      if (sent.address_attributes === undefined) return next;
      const attributes = fieldsOf(sent.address_attributes) as Partial<Address>;
      return { ...next, address: { ...env.rules.addressDefaults, country_code: 'US', ...attributes } };
    }),
  },
  {
    id: 'update-replaces-all',
    breaks: [...LABELS, ...ATTRIBUTES].map(kept),
    entails: [
      'ADDR-UPDATE-EMPTY-TEMPLATE',
      'ADDR-UPDATE-CONCURRENT-KEPT',
      'ADDR-UPDATE-EMPTY-ATTRIBUTES',
      'ADDR-UPDATE-SUCCESSIVE',
      'ADDR-UPDATE-COMBINED',
      'ADDR-UPDATE-IN-LIST',
    ],
    sentence: 'treats an update like a new address: what is not sent gets its default',
    rules: updating((next, current, sent, env) => ({
      ...env.rules.buildTemplate({ address_template: sent }, env),
      address: {
        ...env.rules.addressDefaults,
        country_code: 'US',
        ...(fieldsOf(sent.address_attributes) as Partial<Address>),
      },
      address_type: typeof sent.address_type === 'string' ? sent.address_type : 'origin',
      default: typeof sent.default === 'boolean' ? sent.default : null,
      id: current.id,
      verifications: next.verifications,
    })),
  },
  {
    id: 'update-clears-address-when-none-sent',
    breaks: ALL_KEPT,
    entails: ['ADDR-UPDATE-EMPTY-TEMPLATE', 'ADDR-UPDATE-CONCURRENT-KEPT', 'ADDR-UPDATE-SUCCESSIVE'],
    sentence: 'clears the address when an update sends no address_attributes',
    rules: updating((next, _current, sent, env) =>
      sent.address_attributes === undefined
        ? { ...next, address: { ...env.rules.addressDefaults, country_code: 'US' } }
        : next,
    ),
  },
  {
    id: 'update-street-clears-number',
    breaks: [kept('street_number'), kept('apartment_number')],
    entails: ['ADDR-UPDATE-SUCCESSIVE'],
    sentence: 'clears street number and apartment when the street changes',
    rules: updating((next, _current, sent) => {
      const { street1, street_number, apartment_number } = fieldsOf(sent.address_attributes);
      if (street1 === undefined) return next;
      return withAddress(next, {
        ...(street_number === undefined && { street_number: null }),
        ...(apartment_number === undefined && { apartment_number: null }),
      });
    }),
  },
  {
    id: 'update-postal-code-fills-areas',
    breaks: [kept('area_level1'), kept('area_level2'), kept('area_level3')],
    entails: ['ADDR-UPDATE-SUCCESSIVE'],
    sentence: 'fills the areas from a lookup when the postal code changes',
    rules: updating((next, _current, sent) => {
      const { postal_code, area_level1, area_level2, area_level3 } = fieldsOf(sent.address_attributes);
      if (postal_code === undefined) return next;
      return withAddress(next, {
        ...(area_level1 === undefined && { area_level1: 'Estado de México' }),
        ...(area_level2 === undefined && { area_level2: 'Toluca' }),
        ...(area_level3 === undefined && { area_level3: null }),
      });
    }),
  },
  {
    id: 'update-alias-resets-default',
    breaks: [kept('default')],
    sentence:
      'treats default as false when an update sends a label without it, like an unchecked box of a form',
    rules: updating((next, _current, sent) =>
      sent.alias_name !== undefined && sent.default === undefined ? { ...next, default: false } : next,
    ),
  },
  {
    id: 'update-default-only-true',
    breaks: [sets('default')],
    entails: ['ADDR-UPDATE-COMBINED'],
    sentence: 'applies default true in an update but not default false',
    rules: updating((next, current, sent) =>
      sent.default === false ? { ...next, default: current.default } : next,
    ),
  },
  {
    id: 'update-demands-address-attributes',
    breaks: ['ADDR-UPDATE-OPTIONAL-ADDRESS-ATTRIBUTES'],
    entails: ['ADDR-UPDATE-*'],
    sentence: 'refuses an update without address_attributes',
    rules: demanding((sent) => sent.address_attributes !== undefined),
  },
  {
    id: 'update-outer-or-nested',
    breaks: ['ADDR-UPDATE-COMBINED'],
    entails: ['ADDR-UPDATE-OMITTED-*'],
    sentence: 'saves only the nested fields of an update that sends both kinds',
    rules: updating((next, current, sent) =>
      sent.address_attributes === undefined
        ? next
        : { ...current, address: next.address, verifications: next.verifications },
    ),
  },
  {
    id: 'update-type-or-nested',
    breaks: ['ADDR-UPDATE-COMBINED'],
    sentence: 'leaves address_type as it was where an update sends nested fields, too',
    rules: updating((next, current, sent) =>
      sent.address_attributes === undefined ? next : { ...next, address_type: current.address_type },
    ),
  },
  {
    id: 'update-type-or-labels',
    breaks: ['ADDR-UPDATE-COMBINED'],
    sentence: 'leaves address_type as it was where an update sends alias_name, too',
    rules: updating((next, current, sent) =>
      sent.alias_name === undefined ? next : { ...next, address_type: current.address_type },
    ),
  },
  {
    id: 'update-first-nested-field-only',
    breaks: ['ADDR-UPDATE-COMBINED'],
    entails: ['ADDR-UPDATE-SETS-*', 'ADDR-UPDATE-SAME-VALUES'],
    sentence: 'saves only the first of several nested fields of an update',
    rules: updating((next, current, sent) => {
      const [first] = Object.keys(fieldsOf(sent.address_attributes)) as Attribute[];
      if (first === undefined) return next;
      return { ...next, address: { ...current.address, [first]: next.address[first] } };
    }),
  },
  {
    id: 'update-from-the-original',
    breaks: ['ADDR-UPDATE-SUCCESSIVE'],
    entails: ['ADDR-UPDATE-OMITTED-*', 'ADDR-UPDATE-EMPTY-*', 'ADDR-UPDATE-CONCURRENT-KEPT'],
    sentence: 'applies every update to the address as it was created',
    rules: remembering((original, created) => ({
      patchTemplate: (current, body, env) => {
        const from = { ...(created.get(current.id) ?? current), verifications: current.verifications };
        return original.patchTemplate(from, body, env);
      },
    })),
  },
  {
    id: 'update-loses-a-concurrent-one',
    breaks: ['ADDR-UPDATE-CONCURRENT-KEPT'],
    sentence: 'loses one of two simultaneous updates, because each writes the whole address back',
    ...racing(),
  },
  {
    id: 'update-empty-clears-labels',
    breaks: ['ADDR-UPDATE-EMPTY-TEMPLATE'],
    sentence: 'clears the label when an update sends an empty address_template',
    rules: updating((next, _current, sent) =>
      Object.keys(sent).length === 0 ? { ...next, alias_name: '' } : next,
    ),
  },
  {
    id: 'update-empty-clears-company',
    breaks: ['ADDR-UPDATE-EMPTY-ATTRIBUTES'],
    sentence: 'clears what may be null when an update sends empty address_attributes',
    rules: updating((next, _current, sent) =>
      sent.address_attributes !== undefined && Object.keys(fieldsOf(sent.address_attributes)).length === 0
        ? withAddress(next, { company: null, street_number: null, reference: null })
        : next,
    ),
  },
  {
    id: 'update-with-null-not-atomic',
    breaks: ['ADDR-UPDATE-ATOMIC'],
    sentence: 'saves the label of an update that it refuses for a null',
    rules: savingLabelWhere(
      ({ address_attributes }) =>
        address_attributes !== undefined && Object.values(fieldsOf(address_attributes)).includes(null),
    ),
  },
  {
    id: 'update-not-atomic',
    breaks: ['ADDR-UPDATE-ATOMIC'],
    sentence: 'saves the label of an update that it refuses',
    rules: savingLabelWhere(() => true),
  },
  {
    id: 'update-refused-for-its-label-not-atomic',
    breaks: ['ADDR-UPDATE-ATOMIC'],
    sentence: 'saves the address of an update that it refuses for its label',
    rules: savingCompanyWhere(({ alias_name }) => typeof alias_name === 'number'),
  },
  {
    id: 'update-refused-for-its-default-not-atomic',
    breaks: ['ADDR-UPDATE-ATOMIC'],
    sentence: 'saves the address of an update that it refuses because of `default`',
    rules: savingCompanyWhere((sent) => 'default' in sent && typeof sent.default !== 'boolean'),
  },
];
