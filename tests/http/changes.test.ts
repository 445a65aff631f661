/** Tests which request a failure names as the cause of what a read shows. */
import { expect, test } from 'vitest';
import { Answer } from '../../lib/http/answer.ts';
import { Changes } from '../../lib/http/changes.ts';
import { answerOf } from '../lib/fakes.ts';

function sent(method: string, path: string, status: number): Answer {
  const { exchange } = answerOf(status, '{}');
  const request = { ...exchange.request, method, url: `http://a.test${path}` };
  return new Answer({ ...exchange, id: `x${method}${status}`, request }, status, '{}');
}

/** The id of the request that is named as the cause for a read. */
function before(read: Answer): string | undefined {
  return read.cause?.id;
}

test('a refused change may nevertheless have changed something', () => {
  const changes = new Changes();
  changes.note(sent('PATCH', '/things/1', 422));
  expect(before(changes.note(sent('GET', '/things/1?x=1', 200)))).toBe('xPATCH422');
});

test('a POST for which there is no operation changed nothing', () => {
  const changes = new Changes();
  for (const status of [404, 405]) changes.note(sent('POST', '/things/1', status));
  expect(before(changes.note(sent('GET', '/things', 200)))).toBeUndefined();
  changes.note(sent('POST', '/things/1', 202));
  expect(before(changes.note(sent('GET', '/things', 200)))).toBe('xPOST202');
});
