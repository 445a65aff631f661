/** Tests what counts as looked at in an answer, and when two answers are the same for whoever looked. */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { Answer } from '../../lib/http/answer.ts';
import { Comparison, type Look } from '../../lib/http/looks.ts';
import type { HeaderPair } from '../../lib/model/results.ts';
import { answerOf } from '../lib/fakes.ts';

const JSON_TYPE: HeaderPair[] = [['content-type', 'application/json']];
const BODY = '{"data":[{"id":"a","name":"one","note":null}],"meta":{"total":1}}';

/** Returns what `look` looks at in an answer. */
function looksOf(look: (answer: Answer) => unknown, text = BODY, headers = JSON_TYPE): Look[] {
  const looks = new Set<Look>();
  const { exchange } = answerOf(200, text, headers);
  look(new Answer(exchange, 200, text, (each) => looks.add(each)));
  return [...looks];
}

/**
 * Whether an answer with this body is the same as the one with `BODY` for everything that `look` looks at.
 */
function isAlike(
  look: (answer: Answer) => unknown,
  text: string,
  status = 200,
  headers = JSON_TYPE,
): boolean {
  const before = { status: 200, headers: JSON_TYPE, text: BODY };
  return new Comparison(before, { status, headers, text }).isAlike(looksOf(look));
}

const firstId = (answer: Answer) => answer.at('/data/0/id');
const nothing = () => {};

test('what is looked at is noted, by its pointer or its name', () => {
  expect(looksOf(firstId)).toContain('value /data/0/id');
  expect(looksOf(firstId)).not.toContain('value /data/0/name');
  expect(looksOf((answer) => answer.text)).toEqual(['text']);
  expect(looksOf((answer) => answer.header('Location'))).toEqual(['header location']);
  expect(looksOf((answer) => answer.headers)).toEqual(['headers']);
  expect(looksOf((answer) => answer.status)).toEqual([]);
});

test('a document that is watched is still the document', () => {
  const plain = JSON.parse(BODY);
  looksOf(({ json }) => {
    expect(JSON.stringify(json)).toBe(BODY);
    expect(isDeepStrictEqual(structuredCloneOf(json), plain)).toBe(true);
    expect(json).toEqual(plain);
    const { data } = json as { data: { id: string }[] };
    expect(Array.isArray(data)).toBe(true);
    expect(data.map(({ id }) => id)).toEqual(['a']);
    expect(data[0]).toBe((json as { data: unknown[] }).data[0]);
    expect({ ...data[0] }).toEqual(plain.data[0]);
  });
});

const structuredCloneOf = (value: unknown) => JSON.parse(JSON.stringify(value));

test('what was not looked at may be another, what was looked at may not', () => {
  expect(isAlike(firstId, BODY.replace('one', 'two'))).toBe(true);
  expect(isAlike(firstId, BODY.replace('"a"', '"b"'))).toBe(false);
  expect(isAlike(firstId, BODY.replace('"id":"a",', ''))).toBe(false);
  expect(isAlike(firstId, '{"data":{"0":{"id":"a"}},"meta":{"total":1}}')).toBe(false);
});

test('that something is not there is looked at, too', () => {
  const look = (answer: Answer) => [answer.at('/more'), Object.hasOwn(answer.json as object, 'further')];
  expect(isAlike(look, BODY.replace('{"data"', '{"other":1,"data"'))).toBe(true);
  expect(isAlike(look, BODY.replace('{"data"', '{"more":1,"data"'))).toBe(false);
  expect(isAlike(look, BODY.replace('{"data"', '{"further":1,"data"'))).toBe(false);
});

test.for<[string, (answer: Answer) => unknown]>([
  ['keys', ({ json }) => Object.keys((json as { meta: object }).meta)],
  ['entries', ({ json }) => Object.entries((json as { meta: object }).meta)],
  [
    'a loop',
    ({ json }) => {
      for (const key in (json as { meta: object }).meta) expect(key).toBe('total');
    },
  ],
  ['the text of it', ({ json }) => JSON.stringify(json)],
])('who looks at all members sees one more: %s', ([, look]) => {
  expect(isAlike(look, BODY.replace('"total":1', '"total":1,"pages":1'))).toBe(false);
  expect(isAlike(look, BODY)).toBe(true);
});

test('who goes through a list sees one more item', () => {
  const look = ({ json }: Answer) => [...(json as { data: unknown[] }).data];
  expect(isAlike(look, BODY.replace('"note":null}', '"note":null},{}'))).toBe(false);
});

test('status, media type and whether it is JSON count for all', () => {
  expect(isAlike(nothing, '{"other":1}')).toBe(true);
  expect(isAlike(nothing, BODY, 201)).toBe(false);
  expect(isAlike(nothing, BODY, 200, [['Content-Type', 'text/html']])).toBe(false);
  expect(isAlike(nothing, BODY.slice(1))).toBe(false);
  expect(isAlike(nothing, '[1]')).toBe(false);
  expect(isAlike(nothing, '['.repeat(300) + ']'.repeat(300))).toBe(false);
});

test('headers count for who looks at them', () => {
  const more: HeaderPair[] = [...JSON_TYPE, ['link', '<a>']];
  expect(isAlike(nothing, BODY, 200, more)).toBe(true);
  expect(isAlike((answer) => answer.header('etag'), BODY, 200, more)).toBe(true);
  expect(isAlike((answer) => answer.header('Link'), BODY, 200, more)).toBe(false);
  expect(isAlike((answer) => answer.headers, BODY, 200, more)).toBe(false);
});
