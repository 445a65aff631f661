/** 1, 2, 4.4 and 4.5: requests at the same time; the total omits what other clients save. */
import type { CheckContext } from '../../lib/check/context.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { idOf, requirementOfId, shows } from '../../services/shipping/api/addresses.ts';
import type { AccessToken } from '../../services/shipping/api/oauth.ts';
import { keyOf } from '../../services/shipping/api/pages.ts';
import { statuses, twoUpdates } from '../../services/shipping/fixtures/two-updates.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write', passingFaults: true });

/** One round may succeed by luck, even on a server with a race; this many make that unlikely. */
const ROUNDS = 4;

writeCheck('ADDR-UPDATE-CONCURRENT-KEPT', async ({ addresses, oauth, expect, block }) => {
  const updates = await twoUpdates(addresses, oauth);
  const { id } = updates;
  const twin = await updates.successive();
  const { data: before } = await addresses.stored(id);
  if (twin.answers.some(({ ok }) => !ok))
    block(`updates are answered ${statuses(twin)}`, 'ADDR-UPDATE-STATUS');
  if (before.alias_name !== twin.alias_name || before.address?.street1 !== twin.street1)
    block('updates one after the other are lost as well', 'ADDR-UPDATE-SUCCESSIVE');
  for (let round = 1; round <= ROUNDS; round += 1) {
    const sent = await updates.atOnce();
    const [alias, street] = sent.answers;
    if (!alias.ok && !street.ok)
      block(`updates at the same time were answered ${statuses(sent)}`, 'ADDR-UPDATE-STATUS');
    const { answer, data } = await addresses.stored(id);
    const where = (at: string) => ({ answer, at: `/data/${at}` });
    const what = (field: string) => `${field} after two updates at once`;
    if (alias.ok) expect.equal(data.alias_name, sent.alias_name, what('alias_name'), where('alias_name'));
    const { street1 } = data.address ?? {};
    if (street.ok) expect.equal(street1, sent.street1, what('street1'), where('address/street1'));
  }
});

writeCheck(
  'ADDR-META-TOTAL-COUNT-VALUE',
  { case: 'other-client', needs: ['shipping.secondClient'], touches: { addresses: 'alone' } },
  async ({ addresses, oauth, expect }) => {
    const others = await oauth.issue(oauth.secondClient);
    const body = { address_template: addresses.fresh() };
    const { total: before } = await addresses.count();
    const created = await addresses.post(body, 'create an address as the other client', { auth: others });
    requireOk(created, 'ADDR-CREATE-STATUS');
    const { answer, total } = await addresses.count();
    // The list may show it: clients may share an account.
    const number = total === before ? total : new Set((await addresses.items()).map(keyOf)).size;
    expect.equal(total, number, `meta.total_count beside ${number} addresses on all pages`, {
      answer,
      at: '/meta/total_count',
    });
    const id = created.at('/data/id');
    // Another client's address may only be removable by that client.
    if (typeof id === 'string') await addresses.remove(id, 'remove it again', { auth: others });
  },
);

writeCheck('ADDR-DELETE-GONE-READ', { case: 'while-updated' }, async (context) => {
  const { addresses, oauth, time, expect, skip } = context;
  const [one, other] = await oauth.issueTwo();
  let delayMs = 0;
  for (let round = 1; round <= ROUNDS / 2; round += 1) {
    const id = await addresses.anyId();
    await one.pacer.ready();
    await other.pacer.ready();
    const changes = { alias_name: addresses.label() };
    const [update, deletion] = await Promise.all([
      addresses.update(id, changes, {}, 'update it', { auth: one }),
      time.rest(delayMs).then(() => addresses.remove(id, 'delete it meanwhile', { auth: other })),
    ]);
    // A service may refuse to delete what is being changed.
    if (!deletion.ok)
      return skip(`of an update and a deletion at once the latter is answered ${deletion.status}`);
    const read = await addresses.read(id, 'read the deleted address');
    if (shows(read, id)) await addresses.remove(id, 'delete it again');
    expect.after(update).that(!shows(read, id), `the address that was deleted during an update is back`, {
      answer: read,
      expected: 'no address',
      found: id,
    });
    delayMs = Math.min(30, update.exchange.durationMs / 2);
  }
});

