/** What deviations of updates (1, 4.4) are made of. */
import type {
  Address,
  AddressBook,
  AddressTemplate,
  Env,
  Fields,
  ShippingRules,
} from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { ALL_FIELDS, ATTRIBUTES, type Attribute, idPart, LABELS, lost, slug } from './fields.ts';

export const sets = (field: string): string => `ADDR-UPDATE-SETS-${idPart(field)}`;
export const kept = (field: string): string => `ADDR-UPDATE-OMITTED-KEPT-${idPart(field)}`;
export const optional = (field: string): string => `ADDR-UPDATE-OPTIONAL-${idPart(field)}`;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Changes the address that an update comes to. `sent` is the `address_template` of its body. */
export function updating(
  change: (next: AddressTemplate, current: AddressTemplate, sent: Fields, env: Env) => AddressTemplate,
) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    patchTemplate: (current, body, env) =>
      change(original.patchTemplate(current, body, env), current, fieldsOf(body.address_template), env),
  });
}

export const withAddress = (template: AddressTemplate, address: Partial<Address>): AddressTemplate => ({
  ...template,
  address: { ...template.address, ...address },
});

/** A field that updates do not write. */
export const unset: Deviation<ShippingRules>[] = ALL_FIELDS.map((field) => ({
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

export function isLabel(field: string): field is (typeof LABELS)[number] {
  return (LABELS as readonly string[]).includes(field);
}

/** What a field becomes that an update loses because it was not sent. */
export function reset(field: (typeof ALL_FIELDS)[number]): unknown {
  if (field === 'alias_name') return 'Address';
  if (field === 'address_type') return 'origin';
  if (field === 'default') return null;
  return field === 'country_code' ? 'US' : lost(field as Attribute);
}

/** A field that an update resets when it is not sent. */
export const forgotten: Deviation<ShippingRules>[] = ALL_FIELDS.map((field) => ({
  id: `update-resets-${slug(field)}`,
  breaks: [kept(field)],
  entails: [
    'ADDR-UPDATE-EMPTY-TEMPLATE',
    'ADDR-UPDATE-EMPTY-ATTRIBUTES',
    'ADDR-UPDATE-SUCCESSIVE',
    'ADDR-UPDATE-CONCURRENT-KEPT',
  ],
  sentence: `resets ${field} in an update that does not send it`,
  rules: updating((next, _current, sent) => {
    const attributes = fieldsOf(sent.address_attributes);
    if (isLabel(field)) return sent[field] === undefined ? { ...next, [field]: reset(field) } : next;
    return attributes[field] === undefined
      ? withAddress(next, { [field]: reset(field) as string | null })
      : next;
  }),
}));

/** A field that an update demands. */
export const demanded: Deviation<ShippingRules>[] = ALL_FIELDS.map((field) => ({
  id: `update-demands-${slug(field)}`,
  breaks: [optional(field)],
  entails: ['ADDR-UPDATE-*'],
  sentence: `refuses an update without ${field}`,
  rules: demanding(
    (sent) => (isLabel(field) ? sent[field] : fieldsOf(sent.address_attributes)[field]) !== undefined,
  ),
}));

/** Refuses updates for which `complete` does not hold. */
export function demanding(complete: (sent: Fields) => boolean) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    updateProblems: (body, current, env) =>
      complete(fieldsOf(body.address_template))
        ? original.updateProblems(body, current, env)
        : ['a field is missing'],
  });
}

export const ALL_KEPT = ATTRIBUTES.map(kept);

/** Finds, or makes up, an address to update where there is none. */
export function reviving(find: (book: AddressBook, id: string, env: Env) => AddressTemplate | undefined) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    findTemplate: (book, id, endpoint, env) =>
      original.findTemplate(book, id, endpoint, env) ??
      (endpoint === 'update' ? find(book, id, env) : undefined),
  });
}

export const nowhere = (id: string, env: Env): AddressTemplate => ({
  id,
  alias_name: '',
  address_type: 'from',
  default: false,
  address: { ...env.rules.addressDefaults, country_code: 'MX' },
  verifications: [],
});

/**
 * Updates that are under way at once all start from the address as it was before the first of them. The rules
 * and the filter of one service share what they know of it through the requests' ids.
 */
export function racing(): Pick<Deviation<ShippingRules>, 'rules' | 'wrap'> {
  const underWay = new Map<string, { count: number; before?: AddressTemplate }>();
  return {
    rules: (original) => ({
      patchTemplate: (current, body, env) => {
        const race = underWay.get(current.id);
        if (race === undefined) return original.patchTemplate(current, body, env);
        race.before ??= current;
        return original.patchTemplate(race.before, body, env);
      },
    }),
    wrap: (next) => async (request) => {
      if (request.method !== 'PATCH') return next(request);
      const id = new URL(request.url).pathname.split('/').at(-1) as string;
      const race = underWay.get(id) ?? { count: 0 };
      underWay.set(id, race);
      race.count += 1;
      // Every request that is there already gets this far before the first one goes on.
      await new Promise((resolve) => setImmediate(resolve));
      try {
        return await next(request);
      } finally {
        race.count -= 1;
        if (race.count === 0) underWay.delete(id);
      }
    },
  };
}
