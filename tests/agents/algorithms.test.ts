/** Algorithms other than RS256, with keys that the target knows. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compactVerify, createRemoteJWKSet } from 'jose';
import { expect, test } from 'vitest';
import { Fault } from '../../reference/agents/index.ts';
import { type Ran, run, serve } from './run.ts';

const ALGORITHMS = ['AGENT-ALG-RS384', 'AGENT-ALG-RS512', 'AGENT-ALG-PS256', 'AGENT-ALG-ES256'];

/** Returns a port on which nothing listens. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/**
 * Runs the checks against a service that verifies signatures with the key set at a port.
 * @param algorithms those that it accepts; `undefined` for all that the keys allow
 */
async function runWithKeySet(algorithms: string[] | undefined): Promise<Ran> {
  const port = await freePort();
  const keys = createRemoteJWKSet(new URL(`http://127.0.0.1:${port}/keys`), { cooldownDuration: 0 });
  const target = await serve({
    options: {
      rules: {
        agents: {
          checkAlgorithm: (header) =>
            algorithms && !algorithms.includes(String(header.alg)) ? 'invalid_signature' : undefined,
          verifySignature: async (assertion) => {
            try {
              const { payload } = await compactVerify(assertion, keys);
              return JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>;
            } catch {
              throw new Fault('invalid_signature');
            }
          },
        },
      },
    },
  });
  const { ecKey: _, ...agents } = target.agents;
  return run({ agents: { ...agents, jwksPort: port } }, { prefixes: ['AGENT-REG-STATUS', ...ALGORITHMS] });
}

test('a service that accepts every algorithm that its keys support fails for each of them', async () => {
  const ran = await runWithKeySet(undefined);
  expect(ran.of('AGENT-REG-STATUS').verdict).toBe('passed');
  for (const id of ALGORITHMS) expect([id, ran.of(id).verdict]).toEqual([id, 'failed']);
});

test('a service that accepts RS256 alone passes', async () => {
  const ran = await runWithKeySet(['RS256']);
  // RS384 is not sent where a refusal of RS512 makes its own likely, and then it is not passed.
  for (const id of ALGORITHMS)
    expect([id, ran.of(id).verdict]).toEqual([id, id === 'AGENT-ALG-RS384' ? 'skipped' : 'passed']);
});

test('ES256 is skipped where the trust is fixed and has no key for it', async () => {
  const target = await serve();
  const { ecKey: _, ...agents } = target.agents;
  const ran = await run({ agents }, { prefixes: ['AGENT-ALG-ES256'] });
  expect(ran.of('AGENT-ALG-ES256').verdict).toBe('skipped');
  expect(ran.of('AGENT-ALG-ES256').reason).toContain('targets.tested.agents.ecKey');
});

test('ES256 is skipped where no service reads the key set', async () => {
  const target = await serve();
  const { ecKey: _, ...agents } = target.agents;
  const ran = await run(
    { agents: { ...agents, jwksPort: await freePort() } },
    { prefixes: ['AGENT-ALG-ES256'] },
  );
  expect(ran.of('AGENT-ALG-ES256').verdict).toBe('skipped');
});
