/** The linter knows in which direction imports may run (DESIGN section 6). */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../lib/model/paths.ts';

const BIOME = join(packageRoot(), 'node_modules', '@biomejs', 'biome', 'bin', 'biome');

/** What the linter says of a file at this path that imports this module. */
function complaintOf(path: string, specifier: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, [BIOME, 'lint', `--stdin-file-path=${path}`], {
    cwd: packageRoot(),
    input: `import { x } from '${specifier}';\nexport const y = x;\n`,
    encoding: 'utf8',
  });
  return `${stdout}${stderr}`;
}

test.each([
  ['lib/http/made-up.ts', '../check/session.ts', 'lib/http may only import what stands below it'],
  [
    'lib/model/catalogue/made-up.ts',
    '../../run/execute.ts',
    'lib/model may only import what stands below it',
  ],
  ['lib/cli/made-up.ts', '../../reference/index.ts', 'lib knows no service, no suite and no reference'],
  ['services/caches/api/made-up.ts', '../../../suites/a/suite.ts', 'services import lib and schemas only'],
  ['suites/a/made-up.ts', '../../reference/index.ts', 'suites import services, lib and schemas only'],
  ['reference/kit/made-up.ts', '../../lib/model/paths.ts', 'reference imports schemas only'],
  [
    'deviations/kit/made-up.ts',
    '../../services/a/vocabulary.ts',
    'deviations import reference and schemas only',
  ],
])('%s does not import %s', (path, specifier, message) => {
  expect(complaintOf(path, specifier)).toContain(message);
});

test('what stands below may be imported', () => {
  expect(complaintOf('lib/http/made-up.ts', '../model/paths.ts')).not.toContain('noRestrictedImports');
});
