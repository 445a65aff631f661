/** Servers that the suite once misjudged: what it has to say of them, and what it must not say. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withBody } from '../../deviations/kit/answers.ts';
import type { Change } from '../../deviations/types.ts';
import type { TargetConfig } from '../../lib/config/types.ts';
import type { RunReport } from '../../lib/model/results.ts';
import type { ShippingRules } from '../../reference/shipping/index.ts';
import { runAgainst } from '../lib/conform.ts';
import { serveShipping as serving } from '../lib/serve-shipping.ts';

const run = async (target: TargetConfig, ...grep: string[]) =>
  runAgainst(target, ['--suite', 'oauth-token', ...grep.flatMap((id) => ['--grep', id])]);

const verdict = ({ requirements }: RunReport, id: string) => requirements.find((r) => r.id === id)?.verdict;
const reason = ({ checks }: RunReport, id: string) =>
  checks.find((check) => check.requirements.includes(id))?.reason ?? '';

const unlimited: Change<ShippingRules> = { rules: () => ({ rateLimit: Number.POSITIVE_INFINITY }) };

test('where the configuration says that no rate is limited, nothing is said of the limiter', async () => {
  const { report } = await run(await serving({}, { rate: { unlimited: true } }), 'TOKEN-RATE-*');
  for (const id of ['TOKEN-RATE-LIMITED', 'TOKEN-RATE-RECOVERS', 'TOKEN-RATE-ACROSS-ENDPOINTS']) {
    expect([id, verdict(report, id)]).toEqual([id, 'skipped']);
    expect(reason(report, id)).toContain('rate.unlimited');
  }
});

test('a token that was never over its rate has not recovered from it', async () => {
  const { report } = await run(await serving(unlimited), 'TOKEN-RATE-LIMITED', 'TOKEN-RATE-RECOVERS');
  expect(verdict(report, 'TOKEN-RATE-LIMITED')).toBe('failed');
  expect(verdict(report, 'TOKEN-RATE-RECOVERS')).toBe('blocked');
});

test('a server that answers whatever is introspected alike is not told about hints', async () => {
  const alike: Change<ShippingRules> = {
    wrap: (next) => async (request) =>
      /introspect$/.test(new URL(request.url).pathname) ? Response.json({ active: true }) : next(request),
  };
  const { report } = await run(
    await serving(alike),
    'TOKEN-INTROSPECT-WRONG-HINT',
    'TOKEN-INTROSPECT-TELLS-UNKNOWN',
  );
  expect(verdict(report, 'TOKEN-INTROSPECT-TELLS-UNKNOWN')).toBe('failed');
  expect(verdict(report, 'TOKEN-INTROSPECT-WRONG-HINT')).toBe('blocked');
});

test('without a configured redirect URI none is taken to be stored', async () => {
  const { redirectUri: _, ...shipping } = (await serving({})).shipping as Record<string, unknown>;
  const { report } = await run({ shipping } as TargetConfig, 'TOKEN-REDIRECT-URI-OTHER');
  expect(verdict(report, 'TOKEN-REDIRECT-URI-OTHER')).toBe('skipped');
  expect(reason(report, 'TOKEN-REDIRECT-URI-OTHER')).toContain('shipping.redirectUri');
});

test('where token responses name no scope, none is made up', async () => {
  const nameless: Change<ShippingRules> = {
    wrap: (next) => async (request) =>
      withBody(await next(request), (body) => {
        const { scope: _, ...rest } = body as Record<string, unknown>;
        return rest;
      }),
  };
  const { scopes: _, ...shipping } = (await serving(nameless)).shipping as Record<string, unknown>;
  const { out } = await run({ shipping } as TargetConfig, 'TOKEN-*SCOPE*');
  expect(readFileSync(join(out, 'exchanges.har'), 'utf8')).not.toMatch(/scope=(undefined|null)/);
});
