/** Faults in every answer of a service, such as a faulty framework, gateway or serialiser causes. */
import type { Clock } from '../../reference/kit/clock.ts';
import type { Handler } from '../../reference/kit/service.ts';
import type { AnsweredRequest, Deviation } from '../types.ts';
import { type AnswerChange, changeAnswers, withBody, withStatus, withText } from './answers.ts';

/** A fault in every answer. Each service lists the requirements that it breaks there. */
export interface Sweeping {
  id: string;
  /** Completes "an implementation that …". */
  sentence: string;
  wrap: (next: Handler, clock: Clock) => Handler;
}

const everyAnswer = (change: AnswerChange) => changeAnswers(() => true, change);

/** Returns a JSON document with every value changed, the innermost ones first. */
function deeply(value: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return change(value.map((each) => deeply(each, change)));
  if (value === null || typeof value !== 'object') return change(value);
  return change(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, deeply(each, change)])));
}

const ofBody = (change: (body: unknown) => unknown) => everyAnswer((response) => withBody(response, change));

const asType = (type: string) =>
  everyAnswer(async (response) => {
    const text = await response.clone().text();
    return text === '' ? response : withText(response, text, type);
  });

const PAGE = '<!doctype html><html><body>Welcome</body></html>';
const html = (status: number) => new Response(PAGE, { status, headers: { 'content-type': 'text/html' } });

const isPut = ({ method }: AnsweredRequest) => method !== 'GET' && method !== 'HEAD';

/**
 * Makes a filter that answers requests without passing them on, if the function that `instead` returns gives
 * an answer.
 */
const before =
  (instead: () => (request: Request) => Response | undefined) =>
  (next: Handler): Handler => {
    const answer = instead();
    return async (request) => answer(request) ?? next(request);
  };

export const SWEEPING: readonly Sweeping[] = [
  {
    id: 'all-refusals-500',
    sentence: 'answers every refusal with 500',
    wrap: everyAnswer((response) => (response.status >= 400 ? withStatus(response, 500) : response)),
  },
  {
    id: 'all-refusals-a-page',
    sentence: 'answers every refusal with a page',
    wrap: everyAnswer((response) => (response.status >= 400 ? html(response.status) : response)),
  },
  {
    id: 'all-texts-html-escaped',
    sentence: 'escapes every text for HTML',
    wrap: ofBody((body) =>
      deeply(body, (each) =>
        typeof each === 'string'
          ? each.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('/', '&#x2F;')
          : each,
      ),
    ),
  },
  {
    id: 'all-null-left-out',
    sentence: 'leaves out every empty value: null, false, 0, empty texts and lists',
    wrap: ofBody((body) =>
      deeply(body, (each) =>
        each !== null && typeof each === 'object' && !Array.isArray(each)
          ? Object.fromEntries(
              Object.entries(each).filter(([, v]) => Boolean(v) && !(Array.isArray(v) && v.length === 0)),
            )
          : each,
      ),
    ),
  },
  {
    id: 'all-bodies-stale',
    sentence: 'answers every request with the body of the one before',
    wrap: (next) => {
      let last = '{}';
      return async (request) => {
        const response = await next(request);
        const text = await response.clone().text();
        const [given] = [last];
        if (text !== '') last = text;
        return withText(response, given, 'application/json');
      };
    },
  },
  { id: 'all-typed-html', sentence: 'calls every body text/html', wrap: asType('text/html; charset=utf-8') },
  {
    id: 'all-lists-doubled',
    sentence: 'has every item of a list twice',
    wrap: ofBody((body) => deeply(body, (each) => (Array.isArray(each) ? [...each, ...each] : each))),
  },
  {
    id: 'every-id-another',
    sentence: 'has another id in every answer',
    wrap: (next) => {
      let count = 0;
      return everyAnswer((response) =>
        withBody(response, (body) =>
          renamedIds(body, () => {
            count += 1;
            return count;
          }),
        ),
      )(next);
    },
  },
  {
    id: 'every-write-405',
    sentence: 'takes no method but GET and HEAD',
    wrap: (next) =>
      changeAnswers(
        isPut,
        async () => new Response('Method Not Allowed', { status: 405, headers: { allow: 'GET, HEAD' } }),
      )(next),
  },
  {
    id: 'every-get-404',
    sentence: 'knows no GET',
    wrap: before(
      () => (request) => (request.method === 'GET' ? new Response('Not Found', { status: 404 }) : undefined),
    ),
  },
  {
    id: 'every-write-unstored',
    sentence: 'answers the second time what it answered the first, for the same method and path',
    wrap: (next) => {
      const known = new Map<string, Response>();
      return async (request) => {
        const key = `${request.method} ${request.url}`;
        const stored = known.get(key);
        if (stored) return stored.clone() as Response;
        const response = await next(request);
        known.set(key, response.clone() as Response);
        return response;
      };
    },
  },
];

/** Returns the document with every `id` and `*_id` replaced by the next number, or by a text with it. */
function renamedIds(body: unknown, count: () => number): unknown {
  return deeply(body, (each) => {
    if (each === null || typeof each !== 'object' || Array.isArray(each)) return each;
    return Object.fromEntries(
      Object.entries(each).map(([key, value]) => {
        if (!/(^|_)id$/.test(key)) return [key, value];
        const n = count();
        return [
          key,
          typeof value === 'number' ? n : `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
        ];
      }),
    );
  });
}

/**
 * Returns the faults that `breaks` names as deviations, with the requirements that each of them breaks in
 * this service. Any other requirement may fail as well, since they affect every answer.
 */
export function sweeping(breaks: Readonly<Record<string, string[]>>): Deviation[] {
  return SWEEPING.filter(({ id }) => Object.hasOwn(breaks, id)).map((each) => ({
    ...each,
    breaks: breaks[each.id] as string[],
    entails: ['*'],
  }));
}
