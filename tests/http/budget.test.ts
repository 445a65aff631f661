import { expect, test } from 'vitest';
import { Budget } from '../../lib/http/budget.ts';
import { HttpClient } from '../../lib/http/client.ts';
import { Skipped } from '../../lib/model/verdict.ts';

const CALL = { method: 'GET', url: 'http://target.example/thing', purpose: 'ask' };

function clientWith(maxRequests: number): HttpClient {
  const answer = { status: 200, headers: [], text: '', bytes: 0 };
  const transport = { send: async () => answer, close: async () => {} };
  return new HttpClient(transport, { timeoutMs: 1_000, maxRequests });
}

test('when the requests are used up none is sent, with that reason, and what rests on it was cut short', async () => {
  const http = clientWith(2);
  await http.recorder.inCheck('A', async () => {
    await http.send(CALL);
    await http.send(CALL);
    expect(http.recorder.scope.cutShort).toBe(false);
    await expect(http.send(CALL)).rejects.toEqual(
      new Skipped('the 2 requests of this run are used up; allow more with --max-requests'),
    );
    expect(http.recorder.scope.cutShort).toBe(true);
  });
  expect(http.recorder.count).toBe(2);
});

test('requests are kept back for cleaning up', async () => {
  const http = clientWith(3);
  await http.send(CALL);
  http.reserved = () => 2;
  await expect(http.send(CALL)).rejects.toBeInstanceOf(Skipped);
  http.reserved = () => 1;
  await http.send(CALL);
  expect(http.recorder.count).toBe(2);
});

test('what was made is removed all the same, and the requests for it are counted', async () => {
  const http = clientWith(1);
  await http.send(CALL);
  expect(http.undoing).toBe(0);
  http.beginUndoing();
  expect((await http.send(CALL)).status).toBe(200);
  await http.send(CALL);
  expect(http.undoing).toBe(2);
});

test('requests of the preflight count, and the whole number is named', () => {
  const budget = new Budget({ maxRequests: 60, sentBefore: 48 });
  expect(budget.spent(11)).toBeUndefined();
  expect(budget.spent(12)).toBe(
    'the 60 requests of this run are used up, 48 of them by the preflight; allow more with --max-requests',
  );
});

test('time runs out as well', () => {
  expect(new Budget({ maxTimeMs: 0 }).spent(0)).toBe(
    'the 0 s of this run are over; allow more with --max-time',
  );
  expect(new Budget({}).spent(1_000_000)).toBeUndefined();
});
