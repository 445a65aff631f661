/** 3 and 4.4 to 4.6: requests about one address must not remove the outcomes of another, verified one. */
import { isDeepStrictEqual } from 'node:util';
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import { short } from '../../lib/check/validator.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { Undecided } from '../../lib/model/verdict.ts';
import { idOf } from '../../services/shipping/api/addresses.ts';
import { keyOf, type Page } from '../../services/shipping/api/pages.ts';
import { noOutcome } from '../../services/shipping/fixtures/verification.ts';
import { isUuid } from '../../services/shipping/judging/address-ids.ts';
import { type Entry, hasOutcome, properEntries } from '../../services/shipping/judging/verified-entries.ts';
import { check, type SuiteContext } from './suite.ts';

// On a faulty server, any delete by another check may remove the outcomes.
const writeCheck = check.with({ effects: 'write', touches: { clock: 'move', addresses: 'alone' } });

/** One request about another address, and the entries of the verified one before and after it. */
interface Step {
  id: string;
  done: Answer;
  before: Entry[];
  after: { answer: Answer; entries: Entry[] };
}

/** Another address on the list's page of the verified one: its entries there, and in a read. */
interface Neighbour {
  page: Answer;
  listed: unknown;
  read: Entry[];
}

interface Beside extends Record<'update' | 'verify' | 'delete', Step> {
  /** The pages of the list on which the verified address was looked for. */
  pages: Page[];
  /** Whether they show every address of the run. */
  isComplete: boolean;
  /** The `total_count` before the two addresses were created. */
  totalBefore: unknown;
  neighbour: Neighbour | undefined;
}

/** Creates an address and returns its id once it shows outcomes of several carriers, `carrier` among them. */
async function verifiedBySeveral(
  { addresses, verification }: SuiteContext,
  carrier: string,
): Promise<string> {
  const { id } = await addresses.create({}, 'create an address to verify, and leave it alone then');
  const { entries: first } = await verification.entries(id);
  // Several, so that a list which joins addresses with their outcomes has several rows for this address.
  const carriers = (await verification.carriers()).names.slice(0, 3);
  await verification.started(id, carriers);
  const waited = await verification.wait(id, (entries) =>
    carriers.every((name) => hasOutcome(entries, name, first)),
  );
  if (!hasOutcome(waited.entries, carrier, first)) throw new Undecided(noOutcome([carrier], waited));
  return id;
}

const beside = perRun(
  'shipping: beside a verified address',
  async (context: SuiteContext): Promise<Beside> => {
    const { addresses, verification } = context;
    const { carrier } = await verification.verified();
    const first = await addresses.list({ per_page: 1 }, 'list addresses, for their number');
    const totalBefore = first.at('/meta/total_count');
    const id = await verifiedBySeveral(context, carrier);
    await verification.settle();
    let { entries: before } = await verification.entries(id);
    const { id: other } = await addresses.create({}, 'create another address beside the verified one');
    let { pages, neighbour } = await neighbourOf(context, id, other);
    // An outcome may have appeared between the list and the read.
    if (neighbour && !isAlike(neighbour)) ({ pages, neighbour } = await neighbourOf(context, id, other));
    const shown = new Set(pages.flatMap(({ items }) => items.map(keyOf)));
    const isComplete = (await addresses.remaining()).every((each) => shown.has(each.toLowerCase()));
    const look = async (done: Answer): Promise<Step> => {
      const after = await verification.entries(id, 'read the verified address again');
      const step = { id, done, before, after };
      before = after.entries;
      return step;
    };
    const update = await look(await addresses.update(other, { alias_name: addresses.label() }));
    const verified = await addresses.verify(other, { carriers: [carrier] }, 'verify the other address');
    await verification.settle();
    const verify = await look(verified);
    const deletion = await look(await addresses.remove(other));
    return { pages, isComplete, totalBefore, neighbour, update, verify, delete: deletion };
  },
);

/**
 * Returns what the list shows of another address on the page of a verified one: of `other`, or, where that is
 * on another page, of any address.
 */
async function neighbourOf(
  { addresses, verification }: SuiteContext,
  id: string,
  other: string,
): Promise<{ pages: Page[]; neighbour: Neighbour | undefined }> {
  const is = (wanted: string) => (item: unknown) => keyOf(item) === wanted.toLowerCase();
  const { pages } = await addresses.look(is(id));
  const page = pages.find(({ items }) => items.some(is(id)));
  const others = page?.items.filter((item) => !is(id)(item) && isUuid(idOf(item))) ?? [];
  const item = others.find(is(other)) ?? others[0];
  if (!page || !item) return { pages, neighbour: undefined };
  const { entries: read } = await verification.entries(idOf(item)!, 'read an address of the same page');
  return { pages, neighbour: { page: page.answer, listed: item.verified_carriers, read } };
}

