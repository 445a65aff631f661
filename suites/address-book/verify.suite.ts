import type { Where } from '../../lib/check/expect.ts';
import { requireOk } from '../../lib/check/require.ts';
import { short } from '../../lib/check/validator.ts';
import { idOf, shows } from '../../services/shipping/api/addresses.ts';
import { SPECIAL_TEXT } from '../../services/shipping/fixtures/special-address.ts';
import { NoOutcome, noOutcome, type Waited } from '../../services/shipping/fixtures/verification.ts';
import { unknownId } from '../../services/shipping/judging/address-ids.ts';
import {
  changedEntries,
  type Entry,
  entriesOf,
  hasOutcome,
  properEntries,
} from '../../services/shipping/judging/verified-entries.ts';
import { differing, FIELDS, READ_ONLY_FIELDS, templateOf } from '../../services/shipping/vocabulary.ts';
import { expectData, expectSameFields, expectSameId } from './answers.ts';
import { check, type SuiteContext } from './suite.ts';

// The clock is moved until there is an outcome.
const writeCheck = check.with({ effects: 'write', touches: { clock: 'move' } });

writeCheck('ADDR-VERIFY-STATUS', async ({ addresses, verification, expect }) => {
  const { id, answer } = await verification.first();
  if (answer.ok) return expect.status(answer, 202);
  // A refusal because the body lacks the optional id belongs to another requirement.
  const body = { address_template_id: id, carriers: [await verification.carrier()] };
  const withId = await addresses.verify(id, body, 'verify with the id in the body');
  expect.status(withId.ok ? withId : answer, 202);
});

writeCheck('ADDR-VERIFY-STATUS', { case: 'several' }, async (context) => {
  const { addresses, verification, expect } = context;
  const carriers = (await verification.severalCarriers()).slice(0, 3);
  await verification.accepted();
  const id = await addresses.anyId();
  expect.status(await verification.started(id, carriers), 202);
});

writeCheck('ADDR-VERIFY-ANSWER-CURRENT', async (context) => {
  const { addresses, verification, updates, expect, block } = context;
  const { id, data } = await updates.any();
  await addresses.update(id, templateOf(await updates.values(data, ['alias_name', 'street1'])));
  // Sent by itself, since a target may refuse it.
  await addresses.update(id, templateOf({ reference: SPECIAL_TEXT }));
  const { data: before } = await addresses.stored(id);
  const answer = await verification.started(id, [await verification.carrier()]);
  const shown = answer.at('/data');
  if (shown === null || typeof shown !== 'object') block('it is answered without data', 'ADDR-VERIFY-DATA');
  const { data: after } = await addresses.stored(id);
  const fields = [...FIELDS, ...READ_ONLY_FIELDS];
  // That the verification itself changes fields is the subject of another requirement.
  const changed = differing(before, after, fields);
  expectSameFields(
    expect,
    shown,
    after,
    ({ pointer, found, expected }) =>
      `the verify is answered with ${pointer} ${found}, reads before and after give ${expected}`,
    { answer, at: '/data', fields: fields.filter((each) => !changed.includes(each)) },
  );
});

writeCheck('ADDR-VERIFY-DATA', async ({ verification, expect, block }) => {
  const { answer } = await verification.accepted();
  if (answer.status === 204) block('verify answered 204', 'ADDR-VERIFY-STATUS');
  expectData(expect, answer);
});

writeCheck('ADDR-VERIFY-SAME-ID', async ({ verification, expect, block }) => {
  const { id, answer } = await verification.accepted();
  expectSameId({ expect, block }, answer, id);
});

writeCheck('ADDR-VERIFY-OUTCOME', async (context) => {
  const { verification, expect, undecided } = context;
  const { carrier } = await verification.verified().catch(async (error: unknown) => {
    if (error instanceof NoOutcome) await failWithoutOutcome(context, error.seen);
    throw error;
  });
  // The first entry may only say that the verification is under way: the outcome still has to appear.
  const { id, before } = await verification.unverified();
  const answer = await verification.started(id, [carrier]);
  const isThere = (entries: Entry[]) => hasOutcome(entries, carrier, before);
  const first = await verification.wait(id, isThere);
  if (!first.complete) await failWithoutOutcome(context, { id, carrier, before, answer, waited: first });
  await verification.settle();
  const last = await verification.wait(id, isThere);
  if (!first.complete) undecided(noOutcome([carrier], first));
  expect.that(last.complete, `an entry of ${carrier} appeared, and is gone`, whereEntries(last, carrier));
});

