/** 4.3 Create address: the answer to a valid request, and the address that it saves. */

import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { AddressTemplate } from '../../schemas/shipping/index.ts';
import { itemsOf } from '../../services/shipping/api/address-list.ts';
import {
  AddressBook,
  type CreatedAddress,
  idOf,
  requirementOfId,
} from '../../services/shipping/api/addresses.ts';
import { keyOf } from '../../services/shipping/api/pages.ts';
import type { NewAddress } from '../../services/shipping/fixtures/address-data.ts';
import { isUuid } from '../../services/shipping/judging/address-ids.ts';
import { FIELDS, fieldNamed, READ_ONLY_FIELDS, typedValue } from '../../services/shipping/vocabulary.ts';
import { expectCreateShows, expectData } from './answers.ts';
import { check, type SuiteContext } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

/** Statuses that may mean that an account is full. */
const MAYBE_FULL = [402, 403, 409, 422, 429, 507];

writeCheck('ADDR-CREATE-STATUS', async ({ addresses, sharedAddresses, expect, undecided }) => {
  const { answer } = await sharedAddresses.created();
  const before = Number((await addresses.before()).at('/meta/total_count'));
  if (MAYBE_FULL.includes(answer.status) && before > 0)
    undecided(
      `a valid create is answered ${answer.status} while ${before} addresses of others are saved: the account may be full`,
    );
  expect.status(answer, 201);
});

writeCheck('ADDR-CREATE-STATUS', { case: 'others' }, async ({ sharedAddresses, expect, block }) => {
  const { answer } = await sharedAddresses.created();
  if (answer.status !== 201) block(`a complete create is answered ${answer.status}`, 'ADDR-CREATE-STATUS');
  expect.status((await sharedAddresses.sparse()).answer, 201);
  // A service may refuse an address with `default` true.
  const isDefault = await sharedAddresses.default().catch(() => undefined);
  if (isDefault) expect.status(isDefault.answer, 201);
});

writeCheck('ADDR-CREATE-DATA', async ({ sharedAddresses, expect, block }) => {
  const { answer } = await sharedAddresses.created();
  if (!answer.ok || answer.status === 204)
    block(`create answered ${answer.status}`, 'ADDR-CREATE-STATUS', answer);
  expectData(expect, answer);
});

writeCheck(
  'ADDR-CREATE-READABLE',
  { touches: { clock: 'move' } },
  async ({ addresses, sharedAddresses, verification, expect, block }) => {
    // Several are tried, each read directly after its create: where reads lag, one may be found by luck.
    for (let n = 0; n < 4; n += 1) {
      const sent = addresses.fresh();
      const answer = await addresses.post({ address_template: sent });
      const id = idOf(answer.at('/data'));
      requireOk(answer, 'ADDR-CREATE-STATUS');
      if (id === undefined) return block('create answered without `data.id`', requirementOfId(answer));
      const read = await addresses.read(id, 'read the new address');
      if (read.ok) continue;
      if (!isUuid(id)) block(`the id in the answer is ${id}`, 'ADDR-TEMPLATE-ID');
      const item = await addresses.listed((each) => each.alias_name === sent.alias_name);
      if (idOf(item) === id) {
        // The list shows the address: either reads lag behind, or read does not work at all.
        await verification.settle();
        const again = await addresses.read(id, 'read the new address some time later');
        // Where an older address is read, reads do work, only not of this one.
        if (!again.ok) requireOk(await addresses.read((await sharedAddresses.made()).id), 'ADDR-READ-STATUS');
      }
      const where = { answer: read, at: 'status', expected: 'the new address', found: String(read.status) };
      expect.fail(
        `create answered ${answer.status} with the id ${id}, and a read of it ${read.status}`,
        where,
      );
    }
  },
);

