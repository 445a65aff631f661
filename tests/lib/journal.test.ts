/** What is still to be undone, as the journal on disk says, however the run ended. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Journal, openEntries } from '../../lib/check/journal.ts';
import { temporaryFolder } from './conform.ts';

const file = (): string => join(temporaryFolder(), 'deep', 'journal.jsonl');

test('an entry is on disk as soon as it is opened, before anything else happens', () => {
  const path = file();
  const journal = new Journal(path);
  expect(existsSync(path)).toBe(false);
  journal.open('address', { alias: 'a' });
  expect(readFileSync(path, 'utf8')).toBe('{"do":"open","n":1,"kind":"address","detail":{"alias":"a"}}\n');
});

test('what was not done is open, newest first, with what was noted since', () => {
  const path = file();
  const journal = new Journal(path);
  const [first, second, third] = [1, 2, 3].map((i) => journal.open('address', { alias: `a${i}` }));
  journal.note(first!, { id: 'id-1' });
  journal.done(second!);
  journal.note(third!, { id: 'id-3', alias: 'changed' });
  expect(openEntries(path)).toEqual([
    { n: 3, kind: 'address', detail: { alias: 'changed', id: 'id-3' } },
    { n: 1, kind: 'address', detail: { alias: 'a1', id: 'id-1' } },
  ]);
});

test('a last line that was cut short is ignored', () => {
  const path = file();
  const journal = new Journal(path);
  const n = journal.open('address', { alias: 'a' });
  appendFileSync(path, `{"do":"done","n":${n}`);
  expect(openEntries(path)).toEqual([{ n, kind: 'address', detail: { alias: 'a' } }]);
});

test('a journal that goes on after a cut line loses nothing that came after it', () => {
  const path = file();
  const before = new Journal(path);
  before.open('address', { alias: 'a' });
  appendFileSync(path, '{"do":"note","n":1,"det');
  const undoing = new Journal(path);
  undoing.done(1);
  expect(openEntries(path)).toEqual([]);
});

test('a journal that is continued does not use a number twice', () => {
  const path = file();
  new Journal(path).open('address', { alias: 'a' });
  const next = new Journal(path).open('address', { alias: 'b' });
  new Journal(path).done(next);
  expect(openEntries(path).map((entry) => entry.detail)).toEqual([{ alias: 'a' }]);
});

test('notes about what is not open are harmless, and a missing file is an empty journal', () => {
  const path = file();
  expect(openEntries(path)).toEqual([]);
  const journal = new Journal(path);
  journal.note(9, { id: 'x' });
  journal.done(9);
  expect(openEntries(path)).toEqual([]);
});

test('without a file it only counts', () => {
  const journal = new Journal(undefined);
  expect([journal.open('a', {}), journal.open('a', {})]).toEqual([1, 2]);
  journal.done(1);
});
