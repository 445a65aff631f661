/** 1 and 4.4: partial modification. */
import type { Address, AddressBook, AddressTemplate, Env, Fields, ShippingRules } from '../../reference/shipping/index.ts';
import { randomUUID } from 'node:crypto';
import { changeAnswers } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { ALL_FIELDS, ATTRIBUTES, type Attribute, idPart, LABELS, lost, slug } from './fields.ts';
import { ITEM } from './surface.ts';

const sets = (field: string): string => `ADDR-UPDATE-SETS-${idPart(field)}`;
const kept = (field: string): string => `ADDR-UPDATE-OMITTED-KEPT-${idPart(field)}`;
const optional = (field: string): string => `ADDR-UPDATE-OPTIONAL-${idPart(field)}`;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Changes the address that an update comes to. `sent` is the `address_template` of its body. */
function updating(change: (next: AddressTemplate, current: AddressTemplate, sent: Fields, env: Env) => AddressTemplate) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    patchTemplate: (current, body, env) =>
      change(original.patchTemplate(current, body, env), current, fieldsOf(body.address_template), env),
  });
}

const withAddress = (template: AddressTemplate, address: Partial<Address>): AddressTemplate => ({
  ...template,
  address: { ...template.address, ...address },
});

/** A field that updates do not write. */
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

/** What a field becomes that an update loses because it was not sent. */
function reset(field: (typeof ALL_FIELDS)[number]): unknown {
  if (field === 'alias_name') return 'Address';
  if (field === 'address_type') return 'origin';
  if (field === 'default') return null;
  return field === 'country_code' ? 'US' : lost(field as Attribute);
}

/** A field that an update resets when it is not sent. */
const forgotten: Deviation<ShippingRules>[] = ALL_FIELDS.map((field) => ({
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
    return attributes[field] === undefined ? withAddress(next, { [field]: reset(field) as string | null }) : next;
  }),
}));

/** A field that an update demands. */
const demanded: Deviation<ShippingRules>[] = ALL_FIELDS.map((field) => ({
  id: `update-demands-${slug(field)}`,
  breaks: [optional(field)],
  entails: ['ADDR-UPDATE-*'],
  sentence: `refuses an update without ${field}`,
  rules: demanding((sent) => (isLabel(field) ? sent[field] : fieldsOf(sent.address_attributes)[field]) !== undefined),
}));

/** Refuses updates for which `complete` does not hold. */
function demanding(complete: (sent: Fields) => boolean) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    updateProblems: (body, current, env) =>
      complete(fieldsOf(body.address_template))
        ? original.updateProblems(body, current, env)
        : ['a field is missing'],
  });
}

const ALL_KEPT = ATTRIBUTES.map(kept);

/** Finds, or makes up, an address to update where there is none. */
function reviving(find: (book: AddressBook, id: string, env: Env) => AddressTemplate | undefined) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    findTemplate: (book, id, endpoint, env) =>
      original.findTemplate(book, id, endpoint, env) ?? (endpoint === 'update' ? find(book, id, env) : undefined),
  });
}

