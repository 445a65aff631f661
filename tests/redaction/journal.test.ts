/** Even where a target puts part of a secret into an id or a name, no line of the journal shows it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FORMAT, markOfRun } from '../../lib/check/journal/format.ts';
import { Session } from '../../lib/check/session.ts';
import { temporaryFolder } from '../lib/conform.ts';

it('a secret that came back as an id is a label in the journal', async () => {
  const journal = join(temporaryFolder(), 'journal.jsonl');
  const session = await Session.open({
    runId: 'one',
    journal: {
      file: journal,
      header: {
        format: FORMAT,
        run: 'one',
        at: '2026-11-22T00:00:00.000Z',
        target: 'mine',
        owner: { pid: 1, host: 'none', started: '' } as never,
        mark: markOfRun('one'),
        services: {},
      },
    },
    target: {
      name: 'mine',
      embedded: false,
      hooks: {},
      shipping: { baseUrl: 'http://127.0.0.1:9', clientId: 'me', clientSecret: 'Zq8vT3mKx1Lw9RbN' },
    },
    options: { suites: [], grep: [], effects: ['read'], maxWaitMs: 0, timeoutMs: 1, seed: 1, strict: false },
  });
  const n = session.journal.open('address', { alias: 'of ZQ8VT3MKX1LW9RBN' }, { account: 'first' });
  session.journal.note(n, { id: 'Zq8vT3mKx1Lw9RbN' });
  await session.close();
  const lines = readFileSync(journal, 'utf8');
  expect(lines).not.toMatch(/Zq8vT3mKx1Lw9RbN/i);
  expect(lines).toContain('"id":"«clientSecret»"');
});
