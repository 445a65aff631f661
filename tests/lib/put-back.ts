/** Set-up of every test file: what a file replaces in the thread that it shares with others is put back after it. */
import { afterAll } from 'vitest';

const { exitCode, env } = process;
const variables = { ...env };
/**
 * The platform's Response, kept for the whole thread: a test that timed out may go on after its file has ended, and
 * replace the global one then.
 */
const thread = process as typeof process & { platformResponse?: typeof Response };
thread.platformResponse ??= globalThis.Response;
const { platformResponse } = thread;
globalThis.Response = platformResponse;

afterAll(() => {
  // The proof's transport replaces it (`useLightResponses`).
  globalThis.Response = platformResponse;
  process.exitCode = exitCode;
  for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
  Object.assign(env, variables);
});
