/** The embedded reference answers in the thread of the checks. */
import { join } from 'node:path';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../lib/model/paths.ts';

/** Loaded from the build, since sources are not run in a thread of their own. */
const { Runner } = (await import(
  /* @vite-ignore */ join(packageRoot(), 'dist', 'lib', 'run', 'runner.js')
)) as typeof import('../../lib/run/runner.ts');

test('it can be asked until the thread is closed', async () => {
  const runner = new Runner(undefined, { name: 'reference', embedded: true, hooks: {} });
  onTestFinished(() => runner.close());
  const { url, target } = await runner.embedded;
  expect(target.shipping?.baseUrl).toBe(`${url}/shipping`);
  expect((await request(`${url}/caches/nothing`)).statusCode).toBe(404);
  await runner.close();
  await expect(request(`${url}/caches/nothing`)).rejects.toThrow();
});
