/** 3 and 4.6: two verifications that are under way at the same time. */
import { perRun } from '../../lib/check/per-run.ts';
import { short } from '../../lib/check/validator.ts';
import { noOutcome, type Waited } from '../../services/shipping/fixtures/verification.ts';
import {
  changedEntries,
  type Entry,
  entriesOf,
  hasOutcome,
} from '../../services/shipping/judging/verified-entries.ts';
import { check, type SuiteContext } from './suite.ts';

// A verification that another check starts meanwhile would hide how these two affect each other.
const writeCheck = check.with({
  effects: 'write',
  touches: { clock: 'move', verifications: 'alone' },
});

/** One of the verifications that were started together. */
interface Job {
  id: string;
  carrier: string;
  before: Entry[];
  /** The entries that were read right after the answer. */
  first: Entry[];
}

/** A verification whose outcome did not appear, with the last read. */
interface Late {
  job: Job;
  waited: Waited;
}

/** Starts verifications of addresses without entries, one for each carrier, in quick succession. */
async function start({ verification, session }: SuiteContext, carriers: string[]): Promise<Job[]> {
  const subjects = await session.together(carriers.map(() => () => verification.unverified()));
  const asked = subjects.map((subject, i) => ({ ...subject, carrier: carriers[i]! }));
  for (const { id, carrier } of asked) await verification.started(id, [carrier]);
  const reads = asked.map(
    ({ id }) =>
      () =>
        verification.entries(id),
  );
  const firsts = await session.together(reads);
  return asked.map((job, i) => ({ ...job, first: firsts[i]!.entries }));
}

/**
 * Whether the outcome of a verification is there: where entries change in the course of time (`finals`), an
 * entry of the carrier that differs from its first one, or that has a final status, since a slow target may
 * show that in the first read; otherwise, any new entry of the carrier.
 */
function isDone({ carrier, before, first }: Job, entries: Entry[], finals: Finals): boolean {
  if (!hasOutcome(entries, carrier, before)) return false;
  const known = hasOutcome(first, carrier, before) ? first : before;
  const own = entriesOf(entries, carrier);
  if (finals === undefined || own.every(({ status }) => finals.has(status))) return true;
  return changedEntries(own, known).length > 0;
}

/** The status values that entries have in the end; `undefined` where entries never change. */
type Finals = ReadonlySet<unknown> | undefined;

/** Returns the verifications whose outcome did not appear. Waits for each as long as for any outcome. */
async function lagging({ verification }: SuiteContext, jobs: Job[], finals: Finals): Promise<Late[]> {
  const left: Late[] = [];
  for (const job of jobs) {
    const waited = await verification.wait(job.id, (entries) => isDone(job, entries, finals));
    if (!waited.complete) left.push({ job, waited });
  }
  return left;
}

/**
 * Returns the final status values, where entries change at all: the first entry may be the outcome already,
 * or may only say that the verification is under way.
 */
const finalsOf = perRun(
  'shipping: final status values of entries',
  async ({ verification }: SuiteContext): Promise<Finals> => {
    const { made, outcome } = await verification.verified();
    await verification.settle();
    const { entries: last } = await verification.entries(made.id);
    const isMoving = changedEntries(last, outcome.at('/data/verified_carriers') as Entry[]).length > 0;
    return isMoving ? new Set(last.map(({ status }) => status)) : undefined;
  },
);

writeCheck('ADDR-VERIFY-OUTCOME', { case: 'after-deleted' }, async (context) => {
  const { addresses, verification, time, expect, skip, undecided } = context;
  const { carrier, tookMs } = await verification.verified();
  const finals = await finalsOf(context);
  const gone = await addresses.anyId();
  await verification.started(gone, [carrier]);
  const deleted = await addresses.remove(gone, 'delete while the verification goes on');
  if (!deleted.ok) skip(`a delete while a verification goes on is answered ${deleted.status}`);
  await verification.settle();
  let late: Late | undefined;
  // The failure has to repeat: a carrier may be slow once.
  for (let tries = 0; tries < 2; tries += 1) {
    [late] = await lagging(context, await start(context, [carrier]), finals);
    if (!late) return;
  }
  const { waited } = late!;
  if (!time.movable && waited.tookMs < 10 * tookMs + 30_000) undecided(noOutcome([carrier], waited));
  const message = `after a delete of an address that was being verified, a verification of another has no outcome`;
  expect.fail(message, {
    answer: waited.answer,
    at: '/data/verified_carriers',
    expected: `an entry of ${carrier}, as it came before`,
    found: short(waited.entries),
  });
});

