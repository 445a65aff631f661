/**
 * A list with hundreds of other people's addresses gets the same verdicts as a short one, without a walk
 * through all of it for each check.
 */
import { expect, test } from 'vitest';
import { combine } from '../../deviations/kit/combine.ts';
import { shippingProof } from '../../deviations/shipping/index.ts';
import type { Change } from '../../deviations/types.ts';
import { describeReference, makeTrust } from '../../reference/index.ts';
import type { ShippingRules } from '../../reference/shipping/index.ts';
import type { AddressTemplate } from '../../reference/shipping/model.ts';
import { ATTRIBUTES } from '../lib/address.ts';
import { runAgainst } from '../lib/conform.ts';
import { serveShipping } from '../lib/serve-shipping.ts';

const OTHERS = 900;

interface Account {
  clientId: string;
  clientSecret: string;
}

/** Saves addresses that do not come from a run. */
async function fill(handle: (request: Request) => Promise<Response>): Promise<void> {
  const post = async (path: string, body: unknown, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const url = `http://127.0.0.1/api/v1/${path}`;
    const answer = await handle(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }));
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.json() as Promise<{ access_token: string }>;
  };
  const { clientId, clientSecret } = describeReference('', await makeTrust()).shipping as unknown as Account;
  const credentials = { client_id: clientId, client_secret: clientSecret };
  const { access_token } = await post('oauth/token', { grant_type: 'client_credentials', ...credentials });
  for (let n = 0; n < OTHERS; n += 1) await post('address_templates', other(n), access_token);
}

function other(n: number): unknown {
  return {
    address_template: {
      alias_name: `Other ${n}`,
      address_type: 'from',
      address_attributes: { ...ATTRIBUTES, name: `Other ${n}`, email: `other${n}@example.com` },
    },
  };
}

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
  const target = await serveShipping(change, {}, fill);
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
  // It takes 1405 requests where every check walks through all 45 pages.
  if (change !== byLabel) expect(result.requests).toBeLessThan(1000);
});

test('a next_page of pages that are larger than those that are sent is seen behind a hundred addresses', async () => {
  const uncapped = shippingProof.deviations.find(({ id }) => id === 'next-page-uncapped')!;
  const unlimited: Change<ShippingRules> = { rules: () => UNLIMITED };
  const { failed } = await judged(combine([unlimited, uncapped]), ['ADDR-META-NEXT-PAGE-VALUE']);
  expect(failed).toEqual(['ADDR-META-NEXT-PAGE-VALUE']);
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
