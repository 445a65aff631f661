/** A target that stops answering gets time to come back, and then costs no further waiting. */
import { expect, test } from 'vitest';
import { UnresponsiveTargets } from '../../lib/http/unresponsive-targets.ts';

const ORIGIN = 'http://target.test';
const GONE = `${ORIGIN} stopped answering (connection refused); not asked again`;

function withTargets(): { rests: number[]; silent: UnresponsiveTargets } {
  const rests: number[] = [];
  return {
    rests,
    silent: new UnresponsiveTargets(async (ms) => {
      rests.push(ms);
    }),
  };
}

/** Asks and gets no answer, or is not allowed to ask. */
async function inVain(silent: UnresponsiveTargets): Promise<string | undefined> {
  const reason = await silent.reasonToWithhold(ORIGIN);
  if (reason === undefined) silent.unanswered(ORIGIN, 'connection refused');
  return reason;
}

test('one that never answered is given up after three requests, but for a few probes', async () => {
  const { rests, silent } = withTargets();
  const reasons = [];
  for (let i = 0; i < 100; i += 1) reasons.push(await inVain(silent));
  expect(rests).toEqual([]);
  expect(reasons.slice(0, 4)).toEqual([undefined, undefined, undefined, GONE]);
  expect(reasons.filter((reason) => reason === undefined)).toHaveLength(3 + 3);
});

test('one that answered before is waited for three times, ever longer', async () => {
  const { rests, silent } = withTargets();
  silent.answered(ORIGIN);
  for (let i = 0; i < 6; i += 1) expect(await inVain(silent)).toBeUndefined();
  expect(rests).toEqual([3_000, 6_000, 10_000]);
  expect(await inVain(silent)).toBe(GONE);
});

test('one that came back is waited for again, a minute in all', async () => {
  const { rests, silent } = withTargets();
  for (let outage = 0; outage < 50; outage += 1) {
    silent.answered(ORIGIN);
    for (let i = 0; i < 4; i += 1) await inVain(silent);
  }
  expect(rests).toEqual(Array(20).fill(3_000));
});

test('requests that wait at the same time share one rest', async () => {
  const { rests, silent } = withTargets();
  silent.answered(ORIGIN);
  for (let i = 0; i < 3; i += 1) await inVain(silent);
  const reasons = await Promise.all([1, 2, 3].map(() => silent.reasonToWithhold(ORIGIN)));
  expect(reasons).toEqual([undefined, undefined, undefined]);
  expect(rests).toEqual([3_000]);
});
