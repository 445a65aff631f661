/**
 * An account may hold only so many addresses, and every further create is then refused. That is no fault of the
 * service, so nothing may fail because of it.
 */
import { expect, test } from 'vitest';
import type { Change } from '../../deviations/types.ts';
import { AddressRefusal, type ShippingRules } from '../../reference/shipping/index.ts';
import { runAgainst } from '../lib/conform.ts';
import { serveShipping } from '../lib/serve-shipping.ts';

/** Refuses to save more than this many addresses. */
const holding = (most: number): Change<ShippingRules> => ({
  rules: (original) => ({
    rateLimit: Number.POSITIVE_INFINITY,
    addTemplate: (book, template, env) => {
      if (book.size >= most) throw new AddressRefusal('invalid', `an account has ${most} addresses`);
      return original.addTemplate(book, template, env);
    },
  }),
});

test('an account that holds 12 addresses', async () => {
  const { report } = await runAgainst(await serveShipping(holding(12)), ['--suite', 'address-book']);
  expect(report.requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id)).toEqual([]);
  const reasons = report.checks.filter(({ verdict }) => verdict === 'blocked').map(({ reason }) => reason);
  expect(reasons.join('\n')).toMatch(/while \d+ addresses of this run are saved/);
});

test('an account that holds 45 addresses is judged as a whole, checks side by side, in random order', async () => {
  const flags = ['--suite', 'address-book', '--concurrency', '4', '--order', 'random', '--seed', '5'];
  const { report } = await runAgainst(await serveShipping(holding(45)), flags);
  const undone = report.checks.filter(({ verdict }) => ['failed', 'blocked', 'errored'].includes(verdict));
  expect(undone.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
});
