/** What the checks of a run share: made once, made again where it was left undecided, put back at the end. */
import { randomUUID } from 'node:crypto';
import { faker } from '@faker-js/faker/locale/en';
import { describe, expect, test } from 'vitest';
import { seeded } from '../../lib/check/data.ts';
import { ForeignThing } from '../../lib/check/journal/foreign-thing.ts';
import { type RunInput, Session } from '../../lib/check/session.ts';
import { Blocked, Undecided } from '../../lib/model/verdict.ts';

const input = (): RunInput => ({
  runId: randomUUID(),
  target: { name: 'none', embedded: false, hooks: {} },
  options: { suites: [], grep: [], effects: ['read'], maxWaitMs: 0, timeoutMs: 1, seed: 1, strict: false },
});

describe('what is made once', () => {
  test('is the same for every caller, also at the same time', async () => {
    const session = await Session.open(input());
    let made = 0;
    const make = async () => {
      made += 1;
      return {};
    };
    const [first, second] = await Promise.all([session.once('a', make), session.once('a', make)]);
    expect(first).toBe(second);
    expect(await session.once('a', make)).toBe(first);
    expect(await session.once('b', make)).not.toBe(first);
    expect(made).toBe(2);
  });

  test('fails alike for every caller, unless it was left undecided', async () => {
    const session = await Session.open(input());
    let tried = 0;
    const blocked = () => session.once('a', async () => Promise.reject(new Blocked(`try ${++tried}`)));
    await expect(blocked()).rejects.toThrow('try 1');
    await expect(blocked()).rejects.toThrow('try 1');

    let asked = 0;
    const unsteady = () =>
      session.once('b', async () => {
        asked += 1;
        if (asked === 1) throw new Undecided('reset');
        return 'made';
      });
    await expect(unsteady()).rejects.toThrow('reset');
    expect(await unsteady()).toBe('made');
  });
});

describe('the end of a session', () => {
  test('ends what tells checks side by side apart, which slows down every promise', async () => {
    const session = await Session.open(input());
    const { recorder } = session.http;
    recorder.useLanes();
    await recorder.inCheck('a check', async () => {
      expect(recorder.scope.key).toBe('a check');
      await session.close();
      expect(recorder.scope.key).toBe('');
    });
  });

  test('puts back what was changed, last first, and tells what it could not', async () => {
    const session = await Session.open(input());
    const done: string[] = [];
    session.onUndo(async () => void done.push('what all need'), 'last');
    session.onUndo(async () => void done.push('first'));
    session.onUndo(async () => Promise.reject(new Error('it is locked')));
    session.onUndo(async () => void done.push('last'));
    session.onClose(async () => void done.push('closed'));
    expect(await session.close()).toEqual(['it is locked']);
    expect(done).toEqual(['last', 'first', 'what all need', 'closed']);
  });

  test('stops at the first thing that the run did not make', async () => {
    const session = await Session.open(input());
    const done: string[] = [];
    session.onUndo(async () => void done.push('first'));
    session.onUndo(async () => Promise.reject(new ForeignThing('not ours')));
    session.onClose(async () => void done.push('closed'));
    expect(await session.close()).toEqual(['not ours']);
    expect(done).toEqual(['closed']);
  });

  test('comes in bounded time, and says so', async () => {
    const session = await Session.open(input());
    session.onUndo(() => new Promise(() => {}));
    expect(await session.close(1)).toEqual(['putting things back was given up after 0 s']);
  });
});

test('test data depend on the seed and on the check, not on what was asked for before', () => {
  const word = (seed: number, check: string) => seeded(faker, seed, check).string.alphanumeric(20);
  const first = word(1, 'A-ONE');
  expect(word(1, 'A-TWO')).not.toBe(first);
  expect(word(2, 'A-ONE')).not.toBe(first);
  expect(word(1, 'A-ONE')).toBe(first);
});
