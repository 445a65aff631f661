/** A disk that fills while the journal is written: whole lines or none, and nothing is made that is not recorded. */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { CheckContext } from '../../lib/check/context.ts';
import { type JournalPlace, readJournal } from '../../lib/check/journal/journal.ts';
import { StateFolder } from '../../lib/check/journal/state-folder.ts';
import { Session } from '../../lib/check/session.ts';
import { Undecided } from '../../lib/model/verdict.ts';
import { identityOf, loadCleanups, placeFor } from '../../lib/run/cleanups.ts';
import { AddressBook } from '../../services/shipping/api/addresses.ts';
import { aTarget, clean, OPTIONS } from './cleaning-target.ts';
import { temporaryFolder } from './conform.ts';

/** How many bytes still fit on the disk that journals and the key are on. */
const disk = vi.hoisted(() => ({ free: Number.POSITIVE_INFINITY }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    writeFileSync(file: number | string, text: string, options?: object) {
      const isOnDisk = typeof file === 'number' || basename(file).startsWith('key');
      if (!isOnDisk) return fs.writeFileSync(file, text, options);
      const bytes = Buffer.from(text);
      const fits = bytes.subarray(0, disk.free);
      disk.free -= fits.length;
      fs.writeFileSync(file, fits, options);
      if (fits.length < bytes.length)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    },
  };
});

beforeEach(() => {
  disk.free = Number.POSITIVE_INFINITY;
});

async function running() {
  const target = await aTarget();
  const state = new StateFolder(join(temporaryFolder(), 'state'));
  const runId = randomUUID();
  const identity = identityOf(target.target, await loadCleanups(), state);
  const place: JournalPlace = placeFor(runId, target.target, identity, state);
  place.header.owner.started = 'an earlier boot 1';
  const session = await Session.open({ runId, target: target.target, options: OPTIONS, journal: place });
  return { target, state, session, book: new AddressBook(new CheckContext(session, [], 'a check')), place };
}

test('in the middle of a line: the line is not there, nothing is made, and it is said', async () => {
  const { target, state, session, book, place } = await running();
  await book.create();
  const [before, labels] = [readFileSync(place.file, 'utf8'), await target.labels()];
  disk.free = 40;
  await expect(book.create()).rejects.toThrow(Undecided);
  await expect(book.create()).rejects.toThrow(/that the journal cannot tell of: .*ENOSPC/);
  expect(readFileSync(place.file, 'utf8')).toBe(before);
  expect(await target.labels()).toEqual(labels);
  expect((await session.close()).join()).toContain(
    `the journal could not be written (ENOSPC: no space left on device, write), so it does not tell everything that the run made: ${place.file}`,
  );
  expect(await target.labels()).toEqual([]);
  // What was undone could not be noted, and is looked for once more.
  expect(readJournal(place.file)).toMatchObject({ damaged: 0 });
  disk.free = Number.POSITIVE_INFINITY;
  expect(await clean(target, state)).toMatchObject({ left: [] });
  expect(existsSync(place.file)).toBe(false);
});

test('before the first line: there is no journal, and nothing is made', async () => {
  const { target, session, book, place } = await running();
  disk.free = 100;
  await expect(book.create()).rejects.toThrow(Undecided);
  expect(existsSync(place.file)).toBe(false);
  expect(await target.labels()).toEqual([]);
  disk.free = Number.POSITIVE_INFINITY;
  await book.create();
  expect(readJournal(place.file)).toMatchObject({ damaged: 0 });
  expect((await session.close()).join()).toContain('could not be written');
});

test('an answer that cannot be noted does not end a check: its entry is open, and found by the mark', async () => {
  const { target, state, session, book, place } = await running();
  const { id } = await book.create();
  disk.free = 0;
  await book.remove(id);
  disk.free = Number.POSITIVE_INFINITY;
  expect(readJournal(place.file)!.open.length).toBeGreaterThan(0);
  expect(await session.close()).toHaveLength(1);
  expect(await clean(target, state)).toMatchObject({ left: [] });
});

test('cleaning that cannot note what it undid says so, and keeps the journal', async () => {
  const { target, state, book, place } = await running();
  await book.create();
  disk.free = 0;
  expect((await clean(target, state)).left.join()).toContain('could not be written');
  expect(await target.labels()).toEqual([]);
  expect(existsSync(place.file)).toBe(true);
});

test('in the middle of the key: there is no key, and the next run makes one', () => {
  const folder = join(temporaryFolder(), 'state');
  disk.free = 10;
  expect(() => new StateFolder(folder).digest('a secret')).toThrow(/key: cannot be written \(ENOSPC/);
  expect(readdirSync(folder)).toEqual(['journals']);
  disk.free = Number.POSITIVE_INFINITY;
  const digest = new StateFolder(folder).digest('a secret');
  expect(new StateFolder(folder).digest('a secret')).toBe(digest);
  expect(readdirSync(folder)).toEqual(['journals', 'key']);
});