/** Returns the company of the address in an answer. */
const companyIn = (answer: Answer): unknown => answer.at('/data/address/company');

// What other checks send meanwhile could be mixed up as well, and end in refusals.
const alone = { touches: { addresses: 'alone' } } as const;

writeCheck('ADDR-AT-ONCE-SEPARATE', alone, async ({ addresses, sharedAddresses, oauth, expect, skip }) => {
  await sharedAddresses.made();
  const tokens = await oauth.issueTwo();
  /** Sends one request with each token, both at the same time. */
  const both = async (send: (n: 0 | 1, auth: AccessToken) => Promise<Answer>) => {
    for (const { pacer } of tokens) await pacer.ready();
    return Promise.all([send(0, tokens[0]), send(1, tokens[1])]);
  };
  for (let round = 1; round <= ROUNDS / 2; round += 1) {
    const sent = [addresses.fresh(), addresses.fresh()];
    const bodies = sent.map((address_template) => ({ address_template }));
    const created = await both((n, auth) => addresses.post(bodies[n], 'create one of two', { auth }));
    // The specification does not show how creates are refused; a service may accept only one at a time.
    const refused = created.find(({ ok }) => !ok);
    if (refused) return skip(`of two creates at the same time one is answered ${refused.status}`);
    const companies = sent.map(({ address_attributes }) => address_attributes.company);
    expectOwn(expect, created, companies, 'create');
    const ids = created.map((answer) => idOf(answer.at('/data')) ?? '');
    const renamed = [`Empresa A ${addresses.nth()}`, `Empresa B ${addresses.nth()}`];
    const change = (n: 0 | 1) => ({ address_attributes: { company: renamed[n] } });
    const updated = await both((n, auth) =>
      addresses.update(ids[n]!, change(n), {}, 'update one of two', { auth }),
    );
    expectOwn(expect, updated, renamed, 'update');
    const read = await both((n, auth) =>
      addresses.call({ method: 'GET', path: `/${ids[n]}`, purpose: 'read one of two', auth }),
    );
    expectOwn(expect, read, renamed, 'read');
  }
});

writeCheck('ADDR-CREATE-READABLE', { case: 'at-once' }, async (context) => {
  const { addresses, oauth, sharedAddresses, verification, expect, block, skip } = context;
  requireOk(await addresses.read((await sharedAddresses.made()).id), 'ADDR-READ-STATUS');
  const tokens = await oauth.issueTwo();
  for (let round = 1; round <= ROUNDS / 2; round += 1) {
    for (const { pacer } of tokens) await pacer.ready();
    const created = await Promise.all(
      tokens.map((auth) =>
        addresses.post({ address_template: addresses.fresh() }, 'create one of two', { auth }),
      ),
    );
    const refused = created.find(({ ok }) => !ok);
    if (refused) return skip(`of two creates at the same time one is answered ${refused.status}`);
    for (const answer of created) {
      const id = idOf(answer.at('/data'));
      if (id === undefined) return block('create answered without `data.id`', requirementOfId(answer));
      let read = await addresses.read(id, 'read one of two');
      if (!read.ok) await verification.settle();
      if (!read.ok) read = await addresses.read(id, 'read one of two some time later');
      const what = `of two creates at the same time, both answered ${answer.status}, one is not there`;
      expect.after(answer).that(read.ok, what, {
        answer: read,
        at: 'status',
        expected: 'the new address',
        found: String(read.status),
      });
    }
  }
});

/** Requires that of two requests sent at the same time, neither is answered with what the other one set. */
function expectOwn(
  expect: CheckContext['expect'],
  answers: Answer[],
  companies: (string | undefined)[],
  what: string,
): void {
  for (const [n, answer] of answers.entries()) {
    const other = companies[1 - n];
    expect.that(companyIn(answer) !== other, `a ${what} shows what another one at the same time has set`, {
      answer,
      at: '/data/address/company',
      expected: String(companies[n]),
      found: String(other),
    });
  }
}
