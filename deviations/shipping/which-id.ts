/**
 * Which of two ids counts. Then: pages after the last, blank tokens, values of a wrong type that are stored, and
 * addresses that expire.
 */
import type { AddressTemplate, Fields, ShippingRules } from '../../reference/shipping/index.ts';
import { changeKind, withBody } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { withParsed } from './parsed-body.ts';
import { COLLECTION } from './paths.ts';

/** Accepts invalid values of one field, and stores them as they were sent. */
function taking(
  name: string,
  breaks: string,
  what: string,
  field: string,
  passes: (value: unknown) => boolean,
) {
  return {
    id: name,
    breaks: [breaks],
    sentence: `stores ${what}`,
    rules: (original: ShippingRules): Partial<ShippingRules> => ({
      templateFieldProblem: (each, value) =>
        each === field && passes(value) ? undefined : original.templateFieldProblem(each, value),
      addressFieldProblem: (each, value, env) =>
        each === field && passes(value) ? undefined : original.addressFieldProblem(each, value, env),
    }),
  };
}

/** Changes an address once it is older than an hour; `first` is the address as it was created. */
function afterAnHour(
  change: (template: AddressTemplate, first: AddressTemplate) => AddressTemplate | undefined,
) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    const first = new Map<string, { at: number; template: AddressTemplate }>();
    return {
      addTemplate: (book, template, env) => {
        first.set(template.id, { at: env.clock.now(), template });
        original.addTemplate(book, template, env);
      },
      findTemplate: (book, id, endpoint, env) => {
        const found = original.findTemplate(book, id, endpoint, env);
        const born = first.get(id);
        return found && born && env.clock.now() - born.at > 3_600_000 ? change(found, born.template) : found;
      },
    };
  };
}