/**
 * Fails where the outcome is not just late: another entry appeared, the list shows it, or waiting longer would not
 * help.
 */
async function failWithoutOutcome(context: SuiteContext, seen: NoOutcome['seen']): Promise<void> {
  const { expect, time } = context;
  const { carrier, before, waited } = seen;
  const others = changedEntries(waited.entries, before);
  properEntries(others);
  // The target had verified the address unasked before, and the new outcome may equal that entry.
  if (entriesOf(waited.entries, carrier).length > 0) return;
  // Only where the target's own clock was moved on this far, or the list shows it, would waiting longer not help. What
  // the answer shows may be an earlier outcome, which is taken away until the next one comes.
  const isListed = others.length === 0 && !time.movable && (await isOutcomeListed(context, seen));
  if (others.length === 0 && !isListed && !time.movable) return;
  const seconds = Math.round(waited.tookMs / 1000);
  const what =
    others.length > 0
      ? 'an entry of another carrier appeared'
      : `no read within ${seconds} s shows an entry of it${isListed ? ', though the list does' : ''}`;
  expect.fail(`${carrier} was asked, and ${what}`, whereEntries(waited, carrier));
}

/** Whether the list shows an outcome that no read has shown, and a read does not show it even then. */
async function isOutcomeListed(context: SuiteContext, seen: NoOutcome['seen']): Promise<boolean> {
  const { id, carrier, before } = seen;
  const item = await context.addresses.listed((each) => idOf(each)?.toLowerCase() === id.toLowerCase());
  if (!item || !hasOutcome(properEntries(item.verified_carriers), carrier, before)) return false;
  return !hasOutcome((await context.verification.entries(id)).entries, carrier, before);
}

/** Returns where to look for the evidence at the end of a wait for an entry of the carrier. */
function whereEntries({ answer, entries }: Waited, carrier: string): Where {
  const expected = `an entry whose carrier_name is ${carrier}`;
  return { answer, at: '/data/verified_carriers', expected, found: short(entries) };
}

writeCheck('ADDR-VERIFY-EACH-CARRIER', async ({ addresses, verification, expect, undecided }) => {
  const carriers = (await verification.severalCarriers()).slice(0, 3);
  const { tookMs } = await verification.verified();
  // Several carriers may take longer than one, but not indefinitely.
  const limitMs = 10 * tookMs + 30_000;
  const { id, before } = await verification.unverified();
  await verification.started(id, carriers);
  const missing = (entries: Entry[]) => carriers.filter((carrier) => !hasOutcome(entries, carrier, before));
  const waited = await verification.wait(id, (entries) => missing(entries).length === 0, limitMs);
  if (waited.complete) return;
  const [absent] = missing(waited.entries);
  const patient = waited.tookMs >= 3 * tookMs + 2_000;
  if (missing(waited.entries).length === carriers.length || !patient)
    undecided(noOutcome(missing(waited.entries), waited));
  // A carrier that gets no entry even when it is asked alone shows nothing about asking several.
  const { id: alone } = await addresses.create();
  await verification.started(alone, [absent!]);
  const single = await verification.wait(alone, (entries) => hasOutcome(entries, absent!, []), limitMs);
  if (!single.complete) undecided(noOutcome([absent!], single));
  expect.fail(
    `${carriers.join(', ')} were asked together, and ${missing(waited.entries).join(', ')} got no entry`,
    {
      answer: waited.answer,
      at: '/data/verified_carriers',
      expected: `entries of ${carriers.join(', ')}`,
      found: short(waited.entries),
    },
  );
});