/** The index of the carrier that verifies the second address: a queue may hold one job per carrier. */
const ASKED: [name: string | undefined, second: number][] = [
  [undefined, 1],
  ['same-carrier', 0],
];

for (const [name, second] of ASKED) {
  writeCheck('ADDR-VERIFY-AT-ONCE', { ...(name && { case: name }) }, async (context) => {
    const { verification, skip } = context;
    const finals = await finalsOf(context);
    const { names } = await verification.carriers();
    const carriers = [names[0]!, names[second] ?? names[0]!];
    if ((await lagging(context, await start(context, carriers), finals)).length === 0) return;
    // A failure has to repeat, as a carrier may be slow once; one that is slow even alone shows nothing.
    const [late] = await lagging(context, await start(context, carriers), finals);
    if (!late) return;
    const { carrier } = late.job;
    if ((await lagging(context, await start(context, [carrier]), finals)).length > 0)
      skip(`no outcome by ${carrier} came in time when it was asked alone either`);
    const [again] = await lagging(context, await start(context, carriers), finals);
    if (!again) return;
    failWith(context, late, finals !== undefined);
  });
}

writeCheck('ADDR-VERIFY-AT-ONCE', { case: 'same-address' }, async (context) => {
  const { verification, skip } = context;
  const finals = await finalsOf(context);
  if (finals === undefined) return skip('entries of verified_carriers do not change once they are there');
  const carriers = (await verification.severalCarriers()).slice(0, 2);
  let late: Late | undefined;
  // The failure has to repeat, as above.
  for (let tries = 0; tries < 2; tries += 1) {
    const found = await lagging(context, await startOnOne(context, carriers), finals);
    // Where an entry is missing, ADDR-VERIFY-OUTCOME judges that.
    late = found.find(({ job: { carrier }, waited: { entries } }) =>
      entriesOf(entries, carrier).some(({ status }) => !finals.has(status)),
    );
    if (!late) return;
  }
  const { carrier } = late!.job;
  if ((await lagging(context, await start(context, [carrier]), finals)).length > 0)
    skip(`no outcome by ${carrier} came in time when it was asked alone either`);
  failWith(context, late!, true, 'an address was verified by two carriers, one directly after the other');
});

/** Starts verifications of one address without entries, one for each carrier, in quick succession. */
async function startOnOne(context: SuiteContext, carriers: string[]): Promise<Job[]> {
  const { addresses, verification, skip } = context;
  const { id, before } = await verification.unverified();
  for (const carrier of carriers) {
    const answer = await addresses.verify(id, { carriers: [carrier] }, `verify by ${carrier}`);
    // An address may be locked while it is being verified.
    if (!answer.ok) skip(`a second verification while one goes on is answered ${answer.status}`);
  }
  const { entries: first } = await verification.entries(id);
  return carriers.map((carrier) => ({ id, carrier, before, first }));
}

/** For at least how long an outcome has to be late in real time, in milliseconds, to count as missing. */
const LONG_MS = 5_000;

/** Fails the check: one of two simultaneous verifications lacks the outcome that it gets when it is alone. */
function failWith(
  { expect, time, undecided }: SuiteContext,
  { job, waited }: Late,
  moves: boolean,
  how = 'two addresses were verified at the same time',
): void {
  if (!time.movable && waited.tookMs < LONG_MS) undecided(noOutcome([job.carrier], waited));
  const isThere = hasOutcome(waited.entries, job.carrier, job.before);
  const what = isThere ? 'stays as it was first' : 'never appears';
  expect.fail(`${how}, and the entry of ${job.carrier} at ${job.id} ${what}; alone it gets its outcome`, {
    answer: waited.answer,
    at: '/data/verified_carriers',
    expected: moves ? `another entry of ${job.carrier} than the first one` : `an entry of ${job.carrier}`,
    found: short(waited.entries),
  });
}
