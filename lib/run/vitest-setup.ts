/**
 * Setup of each file for `npx vitest --project conformance`: every
 * check becomes a test against the target of global-setup.ts.
 */
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
/** Test files share the thread, and with it the session. */
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
