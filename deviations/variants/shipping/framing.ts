/** The same answers in another form: headers, media types, key order, more fields, more time. */

import type { Handler } from '../../../reference/kit/service.ts';
import type { ShippingRules } from '../../../reference/shipping/index.ts';
import { changeAnswers, spellHeaders, withBody, withHeaders } from '../../kit/answers.ts';
import type { Variant } from '../../types.ts';

const always = (): boolean => true;
const ADDRESSES = '/api/v1/address_templates';

/** Returns a value with every object in it changed, the innermost ones first. */
function mapObjects(value: unknown, change: (object: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapObjects(each, change)]),
  );
  return change(inner);
}

const isEmpty = (object: object): boolean => Object.keys(object).length === 0;

/** Declares JSON as another media type. */
function typed(id: string, type: string): Variant<ShippingRules> {
  return {
    id: `content-type-${id}`,
    fills: [],
    sentence: `declares its JSON as ${type}`,
    wrap: changeAnswers(always, (response) =>
      response.headers.get('content-type')?.startsWith('application/json')
        ? withHeaders(response, { 'content-type': type })
        : response,
    ),
  };
}

/** Writes the same JSON value as another text. */
function written(id: string, sentence: string, write: (value: unknown) => string): Variant<ShippingRules> {
  return {
    id: `json-${id}`,
    fills: [],
    sentence,
    wrap: changeAnswers(always, async (response) => {
      const type = response.headers.get('content-type') ?? '';
      if (!type.includes('json')) return response;
      const text = write(JSON.parse(await response.text()));
      return new Response(Buffer.from(text), { status: response.status, headers: response.headers });
    }),
  };
}

/** A slow server: the clock advances while it works. */
function slow(id: string, ms: (request: Request) => number, sentence: string): Variant<ShippingRules> {
  return {
    id: `slow-${id}`,
    fills: [],
    sentence,
    wrap:
      (next: Handler, clock) =>
      async (request): Promise<Response> => {
        clock.advance(ms(request));
        return next(request);
      },
  };
}

export const framingVariants: Variant<ShippingRules>[] = [
  typed('charset', 'application/json; charset=utf-8'),
  typed('capitals', 'Application/JSON;Charset=UTF-8'),
  typed('vendor', 'application/vnd.shipping.v1+json'),
  written('keys-turned-round', 'writes the members of objects in another order', (value) =>
    JSON.stringify(mapObjects(value, (object) => Object.fromEntries(Object.entries(object).reverse()))),
  ),
  written(
    'indented',
    'writes JSON with line breaks and spaces',
    (value) => `\n${JSON.stringify(value, null, 4)}\r\n`,
  ),
  written('escaped', 'writes everything beyond ASCII as escapes', (value) =>
    JSON.stringify(value).replaceAll(/[\u0080-\uffff/]/g, (c) =>
      c === '/' ? '\\/' : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  ),
  {
    id: 'more-fields-everywhere',
    fills: ['ADDR-RESPONSE-EXTRA-FIELDS'],
    sentence: 'adds properties to every object but the empty one',
    wrap: changeAnswers(always, (response) =>
      withBody(response, (body) =>
        mapObjects(body, (object) =>
          isEmpty(object)
            ? object
            : { ...object, created: '2024-01-01T00:00:00Z', _links: { self: '/' }, tags: [], extra: null },
        ),
      ),
    ),
  },
  {
    id: 'a-time-in-every-answer',
    fills: ['ADDR-RESPONSE-EXTRA-FIELDS'],
    sentence: 'stamps every answer with a time and a number of its own',
    wrap: (next, clock) => {
      let count = 0;
      return changeAnswers(always, (response) =>
        withBody(response, (body) => {
          count += 1;
          if (typeof body !== 'object' || body === null || Array.isArray(body) || isEmpty(body)) return body;
          return { ...body, server_time: clock.now(), request_id: `r${count}` };
        }),
      )(next);
    },
  },
  {
    id: 'headers-of-a-gateway',
    fills: ['ADDR-DEPRECATION'],
    sentence: 'sends the headers of a gateway, and announces that the version will be withdrawn',
    wrap: changeAnswers(always, (response) =>
      withHeaders(response, {
        deprecation: '@1767225600',
        sunset: 'Thu, 31 Dec 2099 23:59:59 GMT',
        warning: '299 - "old"',
        'x-request-id': 'abc',
        'ratelimit-limit': '2',
        'ratelimit-remaining': '1',
        vary: 'Accept, Authorization',
        'set-cookie': 'session=1; Path=/; HttpOnly',
        'strict-transport-security': 'max-age=1',
      }),
    ),
  },
  {
    id: 'header-names-in-capitals',
    fills: [],
    sentence: 'spells header names in capital letters',
    wrap: changeAnswers(always, (response) =>
      spellHeaders(
        response,
        [...response.headers].map(([name, value]) => [name.toUpperCase(), value]),
      ),
    ),
  },
  slow('by-20-ms', () => 20, 'takes 20 milliseconds for every answer'),
  slow('by-300-ms', () => 300, 'takes 300 milliseconds for every answer'),
  slow('by-a-second', () => 1000, 'takes a second for every answer'),
  slow(
    'lists',
    ({ method, url }) => (method === 'GET' && new URL(url).pathname === ADDRESSES ? 2500 : 10),
    'takes two and a half seconds for a list',
  ),
  {
    id: 'content-type-wanted',
    fills: ['ADDR-NO-CONTENT-TYPE'],
    sentence: 'answers 415 to requests for addresses without the documented Content-Type',
    wrap: (next) => async (request) => {
      const addressed = new URL(request.url).pathname.startsWith(ADDRESSES);
      const type = request.headers.get('content-type') ?? '';
      if (!addressed || /^application\/json\b/i.test(type)) return next(request);
      return Response.json({ message: 'Content-Type has to be application/json' }, { status: 415 });
    },
    conflicts: ['merge-patch-refused', 'form-body-accepted'],
  },
  {
    id: 'other-methods-405',
    fills: ['ADDR-UNSUPPORTED-METHODS', 'TOKEN-UNSUPPORTED-METHODS'],
    sentence: 'answers 405 to methods that are not listed',
    wrap: (next) => async (request) => {
      const { pathname } = new URL(request.url);
      const allowed = pathname.startsWith('/api/v1/oauth/')
        ? ['POST']
        : pathname === ADDRESSES
          ? ['GET', 'POST']
          : pathname.endsWith('/verify_by_carriers')
            ? ['POST']
            : ['GET', 'PATCH', 'DELETE'];
      if (allowed.includes(request.method)) return next(request);
      return Response.json({ message: 'no' }, { status: 405, headers: { allow: allowed.join(', ') } });
    },
  },
  {
    id: 'put-updates',
    fills: ['ADDR-UNSUPPORTED-METHODS'],
    sentence: 'treats PUT like PATCH',
    wrap: (next) => async (request) => {
      if (request.method !== 'PUT') return next(request);
      const { url, headers } = request;
      return next(new Request(url, { method: 'PATCH', headers, body: await request.text() }));
    },
    conflicts: ['other-methods-405'],
  },
  {
    id: 'version-2-is-there',
    fills: ['ADDR-OTHER-VERSIONS'],
    sentence: 'serves the same under a second version, too',
    wrap: (next) => async (request) => {
      if (!request.url.includes('/api/v2/')) return next(request);
      const { method, headers } = request;
      const body = method === 'GET' || method === 'HEAD' ? undefined : await request.text();
      return next(new Request(request.url.replace('/api/v2/', '/api/v1/'), { method, headers, body }));
    },
    conflicts: ['other-methods-405'],
  },
];
