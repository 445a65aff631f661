/** A disk that fills while reports are written leaves whole files or none. */
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeReports } from '../../lib/report/index.ts';
import { temporaryFolder } from '../lib/conform.ts';
import { sampleReport } from './sample.ts';

test.runIf(existsSync('/dev/full'))('what was there before stays, and what is new is whole', async () => {
  const out = temporaryFolder();
  writeFileSync(join(out, 'report.json'), '{"before":true}');
  // What is written first under a name of its own finds no room.
  symlinkSync('/dev/full', join(out, `report.json.${process.pid}.tmp`));
  await expect(writeReports(sampleReport(), out)).rejects.toThrow('ENOSPC');
  expect(readFileSync(join(out, 'report.json'), 'utf8')).toBe('{"before":true}');
  expect(readdirSync(out).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toMatch(/<\/testsuites>\s*$/);
});
