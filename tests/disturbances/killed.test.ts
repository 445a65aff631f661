/**
 * Runs that are killed at any moment: `conform clean` undoes what they left, and the target is as it was
 * before. `CONFORM_KILLS` sets the number of kills for each service, and `CONFORM_KILL_SEED` their moments.
 */

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { randomFrom } from '../../lib/check/data.ts';
import { makeTrust } from '../../reference/index.ts';
import { conform, conformHere, temporaryFolder } from '../lib/conform.ts';
import { type Living, livingReference } from './living-reference.ts';

const KILLS = Number(process.env.CONFORM_KILLS ?? 1);
const SEED = Number(process.env.CONFORM_KILL_SEED ?? 1);

/** The suites that change something on a service, and within how many requests a run of them is killed. */
const SERVICES = {
  shipping: { suites: ['address-book', 'oauth-token'], within: 500 },
  caches: { suites: ['cache-management'], within: 900 },
  agents: { suites: ['agent-registration'], within: 120 },
} as const;

/** Runs the suites, and kills the run before or after the target carries out the nth request. */
async function killedAt(nth: number, after: boolean, living: Living, cwd: string, suites: readonly string[]) {
  let kill = (): void => {};
  living.onRequest(nth, after, () => kill());
  const flags = [
    '--effects',
    'read,write,settings',
    '--seed',
    String(nth),
    '--config',
    join(cwd, 'targets.yaml'),
  ];
  return conform(['run', '--suite', ...suites, ...flags], {
    cwd,
    timeoutMs: 120_000,
    onStart: (child) => {
      kill = () => void child.kill('SIGKILL');
    },
  });
}

test.each(Object.entries(SERVICES))(
  '%s: killed runs leave nothing after conform clean',
  { timeout: 60_000 + KILLS * 60_000 },
  async (service, { suites, within }) => {
    const trust = await makeTrust();
    const living = await livingReference(trust);
    const cwd = temporaryFolder();
    const config = living.configuration[service as keyof typeof SERVICES];
    const { clock, seed, unseed } = living.configuration.hooks;
    writeFileSync(
      join(cwd, 'targets.yaml'),
      JSON.stringify({ targets: { mine: { [service]: config, hooks: { clock, seed, unseed } } } }),
    );
    const draw = randomFrom(SEED * 1_000 + service.length);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const nth = 1 + Math.floor(draw() * within);
      const after = draw() < 0.5;
      const moment = `kill ${kill + 1}: ${after ? 'after' : 'before'} request ${nth} of seed ${nth}`;
      const before = await living.state();
      const run = await killedAt(nth, after, living, cwd, suites);
      expect(run.code, `${moment}\n${run.stdout}${run.stderr}`).toBeNull();
      const clean = await conformHere(['clean'], { cwd });
      expect(clean, `${moment}\n${clean.stdout}`).toMatchObject({ code: 0, stderr: '' });
      expect(await living.state(), `${moment}\n${clean.stdout}`).toEqual(before);
      expect(readdirSync(join(cwd, '.state', 'journals')), moment).toEqual([]);
    }
  },
);
