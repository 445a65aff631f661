/**
 * A list with hundreds of other people's addresses gets the same verdicts as a short one, without a walk
 * through all of it for each check.
 */
import { expect, test } from 'vitest';
import { combine } from '../../deviations/kit/combine.ts';
import { occupied } from '../../deviations/shipping/occupied.ts';
import type { Change } from '../../deviations/types.ts';
import type { ShippingRules } from '../../reference/shipping/index.ts';
import type { AddressTemplate } from '../../reference/shipping/model.ts';
import { runAgainst } from '../lib/conform.ts';
import { serveShipping } from '../lib/serve-shipping.ts';

/** On 25 pages. */
const others = occupied(500);

const IDS = [
  'ADDR-LIST-NO-GAPS',
  'ADDR-META-TOTAL-COUNT-VALUE',
  'ADDR-CREATE-LISTED',
  'ADDR-LIST-ITEM-LABELS',
  'ADDR-LIST-ORDER',
  'ADDR-UPDATE-IN-LIST',
  'ADDR-UPDATE-OTHERS-UNTOUCHED',
  'ADDR-DELETE-GONE-LIST',
  'ADDR-DELETE-OTHERS-UNTOUCHED',
];

const UNLIMITED = { rateLimit: Number.POSITIVE_INFINITY };

/** Runs checks, by default all of those, against a service with many addresses of others. */
async function judged(change: Change<ShippingRules>, ids = IDS) {
  const target = await serveShipping(combine([others, change]));
  const flags = ['--suite', 'address-book', ...ids.flatMap((id) => ['--grep', id])];
  const { report } = await runAgainst(target, flags);
  const failing = report.requirements.filter(({ id, verdict }) => ids.includes(id) && verdict === 'failed');
  const undecided = report.checks.filter(({ verdict }) => verdict === 'blocked' || verdict === 'errored');
  const order = report.checks.find(({ id }) => id === 'ADDR-LIST-ORDER')?.observations;
  return { failed: failing.map(({ id }) => id), undecided, order, requests: report.requests };
}

const byLabel: Change<ShippingRules> = {
  rules: () => ({
    ...UNLIMITED,
    collection: (book) => [...book.values()].sort((a, b) => (a.alias_name < b.alias_name ? -1 : 1)),
  }),
};

test.each([
  ['oldest first', 'oldest first', { rules: () => UNLIMITED }],
  ['by label, with new addresses among the others', 'by label', byLabel],
] as [string, string, Change<ShippingRules>][])('a long list, %s', async (_, order, change) => {
  const result = await judged(change);
  expect(result).toMatchObject({ failed: [], undecided: [] });
  expect(JSON.stringify(result.order)).toContain(order);
  // It takes about 890 requests where every check walks through all pages.
  expect(result.requests).toBeLessThan(750);
});

test('deleted addresses that stay in a long list are seen', async () => {
  const ever = new Map<string, AddressTemplate>();
  const kept: Change<ShippingRules> = {
    rules: () => ({
      ...UNLIMITED,
      collection: (book) => {
        for (const each of book.values()) ever.set(each.id, each);
        return [...ever.values()];
      },
    }),
  };
  expect((await judged(kept, ['ADDR-DELETE-GONE-LIST'])).failed).toContain('ADDR-DELETE-GONE-LIST');
});
