/** A target that throttles one kind of call for good, and one that does not say for how long. */
import { expect, test } from 'vitest';
import type { Call } from '../../lib/http/client.ts';
import { scriptedClient, triesUntilGivenUp } from '../lib/fakes.ts';

const CALL: Call = { method: 'GET', url: 'http://target.example/thing', purpose: 'ask' };
const THROTTLED = { status: 429, headers: [] };

test('it is tried ever less often, whatever others and refusals are answered', async () => {
  const served = [{ status: 200 }, { status: 401 }];
  const replies = [5, 3, 2].flatMap((count) => [
    ...Array.from({ length: count }, () => THROTTLED),
    ...served,
  ]);
  const client = scriptedClient(...replies);
  const { http } = client;
  const tries: number[] = [];
  for (let call = 0; call < 3; call += 1) {
    tries.push(await triesUntilGivenUp(client, CALL));
    await http.send({ ...CALL, url: 'http://target.example/other' });
    await http.send(CALL);
  }
  expect(tries).toEqual([5, 3, 2]);
});

test('without a time to come back, a rest in real time comes before the last try: no hook may move that clock', async () => {
  const replies = [...Array.from({ length: 4 }, () => THROTTLED), { status: 200 }];
  const { http, waits } = scriptedClient(...replies);
  const rests: number[] = [];
  http.time.rest = async (ms) => {
    rests.push(ms);
  };
  expect((await http.send(CALL)).status).toBe(200);
  expect(waits).toEqual([1_000, 2_000, 4_000]);
  expect(rests).toContain(8_000);
});
