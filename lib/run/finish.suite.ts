/** Not a suite: the last file of every run. Ends the session in the worker and tells what is left. */
import { inject, test } from 'vitest';
import { closeSession, type SessionEnd } from '../check/session.ts';

declare module 'vitest' {
  interface TaskMeta {
    end?: SessionEnd;
  }
}

test('finish', { timeout: 600_000 }, async ({ task }) => {
  task.meta.end = await closeSession(inject('conform').runId);
});
