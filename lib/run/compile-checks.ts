/**
 * Build step: writes a JSON file that says which checks there are and where their source is, so that
 * `conform list` need not load them. To find the source, Node has to follow source maps
 * (`--enable-source-maps`).
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { KNOWN_CHECKS } from '../check/source.ts';
import { codeRoot, packageRoot } from '../model/paths.ts';
import type { KnownCheck } from './known-check.ts';
import { checksOf, suiteFiles } from './suite-files.ts';

const file = join(codeRoot(), KNOWN_CHECKS);
// Loading the checks would otherwise rely on the list of an earlier build.
rmSync(file, { force: true });
// The compiler keeps its output for a suite file that was
// deleted; without this, its checks would run for ever.
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
