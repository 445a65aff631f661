/** 4.6: a verification does not change the address, other addresses, or an update that is made meanwhile. */
import { isDeepStrictEqual } from 'node:util';
import { short } from '../../lib/check/validator.ts';
import { namesake } from '../../services/shipping/fixtures/namesake.ts';
import { type Entry, sortedEntries } from '../../services/shipping/judging/verified-entries.ts';
import { FIELDS, fieldNamed, READ_ONLY_FIELDS, templateOf } from '../../services/shipping/vocabulary.ts';
import { type Difference, expectSameFields, expectValue } from './answers.ts';
import { check } from './suite.ts';

// The clock is moved until there is an outcome.
const writeCheck = check.with({ effects: 'write', touches: { clock: 'move' } });

writeCheck('ADDR-VERIFY-KEEPS-ADDRESS', async ({ addresses, updates, verification, expect }) => {
  const { id, data: before } = await updates.any();
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

writeCheck(
  'ADDR-VERIFY-KEEPS-UPDATE',
  async ({ addresses, updates, verification, time, target, session, expect, block, skip }) => {
    const { tookMs } = await verification.verified();
    if (!(await updates.works('street1')))
      block('street1 alone cannot be updated', 'ADDR-UPDATE-SETS-STREET1');
    const { id, data } = await updates.any();
    await verification.started(id, [await verification.carrier()]);
    const changes = await updates.values(data, ['street1']);
    const sent = await addresses.update(id, templateOf(changes), {}, 'update while the verification goes on');
    // Refusals of updates are not documented, and an address may be locked while it is being verified.
    if (!sent.ok) skip(`an update while a verification goes on is answered ${sent.status}`);
    const looks = [await addresses.stored(id, 'read while the verification goes on')];
    await verification.settle();
    if (time.movable) await time.wait(2 * tookMs);
    // The verification job may run on another clock than the one that was moved.
    if (time.movable && !target.embedded) await time.rest(Math.min(1_000, session.options.maxWaitMs));
    looks.push(await addresses.stored(id, 'read after the verification'));
    for (const after of looks) expectValue(expect, after, fieldNamed('street1'), changes.street1, sent);
  },
);
