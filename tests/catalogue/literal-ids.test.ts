/** Searching for the id of a requirement leads to its check: ids are written out, not assembled. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../lib/model/paths.ts';

const ROOT = packageRoot();

function sources(folder: string): string {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'))
    .join('\n');
}

test('every id that a check cites stands in the code of the suites or of their services', () => {
  const listed = execFileSync(
    process.execPath,
    [join(ROOT, 'bin/conform.js'), 'list', '--covered', '--json'],
    {
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    },
  );
  const ids = (JSON.parse(listed) as { id: string }[]).map(({ id }) => id);
  const code = sources('suites') + sources('services');
  const missing = ids.filter((id) => !new RegExp(`['"\`]${id}['"\`/]`).test(code));
  expect(ids.length).toBeGreaterThan(900);
  expect(missing).toEqual([]);
});