for (const name of ['full', 'sparse'] as const) {
  writeCheck('ADDR-CREATE-LISTED', { case: name }, async ({ addresses, updates, expect, block }) => {
    const sent = updates.toSend(name);
    const { id } = await addresses.made(sent, await addresses.post({ address_template: sent }));
    const isIt = (item: AddressTemplate) => idOf(item) === id || item.alias_name === sent.alias_name;
    const walk = await addresses.look(isIt);
    if (walk.pages.some((page) => page.items.some(isIt))) return;
    if (await addresses.listed(isIt, 7)) block('it is on a page of another size', 'ADDR-LIST-NO-GAPS');
    const total = walk.pages.at(-1)?.meta.total_count;
    if (Number(total) > new Set(itemsOf(walk).map(keyOf)).size + 1)
      block('the pages show fewer addresses than total_count says', 'ADDR-LIST-NO-GAPS');
    const answer = walk.end ?? walk.pages.at(-1)?.answer;
    expect.fail(`the new address ${id} is on none of the ${walk.pages.length} pages of the list`, {
      ...(answer && { answer }),
      expected: `an item with the id ${id}`,
      found: `${walk.pages.flatMap((page) => page.items).length} other addresses`,
    });
  });
}

writeCheck('ADDR-CREATE-COUNTED', { touches: { addresses: 'alone' } }, async ({ addresses, expect }) => {
  // A wrong count is checked once more: somebody else may have saved or deleted an address just then.
  for (const isLast of [false, true]) {
    const before = await addresses.count();
    await addresses.create();
    const { answer, total } = await addresses.count();
    if (total === before.total + 1) return;
    if (isLast)
      expect.equal(total, before.total + 1, 'total_count after one create', {
        answer,
        at: '/meta/total_count',
      });
  }
});

writeCheck(
  'ADDR-CREATE-COUNTED',
  { case: 'other-token', touches: { addresses: 'alone' } },
  async (context) => {
    const { oauth, expect } = context;
    const [reader, writer] = [await oauth.issue(), await oauth.issue()];
    const book = new AddressBook(context, reader);
    // A wrong count is checked once more: somebody else may have saved or deleted an address just then.
    for (const isLast of [false, true]) {
      const before = await book.count('list with one token');
      const sent = book.fresh();
      const created = await book.post({ address_template: sent }, 'create with another', { auth: writer });
      await book.made(sent, created);
      const { answer, total } = await book.count('list with the first one again');
      if (total === before.total + 1) return;
      if (!isLast) continue;
      const where = { answer, at: '/meta/total_count', by: created };
      expect.equal(total, before.total + 1, 'total_count after a create with another token', where);
    }
  },
);

writeCheck('ADDR-CREATE-ID-UNIQUE', async ({ addresses, oauth, expect }) => {
  const like = addresses.fresh();
  const made: CreatedAddress[] = [];
  const add = async (body: NewAddress, answer?: Answer): Promise<void> => {
    const created = answer ?? (await addresses.post({ address_template: body }));
    made.push(await addresses.made(body, created, 'taken'));
  };
  let bodies = [0, 1, 2, 3].map((n) => ({ ...like, alias_name: `${like.alias_name} ${n}` }));
  // Two are created one after the other, and two at the same time.
  await add(bodies[0]!);
  const equal = await addresses.post({ address_template: bodies[1] });
  // No two addresses may be equal but for their labels.
  if (!equal.ok) bodies = bodies.map(() => addresses.fresh());
  await add(bodies[1]!, equal.ok ? equal : undefined);
  const tokens = await oauth.issueTwo();
  for (const { pacer } of tokens) await pacer.ready();
  const answers = await Promise.all(
    tokens.map((auth, n) =>
      addresses.post({ address_template: bodies[n + 2] }, 'create one of two at once', { auth }),
    ),
  );
  for (const [n, answer] of answers.entries()) await add(bodies[n + 2]!, answer);
  // Another is created after a delete: a server that computes ids from the number of addresses then repeats
  // an id. The id of the deleted one may be given again.
  await addresses.removed(made.shift()!.id);
  await add(addresses.fresh());
  expectOwnIds(expect, made);
});

function expectOwnIds(expect: SuiteContext['expect'], made: readonly CreatedAddress[]): void {
  const ids = made.map(({ id }) => id.toLowerCase());
  const twice = ids.find((id, n) => ids.indexOf(id) !== n);
  expect.that(twice === undefined, `two addresses were created with the id ${twice}`, {
    answer: made[ids.lastIndexOf(twice ?? '')]?.answer ?? made[0]!.answer,
    at: '/data/id',
    expected: 'an id that no other address has',
    found: String(twice),
  });
}

/** Endings of two labels that a database collation treats as equal. */
const NEAR_LABELS: Record<string, [string, string]> = {
  'in the case of its letters': ['abc', 'ABC'],
  'in an accent': ['jose', 'jos\u00e9'],
};