/** Whether the list shows entries of the same carriers as the read. */
function isAlike({ listed, read }: Neighbour): boolean {
  const namesOf = (entries: Entry[]) => entries.map(({ carrier_name: name }) => name).sort();
  return isDeepStrictEqual(namesOf(properEntries(listed)), namesOf(properEntries(read)));
}

writeCheck('ADDR-LIST-ITEM-CARRIERS', { case: 'beside' }, async (context) => {
  const { neighbour } = await beside(context);
  if (!neighbour) return context.skip('the page of a verified address shows no other one');
  const [listed, read] = [short(neighbour.listed), short(neighbour.read)];
  context.expect.that(
    isAlike(neighbour),
    `beside a verified address another item has the verified_carriers ${listed}, a read gives ${read}`,
    { answer: neighbour.page, expected: read, found: listed },
  );
});

writeCheck('ADDR-LIST-PER-PAGE-HONOURED', { case: 'verified' }, async (context) => {
  const { pages } = await beside(context);
  if (pages.length === 0) context.block('no page of the list has an address', 'ADDR-CREATE-LISTED');
  const most = Math.max(...pages.map(({ items }) => items.length));
  const short = pages.slice(0, -1).find(({ items }) => items.length < most);
  context.expect.that(
    short === undefined,
    `where an address is verified by several carriers a page before the last has ${short?.items.length} addresses`,
    { answer: short?.answer ?? pages[0]!.answer, at: '/data', expected: `${most} addresses` },
  );
});

writeCheck(['ADDR-META-TOTAL-COUNT-VALUE', 'ADDR-LIST-NO-REPEATS'], { case: 'verified' }, async (context) => {
  const { expect, skip, block } = context;
  const { pages, isComplete, totalBefore } = await beside(context);
  if (pages.length === 0) block('no page of the list has an address', 'ADDR-CREATE-LISTED');
  const numbers = pages.map(({ answer }) =>
    Number(new URL(answer.exchange.request.url).searchParams.get('page')),
  );
  if (numbers.at(-1)! - numbers[0]! >= pages.length) skip('the list is long, and was not read as a whole');
  const { answer, meta } = pages[0]!;
  const ids = pages.flatMap(({ items }) => items.map(keyOf));
  const number = new Set(ids).size;
  const where = 'where an address is verified by several carriers';
  const again = ids.find((each, nth) => ids.indexOf(each) !== nth);
  expect.soft('ADDR-LIST-NO-REPEATS', (own) =>
    own.that(again === undefined, `${where} the list shows ${again} more than once`, { answer, at: '/data' }),
  );
  // Where it grew by the two that were created, the pages may lack an older address.
  const isGrown = meta.total_count !== number && meta.total_count === Number(totalBefore) + 2;
  if (!isComplete || isGrown) block('the list lacks addresses', 'ADDR-LIST-NO-GAPS');
  if (typeof meta.total_count !== 'number') block('`meta.total_count` is no number', 'ADDR-META-TOTAL-COUNT');
  expect.equal(meta.total_count, number, `total_count of ${number} addresses, ${where},`, {
    answer,
    at: '/meta/total_count',
  });
});

for (const [id, what, needs] of [
  ['ADDR-UPDATE-OTHERS-UNTOUCHED', 'update', 'ADDR-UPDATE-STATUS'],
  ['ADDR-VERIFY-OTHERS-UNTOUCHED', 'verify', 'ADDR-VERIFY-STATUS'],
  ['ADDR-DELETE-OTHERS-UNTOUCHED', 'delete', 'ADDR-DELETE-STATUS'],
] as const) {
  writeCheck(id, { case: 'verified' }, async (context) => {
    const { id: address, done, before, after } = (await beside(context))[what];
    requireOk(done, needs);
    if (before.length === 0) context.block('the outcome is no longer shown', 'ADDR-VERIFY-OUTCOME');
    // An entry may change with time, but it must not disappear.
    const lost = before.filter(
      ({ carrier_name: name }) => !after.entries.some((e) => e.carrier_name === name),
    );
    context.expect
      .after(done)
      .that(
        lost.length === 0,
        `the verified carriers of ${address} are ${short(after.entries)} after the ${what} of another address, before it they were ${short(before)}`,
        {
          answer: after.answer,
          at: '/data/verified_carriers',
          expected: short(before),
          found: short(after.entries),
        },
      );
  });
}
