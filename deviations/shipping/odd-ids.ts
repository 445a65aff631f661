/** Unusual ids and credentials that cause a failure before they are looked up (4.2, 4.5 and 4.7). */
import type { ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';

/** Ids that cause a failure, by what fails. */
const FAILING: Record<string, [sentence: string, fails: (id: string) => boolean]> = {
  'cast-to-uuid': [
    'fails with 500 on an id that cannot be cast to a UUID',
    (id) => !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id),
  ],
  quoted: ['fails with 500 on an id with an apostrophe', (id) => id.includes("'")],
  'of-three-bytes': [
    'fails with 500 on an id with a character of four bytes',
    (id) => /[\u{10000}-\u{10ffff}]/u.test(id),
  ],
  'null-character': ['fails with 500 on an id with a null character', (id) => id.includes('\0')],
  'not-decoded': ['fails with 500 on an id that is not UTF-8', (id) => /%ff|\ufffd/i.test(id)],
  indexed: ['fails with 500 on an id that is too long for its index', (id) => id.length > 1000],
};

const ENDPOINTS = [
  ['read', 'ADDR-READ-ODD-ID'],
  ['delete', 'ADDR-DELETE-ODD-ID'],
] as const;

const METHODS = { read: 'GET', delete: 'DELETE' } as const;

/** Returns the percent-decoded id, or the id as it is written where it is not UTF-8. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Credentials that cause a failure. */
const CREDENTIALS: [name: string, parameter: string, sentence: string, fails: (value: string) => boolean][] =
  [
    ['client-id-null', 'client_id', 'a client_id with a null character', (id) => id.includes('\0')],
    [
      'client-id-emoji',
      'client_id',
      'a client_id with a character of four bytes',
      (id) => /[\u{10000}-\u{10ffff}]/u.test(id),
    ],
    ['secret-null', 'client_secret', 'a client_secret with a null character', (text) => text.includes('\0')],
    [
      'secret-long',
      'client_secret',
      'a client_secret of more than 1,000 characters',
      (text) => text.length > 1000,
    ],
  ];

export const oddIdDeviations: Deviation<ShippingRules>[] = [
  ...ENDPOINTS.flatMap(([endpoint, requirement]) =>
    Object.entries(FAILING).map(
      ([name, [sentence, fails]]): Deviation<ShippingRules> => ({
        id: `${endpoint}-id-${name}`,
        breaks: [requirement],
        entails: ['ADDR-CLIENT-ERRORS-4XX'],
        sentence: `${sentence} at ${endpoint}`,
        rules: (original) => ({
          findTemplate: (book, id, where, env) => {
            if (where === endpoint && fails(id)) throw new Error('the database failed');
            return original.findTemplate(book, id, where, env);
          },
        }),
      }),
    ),
  ),
  ...ENDPOINTS.map(
    ([endpoint]): Deviation<ShippingRules> => ({
      id: `${endpoint}-route-of-uuids`,
      breaks: [`ADDR-${endpoint.toUpperCase()}-WORD-BODY`],
      sentence: `answers a ${endpoint} of an id that is no UUID with the 404 page of its framework`,
      wrap: (next) => async (request) => {
        const id = new URL(request.url).pathname.split('/address_templates/')[1];
        const isOdd = id !== undefined && !/^[0-9a-f-]{30,40}$/i.test(decoded(id));
        return request.method === METHODS[endpoint] && isOdd
          ? new Response('<h1>Not Found</h1>', { status: 404, headers: { 'content-type': 'text/html' } })
          : next(request);
      },
    }),
  ),
  ...(['GET', 'PATCH', 'DELETE'] as const).map(
    (method): Deviation<ShippingRules> => ({
      id: `${method.toLowerCase()}-encoded-id-unknown`,
      breaks: ['ADDR-ID-ENCODED'],
      sentence: `does not find an address by ${method} where a character of its id is percent-encoded`,
      wrap: (next) => async (request) =>
        request.method === method && /%[3-6][0-9a-f]/i.test(new URL(request.url).pathname)
          ? Response.json({ message: 'not found' }, { status: 404 })
          : next(request),
    }),
  ),
  {
    id: 'delete-odd-id-success',
    breaks: ['ADDR-DELETE-ODD-ID'],
    entails: ['ADDR-DELETE-UNKNOWN-404'],
    sentence: 'reports the delete of an id that is no UUID as a success',
    rules: (original) => ({
      findTemplate: (book, id, where, env) =>
        where === 'delete' && !id.includes('-')
          ? ({ id } as NonNullable<ReturnType<ShippingRules['findTemplate']>>)
          : original.findTemplate(book, id, where, env),
    }),
  },
  ...CREDENTIALS.map(
    ([name, parameter, sentence, fails]): Deviation<ShippingRules> => ({
      id: `${name}-fails`,
      breaks: ['TOKEN-ISSUE-ODD-CREDENTIALS'],
      entails: ['TOKEN-CLIENT-ERRORS-4XX'],
      sentence: `fails with 500 on ${sentence}`,
      rules: (original) => ({
        authenticateClient: (parameters, endpoint, env) => {
          if (endpoint === 'token' && fails(String(parameters[parameter]))) throw new Error('it failed');
          return original.authenticateClient(parameters, endpoint, env);
        },
      }),
    }),
  ),
];
