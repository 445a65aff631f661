/** Reads that lag behind changes: the preflight detects this, and the run waits from its first check on. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RunInput } from '../../lib/check/session.ts';
import type { ResolvedTarget } from '../../lib/config/types.ts';
import { codeFile } from '../../lib/model/paths.ts';
import { execute } from '../../lib/run/execute.ts';
import { nothingYet } from '../../lib/run/outcome.ts';
import { preflight, stopsRun } from '../../lib/run/preflight.ts';
import type { Runner } from '../../lib/run/runner.ts';
import { makeTrust } from '../../reference/index.ts';
import { aTarget } from '../lib/cleaning-target.ts';
import { runOptions } from '../lib/run-options.ts';
import { describeInMemory, type InMemory } from '../transports/in-memory.ts';

const module = codeFile('tests/transports/in-memory');
const trust = await makeTrust();
const target = { name: 'mine', embedded: false, ...describeInMemory(trust) } as ResolvedTarget;

const preflightAt = (suite: string, lagMs: number, more: Partial<InMemory> = {}) =>
  preflight({
    runId: randomUUID(),
    target,
    options: runOptions([suite]),
    transport: { module, params: { trust, lagMs, lagsOnceRead: true, ...more } },
  });

test.each(['address-book', 'cache-management'])(
  '%s: reads that lag are seen and blame no setting',
  async (suite) => {
    const outcome = await preflightAt(suite, 500);
    expect(outcome.findings.filter(stopsRun)).toEqual([]);
    expect(outcome.settleMs).toBeGreaterThanOrEqual(1_000);
    expect(outcome.findings.find(({ keys }) => keys.includes('run.settle'))?.message).toMatch(
      /lag behind changes: an? (address|cache) was read only after \d+ ms, .*`settle: [\d.]+`/,
    );
  },
);

test.each(['address-book', 'cache-management'])(
  '%s: where reads show at once nothing is waited for',
  async (suite) => {
    const outcome = await preflightAt(suite, 0);
    expect(outcome.settleMs).toBeUndefined();
    expect(outcome.findings.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
  },
);

test('a token that is accepted only later is seen, and blames no setting', async () => {
  const outcome = await preflightAt('oauth-token', 0, { tokensRefused: 1 });
  expect(outcome.findings.filter(stopsRun)).toEqual([]);
  expect(outcome.settleMs).toBeGreaterThanOrEqual(300);
  expect(outcome.findings.find(({ keys }) => keys.includes('run.settle'))?.message).toMatch(
    /a new token was accepted only after \d+ ms/,
  );
});

test.each(['address-book', 'cache-management'])(
  '%s: an error of a gateway at one read is no lag',
  async (suite) => {
    for (const failing of [1, 2, 3, 4, 5, 6]) {
      let reads = 0;
      const { target } = await aTarget((next) => async (request) => {
        if (request.method === 'GET') reads += 1;
        return request.method === 'GET' && reads === failing
          ? new Response('timeout', { status: 408 })
          : next(request);
      });
      const outcome = await preflight({ runId: randomUUID(), target, options: runOptions([suite]) });
      expect(outcome.settleMs).toBeUndefined();
      expect(outcome.findings.filter(stopsRun)).toEqual([]);
    }
  },
);

test('the run is told how long to wait, unless the configuration says more', async () => {
  const seen: (number | undefined)[] = [];
  const runner = {
    run: async ({ options }: RunInput) => {
      seen.push(options.settleMs);
      return nothingYet();
    },
  } as unknown as Runner;
  const outcome = { findings: [], requests: 0, handOver: {}, stays: [], counts: {}, settleMs: 400 };
  for (const settleMs of [undefined, 100, 900])
    await execute(runner, {
      target,
      options: runOptions(['address-book'], settleMs === undefined ? {} : { settleMs }),
      preflight: outcome,
    });
  expect(seen).toEqual([400, 400, 900]);
});