export const whichIdDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'update-writes-both-ids',
    breaks: ['ADDR-UPDATE-BODY-ID-ONE'],
    sentence: 'updates both the address in the path and the one in the body',
    rules: withParsed((original, body) => ({
      replaceTemplate: (book, template, env) => {
        original.replaceTemplate(book, template, env);
        const other = book.get(String(body().id));
        if (other && other.id !== template.id) book.set(other.id, { ...other, address: template.address });
      },
    })),
  },
  {
    id: 'update-of-the-body-id',
    breaks: ['ADDR-UPDATE-BODY-ID-OTHER-KEPT'],
    sentence: 'updates the address in the body instead of the one in the path',
    rules: withParsed((original, body) => ({
      replaceTemplate: (book, template, env) => {
        const other = book.get(String(body().id));
        if (!other || other.id === template.id) original.replaceTemplate(book, template, env);
        else original.replaceTemplate(book, { ...other, address: template.address }, env);
      },
    })),
  },
  {
    id: 'update-moves-to-body-id',
    breaks: ['ADDR-UPDATE-BODY-ID-ONE'],
    entails: ['ADDR-READ-ODD-ID', 'ADDR-DELETE-ODD-ID', 'ADDR-TEMPLATE-ID'],
    sentence: 'replaces the id of the address in the path by the id in the body',
    rules: withParsed((_original, body) => ({
      replaceTemplate: (book, template) => {
        const { id } = body();
        if (typeof id !== 'string' || id === template.id) return void book.set(template.id, template);
        book.delete(template.id);
        book.set(id, { ...template, id });
      },
    })),
  },
  {
    id: 'update-assigns-id',
    breaks: ['ADDR-UPDATE-ID-KEPT'],
    sentence: 'assigns every member of address_template, including the id',
    rules: withParsed((_original, body) => ({
      replaceTemplate: (book, template) => {
        const { id = template.id } = (body().address_template ?? {}) as { id?: string };
        if (id !== template.id) book.delete(template.id);
        book.set(id, { ...template, id });
      },
    })),
  },
  {
    id: 'create-upserts',
    breaks: ['ADDR-CREATE-OTHERS-KEPT'],
    entails: ['ADDR-CREATE-ID-UNIQUE'],
    sentence: 'overwrites an existing address with a create that carries its id',
    rules: withParsed((original, body) => ({
      newAddressId: (env) => {
        const { id } = (body().address_template ?? {}) as { id?: string };
        return id ?? original.newAddressId(env);
      },
    })),
  },
  {
    id: 'create-upserts-by-id-beside',
    breaks: ['ADDR-CREATE-OTHERS-KEPT'],
    entails: ['ADDR-CREATE-ID-UNIQUE'],
    sentence: 'overwrites an existing address with a create that carries its id at the top level of the body',
    rules: withParsed((original, body) => ({
      newAddressId: (env) => (body().id as string | undefined) ?? original.newAddressId(env),
    })),
  },
  {
    id: 'pages-after-the-last-repeat-it',
    breaks: ['ADDR-LIST-BEYOND-NO-REPEATS'],
    sentence: 'returns the last page for every page number after it',
    rules: (original) => ({
      slicePage: (items, page, perPage) =>
        original.slicePage(items, Math.min(page, Math.ceil(items.length / perPage) || 1), perPage),
    }),
  },
  ...['null', 'undefined', ''].map(
    (word): Deviation<ShippingRules> => ({
      id: `bearer-${word || 'empty'}-opens`,
      breaks: ['ADDR-AUTH-BLANK-TOKEN'],
      sentence: `lets ${word === '' ? 'an empty bearer token' : `the bearer token ${word}`} in as the first client`,
      rules: (original) => ({
        authenticate: (request, endpoint, env) => {
          const sent = request.headers.get('authorization');
          const first = [...env.state.tokens.values()][0];
          if (first && sent?.trim() === `Bearer ${word}`.trim()) return { ...first, value: `bearer ${word}` };
          return original.authenticate(request, endpoint, env);
        },
      }),
    }),
  ),
  {
    id: 'create-takes-list-as-template',
    breaks: ['ADDR-CREATE-REQUIRES-OBJECTS'],
    entails: ['ADDR-ADDRESS-COUNTRY-CODE'],
    sentence: 'saves a create whose address_template is a list',
    rules: (original) => ({
      createProblems: (body, env) =>
        Array.isArray(body.address_template) ? [] : original.createProblems(body, env),
    }),
  },
  {
    id: 'create-takes-text-as-attributes',
    breaks: ['ADDR-CREATE-REQUIRES-OBJECTS'],
    entails: ['ADDR-ADDRESS-COUNTRY-CODE'],
    sentence: 'saves a create whose address_attributes is a string',
    rules: (original) => ({
      createProblems: (body, env) => {
        const template = body.address_template as Fields | undefined;
        return typeof template?.address_attributes === 'string' ? [] : original.createProblems(body, env);
      },
    }),
  },
  {
    id: 'addresses-expire',
    breaks: ['ADDR-CREATE-LASTS'],
    // Addresses that several checks share are created before the clock is moved.
    entails: ['ADDR-*'],
    sentence: 'loses addresses an hour after they were saved',
    rules: afterAnHour(() => undefined),
  },
  {
    id: 'updates-expire',
    breaks: ['ADDR-UPDATE-LASTS'],
    sentence: 'returns an address as it was created, without its updates, from an hour after its creation',
    rules: afterAnHour((_, first) => first),
  },
  {
    id: 'update-media-type-compared-whole',
    breaks: ['ADDR-CONTENT-TYPE-PARAMETERS'],
    sentence: 'refuses a body whose Content-Type has a charset',
    wrap: (next) => async (request) =>
      /application\/json *;/.test(request.headers.get('content-type') ?? '') && request.method === 'PATCH'
        ? Response.json({ message: 'media type' }, { status: 415 })
        : next(request),
  },
  taking('default-one', 'ADDR-TEMPLATE-DEFAULT', 'the number 1 as default', 'default', (v) => v === 1),
  taking('default-text', 'ADDR-TEMPLATE-DEFAULT', 'the text true as default', 'default', (v) => v === 'true'),
  taking(
    'country-of-three-letters',
    'ADDR-ADDRESS-COUNTRY-CODE',
    'a country code of three letters',
    'country_code',
    (v) => v === 'MEX',
  ),
  taking(
    'country-of-digits',
    'ADDR-ADDRESS-COUNTRY-CODE',
    'a country code of two digits',
    'country_code',
    (v) => v === '52',
  ),
  taking('alias-true', 'ADDR-TEMPLATE-ALIAS-NAME', 'true as alias_name', 'alias_name', (v) => v === true),
  taking(
    'type-in-list',
    'ADDR-TEMPLATE-ADDRESS-TYPE',
    'a list as address_type',
    'address_type',
    Array.isArray,
  ),
  taking('email-in-list', 'ADDR-ADDRESS-EMAIL', 'a list as email', 'email', Array.isArray),
  ...[
    ['exponent', '1e2', 'reads 1e2 as 100'],
    ['unit', '100abc', 'reads 100abc as 100'],
  ].map(
    ([name, value, what]): Deviation<ShippingRules> => ({
      id: `per-page-${name}-unbounded`,
      breaks: ['ADDR-LIST-PER-PAGE-MAX'],
      sentence: `${what} in per_page, without applying the maximum`,
      rules: (original) => ({
        readPerPage: (raw, env) => (raw === value ? 100 : original.readPerPage(raw, env)),
      }),
    }),
  ),
  {
    id: 'last-page-echoed',
    breaks: ['ADDR-LIST-BEYOND-NO-REPEATS'],
    sentence: 'returns addresses of the first page on a page after the last',
    wrap: (next) => {
      let first: unknown[] = [];
      return changeKind({ name: 'list', method: 'GET', path: COLLECTION, status: 200 }, (response) =>
        withBody(response, (body) => {
          const { data } = body as { data: unknown[] };
          if (data.length > 0) first = data;
          return data.length > 0 ? body : { ...(body as object), data: first.slice(0, 1) };
        }),
      )(next);
    },
    entails: ['ADDR-LIST-DATA', 'ADDR-LIST-NO-REPEATS', 'ADDR-DELETE-GONE-LIST'],
  },
];
