/** Requests that do not depend on each other go out together. */
import { describe, expect, test } from 'vitest';
import { open, turn } from './side-by-side.ts';

describe('things that do not depend on each other', () => {
  /** Works that note when they begin and end, and take a turn of the event loop. */
  const works = (log: string[], count: number) =>
    Array.from({ length: count }, (_, i) => async () => {
      log.push(`+${i}`);
      await turn();
      log.push(`-${i}`);
      return i;
    });

  test('are done one after the other where one check runs at a time', async () => {
    const log: string[] = [];
    expect(await (await open()).together(works(log, 3))).toEqual([0, 1, 2]);
    expect(log).toEqual(['+0', '-0', '+1', '-1', '+2', '-2']);
  });

  test('are done as many at once as there are lanes, and given in their order', async () => {
    const session = await open();
    session.atOnce = 2;
    const log: string[] = [];
    expect(await session.together(works(log, 3))).toEqual([0, 1, 2]);
    expect(log).toEqual(['+0', '+1', '-0', '-1', '+2', '-2']);
  });

  test('throw what the first of them threw, once all that were begun have ended', async () => {
    const session = await open();
    session.atOnce = 3;
    const log: string[] = [];
    const [first, second] = works(log, 2) as [() => Promise<number>, () => Promise<number>];
    const fail = (why: string) => async () => {
      throw new Error(why);
    };
    const all = session.together([first, fail('one'), fail('two'), second]);
    await expect(all).rejects.toThrow('one');
    expect(log).toEqual(['+0', '-0']);
  });

  test('nothing is nothing', async () => {
    expect(await (await open()).together([])).toEqual([]);
  });
});
