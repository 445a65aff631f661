import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Files that replace modules, which others would have loaded before, or that need threads of their own. */
const ISOLATED = [
  'tests/lib/full-disk.test.ts',
  'tests/run/embedded-thread.test.ts',
  'tests/run/worker-dies.test.ts',
];

const tests = {
  include: ['tests/**/*.test.ts'],
  // Some of them wait for programs that they start, so that two more than there are cores keep all of them busy.
  // Each worker loads all modules anew.
  maxWorkers: availableParallelism() + 2,
  testTimeout: 120_000,
  hookTimeout: 240_000,
};

/**
 * For `--mode built`, with which node imports the build where tests import a source: no thread has to compile
 * it, and what is tested is what is published.
 */
const built = {
  name: 'built',
  enforce: 'pre' as const,
  resolveId(specifier: string, importer = '') {
    if (!specifier.startsWith('.') || !specifier.endsWith('.ts')) return undefined;
    const source = relative(import.meta.dirname, resolve(dirname(importer), specifier));
    const id = join(import.meta.dirname, 'dist', source.replace(/\.ts$/, '.js'));
    return existsSync(id) ? { id, external: true } : undefined;
  },
};

export default defineConfig(({ mode }) => ({
  test: {
    projects: [
      {
        // Tests of the suite itself. They share a thread, so that each does not import everything anew.
        ...(mode === 'built' && { plugins: [built] }),
        test: {
          ...tests,
          ...(mode === 'built' && { server: { deps: { external: [/\/dist\//] } } }),
          name: 'tests',
          exclude: ISOLATED,
          isolate: false,
          setupFiles: ['tests/lib/put-back.ts'],
        },
      },
      {
        // Those that cannot share it.
        test: { ...tests, name: 'tests-isolated', include: ISOLATED },
      },
      {
        // The conformance suites themselves, against the target named in CONFORM_TARGET
        // (default: the embedded reference): `npx vitest --project conformance`.
        test: {
          name: 'conformance',
          include: ['suites/**/*.suite.ts'],
          globalSetup: ['lib/run/global-setup.ts'],
          setupFiles: ['lib/run/vitest-setup.ts'],
          isolate: false,
          fileParallelism: false,
          maxWorkers: 1,
          testTimeout: 600_000,
        },
      },
    ],
  },
}));
