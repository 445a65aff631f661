/** Faults of a valid create as a whole (4.3). */
import { createHash } from 'node:crypto';
import type { AddressTemplate, Env, ShippingRules } from '../../reference/shipping/index.ts';
import { changeKind, withBody, withHeaders } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { COLLECTION } from './paths.ts';

const create201 = { name: 'create', method: 'POST', path: COLLECTION, status: 201 };

/** Changes the address in the answer to a create. What is stored stays as it was sent. */
function answering(change: (template: AddressTemplate) => AddressTemplate) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    serialiseTemplate: (template, endpoint, env) =>
      original.serialiseTemplate(endpoint === 'create' ? change(template) : template, endpoint, env),
  });
}

/**
 * Returns the label of an address in a form that ignores case and accents, as some database collations do.
 */
const plainLabel = ({ alias_name }: AddressTemplate): string =>
  alias_name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Shows addresses at one endpoint only where `visible` holds for their age in milliseconds. */
function seen(
  endpoint: 'list' | 'read',
  visible: (age: number, template: AddressTemplate, env: Env) => boolean,
) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    const since = new Map<string, number>();
    const shows = (template: AddressTemplate, env: Env): boolean =>
      visible(env.clock.now() - (since.get(template.id) ?? 0), template, env);
    let current: Env | undefined;
    return {
      addTemplate: (book, template, env) => {
        current = env;
        since.set(template.id, env.clock.now());
        original.addTemplate(book, template, env);
      },
      ...(endpoint === 'list'
        ? {
            collection: (book) =>
              original.collection(book).filter((each) => current === undefined || shows(each, current)),
          }
        : {
            findTemplate: (book, id, where, env) => {
              const found = original.findTemplate(book, id, where, env);
              return where !== 'read' || found === undefined || shows(found, env) ? found : undefined;
            },
          }),
    };
  };
}

/** Makes ids from the content of an address instead of at random. */
function identifying(text: (template: AddressTemplate, env: Env) => string) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    buildTemplate: (body, env) => {
      const template = original.buildTemplate(body, env);
      const hex = createHash('sha256').update(text(template, env)).digest('hex');
      const id = [
        hex.slice(0, 8),
        hex.slice(8, 12),
        hex.slice(12, 16),
        hex.slice(16, 20),
        hex.slice(20, 32),
      ].join('-');
      return { ...template, id };
    },
  });
}

const withoutLast = (id: string): string => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;

/** Further requirements that fail where a created address does not exist. */
const LOST = ['ADDR-CREATE-LISTED', 'ADDR-CREATE-COUNTED', 'ADDR-CREATE-ANSWER-CURRENT'];

