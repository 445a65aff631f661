/** 4.6: a verification does not change the address, other addresses, or an update that is made meanwhile. */
import { isDeepStrictEqual } from 'node:util';
import { short } from '../../lib/check/validator.ts';
import type { AddressTemplate } from '../../schemas/shipping/index.ts';
import { namesake } from '../../services/shipping/fixtures/namesake.ts';
import { CAPITAL } from '../../services/shipping/fixtures/places.ts';
import { type Entry, sortedEntries } from '../../services/shipping/judging/verified-entries.ts';
import {
  FIELDS,
  type FieldName,
  fieldNamed,
  isShown,
  READ_ONLY_FIELDS,
  templateOf,
  typedValue,
  type Values,
} from '../../services/shipping/vocabulary.ts';
import { type Difference, expectSameFields, expectValue } from './answers.ts';
import { check, type SuiteContext } from './suite.ts';

// The clock is moved until there is an outcome.
const writeCheck = check.with({ effects: 'write', touches: { clock: 'move' } });

/** Values that a carrier may write in another form; those of the place belong together. */
const LOOSE = {
  ...CAPITAL,
  name: 'María de la Luz Núñez',
  street1: 'calle del niño perdido no. 5',
  phone: '+52 55 1234 5678',
  reference: 'Entre calle uno y calle dos; '.repeat(4).trim(),
};

/** Creates an address of such values or, where the target refuses them, of plain ones. */
async function looselyWritten({ addresses }: SuiteContext) {
  const sent = addresses.fresh({ address_attributes: LOOSE });
  const purpose = 'create an address that a carrier would write in another way';
  const answer = await addresses.post({ address_template: sent }, purpose);
  const { id } = answer.ok ? await addresses.made(sent, answer) : await addresses.create();
  return { id, data: (await addresses.stored(id)).data };
}

writeCheck('ADDR-VERIFY-KEEPS-ADDRESS', async (context) => {
  const { addresses, verification, expect } = context;
  const { id, data: before } = await looselyWritten(context);
  await verification.started(id, [await verification.carrier()]);
  const after = [(await addresses.stored(id, 'read directly after the verify')).answer];
  await verification.settle();
  after.push((await addresses.stored(id, 'read some time after the verify')).answer);
  for (const answer of after) {
    const say = ({ pointer, found, expected }: Difference) =>
      `${pointer} is ${found} after a verification, before it was ${expected}`;
    const fields = [...FIELDS, ...READ_ONLY_FIELDS];
    expectSameFields(expect, answer.at('/data'), before, say, { answer, at: '/data', fields });
  }
});

writeCheck('ADDR-VERIFY-OTHERS-UNTOUCHED', async ({ addresses, sharedAddresses, verification, expect }) => {
  const { id, sent } = await addresses.create();
  // No other address has the same content: whether equal ones share their outcomes is left open.
  const others = [
    await sharedAddresses.full(),
    await addresses.create(),
    await namesake(addresses, { id, sent }),
  ];
  const before = new Map<string, Entry[]>();
  for (const other of others) before.set(other.id, (await verification.entries(other.id)).entries);
  await verification.started(id, [await verification.carrier()]);
  await verification.settle();
  for (const other of others) {
    const { answer, entries } = await verification.entries(other.id, 'read another address');
    const same = isDeepStrictEqual(sortedEntries(entries), sortedEntries(before.get(other.id)));
    if (!same) await verification.requireAsked();
    expect.that(same, `${id} was verified, and the verified carriers of ${other.id} changed`, {
      answer,
      at: '/data/verified_carriers',
      expected: short(before.get(other.id)),
      found: short(entries),
    });
  }
});

/** Fields that an update sets while a verification goes on. */
const UPDATED: readonly FieldName[] = ['street1', 'alias_name', 'name', 'company', 'phone', 'reference'];

writeCheck('ADDR-VERIFY-KEEPS-UPDATE', async (context) => {
  const working: FieldName[] = [];
  for (const name of UPDATED) if (await context.updates.works(name)) working.push(name);
  if (working.length === 0) context.block('no field can be updated alone', 'ADDR-UPDATE-SETS-STREET1');
  const { id, data } = await context.updates.any();
  const changes = await context.updates.values(data, working);
  await expectKept(context, id, changes, async () => {
    const other = await context.updates.any();
    const values = await context.updates.values(other.data, working);
    await context.addresses.updated(other.id, templateOf(values));
    const after = await context.addresses.stored(other.id, 'read an address after such an update alone');
    if (!shows(after.data, values))
      context.block('these fields cannot be updated together', 'ADDR-UPDATE-COMBINED');
  });
});

const OF_DEFAULT = { case: 'default', touches: { clock: 'move', default: 'alone' } } as const;

writeCheck('ADDR-VERIFY-KEEPS-UPDATE', OF_DEFAULT, async (context) => {
  if (!(await context.updates.works('default')))
    context.skip('an update of `default` alone is refused, or changes nothing');
  const { id } = await context.updates.start('full');
  await expectKept(context, id, { default: true });
});

/**
 * Requires that an update which is made while a verification of the address goes on is kept by it.
 * @param unlessAlone blocks where such an update does not even take effect without a verification
 */
async function expectKept(
  context: SuiteContext,
  id: string,
  changes: Values,
  unlessAlone?: () => Promise<void>,
): Promise<void> {
  const { addresses, verification, time, target, session, expect, skip } = context;
  const { tookMs } = await verification.verified();
  await verification.started(id, [await verification.carrier()]);
  const sent = await addresses.update(id, templateOf(changes), {}, 'update while the verification goes on');
  // Refusals of updates are not documented, and an address may be locked while it is being verified.
  if (!sent.ok) skip(`an update while a verification goes on is answered ${sent.status}`);
  const looks = [await addresses.stored(id, 'read while the verification goes on')];
  await verification.settle();
  if (time.movable) await time.wait(2 * tookMs);
  // The verification job may run on another clock than the one that was moved.
  if (time.movable && !target.embedded) await time.rest(Math.min(1_000, session.options.maxWaitMs));
  looks.push(await addresses.stored(id, 'read after the verification'));
  if (!looks.every(({ data }) => shows(data, changes))) await unlessAlone?.();
  for (const after of looks)
    for (const [name, value] of Object.entries(changes))
      expectValue(expect, after, fieldNamed(name as FieldName), value, sent);
}

/** Whether an address has all of these values. */
const shows = (data: AddressTemplate, values: Values): boolean =>
  Object.entries(values).every(([name, value]) => {
    const field = fieldNamed(name as FieldName);
    return isShown(field, typedValue(data, field), value);
  });
