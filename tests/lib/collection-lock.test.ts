/** What may not happen at the same time is kept apart where it happens. */
import { expect, test } from 'vitest';
import { CollectionLock } from '../../lib/check/collection-lock.ts';

/** Lets everything that can go on do so. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A lock, who has passed it in which order, and what lets each of them go on. */
function watchedGate() {
  const lock = new CollectionLock();
  const log: string[] = [];
  const ends: Record<string, () => void> = {};
  const pass = (use: 'change' | 'still' | 'alone', name: string) =>
    lock[use](() => {
      log.push(name);
      return new Promise<void>((end) => {
        ends[name] = end;
      });
    });
  return { pass, log, ends };
}

test('a lock lets changes pass together, and nothing while something is looked at', async () => {
  const { pass, log, ends } = watchedGate();
  const all = [pass('change', 'a'), pass('change', 'b'), pass('still', 'c'), pass('change', 'd')];
  await turn();
  expect(log).toEqual(['a', 'b']);
  ends.a?.();
  await turn();
  expect(log).toEqual(['a', 'b']);
  ends.b?.();
  await turn();
  expect(log).toEqual(['a', 'b', 'c']);
  ends.c?.();
  await turn();
  expect(log).toEqual(['a', 'b', 'c', 'd']);
  ends.d?.();
  await Promise.all(all);
});

test('a lock lets those who look pass together, and one who has it alone by itself', async () => {
  const { pass, log, ends } = watchedGate();
  const all = [pass('still', 'a'), pass('still', 'b'), pass('alone', 'c'), pass('alone', 'd')];
  await turn();
  expect(log).toEqual(['a', 'b']);
  ends.a?.();
  ends.b?.();
  await turn();
  expect(log).toEqual(['a', 'b', 'c']);
  ends.c?.();
  await turn();
  expect(log).toEqual(['a', 'b', 'c', 'd']);
  ends.d?.();
  await Promise.all(all);
});
