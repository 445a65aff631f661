/**
 * Build step: which checks there are, as one JSON file, since `conform list` does not load them, and where they
 * are written; for that, Node has to follow source maps (`--enable-source-maps`).
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { KNOWN_CHECKS } from '../check/source.ts';
import { codeRoot, packageRoot } from '../model/paths.ts';
import type { KnownCheck } from './known-check.ts';
import { checksOf, suiteFiles } from './suite-files.ts';

const file = join(codeRoot(), KNOWN_CHECKS);
// What an earlier build knew is not to be believed.
rmSync(file, { force: true });
// The compiler leaves what it made of a suite file that is gone, and its checks would run for ever.
for (const path of [...suiteFiles().values()].flat()) {
  const source = join(packageRoot(), relative(codeRoot(), path)).replace(/\.js$/, '.ts');
  if (path.endsWith('.js') && !existsSync(source)) rmSync(path);
}
const checks = await checksOf([...suiteFiles().values()].flat());
const known = checks.map(
  ({ id, suite, requirements, effects, touches, phase, source }): KnownCheck => ({
    id,
    suite,
    requirements,
    effects,
    touches,
    phase,
    ...(source && { source }),
  }),
);
writeFileSync(file, JSON.stringify(known));
