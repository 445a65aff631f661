/** Whether the address with the id in the path is found, and no other one (4.2, 4.4 to 4.6). */
import type {
  AddressBook,
  AddressEndpoint,
  AddressTemplate,
  ShippingRules,
} from '../../reference/shipping/index.ts';
import { changeKind, withBody, withStatus } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { ITEM } from './paths.ts';

/** Finds another address at some endpoints where none has exactly the id. */
function findingElse(
  endpoints: readonly AddressEndpoint[],
  find: (book: AddressBook, id: string) => AddressTemplate | undefined,
) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    findTemplate: (book, id, endpoint, env) =>
      original.findTemplate(book, id, endpoint, env) ??
      (endpoints.includes(endpoint) ? find(book, id) : undefined),
  });
}

const anyOf = (
  book: AddressBook,
  fits: (template: AddressTemplate) => boolean,
): AddressTemplate | undefined => [...book.values()].find(fits);

const EXACT = {
  read: 'ADDR-READ-EXACT-ID',
  update: 'ADDR-UPDATE-EXACT-ID',
  delete: 'ADDR-DELETE-EXACT-ID',
} as const;

/** Comparisons of ids that are too lenient. */
const SIMILAR: Record<string, [sentence: string, same: (own: string, asked: string) => boolean]> = {
  prefix: [
    'finds an address by a prefix of its id',
    (own, asked) => asked.length > 8 && own.startsWith(asked),
  ],
  longer: ['truncates the id in the path to the length of the column', (own, asked) => asked.startsWith(own)],
  'first-half': [
    'compares only the first half of an id',
    (own, asked) => own.slice(0, 18) === asked.slice(0, 18),
  ],
  wildcard: [
    'compares ids with LIKE',
    (own, asked) =>
      asked.length === own.length && [...asked].every((letter, n) => letter === '_' || letter === own[n]),
  ],
  'last-differs': [
    'does not compare the last character of an id',
    (own, asked) => asked.length === own.length && own.slice(0, -1) === asked.slice(0, -1),
  ],
};

const exactDeviations: Deviation<ShippingRules>[] = (['read', 'update', 'delete'] as const).flatMap(
  (endpoint) =>
    Object.entries(SIMILAR).map(([name, [sentence, same]]) => ({
      id: `${endpoint}-id-${name}`,
      breaks: [EXACT[endpoint]],
      sentence: `${sentence} when asked to ${endpoint} it`,
      rules: findingElse([endpoint], (book, id) => anyOf(book, (template) => same(template.id, id))),
    })),
);

const read200 = { name: 'read', method: 'GET', path: ITEM, status: 200 };

