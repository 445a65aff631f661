import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Files that replace modules, which others would have loaded before. */
const REPLACING = ['tests/lib/full-disk.test.ts'];

const tests = {
  include: ['tests/**/*.test.ts'],
  // Some of them wait for programs that they start, so that two more than there are cores keep all of them busy.
  // Each worker loads all modules anew.
  maxWorkers: availableParallelism() + 2,
  testTimeout: 120_000,
  hookTimeout: 240_000,
};

export default defineConfig({
  test: {
    projects: [
      {
        // Tests of the suite itself. They share a thread, so that each does not import everything anew.
        test: {
          ...tests,
          name: 'tests',
          exclude: REPLACING,
          isolate: false,
          setupFiles: ['tests/lib/put-back.ts'],
        },
      },
      {
        // Those that replace modules.
        test: { ...tests, name: 'tests-isolated', include: REPLACING },
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
});
