import { expect, test } from 'vitest';
import { valueAt } from '../../lib/http/answer.ts';
import { isJson, parseJson } from '../../lib/http/parse-once.ts';
import { answerOf } from '../lib/fakes.ts';

test('an answer is a success for every 2xx and for nothing else', () => {
  expect([199, 200, 204, 299, 300, 302, 400, 500].filter((status) => answerOf(status, '').ok)).toEqual([
    200, 204, 299,
  ]);
});

test('headers are found whatever their case, with all their values', () => {
  const answer = answerOf(200, '', [
    ['Retry-After', '1'],
    ['retry-after', '2'],
  ]);
  expect(answer.header('RETRY-AFTER')).toEqual(['1', '2']);
  expect(answer.header('etag')).toEqual([]);
});

test('a body that is not JSON has no values', () => {
  for (const text of ['', '<html>', '{"a":', 'undefined']) {
    expect(answerOf(200, text).json).toBeUndefined();
    expect(answerOf(200, text).at('/a')).toBeUndefined();
  }
  expect(answerOf(200, 'null').json).toBeNull();
});

test('a JSON pointer names a value, its parts escaped as RFC 6901 has it', () => {
  const value = { data: [{ 'a/b': 1, 'c~d': null }], '': 0 };
  expect(valueAt(value, '')).toBe(value);
  expect(valueAt(value, '/data/0/a~1b')).toBe(1);
  expect(valueAt(value, '/data/0/c~0d')).toBeNull();
  expect(valueAt(value, '/')).toBe(0);
  for (const pointer of ['/data/1', '/data/0/a/b', '/data/length/x', '/nothing'])
    expect(valueAt(value, pointer)).toBeUndefined();
});

test('an inherited property of objects is not a value of the body', () => {
  expect(valueAt({}, '/constructor')).toBeUndefined();
  expect(valueAt({}, '/__proto__/toString')).toBeUndefined();
  expect(valueAt('text', '/length')).toBeUndefined();
});

test('a body that was seen to be JSON is parsed once, and two answers with the same body share nothing', () => {
  const text = '{"a":{"b":1}}';
  expect(isJson(text)).toBe(true);
  const [one, other] = [answerOf(200, text), answerOf(200, text)];
  expect(one.json).toEqual({ a: { b: 1 } });
  expect(other.json).toEqual(one.json);
  expect(other.json).not.toBe(one.json);
  expect(isJson('{"a":')).toBe(false);
  expect(() => parseJson('{"a":')).toThrow(SyntaxError);
});
