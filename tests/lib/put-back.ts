/** Set-up of every test file: what a file replaces in the thread that it shares with others is put back after it. */
import { afterAll } from 'vitest';
import { openNoThreads } from '../../lib/run/thread.ts';
import { platformResponse } from './platform-response.ts';

const { exitCode, env } = process;
const variables = { ...env };
globalThis.Response = platformResponse;
openNoThreads();

afterAll(() => {
  globalThis.Response = platformResponse;
  process.exitCode = exitCode;
  for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
  Object.assign(env, variables);
});
