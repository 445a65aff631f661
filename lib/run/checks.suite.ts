/**
 * Not a suite: the file of a run. Gathers the checks of the chosen suites and defines a test for each, so that
 * reporters see them; which of them run when, and side by side, is for the lanes to say.
 */
import { inject, test } from 'vitest';
import { type Session, sessionFor } from '../check/session.ts';
import { type DefinedCheck, tellVitest } from '../check/suite.ts';
import { matches } from '../model/pattern.ts';
import type { CheckResult } from '../model/results.ts';
import { inOrder, Lanes } from './lanes.ts';
import { checksIn } from './suite-files.ts';

const input = inject('conform');
const { options } = input;
const checks: DefinedCheck[] = [];
for (const file of inject('suiteFiles')) {
  try {
    checks.push(...(await checksIn(file, () => import(/* @vite-ignore */ file))));
  } catch (error) {
    // One file with a mistake must not keep the others from running.
    test(file, () => {
      throw error;
    });
  }
}
// Also by the other requirements that it cites: `--grep` takes what `list` and `explain` show.
const chosen = checks.filter(
  (check) =>
    (options.chosen?.includes(check.id) ?? true) &&
    [check.id, ...check.requirements].some((name) => matches(name, options.grep)),
);
const { concurrency = 1, order = 'planned', seed } = options;
const planned = inOrder(chosen, { concurrency, order, seed });
const lanes = new Lanes<DefinedCheck, CheckResult>(planned, { concurrency, order, seed });
let isStarted = false;
let stopped = false;
const isStopped = () => stopped;

/** Starts them all, with the first test that asks. */
async function start(session: Session): Promise<void> {
  session.http.recorder.useLanes();
  await lanes.start(session, (check) => check.run(session), isStopped);
}

const define = concurrency > 1 ? test.concurrent : test;
for (const check of planned) {
  // Waiting for its turn counts: single requests and waits have bounds of their own.
  define(check.id, { timeout: 0 }, async ({ task, skip, signal }) => {
    const session = await sessionFor(input);
    if (concurrency === 1) return tellVitest(await check.run(session), session, task.meta, skip);
    signal.addEventListener('abort', () => {
      stopped = true;
    });
    if (!isStarted) {
      isStarted = true;
      void start(session);
    }
    return tellVitest(await lanes.result(check), session, task.meta, skip);
  });
}
