/** For `npx vitest --project conformance`: every check of a suite file is a test against the target of global-setup.ts. */
import { inject, test } from 'vitest';
import { type RunInput, Session } from '../check/session.ts';
import { takeChecks } from '../check/suite.ts';
import { redactResult } from '../model/redaction/redact-result.ts';

declare module 'vitest' {
  interface ProvidedContext {
    conform: RunInput;
  }
}

/** A check that takes longer than this is stuck; single requests and waits have their own bounds. */
const CHECK_TIMEOUT_MS = 3 * 3600_000;

const input = inject('conform');
/** Files share the thread, and the session with it. */
const sessions = globalThis as { conformSession?: Promise<Session> };

takeChecks((check) => {
  test(check.id, { timeout: CHECK_TIMEOUT_MS }, async ({ skip }) => {
    sessions.conformSession ??= Session.open(input);
    const session = await sessions.conformSession;
    const { verdict, reason } = redactResult(await check.run(session), session.secrets);
    if (verdict === 'skipped') skip(reason);
    if (!['failed', 'blocked', 'errored'].includes(verdict)) return;
    const error = new Error(`${verdict}: ${reason}`);
    error.stack = error.message;
    throw error;
  });
});
