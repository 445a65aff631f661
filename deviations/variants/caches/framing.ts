/** The same answers in another form: headers, media types, error bodies, forms of time, more fields. */
import { isoTime as iso } from '../../../reference/kit/clock.ts';
import { changeAnswers, spellHeaders, withBody, withHeaders, withText } from '../../kit/answers.ts';
import type { CacheVariant } from './kit.ts';

const always = (): boolean => true;

/** Returns a value with every object in it changed, the innermost ones first. */
function mapObjects(value: unknown, change: (object: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapObjects(each, change)])),
  );
}

const typed = (id: string, type: string): CacheVariant => ({
  id: `content-type-${id}`,
  fills: [],
  sentence: `declares its JSON as ${type}`,
  rules: () => ({ contentType: type }),
});

/** Answers refusals with another body. */
const errorBody = (id: string, text: string, type?: string): CacheVariant => ({
  id: `error-body-${id}`,
  fills: ['CACHE-SILENCE-ERROR-BODY'],
  sentence: `answers refusals with ${text === '' ? 'no body' : `a body of ${type}`}`,
  wrap: changeAnswers(always, (response) =>
    response.status >= 400 ? withText(response, text, type) : response,
  ),
});

const time = (id: string, sentence: string, write: (milliseconds: number) => string): CacheVariant => ({
  id: `time-${id}`,
  fills: [],
  sentence,
  rules: () => ({ timestamp: write }),
});

const DAY = 86_400_000;

/** Returns the date as year and day of the year, such as `2026-069`. */
function ordinalOf(milliseconds: number): string {
  const year = iso(milliseconds).slice(0, 4);
  const day = Math.floor((milliseconds - Date.parse(`${year}-01-01T00:00:00Z`)) / DAY) + 1;
  return `${year}-${String(day).padStart(3, '0')}`;
}

/** Returns the week date, such as `2026-W11-2`. A week belongs to the year of its Thursday. */
function weekOf(milliseconds: number): string {
  const weekday = ((new Date(milliseconds).getUTCDay() + 6) % 7) + 1;
  const [year, day] = ordinalOf(milliseconds + (4 - weekday) * DAY).split('-');
  return `${year}-W${String(Math.ceil(Number(day) / 7)).padStart(2, '0')}-${weekday}`;
}

/** A slow server: the clock advances while it works. */
const slow = (id: string, ms: number): CacheVariant => ({
  id: `slow-${id}`,
  fills: [],
  sentence: `takes ${ms} ms for every answer`,
  wrap: (next, clock) => async (request) => {
    clock.advance(ms);
    return next(request);
  },
});

/** Answers 406 to media types that are neither the recommended one nor a wildcard. */
const negotiating = (id: string, refused: RegExp): CacheVariant => ({
  id: `accept-${id}`,
  fills: ['CACHE-SILENCE-ACCEPT-OTHER'],
  sentence: `answers 406 where Accept asks for ${id.replaceAll('-', ' ')}`,
  wrap: (next) => async (request) =>
    refused.test(request.headers.get('accept') ?? '')
      ? Response.json({ error: 'not acceptable' }, { status: 406 })
      : next(request),
});

