/** A disk that fills up while reports are written leaves complete files or none. */
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeReports } from '../../lib/report/index.ts';
import { temporaryFolder } from '../lib/conform.ts';
import { sampleReport } from './sample.ts';

test.runIf(existsSync('/dev/full'))('what was there before stays, and what is new is whole', async () => {
  const out = temporaryFolder();
  writeFileSync(join(out, 'report.json'), '{"before":true}');
  // The file under its temporary name finds no room, because that name leads to a full device.
  symlinkSync('/dev/full', join(out, `report.json.${process.pid}.tmp`));
  const error: unknown = await writeReports(sampleReport(), out).catch((reason: unknown) => reason);
  const path = join(out, 'report.json');
  expect(error).toMatchObject({
    problems: [`${path}: no space is left (ENOSPC); what stands there is older`],
    files: expect.arrayContaining([join(out, 'junit.xml'), join(out, 'certificate.html')]),
  });
  expect(readFileSync(join(out, 'report.json'), 'utf8')).toBe('{"before":true}');
  expect(readdirSync(out).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toMatch(/<\/testsuites>\s*$/);
});