export const createDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'create-not-stored',
    breaks: ['ADDR-CREATE-READABLE', 'ADDR-CREATE-LISTED'],
    entails: LOST,
    sentence: 'answers a create and stores nothing',
    rules: () => ({ addTemplate: () => {} }),
  },
  {
    id: 'create-answers-another-id',
    breaks: ['ADDR-CREATE-READABLE'],
    entails: LOST,
    sentence: 'answers a create with an id that the address does not have',
    wrap: changeKind(create201, (response) =>
      withBody(response, (body) => {
        const { data } = body as { data: Record<string, unknown> };
        return { data: { ...data, id: withoutLast(String(data.id)) } };
      }),
    ),
  },
  {
    id: 'create-readable-later',
    breaks: ['ADDR-CREATE-READABLE'],
    entails: LOST,
    sentence: 'finds a created address by its id only after five seconds',
    rules: seen('read', (age) => age > 5000),
  },
  {
    id: 'create-loses-every-third',
    breaks: ['ADDR-CREATE-READABLE'],
    entails: ['*'],
    sentence: 'loses every third address that it creates',
    rules: (original) => {
      let count = 0;
      return {
        addTemplate: (book, template, env) => {
          count += 1;
          if (count % 3 !== 0) original.addTemplate(book, template, env);
        },
      };
    },
  },
  {
    id: 'create-listed-later',
    breaks: ['ADDR-CREATE-LISTED', 'ADDR-CREATE-COUNTED'],
    entails: ['ADDR-LIST-*', 'ADDR-META-*', 'ADDR-DELETE-GONE-COUNT'],
    sentence: 'lists a created address after a minute, when the search index has caught up',
    rules: seen('list', (age) => age > 60_000),
  },
  {
    id: 'create-listed-when-verified',
    breaks: ['ADDR-CREATE-LISTED'],
    entails: ['ADDR-CREATE-COUNTED', 'ADDR-DELETE-*', 'ADDR-LIST-*', 'ADDR-META-*', 'ADDR-UPDATE-*'],
    sentence: 'lists only addresses that a carrier was asked about',
    rules: seen('list', (_age, template) => template.verifications.length > 0),
  },
  {
    id: 'create-listed-with-company-only',
    breaks: ['ADDR-CREATE-LISTED'],
    entails: ['ADDR-CREATE-COUNTED', 'ADDR-LIST-NO-GAPS', 'ADDR-META-*'],
    sentence: 'lists only addresses that have a company',
    rules: seen('list', (_age, template) => template.address.company !== null),
  },
  {
    id: 'count-cached',
    breaks: ['ADDR-META-TOTAL-COUNT-VALUE'],
    entails: [
      'ADDR-CREATE-COUNTED',
      'ADDR-DELETE-GONE-COUNT',
      'ADDR-META-TOTAL-PAGES-VALUE',
      'ADDR-META-NEXT-PAGE-VALUE',
      'ADDR-META-NEXT-PAGE-LAST',
    ],
    sentence: 'keeps the count of a list in a cache for an hour',
    rules: (original) => {
      let kept: { at: number; total: number } | undefined;
      return {
        serialiseMeta: (facts, env) => {
          const now = env.clock.now();
          if (kept === undefined || now - kept.at > 3_600_000) kept = { at: now, total: facts.total };
          return { ...original.serialiseMeta(facts, env), total_count: kept.total };
        },
      };
    },
  },
  {
    id: 'count-only-grows',
    breaks: ['ADDR-DELETE-GONE-COUNT'],
    entails: ['ADDR-META-TOTAL-COUNT-VALUE', 'ADDR-META-TOTAL-PAGES-VALUE'],
    sentence: 'counts deleted addresses in total_count',
    rules: (original) => {
      let most = 0;
      return {
        metaTotalCount: (facts) => {
          most = Math.max(most, original.metaTotalCount(facts));
          return most;
        },
      };
    },
  },
  {
    id: 'count-one-behind',
    breaks: ['ADDR-CREATE-COUNTED', 'ADDR-META-TOTAL-COUNT-VALUE'],
    entails: ['ADDR-META-TOTAL-PAGES-VALUE', 'ADDR-DELETE-GONE-COUNT', 'ADDR-CREATE-REQUIRES-ALIAS-NAME'],
    sentence: 'updates the count only after it has answered the list',
    rules: (original) => {
      let before: number | undefined;
      return {
        metaTotalCount: (facts) => {
          const now = original.metaTotalCount(facts);
          const said = before ?? now;
          before = now;
          return said;
        },
      };
    },
  },
  {
    id: 'id-from-postal-address',
    breaks: ['ADDR-CREATE-ID-UNIQUE'],
    entails: ['*'],
    sentence: 'computes the id from the postal address',
    rules: identifying((template) => JSON.stringify(template.address)),
  },
  {
    id: 'id-from-the-second',
    breaks: ['ADDR-CREATE-ID-UNIQUE'],
    sentence: 'computes the id from the time in seconds',
    rules: identifying((_template, env) => String(Math.floor(env.clock.now() / 1000))),
  },
  {
    id: 'create-overwrites-by-collation',
    breaks: ['ADDR-CREATE-ID-UNIQUE'],
    sentence: 'overwrites an address whose label differs in case or accents only',
    rules: (original) => ({
      addTemplate: (book, template, env) => {
        const same = [...book.values()].find((each) => plainLabel(each) === plainLabel(template));
        if (same) template.id = same.id;
        original.addTemplate(book, template, env);
      },
    }),
  },
  {
    id: 'id-from-a-counter-of-ten',
    breaks: ['ADDR-CREATE-ID-UNIQUE'],
    sentence: 'takes ids from a counter that two simultaneous creates read alike',
    rules: (original) => {
      let count = 0;
      return identifying(() => String(Math.floor(count++ / 2)))(original);
    },
  },
  {
    id: 'create-answer-capitals',
    breaks: ['ADDR-CREATE-ANSWER-CURRENT'],
    sentence: 'answers a create with the name in capital letters and stores it as it was sent',
    rules: answering((template) => ({
      ...template,
      address: { ...template.address, name: String(template.address.name).toUpperCase() },
    })),
  },
  {
    id: 'create-answer-default',
    breaks: ['ADDR-CREATE-ANSWER-CURRENT'],
    sentence: 'answers every create with default true',
    rules: answering((template) => ({ ...template, default: true })),
  },
  {
    id: 'create-answer-from-the-request',
    breaks: ['ADDR-CREATE-ANSWER-CURRENT'],
    entails: ['ADDR-CREATE-KEEPS-STREET1'],
    sentence: 'stores a normalised street but answers with the one that was sent',
    rules: (original) => ({
      addTemplate: (book, template, env) =>
        original.addTemplate(
          book,
          { ...template, address: { ...template.address, street1: `${template.address.street1}.` } },
          env,
        ),
    }),
  },
  {
    id: 'create-answers-id-only',
    breaks: ['ADDR-TEMPLATE-ALIAS-NAME', 'ADDR-TEMPLATE-ADDRESS'],
    entails: ['ADDR-TEMPLATE-*', 'ADDR-CREATE-ANSWER-CURRENT'],
    sentence: 'answers a create with the id of the address only',
    wrap: changeKind(create201, (response) =>
      withBody(response, (body) => ({ data: { id: (body as { data: { id: string } }).data.id } })),
    ),
  },
  {
    id: 'create-without-location',
    breaks: ['ADDR-CREATE-LOCATION'],
    sentence: 'sends no Location with a 201',
    rules: () => ({ createdHeaders: () => ({}) }),
  },
  {
    id: 'create-location-elsewhere',
    breaks: ['ADDR-CREATE-LOCATION'],
    sentence: 'gives the collection as the Location of a new address',
    wrap: changeKind(create201, (response) =>
      withHeaders(response, { location: '/api/v1/address_templates' }),
    ),
  },
];
