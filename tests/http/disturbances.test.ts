/** Whose doing an answer may be: the service's own, or that of something between it and the suite. */
import { expect, test } from 'vitest';
import { Disturbances } from '../../lib/http/disturbances.ts';
import type { Exchange } from '../../lib/model/results.ts';

const HTML = '<html>Sign in</html>';

/** An exchange with this answer, noted. */
function answered(known: Disturbances, path: string, status: number, text: string, method = 'GET'): Exchange {
  const type = text === HTML ? 'text/html' : 'application/json';
  const exchange: Exchange = {
    id: 'x',
    purpose: 'read it',
    startedAt: '2026-01-01T00:00:00Z',
    durationMs: 1,
    request: { method, url: `http://t.example${path}`, headers: [] },
    response: { status, headers: [['content-type', type]], body: { text, bytes: text.length } },
  };
  known.note(exchange);
  return exchange;
}

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

test('pages of HTML that always come with a status, while other requests are served, are the service’s own', () => {
  const known = new Disturbances();
  const pages = times(6, (i) => {
    answered(known, '/others', 200, '{}');
    return answered(known, `/things/${i}`, 404, HTML);
  });
  expect(pages.map((page) => known.doubtOf(page))).toEqual(times(6, () => undefined));
});

test('pages of HTML and statuses that come while nothing is served, at two times, are in doubt', () => {
  const known = new Disturbances();
  for (const [status, text] of [
    [200, HTML],
    [500, '{}'],
  ] as const) {
    const outage = () => times(20, (i) => answered(known, `/things/${i}`, status, text));
    const first = outage();
    answered(known, '/others', 200, '{}');
    for (const each of [...first, ...outage()]) expect(known.doubtOf(each)).toBeDefined();
  }
});

test('pages of HTML that do not come when the request is sent again are in doubt', () => {
  const known = new Disturbances();
  const pages = times(6, (i) => answered(known, `/things/${i}`, 401, HTML));
  answered(known, '/things/3', 200, '{}');
  expect(pages.map((page) => known.doubtOf(page))).toEqual(times(6, () => 'a page of HTML with 401'));
});

test('pages of HTML in the place of another refusal of the same request are in doubt', () => {
  const known = new Disturbances();
  const pages = times(8, () => {
    const page = answered(known, '/calls', 403, HTML, 'POST');
    answered(known, '/calls', 401, '{}', 'POST');
    return page;
  });
  expect(pages.map((page) => known.doubtOf(page))).toEqual(times(8, () => 'a page of HTML with 403'));
});

test('pages of HTML with 200 to a request that was refused before are in doubt', () => {
  const known = new Disturbances();
  const pages = times(8, () => {
    answered(known, '/calls', 401, '{}', 'POST');
    return answered(known, '/calls', 200, HTML, 'POST');
  });
  expect(pages.map((page) => known.doubtOf(page))).toEqual(times(8, () => 'a page of HTML with 200'));
});

test('a success in HTML stays the service’s own where the change is refused later, since it was made', () => {
  const known = new Disturbances();
  const pages = times(6, (i) => {
    answered(known, '/others', 200, '{}');
    const page = answered(known, `/things/${i}`, 200, HTML, 'POST');
    answered(known, `/things/${i}`, 409, '{}', 'POST');
    return page;
  });
  expect(pages.map((page) => known.doubtOf(page))).toEqual(times(6, () => undefined));
});

test('pages of HTML in the place of a 204 now and then are in doubt', () => {
  const known = new Disturbances();
  const pages = times(6, (i) => {
    for (let nth = 0; nth < 5; nth += 1) answered(known, `/things/${i}${nth}`, 204, '');
    answered(known, '/others', 200, '{}');
    return answered(known, `/things/${i}`, 200, HTML);
  });
  expect(pages.map((page) => known.doubtOf(page))).toEqual(times(6, () => 'a page of HTML with 200'));
});

test('JSON after a byte order mark is not in doubt', () => {
  const known = new Disturbances();
  expect(known.doubtOf(answered(known, '/things/1', 200, '\ufeff{}'))).toBeUndefined();
  expect(known.doubtOf(answered(known, '/things/1', 200, '{"a":'))).toBe('JSON that is broken off with 200');
});

test('a 204 has no body, whatever media type it names, and is not in doubt', () => {
  const known = new Disturbances();
  expect(known.doubtOf(answered(known, '/things/1', 204, ''))).toBeUndefined();
  expect(known.doubtOf(answered(known, '/things/1', 200, ''))).toBe('JSON that is broken off with 200');
});
