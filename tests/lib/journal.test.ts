/** What is still to be undone, as the journal on disk says, however the run ended. */
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FORMAT, type JournalHeader, markOfRun } from '../../lib/check/journal/format.ts';
import { Journal, type JournalPlace, readJournal } from '../../lib/check/journal/journal.ts';
import { thisProcess } from '../../lib/check/journal/process.ts';
import { toldOf } from '../../lib/run/run-journal.ts';
import { temporaryFolder } from './conform.ts';

function place(): JournalPlace {
  const run = randomUUID();
  const header: JournalHeader = {
    format: FORMAT,
    run,
    at: 'now',
    target: 'a',
    owner: thisProcess(),
    mark: markOfRun(run),
    services: { shipping: { baseUrl: 'https://a.example', accounts: { first: 'id-1', second: 'id-2' } } },
  };
  return { file: join(temporaryFolder(), `${run}.jsonl`), header };
}

const KIND = 'shipping.address';
const FIRST = { account: 'first' };
const details = (file: string) => readJournal(file)?.open.map(({ detail }) => detail);

test('an entry is on disk as soon as it is opened, after a line that says whose it is', () => {
  const { file, header } = place();
  const journal = new Journal({ file, header });
  expect(existsSync(file)).toBe(false);
  journal.open(KIND, { alias: 'a' }, { account: 'second' });
  expect(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    header,
    { do: 'open', n: 1, kind: KIND, account: 'second', mark: header.mark, detail: { alias: 'a' } },
  ]);
  expect(statSync(file).mode & 0o077).toBe(0);
});

test('what was not done is open, newest first, with what was noted since', () => {
  const { file, header } = place();
  const journal = new Journal({ file, header });
  const [first, second, third] = [1, 2, 3].map((i) => journal.open(KIND, { alias: `a${i}` }, FIRST));
  journal.note(first!, { id: 'id-1' });
  journal.done(second!);
  journal.note(third!, { id: 'id-3', alias: 'changed' });
  expect(readJournal(file)).toMatchObject({
    header,
    damaged: 0,
    open: [
      { n: 3, kind: KIND, account: 'first', detail: { alias: 'changed', id: 'id-3' } },
      { n: 1, kind: KIND, account: 'first', detail: { alias: 'a1', id: 'id-1' } },
    ],
  });
});

test('a last line that was cut short is no damage, and what comes after it is not lost', () => {
  const { file, header } = place();
  const n = new Journal({ file, header }).open(KIND, { alias: 'ä' }, FIRST);
  appendFileSync(file, `{"do":"done","n":${n}`);
  expect(readJournal(file)).toMatchObject({ damaged: 0, open: [{ n }] });
  const next = new Journal({ file, header });
  expect(next.open(KIND, {}, FIRST)).toBe(n + 1);
  next.done(n);
  expect(readJournal(file)).toMatchObject({ damaged: 0, open: [{ n: n + 1 }] });
});

describe('lines that do not belong there are counted, and not believed', () => {
  const open = { do: 'open', n: 7, kind: KIND, account: 'first', detail: {} };
  test.each([
    ['no JSON', 'no JSON'],
    ['no object', '[]'],
    ['another mark', JSON.stringify({ ...open, mark: 'cf' })],
    ['an empty mark', JSON.stringify({ ...open, mark: '' })],
    ['an account that the header does not name', JSON.stringify({ ...open, account: 'third' })],
    ['a member of every object for an account', JSON.stringify({ ...open, account: 'constructor' })],
    ['a service that the header does not name', JSON.stringify({ ...open, kind: 'caches.limit' })],
    ['a number that is none', JSON.stringify({ ...open, n: '1' })],
    ['no detail', JSON.stringify({ ...open, detail: null })],
    ['the end of an entry that was never opened', '{"do":"done","n":9}'],
    ['a note about an entry that was never opened', '{"do":"note","n":9,"detail":{}}'],
    [
      'a number that another entry has',
      '{"do":"open","n":1,"kind":"shipping.address","account":"first","detail":{}}',
    ],
  ])('%s', (_, line) => {
    const { file, header } = place();
    new Journal({ file, header }).open(KIND, { alias: 'a' }, FIRST);
    appendFileSync(
      file,
      `${line.replace('"detail"', `${line.includes('"mark"') ? '' : `"mark":"${header.mark}",`}"detail"`)}\n`,
    );
    expect(readJournal(file)).toMatchObject({ damaged: 1 });
    expect(details(file)).toEqual([{ alias: 'a' }]);
  });

  test.each([
    ['is no JSON', () => 'no JSON'],
    ['has a mark of its own choice', (header: object) => JSON.stringify({ ...header, mark: 'cf' })],
    ['has an empty mark', (header: object) => JSON.stringify({ ...header, mark: '' })],
    ['is of another format', (header: object) => JSON.stringify({ ...header, format: 'other' })],
    ['names no process', (header: object) => JSON.stringify({ ...header, owner: {} })],
    [
      'says nothing of accounts',
      (header: object) => JSON.stringify({ ...header, services: { shipping: {} } }),
    ],
  ])('a header that %s binds nothing', (_, text) => {
    const { file, header } = place();
    new Journal({ file, header }).open(KIND, { alias: 'a' }, FIRST);
    const [, line] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, `${text(header)}\n${line}\n`);
    expect(readJournal(file)).toEqual({ file, header: undefined, open: [], damaged: 2 });
  });
});

test('a missing or empty file is no journal', () => {
  const { file, header } = place();
  expect(readJournal(file)).toBeUndefined();
  writeFileSync(file, '');
  expect(readJournal(file)).toBeUndefined();
  new Journal({ file, header }).done(new Journal({ file, header }).open(KIND, {}, FIRST));
  expect(readJournal(file)).toMatchObject({ open: [], damaged: 0 });
});

test('without a place it only counts', () => {
  const journal = new Journal(undefined);
  expect([journal.open('a.b', {}, FIRST), journal.open('a.b', {}, FIRST)]).toEqual([1, 2]);
  journal.done(1);
});

test('marks are as random as the ids of runs', () => {
  const marks = new Set(Array.from({ length: 100 }, () => markOfRun(randomUUID())));
  expect(marks.size).toBe(100);
  for (const mark of marks) expect(mark).toMatch(/^cf[a-z2-9]{13}$/);
});

test('a run names one journal that is none of its business, and only counts several', () => {
  const undone = { undone: 0, left: [], withheld: [], stays: [], stopped: false };
  expect(toldOf({ ...undone, others: ['one'] })).toEqual(['one']);
  expect(toldOf({ ...undone, others: ['one', 'two'] })).toEqual([
    '2 journals of other targets or of runs under way are left alone; conform clean names them',
  ]);
});
