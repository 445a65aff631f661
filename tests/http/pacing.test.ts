/**
 * Pacing to the rate limit of a token, on a simulated
 * network where time passes only while something is awaited.
 */

import { describe, expect, test } from 'vitest';
import { randomFrom } from '../../lib/check/data.ts';
import { intervalFor, Pacer } from '../../lib/http/pacer.ts';
import { RoundTrips } from '../../lib/http/round-trips.ts';
import type { TargetTime } from '../../lib/http/time.ts';
import { scriptedClient } from '../lib/fakes.ts';

const ORIGIN = 'http://target.example';
const INTERVAL = intervalFor(2);

/** How long one request takes on its way there, at the target and on its way back, in milliseconds. */
interface Journey {
  there: number;
  work: number;
  back: number;
}

/**
 * Returns when the target saw each request arrive and end, and when the last answer arrived, in milliseconds.
 */
async function paced(
  count: number,
  journey: (nth: number) => Journey,
  together = 1,
): Promise<{ came: number[]; ended: number[]; cycles: number[] }> {
  let now = 0;
  const time = {
    elapsed: () => now,
    latest: () => now,
    wait: async (ms: number) => {
      now += Math.ceil(ms);
    },
    whileAnother: <T>(works: Promise<T>) => works,
  };
  const trips = new RoundTrips();
  const pacer = new Pacer(
    time as unknown as TargetTime,
    INTERVAL,
    () => trips.leadMs(ORIGIN),
    () => together,
  );
  const [came, ended, sent]: [number[], number[], number[]] = [[], [], []];
  for (let nth = 0; nth < count; nth += 1) {
    await pacer.run(async () => {
      const { there, work, back } = journey(nth);
      sent.push(now);
      came.push(now + there);
      ended.push(now + there + work);
      now += there + work + back;
      trips.note(ORIGIN, there + work + back);
    });
  }
  return { came, ended, cycles: gaps(sent) };
}

const gaps = (times: readonly number[]) => times.slice(1).map((at, i) => at - times[i]!);

test('with 100 ms of latency a token is used at no more than 1.05 times the interval that its rate allows', async () => {
  const { came, cycles } = await paced(60, () => ({ there: 49, work: 3, back: 49 }));
  const settled = cycles.slice(20);
  expect(settled.reduce((a, b) => a + b) / settled.length).toBeLessThanOrEqual(500 * 1.05);
  expect(Math.min(...gaps(came))).toBeGreaterThanOrEqual(500);
});

describe('the target never sees two requests of a token within half a second', () => {
  const seeds = Array.from({ length: 20 }, (_, i) => i + 1);

  test.each(seeds)('where ways and work take longer at times (%i)', async (seed) => {
    const random = randomFrom(seed);
    const slow = () => (random() < 0.2 ? random() * 900 : random() * 3);
    const journey = () => ({ there: 50 + slow(), work: 5 + slow(), back: 50 + slow() });
    const { came, ended } = await paced(400, journey);
    expect(Math.min(...gaps(came), ...gaps(ended))).toBeGreaterThanOrEqual(500);
  });

  test.each(seeds)('where each way takes another time (%i)', async (seed) => {
    const random = randomFrom(seed);
    const jitter = () => random() * 150;
    const journey = () => ({ there: 30 + jitter(), work: 2, back: 30 + jitter() });
    const { came, ended } = await paced(400, journey);
    expect(Math.min(...gaps(came), ...gaps(ended))).toBeGreaterThanOrEqual(500);
  });

  test('where connections are opened first', async () => {
    const { came } = await paced(200, (nth) => ({ there: nth % 9 === 0 ? 150 : 50, work: 1, back: 50 }));
    expect(Math.min(...gaps(came))).toBeGreaterThanOrEqual(500);
  });
});

describe('where two requests may come together, the target never sees three of a token within a second', () => {
  const overTwo = (times: readonly number[]) => times.slice(2).map((at, i) => at - times[i]!);

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('where ways and work take longer at times (%i)', async (seed) => {
    const random = randomFrom(seed);
    const slow = () => (random() < 0.2 ? random() * 900 : random() * 3);
    const journey = () => ({ there: 50 + slow(), work: 5 + slow(), back: 50 + slow() });
    const { came, ended } = await paced(400, journey, 2);
    expect(Math.min(...overTwo(came), ...overTwo(ended))).toBeGreaterThanOrEqual(1_000);
    expect(Math.min(...gaps(came))).toBeLessThan(200);
  });
});

test('the answer counts as long as few round trips are known', async () => {
  const trips = new RoundTrips();
  for (let nth = 0; nth < 11; nth += 1) trips.note(ORIGIN, 100);
  expect(trips.leadMs(ORIGIN)).toBe(0);
  trips.note(ORIGIN, 100);
  expect(trips.leadMs(ORIGIN)).toBe(100);
  expect(trips.leadMs('http://other.example')).toBe(0);
});

const CALL = { method: 'GET', url: `${ORIGIN}/things`, purpose: 'list' };

test('the answer counts from then on where a paced request is throttled, and the request is sent again', async () => {
  const { http, sent } = scriptedClient({ status: 429, headers: [['retry-after', '1']] }, {});
  for (let nth = 0; nth < 40; nth += 1) http.roundTrips.note(ORIGIN, 100);
  expect(http.roundTrips.leadMs(ORIGIN)).toBe(100);
  expect((await http.send(CALL)).status).toBe(200);
  expect(sent).toHaveLength(2);
  for (let nth = 0; nth < 40; nth += 1) http.roundTrips.note(ORIGIN, 100);
  // The clock of the limiter may be coarse, so that a full interval would be too short.
  expect(http.roundTrips.leadMs(ORIGIN)).toBeLessThan(0);
});

test('throttling that a check asks for changes nothing', async () => {
  const { http } = scriptedClient({ status: 429, simulatedMs: 100 });
  for (let nth = 0; nth < 40; nth += 1) http.roundTrips.note(ORIGIN, 100);
  await http.send({ ...CALL, throttled: 'answer' });
  expect(http.roundTrips.leadMs(ORIGIN)).toBe(100);
});

test('a request that is sent again keeps to the rate of its credentials, and others are not delayed', async () => {
  const { http } = scriptedClient({});
  const waits: number[] = [];
  const time = { elapsed: () => 0, latest: () => 0, wait: async (ms: number) => void waits.push(ms) };
  const whileAnother = <T>(works: Promise<T>) => works;
  http.pacers.set('Bearer a', new Pacer({ ...time, whileAnother } as unknown as TargetTime, INTERVAL));
  const again = (authorization: string) =>
    http.sendPaced({ method: 'GET', url: ORIGIN, purpose: 'read again', headers: { authorization } });
  await again('Bearer a');
  await again('Bearer b');
  expect(waits).toEqual([]);
  await again('Bearer a');
  expect(waits).toEqual([INTERVAL]);
});