writeCheck('ADDR-CREATE-ID-UNIQUE', { case: 'near-labels' }, async ({ addresses, expect, skip }) => {
  let accepted = 0;
  for (const [how, [one, other]] of Object.entries(NEAR_LABELS)) {
    const label = addresses.label();
    const { id } = await addresses.create({ alias_name: `${label} ${one}` });
    const body = addresses.fresh({ alias_name: `${label} ${other}` });
    const answer = await addresses.post({ address_template: body }, 'create an address of a similar label');
    // The target may demand unique labels, and may compare them in any way.
    if (!answer.ok) continue;
    accepted += 1;
    const found = idOf(answer.at('/data'));
    expect.that(found !== id, `a create was answered with the id of an address whose label differs ${how}`, {
      answer,
      at: '/data/id',
      expected: 'an id that no other address has',
      found: String(found),
    });
  }
  if (accepted === 0) skip('labels that resemble one another are refused');
});

writeCheck('ADDR-CREATE-ANSWER-CURRENT', async ({ sharedAddresses, expect }) => {
  for (const made of [
    await sharedAddresses.full(),
    await sharedAddresses.sparse(),
    await sharedAddresses.default(),
  ])
    expectCreateShows(expect, made, made.read.data, [...FIELDS, ...READ_ONLY_FIELDS]);
});

const AGAIN = ['ADDR-CREATE-STATUS', 'ADDR-CREATE-KEEPS-COMPANY'];

writeCheck(AGAIN, { case: 'after-delete' }, async ({ addresses, expect }) => {
  const { id, sent } = await addresses.create({}, 'create an address to save again');
  await addresses.removed(id);
  // With one other value, so that an old address which comes back in place of the new one is told from it.
  const { company } = addresses.fresh().address_attributes;
  const again = { ...sent, address_attributes: { ...sent.address_attributes, company } };
  const answer = await addresses.post({ address_template: again }, 'create the deleted address again');
  // The account may be full by now, and then another create is refused as well.
  if (answer.status !== 201) await addresses.create();
  expect.status(answer, 201);
  const made = await addresses.made(again, answer, 'taken');
  const read = await addresses.stored(made.id);
  const what = 'company of an address that was saved again with another one after it was deleted';
  const where = { answer: read.answer, at: '/data/address/company' };
  const found = typedValue(read.data, fieldNamed('company'));
  expect.for('ADDR-CREATE-KEEPS-COMPANY').equal(found, company, what, where);
});

writeCheck('ADDR-CREATE-LASTS', { case: 'token-revoked' }, async ({ addresses, oauth, expect }) => {
  const auth = await oauth.issue();
  const sent = addresses.fresh();
  const created = await addresses.post({ address_template: sent }, 'create with a token of its own', {
    auth,
  });
  const { id } = await addresses.made(sent, created);
  await addresses.stored(id);
  const revocation = await oauth.revoke(auth.value);
  requireOk(revocation, 'TOKEN-REVOKE-STATUS');
  const read = await addresses.read(id, 'read the address that was saved with the revoked token');
  expect.after(revocation).accepted(read, 'it was saved, and only a token was revoked');
});

writeCheck('ADDR-CREATE-LOCATION', async ({ addresses, sharedAddresses, expect, block }) => {
  const { id, answer, sent } = await sharedAddresses.made();
  if (answer.status !== 201) block(`create answered ${answer.status}, not 201`, 'ADDR-CREATE-STATUS', answer);
  const [location] = answer.header('location');
  expect.that(location !== undefined, 'the 201 has no Location', {
    answer,
    at: 'header:Location',
    expected: 'the address of the new resource',
    found: 'nothing',
  });
  const { url: asked } = answer.exchange.request;
  const url = URL.canParse(location!, asked) ? new URL(location!, asked) : undefined;
  expect.that(url?.origin === new URL(asked).origin, `Location leads elsewhere: ${location}`, {
    answer,
    at: 'header:Location',
  });
  const read = await addresses.call({ method: 'GET', url: url!.href, purpose: 'follow Location' });
  // Where a read by id does not show the address either, the header is not to blame.
  if (!read.ok) await addresses.stored(id);
  const leads = read.ok && (idOf(read.at('/data')) === id || read.text.includes(sent.alias_name));
  expect.that(leads, `Location ${location} does not lead to the new address`, {
    answer: read,
    at: 'status',
    expected: 'the new address',
    found: String(read.status),
  });
});
