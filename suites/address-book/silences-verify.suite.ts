/** What 3 and 4.6 leave open about verification: recorded, never failed. */

import type { CheckContext } from '../../lib/check/context.ts';
import { perRun } from '../../lib/check/per-run.ts';
import { short } from '../../lib/check/validator.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { AddressBook } from '../../services/shipping/api/addresses.ts';
import { Verification } from '../../services/shipping/fixtures/verification.ts';
import { unknownId } from '../../services/shipping/judging/address-ids.ts';
import { inDetail, outcome } from '../../services/shipping/judging/describe.ts';
import { type Entry, entriesOf } from '../../services/shipping/judging/verified-entries.ts';
import { check } from './suite.ts';

// The clock is moved until there is an outcome.
const writeCheck = check.with({ effects: 'write', touches: { clock: 'move' } });

/** The progress of one verification: its answer, and reads after it. */
interface Course {
  carrier: string;
  answer: Answer;
  reads: { afterMs: number; entries: Entry[] }[];
}

/** Returns the course of a verification by one carrier; watched once in a run. */
const course = perRun(
  'shipping: course of a verification',
  async (context: CheckContext): Promise<Course> => {
    const verification = new Verification(context);
    const carrier = await verification.carrier();
    const { id } = await new AddressBook(context).create({}, 'create an address to verify');
    const started = context.time.elapsed();
    const answer = await verification.started(id, [carrier]);
    const reads: Course['reads'] = [];
    const note = (entries: Entry[]) => {
      reads.push({ afterMs: context.time.elapsed() - started, entries });
      return false;
    };
    await verification.wait(id, note, 600_000, 0, 4);
    return { carrier, answer, reads };
  },
);

const COURSE = [
  'ADDR-VERIFY-TRANSITIONS',
  'ADDR-CARRIER-STATUS-VALUES',
  'ADDR-VERIFY-VERIFICATION-ID',
  'ADDR-VERIFY-UNASKED-CARRIERS',
  'ADDR-VERIFY-FIRST-ANSWER',
];

writeCheck(COURSE, async (context) => {
  const { observe } = context;
  const { carrier, answer, reads } = await course(context);
  const own = reads.map(({ afterMs, entries }) => ({ afterMs, entry: entriesOf(entries, carrier)[0] }));
  const steps = own.filter(({ entry }, n) => n === 0 || entry?.status !== own[n - 1]!.entry?.status);
  const transitions = steps.map(
    ({ afterMs, entry }) => `${short(entry?.status)} after ${(afterMs / 1000).toFixed(1)} s`,
  );
  observe(transitions.join(', then '), 'ADDR-VERIFY-TRANSITIONS');
  const statuses = new Set(reads.flatMap(({ entries }) => entries.map(({ status }) => short(status))));
  observe([...statuses].join(', ') || 'no entry appeared', 'ADDR-CARRIER-STATUS-VALUES');
  const ids = steps.map(({ entry }) => `${typeOf(entry?.verification_id)} at ${short(entry?.status)}`);
  observe(ids.join(', '), 'ADDR-VERIFY-VERIFICATION-ID');
  const unasked = reads
    .at(-1)!
    .entries.filter((entry) => !entriesOf([entry], carrier).length)
    .map((entry) => short(entry.carrier_name));
  observe(unasked.length === 0 ? 'no' : `yes: ${unasked.join(', ')}`, 'ADDR-VERIFY-UNASKED-CARRIERS');
  const first = answer.at('/data/verified_carriers');
  const entry = Array.isArray(first) ? entriesOf(first as Entry[], carrier)[0] : undefined;
  const status = entry && `an entry with the status ${short(entry.status)}`;
  observe(status ?? 'no entry of the carrier that was asked', 'ADDR-VERIFY-FIRST-ANSWER');
});

const typeOf = (value: unknown): string => (value === null ? 'null' : typeof value);

writeCheck('ADDR-VERIFY-UNKNOWN-ANSWER', async ({ addresses, verification, faker, observe }) => {
  const carriers = [await verification.carrier()];
  observe(
    inDetail(await addresses.verify(unknownId(faker), { carriers }, 'verify an id that no address has')),
  );
});

/** Silences about the body of a verify, and the bodies that are sent, each with a description. */
const BODIES: [string, [string, unknown][]][] = [
  ['ADDR-VERIFY-INVALID-ANSWER', [['without carriers', {}]]],
  ['ADDR-VERIFY-EMPTY-CARRIERS', [['an empty list', { carriers: [] }]]],
  [
    'ADDR-VERIFY-WRONG-TYPES',
    [
      ['a string', { carriers: 'fedex' }],
      ['a list of numbers', { carriers: [1] }],
    ],
  ],
  ['ADDR-VERIFY-UNKNOWN-CARRIER', [['an invented carrier', { carriers: ['conformance-no-such-carrier'] }]]],
];

for (const [id, bodies] of BODIES) {
  writeCheck(id, async ({ addresses, sharedAddresses, observe }) => {
    const { id: address } = await sharedAddresses.expendable();
    const said: string[] = [];
    for (const [name, json] of bodies) {
      const answer = await addresses.verify(address, json, `verify with ${name}`);
      said.push(
        `${name}: ${answer.ok ? `${outcome(answer)}, ${short(answer.at('/data/verified_carriers'))}` : inDetail(answer)}`,
      );
    }
    observe(said.join('; '));
  });
}

writeCheck('ADDR-VERIFY-REPEATED', async ({ addresses, verification, observe }) => {
  const carrier = await verification.carrier();
  const { id } = await verification.unverified();
  await verification.started(id, [carrier]);
  await verification.settle();
  const again = await addresses.verify(id, { carriers: [carrier] }, 'verify by the same carrier again');
  await verification.settle();
  const twice = await addresses.verify(id, { carriers: [carrier, carrier] }, 'verify naming a carrier twice');
  await verification.settle();
  const entries = entriesOf((await verification.entries(id)).entries, carrier);
  observe(`again: ${outcome(again)}; named twice: ${outcome(twice)}; entries of it then: ${entries.length}`);
});

writeCheck('ADDR-VERIFY-EARLIER-OUTCOMES', async ({ addresses, verification, observe }) => {
  const [first, second] = await verification.severalCarriers();
  const { id } = await verification.unverified();
  await verification.started(id, [first!]);
  await verification.settle();
  const before = entriesOf((await verification.entries(id)).entries, first!);
  const next = await addresses.verify(id, { carriers: [second] }, 'verify by a second carrier');
  // The second verification may be refused while the first is under way.
  if (!next.ok) return observe(`a verification by a second carrier is ${outcome(next)}`);
  await verification.settle();
  const after = entriesOf((await verification.entries(id)).entries, first!);
  if (before.length === 0) return observe('no outcome appeared in time');
  observe(
    after.length === 0
      ? 'it disappears'
      : JSON.stringify(after) === JSON.stringify(before)
        ? 'it stays'
        : 'it changes',
  );
});
