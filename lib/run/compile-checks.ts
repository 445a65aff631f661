/** Build step: which checks there are, as one JSON file, since `conform list` does not wait for vitest. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatherChecks } from '../check/suite.ts';
import { codeRoot } from '../model/paths.ts';
import { KNOWN_CHECKS, type KnownCheck } from './known-check.ts';
import { suiteFiles } from './vitest.ts';

const checks = await gatherChecks(async () => {
  for (const file of [...suiteFiles().values()].flat()) await import(file);
});
const known = checks.map(({ alive: _, run: __, ...facts }): KnownCheck => facts);
writeFileSync(join(codeRoot(), KNOWN_CHECKS), JSON.stringify(known));
