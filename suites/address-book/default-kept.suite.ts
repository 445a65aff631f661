/** 4.3 to 4.6: requests about other addresses leave the default address the default, and what it is besides. */
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { AddressTemplate } from '../../schemas/shipping/index.ts';
import { FIELDS_BUT_DEFAULT, fieldNamed, typedValue } from '../../services/shipping/vocabulary.ts';
import { type Difference, expectSameFields } from './answers.ts';
import { expectOthersKept, listedItems } from './others-kept.ts';
import { check, type SuiteContext } from './suite.ts';

const writeCheck = check.with({ effects: 'write', touches: { default: 'alone' } });
/** For checks that compare the other addresses of the list before and after. */
const listedCheck = writeCheck.with({ touches: { addresses: 'alone' } });

/** One request, and an address that it does not name before and after it. */
interface Step {
  done: Answer;
  before: AddressTemplate;
  after: Answer;
}

/** Creates a default address, and returns how it looks at first, and a way to look at it after each request. */
const defaultAddress = async (context: SuiteContext) => {
  const { addresses, updates, skip } = context;
  const { id, data } = await updates.start('full', true);
  if (data.default !== true) skip('the target lets no new address be the default');
  let before = data;
  const look = async (done: Answer): Promise<Step> => {
    const after = await addresses.read(id, 'read the default address again');
    const step = { done, before, after };
    if (after.ok) before = after.at('/data') as AddressTemplate;
    return step;
  };
  return { id, look };
};

/** Creates, updates and deletes another address beside a default one. */
const besideDefault = perRun('shipping: beside a default address', async (context: SuiteContext) => {
  const { addresses, updates } = context;
  const { look } = await defaultAddress(context);
  const sent = updates.toSend('full');
  const created = await addresses.post(
    { address_template: sent },
    'create an address beside the default one',
  );
  const create = await look(created);
  const { id: other } = await addresses.made(sent, created);
  const changes = { default: false, address_attributes: { company: `Empresa ${addresses.nth()}` } };
  const updated = await addresses.update(other, changes, {}, 'update an address beside the default one');
  const update = await look(updated);
  const removed = await look(await addresses.remove(other, 'delete an address beside the default one'));
  return { create, update, delete: removed };
});

/** Requires that an address which was the default before a request still is. */
function expectDefault({ expect, block }: SuiteContext, step: Step, needs: string, earlier: string): void {
  const { done, before, after } = step;
  requireOk(done, needs);
  if (before.default !== true) block('the address is not the default any more', earlier);
  requireOk(after, 'ADDR-READ-STATUS');
  const found = typedValue(after.at('/data'), fieldNamed('default'));
  const what = `default of the default address after "${done.exchange.purpose}", which does not name it`;
  expect.after(done).equal(found, true, what, { answer: after, at: '/data/default' });
}

for (const [id, what, needs, earlier] of [
  ['ADDR-CREATE-DEFAULT-KEPT', 'create', 'ADDR-CREATE-STATUS', 'ADDR-CREATE-KEEPS-DEFAULT'],
  ['ADDR-UPDATE-DEFAULT-KEPT', 'update', 'ADDR-UPDATE-STATUS', 'ADDR-CREATE-DEFAULT-KEPT'],
  ['ADDR-DELETE-DEFAULT-KEPT', 'delete', 'ADDR-DELETE-STATUS', 'ADDR-UPDATE-DEFAULT-KEPT'],
] as const) {
  writeCheck(id, async (context) => {
    expectDefault(context, (await besideDefault(context))[what], needs, earlier);
  });
}

/** Verifies another address beside a default one, and then that one. */
const verifiedBeside = perRun('shipping: verify beside a default address', async (context: SuiteContext) => {
  const { addresses, verification } = context;
  const body = { carriers: [await verification.carrier()] };
  const { id, look } = await defaultAddress(context);
  const beside = await look(await addresses.verify(await addresses.anyId(), body, 'verify another address'));
  const own = await look(await addresses.verify(id, body, 'verify the default address'));
  return { beside, own };
});

for (const [id, what, earlier] of [
  ['ADDR-VERIFY-DEFAULT-KEPT', 'beside', 'ADDR-CREATE-KEEPS-DEFAULT'],
  ['ADDR-VERIFY-KEEPS-ADDRESS', 'own', 'ADDR-VERIFY-DEFAULT-KEPT'],
] as const) {
  writeCheck(id, { case: 'default' }, async (context) => {
    expectDefault(context, (await verifiedBeside(context))[what], 'ADDR-VERIFY-STATUS', earlier);
  });
}

/** Makes a second address the default by a create, and then the first one again by an update, and deletes that. */
const secondDefault = perRun('shipping: second default address', async (context: SuiteContext) => {
  const { addresses } = context;
  const { id, look } = await defaultAddress(context);
  const sent = addresses.fresh({ default: true });
  const created = await addresses.post({ address_template: sent }, 'create a second default address');
  const create = await look(created);
  const other = created.ok ? (await addresses.made(sent, created)).id : await addresses.anyId();
  const { data: second } = await addresses.stored(other);
  const back = await addresses.update(id, { default: true }, {}, 'make the first one the default again');
  const update: Step = {
    done: back,
    before: second,
    after: await addresses.read(other, 'read the other one'),
  };
  const before = await listedItems(addresses);
  const removed = await addresses.remove(id, 'delete the default address');
  const after = await listedItems(addresses);
  return { id, create, update, removed, before, after };
});

for (const [id, what] of [
  ['ADDR-CREATE-DEFAULT-KEPT', 'create'],
  ['ADDR-UPDATE-OTHERS-UNTOUCHED', 'update'],
] as const) {
  listedCheck(id, { case: 'second-default' }, async (context) => {
    const { done, before, after } = (await secondDefault(context))[what];
    // A second default address may be refused.
    if (!done.ok) return context.skip(`"${done.exchange.purpose}" is answered ${done.status}`);
    const expect = context.expect.after(done);
    expect.accepted(after, 'only another address became the default');
    const say = ({ pointer, found, expected }: Difference) =>
      `${pointer} is ${found} after another address became the default, before it was ${expected}`;
    expectSameFields(expect, after.at('/data'), before, say, {
      answer: after,
      at: '/data',
      fields: FIELDS_BUT_DEFAULT,
    });
  });
}

listedCheck('ADDR-DELETE-OTHERS-UNTOUCHED', { case: 'default' }, async (context) => {
  const { id, removed, before, after } = await secondDefault(context);
  if (!removed.ok) return context.skip(`a delete of the default address is answered ${removed.status}`);
  const { addresses } = context;
  await expectOthersKept({ addresses, expect: context.expect.after(removed) }, id, before, after);
});

listedCheck('ADDR-DELETE-GONE-LIST', { case: 'default' }, async (context) => {
  const { id, removed, before, after } = await secondDefault(context);
  if (!removed.ok) return context.skip(`a delete of the default address is answered ${removed.status}`);
  const key = id.toLowerCase();
  if (!before.has(key)) context.block('the address is not in the list to begin with', 'ADDR-CREATE-LISTED');
  const what = `the default address ${id} is still in the list after a delete`;
  context.expect.after(removed).that(!after.has(key), what, { expected: 'no item with that id', found: id });
});