export const lookupDeviations: Deviation<ShippingRules>[] = [
  ...exactDeviations,
  {
    id: 'read-id-pattern',
    breaks: ['ADDR-READ-EXACT-ID'],
    sentence: 'takes a percent sign at the end of the id for the rest of any id',
    rules: findingElse(['read'], (book, id) =>
      anyOf(book, (template) => id.endsWith('%') && template.id.startsWith(id.slice(0, -1))),
    ),
  },
  {
    id: 'read-unknown-first',
    breaks: ['ADDR-READ-UNKNOWN-404'],
    entails: [
      'ADDR-DELETE-GONE-READ',
      'ADDR-READ-EXACT-ID',
      'ADDR-UPDATE-UNKNOWN-REFUSED',
      'ADDR-UPDATE-DELETED-REFUSED',
    ],
    sentence: 'returns the first address when the requested one does not exist',
    rules: findingElse(['read'], (book) => anyOf(book, () => true)),
  },
  {
    id: 'read-unknown-null',
    breaks: ['ADDR-READ-UNKNOWN-404'],
    entails: ['ADDR-DELETE-GONE-READ'],
    sentence: 'answers 200 with data null when an address does not exist',
    wrap: changeKind({ ...read200, status: 404 }, () => Response.json({ data: null })),
  },
  {
    id: 'read-unknown-exception',
    breaks: ['ADDR-READ-UNKNOWN-404'],
    entails: ['ADDR-DELETE-GONE-READ', 'ADDR-CLIENT-ERRORS-4XX'],
    sentence: 'answers 500 with an HTML page when an address does not exist',
    wrap: changeKind(
      { ...read200, status: 404 },
      () =>
        new Response('<h1>Internal Server Error</h1>', {
          status: 500,
          headers: { 'content-type': 'text/html' },
        }),
    ),
  },
  {
    id: 'read-unknown-redirected',
    breaks: ['ADDR-READ-UNKNOWN-404'],
    entails: ['ADDR-DELETE-GONE-READ'],
    sentence: 'redirects a read of an address that does not exist to the list',
    wrap: changeKind({ ...read200, status: 404 }, (response) => withStatus(response, 303)),
  },
  {
    id: 'read-answers-first-address',
    breaks: ['ADDR-READ-SAME-ID'],
    entails: ['*'],
    sentence: 'answers every read of an existing address with the first one of the list',
    rules: (original) => ({
      findTemplate: (book, id, endpoint, env) => {
        const found = original.findTemplate(book, id, endpoint, env);
        return endpoint === 'read' && found !== undefined ? anyOf(book, () => true) : found;
      },
    }),
  },
  {
    id: 'read-cache-without-id',
    breaks: ['ADDR-READ-SAME-ID'],
    entails: ['*'],
    sentence: "answers a read within five seconds of another one with that one's address",
    rules: (original) => {
      let last: { at: number; template: AddressTemplate | undefined } | undefined;
      return {
        findTemplate: (book, id, endpoint, env) => {
          const found = original.findTemplate(book, id, endpoint, env);
          if (endpoint !== 'read' || found === undefined) return found;
          const now = env.clock.now();
          if (last?.template !== undefined && now - last.at < 5000) return last.template;
          last = { at: now, template: found };
          return found;
        },
      };
    },
  },
  {
    id: 'read-answers-new-id',
    breaks: ['ADDR-READ-SAME-ID'],
    entails: [
      'ADDR-CREATE-ANSWER-CURRENT',
      'ADDR-UPDATE-ANSWER-CURRENT',
      'ADDR-CREATE-READABLE',
      'ADDR-VERIFY-KEEPS-ADDRESS',
    ],
    sentence: 'answers a read with an id that is not the requested one',
    wrap: changeKind(read200, (response) =>
      withBody(response, (body) => {
        const { data } = body as { data: Record<string, unknown> };
        const id = String(data.id);
        return { data: { ...data, id: `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}` } };
      }),
    ),
  },
  {
    id: 'read-not-routed',
    breaks: ['ADDR-READ-STATUS'],
    entails: ['*'],
    sentence: 'answers 404 to every read of one address',
    wrap: changeKind(read200, () => Response.json({ message: 'not found' }, { status: 404 })),
  },
  {
    id: 'read-as-array',
    breaks: ['ADDR-READ-DATA'],
    sentence: 'answers a read with an array of one',
    wrap: changeKind(read200, (response) =>
      withBody(response, (body) => ({ data: [(body as { data: unknown }).data] })),
    ),
  },
  {
    id: 'read-without-envelope',
    breaks: ['ADDR-READ-DATA'],
    sentence: 'answers a read with the address itself, without data around it',
    wrap: changeKind(read200, (response) => withBody(response, (body) => (body as { data: unknown }).data)),
  },
  {
    id: 'read-finds-twenty',
    breaks: ['ADDR-CREATE-READABLE'],
    entails: ['*'],
    sentence: 'finds an address to read only among the first twenty',
    rules: (original) => ({
      findTemplate: (book, id, endpoint, env) =>
        endpoint === 'read' && [...book.keys()].indexOf(id) >= 20
          ? undefined
          : original.findTemplate(book, id, endpoint, env),
    }),
  },
];