writeCheck('ADDR-VERIFY-REQUIRES-CARRIERS', async ({ addresses, verification, expect }) => {
  await verification.accepted();
  const { id, before } = await verification.unverified();
  const answer = await addresses.verify(id, {}, 'verify without carriers');
  expect.refused(answer, 'carriers is missing');
  await verification.settle();
  const after = await verification.entries(id);
  const started = changedEntries(after.entries, before);
  if (started.length > 0) await verification.requireAsked();
  expect.that(
    started.length === 0,
    'the verify without carriers was refused, and an outcome appeared all the same',
    {
      answer: after.answer,
      at: '/data/verified_carriers',
      expected: short(before),
      found: short(after.entries),
    },
  );
});

const KEPT = { case: 'outcomes-kept', touches: { clock: 'move', verified: 'alone' } } as const;

writeCheck(
  'ADDR-VERIFY-REQUIRES-CARRIERS',
  KEPT,
  async ({ addresses, verification, expect, block, skip }) => {
    const { id } = (await verification.verified()).made;
    const { entries: before } = await verification.entries(id);
    if (before.length === 0) skip('the outcome is no longer shown');
    const answer = await addresses.verify(id, {}, 'verify the verified address without carriers');
    if (answer.ok) block('a verify without carriers is accepted', 'ADDR-VERIFY-REQUIRES-CARRIERS');
    const after = await verification.entries(id);
    const lost = before.filter(
      ({ carrier_name: name }) => !after.entries.some((each) => each.carrier_name === name),
    );
    expect.that(
      lost.length === 0,
      'a verify without carriers was refused, and an outcome is gone all the same',
      {
        answer: after.answer,
        at: '/data/verified_carriers',
        expected: short(before),
        found: short(after.entries),
        by: answer,
      },
    );
  },
);

writeCheck('ADDR-VERIFY-BODY-ID', async ({ addresses, verification, expect }) => {
  const carriers = [await verification.carrier()];
  await verification.accepted();
  const other = await addresses.anyId();
  const answer = await addresses.verify(
    other,
    { address_template_id: other, carriers },
    'verify with the id in the body',
  );
  // The target may verify only so many addresses, and then refuses every further verification.
  if (!answer.ok)
    requireOk(await addresses.verify(await addresses.anyId(), { carriers }), 'ADDR-VERIFY-STATUS');
  expect.accepted(answer, 'the body may carry the id of the path');
});

writeCheck('ADDR-VERIFY-BODY-ID-OPTIONAL', async ({ addresses, verification, expect }) => {
  const carriers = [await verification.carrier()];
  const id = await addresses.anyId();
  const answer = await addresses.verify(id, { carriers }, 'verify without the id in the body');
  if (answer.ok) return;
  const withId = await addresses.verify(
    id,
    { address_template_id: id, carriers },
    'verify with the id in the body',
  );
  requireOk(withId, 'ADDR-VERIFY-STATUS');
  expect.accepted(answer, 'the id in the body is optional');
});

writeCheck('ADDR-VERIFY-UNKNOWN-REFUSED', async ({ addresses, verification, faker, expect }) => {
  const carriers = [await verification.carrier()];
  const id = await addresses.anyId();
  await verification.started(id, carriers);
  const answer = await addresses.verify(
    unknownId(faker, id),
    { carriers },
    'verify an id that no address has',
  );
  expect.refused(answer, 'no address has this id');
});

writeCheck('ADDR-VERIFY-DELETED-REFUSED', async ({ addresses, verification, expect, skip, block }) => {
  const carriers = [await verification.carrier()];
  const id = await addresses.anyId();
  await verification.started(id, carriers);
  const deleted = await addresses.remove(id, 'delete while the verification goes on');
  if (deleted.status === 409) skip('a delete while a verification goes on is answered 409');
  requireOk(deleted, 'ADDR-DELETE-STATUS');
  const read = await addresses.read(id, 'read the deleted address');
  if (shows(read, id)) block('a deleted address is still there', 'ADDR-DELETE-GONE-READ');
  expect.refused(
    await addresses.verify(id, { carriers }, 'verify the deleted address'),
    'the address was deleted',
  );
});
