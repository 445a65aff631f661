/** Set-up of every test file: what a file replaces in the thread that it shares with others is put back after it. */
import { afterAll } from 'vitest';

const { exitCode, env } = process;
const variables = { ...env };
const { Response } = globalThis;

afterAll(() => {
  // The proof's transport replaces it (`useLightResponses`).
  globalThis.Response = Response;
  process.exitCode = exitCode;
  for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
  Object.assign(env, variables);
});
