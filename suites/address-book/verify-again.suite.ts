/**
 * 3 and 4.6: less usual verifications have an outcome, too: one whose body carries the optional id, and a
 * second one of the same address.
 */
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import { short } from '../../lib/check/validator.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { noOutcome, type Waited } from '../../services/shipping/fixtures/verification.ts';
import { entriesOf, hasOutcome } from '../../services/shipping/judging/verified-entries.ts';
import { check, type SuiteContext, WITHIN_A_SECOND } from './suite.ts';

// The clock is moved until there is an outcome.
const writeCheck = check.with({ effects: 'write', touches: { clock: 'move' } });

/** A verification that was requested in an unusual way, and the wait for its outcome. */
interface Asked {
  id: string;
  carrier: string;
  answer: Answer;
  waited: Waited;
  /** How long the outcome of a usual one took, in milliseconds of the target's time. */
  usualMs: number;
}

/** Returns a verification whose body names the address of the path. */
const withBodyId = perRun(
  'shipping: verification with the id in the body',
  async ({ addresses, verification }: SuiteContext): Promise<Asked> => {
    const { carrier, tookMs: usualMs } = await verification.verified();
    const { id } = await addresses.create({}, 'create an address to verify with its id in the body');
    const { entries: before } = await verification.entries(id);
    const body = { address_template_id: id, carriers: [carrier] };
    const answer = await addresses.verify(id, body, 'verify with the id in the body');
    requireOk(answer, 'ADDR-VERIFY-BODY-ID');
    const isThere = (entries: Waited['entries']) => hasOutcome(entries, carrier, before);
    const waited = await verification.wait(id, isThere, limitFor(usualMs));
    return { id, carrier, answer, waited, usualMs };
  },
);

writeCheck('ADDR-VERIFY-OUTCOME', { case: 'id-in-body' }, async (context) => {
  expectOutcome(context, await withBodyId(context), 'with address_template_id in the body as well');
});

writeCheck('ADDR-VERIFY-OUTCOME', { case: 'again' }, async (context) => {
  const { addresses, verification, block, skip } = context;
  const first = await withBodyId(context);
  const { id, carrier, usualMs } = first;
  if (!first.waited.complete) block('the first verification has no outcome', 'ADDR-VERIFY-OUTCOME');
  await verification.settle();
  const answer = await addresses.verify(id, { carriers: [carrier] }, 'verify by the same carrier again');
  // Whether a carrier may be asked again is left open, but a success has to mean that there is an outcome.
  if (!answer.ok) skip(`a second verification by the same carrier is answered ${answer.status}`);
  await verification.settle();
  // The new outcome may equal the first one. A target may also take the first away until the new one comes.
  const isThere = (entries: Waited['entries']) => entriesOf(entries, carrier).length > 0;
  const waited = await verification.wait(id, isThere, limitFor(usualMs));
  expectOutcome(context, { id, carrier, answer, waited, usualMs }, 'a second time');
});

writeCheck('ADDR-VERIFY-STATUS', { case: 'again' }, async ({ addresses, verification, expect, skip }) => {
  const { carrier } = await verification.verified();
  const id = await addresses.anyId();
  await verification.started(id, [carrier]);
  await verification.settle();
  const answer = await addresses.verify(id, { carriers: [carrier] }, 'verify by the same carrier again');
  if (!answer.ok) skip(`a second verification by the same carrier is answered ${answer.status}`);
  expect.status(answer, 202);
});

writeCheck('ADDR-VERIFY-OUTCOME', { case: 'while-another-is-asked', ...WITHIN_A_SECOND }, async (context) => {
  const { addresses, verification, skip } = context;
  const { carrier, tookMs: usualMs } = await verification.verified();
  const other = (await verification.severalCarriers()).find((name) => name !== carrier)!;
  const { id, before } = await verification.unverified();
  const started = await verification.started(id, [other]);
  const answer = await addresses.verify(id, { carriers: [carrier] }, 'verify by a second carrier at once');
  // An address may be locked while it is being verified.
  if (!answer.ok) skip(`a second verification while one goes on is answered ${answer.status}`);
  const isThere = (name: string) => (entries: Waited['entries']) => hasOutcome(entries, name, before);
  const waited = await verification.wait(id, isThere(carrier), limitFor(usualMs));
  expectOutcome(context, { id, carrier, answer, waited, usualMs }, 'while another carrier was being asked');
  const first = await verification.wait(id, isThere(other), limitFor(usualMs));
  if (!first.complete && (await isDropped(context, other, carrier)))
    skip('a verification by a second carrier removes the outcome of the first');
  const asked = { id, carrier: other, answer: started, waited: first, usualMs };
  expectOutcome(context, asked, 'and another one directly after it');
});

writeCheck('ADDR-VERIFY-OUTCOME', { case: 'updated-meanwhile', ...WITHIN_A_SECOND }, async (context) => {
  const { addresses, verification, skip } = context;
  const { carrier, tookMs: usualMs } = await verification.verified();
  const ask = async () => {
    const { id, before } = await verification.unverified();
    return { id, before, answer: await verification.started(id, [carrier]) };
  };
  const rename = (id: string) =>
    addresses.update(id, { alias_name: addresses.label() }, {}, 'update alias_name');
  const { id, before, answer } = await ask();
  // Refusals of updates are not documented, and an address may be locked while it is being verified.
  const update = await rename(id);
  if (!update.ok) skip(`an update while a verification goes on is answered ${update.status}`);
  const isThere = (entries: Waited['entries']) => hasOutcome(entries, carrier, before);
  const waited = await verification.wait(id, isThere, limitFor(usualMs));
  if (waited.complete) return;
  // An update may remove outcomes, since they are about the address as it was.
  const twin = await ask();
  await verification.wait(twin.id, (entries) => hasOutcome(entries, carrier, twin.before), limitFor(usualMs));
  await verification.settle();
  await rename(twin.id);
  if (!hasOutcome((await verification.entries(twin.id)).entries, carrier, twin.before))
    skip('an update removes the outcomes that there are');
  expectOutcome(context, { id, carrier, answer, waited, usualMs }, 'and alias_name was updated meanwhile');
});

/** Whether the outcome of one carrier is removed when another carrier is asked afterwards. */
async function isDropped(
  { addresses, verification }: SuiteContext,
  first: string,
  second: string,
): Promise<boolean> {
  const { tookMs } = await verification.verified();
  const { id } = await addresses.create({}, 'create an address to verify twice, with a pause');
  const { entries: before } = await verification.entries(id);
  for (const carrier of [first, second]) {
    await verification.started(id, [carrier]);
    const isThere = (entries: Waited['entries']) => hasOutcome(entries, carrier, before);
    await verification.wait(id, isThere, limitFor(tookMs));
    await verification.settle();
  }
  return !hasOutcome((await verification.entries(id)).entries, first, before);
}

/** Returns how long to wait for an outcome, in ms, where a usual one took `usualMs`. */
function limitFor(usualMs: number): number {
  return 10 * usualMs + 30_000;
}

function expectOutcome({ expect, undecided }: SuiteContext, asked: Asked, how: string): void {
  const { carrier, answer, waited, usualMs } = asked;
  if (waited.complete) return;
  if (waited.tookMs < 3 * usualMs + 2_000) undecided(noOutcome([carrier], waited));
  expect.fail(
    `${carrier} was asked ${how}, which was answered ${answer.status}, and verified_carriers has no entry of it`,
    {
      answer: waited.answer,
      at: '/data/verified_carriers',
      expected: `an entry whose carrier_name is ${carrier}`,
      found: short(waited.entries),
    },
  );
}