export const framingVariants: CacheVariant[] = [
  typed('plain-json', 'application/json'),
  typed('vendor', 'application/vnd.service+json; charset=utf-8'),
  {
    id: 'no-content-with-a-type',
    fills: [],
    sentence: 'says of its answers without a body that they are JSON',
    wrap: changeAnswers(always, (response) =>
      response.status === 204 ? withHeaders(response, { 'content-type': 'application/json' }) : response,
    ),
  },
  errorBody('none', ''),
  errorBody('text', 'that did not work', 'text/plain'),
  errorBody('html', '<!doctype html><title>Error</title>', 'text/html'),
  errorBody('problem', '{"type":"about:blank","title":"Error"}', 'application/problem+json'),
  errorBody('array', '[{"code":1}]', 'application/json'),
  time(
    'without-zero-seconds',
    'leaves a zero fraction out of times, and zero seconds with it',
    (milliseconds) => iso(milliseconds).replace(/(?::00)?\.000Z$/, 'Z'),
  ),
  time('without-fraction', 'writes times to the second', (ms) => `${iso(ms).slice(0, 19)}Z`),
  time('basic', 'writes times in the basic format', (ms) => iso(ms).replaceAll(/[-:]/g, '')),
  time('with-offset', 'writes UTC as +00:00', (ms) => `${iso(ms).slice(0, 23)}+00:00`),
  time(
    'with-nanoseconds',
    'writes times with nine digits after the second',
    (ms) => `${iso(ms).slice(0, 23)}000000Z`,
  ),
  time('to-the-minute', 'leaves seconds out of times', (ms) => `${iso(ms).slice(0, 16)}Z`),
  time(
    'with-ordinal-date',
    'writes dates as the day of the year',
    (ms) => `${ordinalOf(ms)}${iso(ms).slice(10)}`,
  ),
  time('with-week-date', 'writes dates as week and day of the week, in the basic format', (ms) =>
    `${weekOf(ms)}${iso(ms).slice(10)}`.replaceAll(/[-:]/g, ''),
  ),
  {
    id: 'encoded-paths-unknown',
    fills: [],
    sentence: 'does not find names whose letters are percent-encoded in the path',
    wrap: (next) => async (request) =>
      /\/%[4-7]/.test(new URL(request.url).pathname)
        ? Response.json({ error: 'not found' }, { status: 404 })
        : next(request),
  },
  negotiating('html', /^text\/html$/),
  negotiating('plain-json', /^application\/json$/),
  {
    id: 'keys-turned-round',
    fills: [],
    sentence: 'writes the members of objects in another order',
    wrap: changeAnswers(always, (response) =>
      withBody(response, (body) =>
        mapObjects(body, (object) => Object.fromEntries(Object.entries(object).reverse())),
      ),
    ),
  },
  {
    id: 'more-fields-everywhere',
    fills: [],
    sentence: 'adds properties to every object',
    wrap: changeAnswers(always, (response) =>
      withBody(response, (body) =>
        mapObjects(body, (object) => ({ ...object, node_id: 'x', url: null, _links: {} })),
      ),
    ),
  },
  {
    id: 'rate-limit-headers',
    fills: ['CACHE-SILENCE-RATE-LIMIT'],
    sentence: 'reports rate limits in headers',
    wrap: changeAnswers(always, (response) =>
      withHeaders(response, { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '4999' }),
    ),
  },
  {
    id: 'rate-limit-is-403',
    fills: ['CACHE-SILENCE-RATE-LIMIT'],
    sentence: 'answers every fortieth request with 403 and headers that say when requests are counted anew',
    wrap: (next, clock) => {
      let count = 0;
      return async (request) => {
        count += 1;
        if (count % 40 !== 0) return next(request);
        const now = clock.now();
        const headers = {
          date: new Date(now).toUTCString(),
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(Math.floor(now / 1000) + 2),
        };
        return Response.json({ message: 'API rate limit exceeded' }, { status: 403, headers });
      };
    },
  },
  {
    id: 'headers-in-capitals',
    fills: [],
    sentence: 'spells the names of headers in capitals',
    wrap: changeAnswers(always, (response) =>
      spellHeaders(
        response,
        [...response.headers].map(([name, value]) => [name.toUpperCase(), value]),
      ),
    ),
  },
  {
    id: 'names-as-asked',
    fills: [],
    sentence: 'writes full names as the path spells them',
    wrap: changeAnswers(
      ({ method, url }) => method === 'GET' && /^\/repos\/.*\/actions\/cache\/usage$/.test(url.pathname),
      (response, { url }) =>
        withBody(response, (body) => {
          const [, , owner = '', repo = ''] = url.pathname.split('/');
          return 'full_name' in (body as object)
            ? { ...(body as object), full_name: `${decodeURIComponent(owner)}/${decodeURIComponent(repo)}` }
            : body;
        }),
    ),
  },
  slow('a-little', 700),
  slow('very', 4_000),
];
