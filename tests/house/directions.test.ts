/** The linter enforces the direction of imports (DESIGN section 6). */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../lib/model/paths.ts';
import { temporaryFolder } from '../lib/conform.ts';

const BIOME = join(packageRoot(), 'node_modules', '@biomejs', 'biome', 'bin', 'biome');

/** Returns what the linter reports for a file at this path that imports this module. */
function complaintOf(path: string, specifier: string): string {
  return complaintsOf({ [path]: `import { x } from '${specifier}';\nexport const y = x;\n` });
}

/** Returns what the linter reports for these files, given by their paths. */
function complaintsOf(files: Record<string, string>): string {
  const cwd = temporaryFolder();
  const { linter, overrides } = JSON.parse(readFileSync(join(packageRoot(), 'biome.json'), 'utf8'));
  writeFileSync(join(cwd, 'biome.json'), JSON.stringify({ linter, overrides }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  const { stdout, stderr } = spawnSync(process.execPath, [BIOME, 'lint', '.'], { cwd, encoding: 'utf8' });
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
  const said = complaintOf('lib/http/made-up.ts', '../model/paths.ts');
  expect(said).toContain('Checked 2 files');
  expect(said).not.toContain('noRestrictedImports');
});

test.each(['lib/http', 'services/a/api'])('%s has no circle of imports, not even of types', (folder) => {
  const said = complaintsOf({
    [`${folder}/one.ts`]: "import type { Two } from './two.ts';\nexport type One = Two | 1;\n",
    [`${folder}/two.ts`]: "import type { One } from './one.ts';\nexport type Two = One[];\n",
  });
  expect(said).toContain('This import is part of a cycle');
});