const nowhere = (id: string, env: Env): AddressTemplate => ({
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
function racing(): Pick<Deviation<ShippingRules>, 'rules' | 'wrap'> {
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

export const updateDeviations: Deviation<ShippingRules>[] = [
  ...unset,
  ...forgotten,
  ...demanded,
  {
    id: 'update-by-put-only',
    breaks: ['ADDR-UPDATE-STATUS'],
    entails: ['ADDR-UPDATE-*', 'ADDR-CLIENT-ERRORS-4XX'],
    sentence: 'routes PUT and answers 405 to PATCH',
    wrap: changeAnswers(
      ({ method, url }) => method === 'PATCH' && ITEM.test(url.pathname),
      () => Response.json({ message: 'method not allowed' }, { status: 405, headers: { allow: 'GET, PUT, DELETE' } }),
    ),
  },
  {
    id: 'update-new-id',
    breaks: ['ADDR-UPDATE-SAME-ID'],
    entails: ['ADDR-UPDATE-*', 'ADDR-DELETE-*'],
    sentence: 'stores an update as a new version with a new id',
    rules: (original) => ({
      patchTemplate: (current, body, env) => ({ ...original.patchTemplate(current, body, env), id: randomUUID() }),
      replaceTemplate: (book, template) => {
        book.set(template.id, template);
      },
    }),
  },
  {
    id: 'update-answers-another-id',
    breaks: ['ADDR-UPDATE-SAME-ID'],
    entails: ['ADDR-UPDATE-ANSWER-CURRENT'],
    sentence: 'answers an update with the id of the change instead of the address\'s',
    rules: (original) => ({
      serialiseTemplate: (template, endpoint, env) => {
        const data = original.serialiseTemplate(template, endpoint, env);
        return endpoint === 'update' ? { ...data, id: randomUUID() } : data;
      },
    }),
  },
  {
    id: 'update-answers-old-copy',
    breaks: ['ADDR-UPDATE-ANSWER-CURRENT'],
    sentence: 'answers an update with the address as it was before',
    rules: (original) => {
      let before: AddressTemplate | undefined;
      return {
        patchTemplate: (current, body, env) => {
          before = current;
          return original.patchTemplate(current, body, env);
        },
        serialiseTemplate: (template, endpoint, env) =>
          original.serialiseTemplate(endpoint === 'update' ? (before ?? template) : template, endpoint, env),
      };
    },
  },
  {
    id: 'update-answered-and-not-stored',
    breaks: [...ALL_FIELDS.map(sets), 'ADDR-UPDATE-ANSWER-CURRENT'],
    entails: ['ADDR-UPDATE-COMBINED', 'ADDR-UPDATE-SUCCESSIVE', 'ADDR-UPDATE-BODY-ID', 'ADDR-UPDATE-IN-LIST'],
    sentence: 'answers an update with the new values and does not store them',
    rules: () => ({ replaceTemplate: () => {} }),
  },
  {
    id: 'update-answer-lacks-company',
    breaks: ['ADDR-UPDATE-ANSWER-CURRENT'],
    sentence: 'answers an update with null for everything that the update did not send',
    rules: (original) => {
      let sent: Fields = {};
      return {
        patchTemplate: (current, body, env) => {
          sent = fieldsOf(fieldsOf(body.address_template).address_attributes);
          return original.patchTemplate(current, body, env);
        },
        serialiseTemplate: (template, endpoint, env) => {
          const shown = endpoint === 'update' && sent.company === undefined ? withAddress(template, { company: null }) : template;
          return original.serialiseTemplate(shown, endpoint, env);
        },
      };
    },
  },
  {
    id: 'update-not-in-list',
    breaks: ['ADDR-UPDATE-IN-LIST'],
    entails: ['ADDR-LIST-ITEM-ADDRESS', 'ADDR-LIST-ITEM-LABELS', 'ADDR-VERIFY-OTHERS-UNTOUCHED'],
    sentence: 'lists addresses as they were created, whatever was updated since',
    rules: (original) => {
      const created = new Map<string, AddressTemplate>();
      return {
        addTemplate: (book, template, env) => {
          created.set(template.id, template);
          original.addTemplate(book, template, env);
        },
        collection: (book) =>
          original.collection(book).map((template) => {
            const { verifications } = template;
            return { ...(created.get(template.id) ?? template), verifications };
          }),
      };
    },
  },
  {
    id: 'update-in-list-after-a-minute',
    breaks: ['ADDR-UPDATE-IN-LIST'],
    entails: ['ADDR-LIST-ITEM-ADDRESS', 'ADDR-LIST-ITEM-LABELS'],
    sentence: 'lists the new values of an address a minute after its update',
    rules: (original) => {
      const older = new Map<string, { until: number; template: AddressTemplate }>();
      let env: Env | undefined;
      return {
        patchTemplate: (current, body, its) => {
          env = its;
          if ((older.get(current.id)?.until ?? 0) < its.clock.now()) {
            older.set(current.id, { until: its.clock.now() + 60_000, template: current });
          }
          return original.patchTemplate(current, body, its);
        },
        collection: (book) =>
          original.collection(book).map((template) => {
            const old = older.get(template.id);
            const stale = old !== undefined && env !== undefined && env.clock.now() < old.until;
            return stale ? { ...old.template, verifications: template.verifications } : template;
          }),
      };
    },
  },
  {
    id: 'update-changes-all-references',
    breaks: ['ADDR-UPDATE-OTHERS-UNTOUCHED'],
    entails: ['*'],
    sentence: 'writes a new reference to all addresses of the book, for want of a condition',
    rules: (original) => ({
      replaceTemplate: (book, template, env) => {
        const before = book.get(template.id);
        original.replaceTemplate(book, template, env);
        if (before?.address.reference === template.address.reference) return;
        for (const other of book.values()) {
          book.set(other.id, withAddress(other, { reference: template.address.reference }));
        }
      },
    }),
  },
  {
    id: 'update-changes-the-next',
    breaks: ['ADDR-UPDATE-OTHERS-UNTOUCHED'],
    entails: ['*'],
    sentence: 'clears the company of the address that was saved before when it updates one',
    rules: (original) => ({
      replaceTemplate: (book, template, env) => {
        const ids = [...book.keys()];
        const other = book.get(ids[ids.indexOf(template.id) - 1] ?? '');
        original.replaceTemplate(book, template, env);
        if (other) book.set(other.id, withAddress(other, { company: 'shared' }));
      },
    }),
  },
  {
    id: 'update-adds-a-copy',
    breaks: ['ADDR-UPDATE-OTHERS-UNTOUCHED'],
    entails: ['*'],
    sentence: 'saves the old address under a new id when it updates one',
    rules: (original) => ({
      replaceTemplate: (book, template, env) => {
        const before = book.get(template.id);
        original.replaceTemplate(book, template, env);
        const id = randomUUID();
        if (before && before.verifications === template.verifications) book.set(id, { ...before, id });
      },
    }),
  },
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
    entails: ['ADDR-UPDATE-EMPTY-TEMPLATE', 'ADDR-UPDATE-CONCURRENT-KEPT', 'ADDR-UPDATE-EMPTY-ATTRIBUTES', 'ADDR-UPDATE-SUCCESSIVE', 'ADDR-UPDATE-COMBINED', 'ADDR-UPDATE-IN-LIST'],
    sentence: 'treats an update like a new address: what is not sent gets its default',
    rules: updating((next, current, sent, env) => ({
      ...env.rules.buildTemplate({ address_template: sent }, env),
      address: { ...env.rules.addressDefaults, country_code: 'US', ...(fieldsOf(sent.address_attributes) as Partial<Address>) },
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
        ...(area_level1 === undefined && { area_level1: 'Ciudad de México' }),
        ...(area_level2 === undefined && { area_level2: 'Cuauhtémoc' }),
        ...(area_level3 === undefined && { area_level3: null }),
      });
    }),
  },
  {
    id: 'update-alias-resets-default',
    breaks: [kept('default')],
    sentence: 'takes default for false when an update sends a label without it, as a form\'s unchecked box would be',
    rules: updating((next, _current, sent) =>
      sent.alias_name !== undefined && sent.default === undefined ? { ...next, default: false } : next,
    ),
  },
  {
    id: 'update-default-only-true',
    breaks: [sets('default')],
    entails: ['ADDR-UPDATE-COMBINED'],
    sentence: 'acts on default true in an update and not on false',
    rules: updating((next, current, sent) => (sent.default === false ? { ...next, default: current.default } : next)),
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
    id: 'update-first-nested-field-only',
    breaks: ['ADDR-UPDATE-COMBINED'],
    sentence: 'saves the first of several nested fields of an update',
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
    sentence: 'starts every update from the address as it was created',
    rules: (original) => {
      const created = new Map<string, AddressTemplate>();
      return {
        addTemplate: (book, template, env) => {
          created.set(template.id, template);
          original.addTemplate(book, template, env);
        },
        patchTemplate: (current, body, env) => {
          const from = { ...(created.get(current.id) ?? current), verifications: current.verifications };
          return original.patchTemplate(from, body, env);
        },
      };
    },
  },
  {
    id: 'update-loses-a-concurrent-one',
    breaks: ['ADDR-UPDATE-CONCURRENT-KEPT'],
    sentence: 'reads an address, changes it and writes it back whole, so that of two updates at once one is lost',
    ...racing(),
  },
  {
    id: 'update-body-id-refused',
    breaks: ['ADDR-UPDATE-BODY-ID'],
    sentence: 'refuses an update that carries an id',
    rules: (original) => ({
      updateProblems: (body, current, env) =>
        body.id === undefined ? original.updateProblems(body, current, env) : ['id is not allowed'],
    }),
  },
  {
    id: 'update-with-body-id-ignored',
    breaks: ['ADDR-UPDATE-BODY-ID'],
    sentence: 'answers an update that carries an id and changes nothing',
    rules: (original) => ({
      patchTemplate: (current, body, env) =>
        body.id === undefined ? original.patchTemplate(current, body, env) : current,
    }),
  },
  {
    id: 'update-body-id-demanded',
    breaks: ['ADDR-UPDATE-BODY-ID-OPTIONAL'],
    entails: ['ADDR-UPDATE-*'],
    sentence: 'looks the address up by the id in the body of an update, and refuses one without',
    rules: (original) => ({
      updateProblems: (body, current, env) =>
        body.id === current.id ? original.updateProblems(body, current, env) : ['id is missing'],
    }),
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
    id: 'update-creates-unknown',
    breaks: ['ADDR-UPDATE-UNKNOWN-REFUSED'],
    entails: ['ADDR-UPDATE-DELETED-REFUSED', 'ADDR-UPDATE-EXACT-ID'],
    sentence: 'saves an address under an unknown id when it is to update one',
    rules: reviving((_book, id, env) => nowhere(id, env)),
  },
  {
    id: 'update-unknown-unnoticed',
    breaks: ['ADDR-UPDATE-UNKNOWN-REFUSED'],
    entails: ['ADDR-UPDATE-DELETED-REFUSED', 'ADDR-UPDATE-EXACT-ID'],
    sentence: 'does not notice that an update changed no row, and answers 200',
    rules: (original) => ({
      ...reviving((_book, id, env) => nowhere(id, env))(original),
      replaceTemplate: (book, template, env) => {
        if (book.has(template.id)) original.replaceTemplate(book, template, env);
      },
    }),
  },
  {
    id: 'update-unknown-404-and-created',
    breaks: ['ADDR-UPDATE-UNKNOWN-REFUSED'],
    entails: ['ADDR-UPDATE-DELETED-REFUSED', 'ADDR-UPDATE-EXACT-ID'],
    sentence: 'answers 404 to an update of an unknown id and saves an address under it',
    rules: (original) => ({
      findTemplate: (book, id, endpoint, env) => {
        const found = original.findTemplate(book, id, endpoint, env);
        if (endpoint === 'update' && found === undefined) book.set(id, nowhere(id, env));
        return found;
      },
    }),
  },
  {
    id: 'update-revives-deleted',
    breaks: ['ADDR-UPDATE-DELETED-REFUSED'],
    sentence: 'brings a deleted address back by updating it',
    rules: (original) => {
      const deleted = new Map<string, AddressTemplate>();
      return {
        ...reviving((_book, id) => deleted.get(id))(original),
        removeTemplate: (book, template, env) => {
          deleted.set(template.id, template);
          original.removeTemplate(book, template, env);
        },
      };
    },
  },
  {
    id: 'update-deleted-unnoticed',
    breaks: ['ADDR-UPDATE-DELETED-REFUSED'],
    sentence: 'answers 200 to the update of a deleted address, which stays deleted',
    rules: (original) => {
      const deleted = new Map<string, AddressTemplate>();
      return {
        ...reviving((_book, id) => deleted.get(id))(original),
        removeTemplate: (book, template, env) => {
          deleted.set(template.id, template);
          original.removeTemplate(book, template, env);
        },
        replaceTemplate: (book, template, env) => {
          if (book.has(template.id)) original.replaceTemplate(book, template, env);
        },
      };
    },
  },
  {
    id: 'update-not-atomic',
    breaks: ['ADDR-UPDATE-ATOMIC'],
    sentence: 'saves the label of an update before it refuses the rest',
    rules: (original) => ({
      updateProblems: (body, current, env) => {
        const problems = original.updateProblems(body, current, env);
        const { alias_name } = fieldsOf(body.address_template);
        const book = [...env.state.books.values()].find((each) => each.has(current.id));
        if (problems.length > 0 && typeof alias_name === 'string' && book) book.set(current.id, { ...current, alias_name });
        return problems;
      },
    }),
  },
  {
    id: 'update-invalid-500',
    breaks: ['ADDR-CLIENT-ERRORS-4XX'],
    sentence: 'answers 500 to what it cannot take',
    rules: (original) => ({
      addressErrors: { ...original.addressErrors, invalid: { status: 500, message: 'internal error' }, malformedBody: { status: 500, message: 'internal error' } },
    }),
  },
];
