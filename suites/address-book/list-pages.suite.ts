/** 4.1: page sizes, and the partition of the collection. */

import { isDeepStrictEqual } from 'node:util';
import { requireOk } from '../../lib/check/require.ts';
import { keyOf, type Page, pageOf, type Query } from '../../services/shipping/api/pages.ts';
import { check } from './suite.ts';

const stillCheck = check.with({ touches: { addresses: 'still' } });
const writeCheck = stillCheck.with({ effects: 'write' });

writeCheck('ADDR-LIST-PER-PAGE-DEFAULT', async ({ addresses, listSnapshot, expect }) => {
  const { total } = await listSnapshot.longer(20);
  const { answer, items, meta } = await addresses.page({}, 'list without per_page');
  expect.equal(items.length, 20, `the length of the first page of ${total} addresses`, {
    answer,
    at: '/data',
  });
  // A value that cannot be a page size violates another requirement.
  if (!Number.isInteger(meta.per_page) || (meta.per_page as number) > 20) return;
  expect.equal(meta.per_page, 20, 'meta.per_page', { answer, at: '/meta/per_page' });
});

writeCheck('ADDR-LIST-PER-PAGE-MAX-INCLUSIVE', async ({ addresses, listSnapshot, expect }) => {
  const { total } = await listSnapshot.longer(20);
  const answer = await addresses.list({ per_page: 20 }, 'list pages of 20');
  expect.accepted(answer, '20 is the maximum');
  const { items } = pageOf(answer);
  expect.equal(items.length, 20, `the length of the first page of ${total} addresses`, {
    answer,
    at: '/data',
  });
});

/** Values of `per_page`, sent as they are; one case sends none. */
const SIZES: Record<string, Query> = {
  absent: {},
  '21': { per_page: 21 },
  '100': { per_page: 100 },
  '1000000': { per_page: 1_000_000 },
  // A server that reads this into 32 bits gets a negative number, or none.
  'beyond-32-bits': { per_page: 3_000_000_000 },
  '0': { per_page: 0 },
  negative: { per_page: -1 },
  text: { per_page: 'all' },
  fraction: { per_page: '20.9' },
  exponent: { per_page: '1e2' },
  'with-unit': { per_page: '100abc' },
  'leading-zero': { per_page: '0100' },
};

writeCheck('ADDR-LIST-NO-GAPS', { case: 'page-11' }, async ({ addresses, listSnapshot, expect, skip }) => {
  const { base, total } = await listSnapshot.longer(20);
  const pageAt = (page: number, per_page: number) =>
    addresses.page({ page, per_page }, `list page ${page} of ${per_page}`);
  const first = await pageAt(base, 20);
  const late = await pageAt(base + 10, 1);
  const wanted = first.items[10];
  if (!wanted || late.items.length !== 1) return skip(`the pages of ${total} addresses have other sizes`);
  if (keyOf(late.items[0]) === keyOf(wanted)) return;
  // Somebody else may have saved or deleted an address just then.
  if (keyOf((await pageAt(base, 20)).items[10]) !== keyOf(wanted)) return skip('the list has changed');
  expect.equal(keyOf(late.items[0]), keyOf(wanted), 'the only address of page 11 of 1, the 11th of 20', {
    answer: late.answer,
    at: '/data/0/id',
  });
});

for (const [name, query] of Object.entries(SIZES)) {
  const ids = ['ADDR-LIST-PER-PAGE-MAX', 'ADDR-META-PER-PAGE-CAPPED'];
  writeCheck(ids, { case: name }, async ({ addresses, listSnapshot, expect }) => {
    const { total } = await listSnapshot.longer(20);
    const answer = await addresses.list(query, `list with ${name} as per_page`);
    // A refusal sends no more than 20 addresses either; then the list without the parameter is judged.
    const page = answer.ok ? pageOf(answer) : await addresses.page({}, 'list without per_page');
    expect.that(
      page.items.length <= 20,
      `a page of ${total} addresses carries ${page.items.length} of them`,
      {
        answer: page.answer,
        at: '/data',
        expected: 'at most 20 addresses',
        found: String(page.items.length),
      },
    );
    const size = page.meta.per_page;
    expect
      .for('ADDR-META-PER-PAGE-CAPPED')
      .that(
        !(typeof size === 'number' && size > 20),
        `meta.per_page is ${size} where no page has more than 20`,
        {
          answer: page.answer,
          at: '/meta/per_page',
          expected: 'at most 20',
          found: String(size),
        },
      );
  });
}

writeCheck('ADDR-LIST-PER-PAGE-MAX', { case: 'with-page' }, async (context) => {
  const { addresses, listSnapshot, expect } = context;
  const { base, total, walks } = await listSnapshot.longer(20);
  const pages: Page[] = [];
  for (const page of [base, base + 1]) {
    const answer = await addresses.list({ page, per_page: 21 }, `list page ${page} of 21`);
    pages.push(answer.ok ? pageOf(answer) : await addresses.page({ page }, `list page ${page}`));
    const { length } = pages.at(-1)!.items;
    expect.that(length <= 20, `page ${page} of ${total} addresses carries ${length} of them`, {
      answer: pages.at(-1)!.answer,
      at: '/data',
      expected: 'at most 20 addresses',
      found: String(length),
    });
  }
  // Where the first page has 20 addresses, the second has to begin with the 21st, or no page has it.
  const [first, second] = pages.map(({ items }) => items.map(keyOf)) as [string[], string[]];
  const inOrder = walks[0]!.walk.pages.flatMap(({ items }) => items.map(keyOf));
  if (!isDeepStrictEqual(first, inOrder.slice(0, 20)) || inOrder.length < total) return;
  expect.that(second.includes(inOrder[20]!), `with per_page 21 the address ${inOrder[20]} is on no page`, {
    answer: pages[1]!.answer,
    at: '/data',
    expected: 'the address that follows the 20 of the first page',
    found: `addresses from ${second[0] ?? 'none'} on`,
  });
});

writeCheck('ADDR-LIST-PAGE-ALONE', async ({ addresses, listSnapshot, expect, block }) => {
  const { base, total } = await listSnapshot.longer(20);
  const { length } = (await addresses.page({}, 'list without parameters')).items;
  if (length !== 20) block(`without per_page a page has ${length} addresses`, 'ADDR-LIST-PER-PAGE-DEFAULT');
  const page = base + 1;
  const twin = await addresses.list({ page, per_page: 20 }, 'list the second page of 20');
  requireOk(twin, 'ADDR-LIST-PER-PAGE-MAX-INCLUSIVE');
  const full = (await addresses.page({ page: base, per_page: 20 }, 'list the first page of 20')).items.length;
  if (full !== 20) block(`with per_page 20 a page has ${full} addresses`, 'ADDR-LIST-PER-PAGE-MAX-INCLUSIVE');
  const answer = await addresses.list({ page }, 'list the second page without per_page');
  expect.accepted(answer, `there are ${total} addresses, and a page has 20`);
  const again = await addresses.list({ page, per_page: 20 }, 'list the second page of 20 again');
  const [alone, wanted, still] = [answer, twin, again].map((each) => pageOf(each).items.map(keyOf).sort());
  if (!isDeepStrictEqual(wanted, still))
    block('the same request gives another page the second time', 'ADDR-LIST-NO-REPEATS');
  expect.that(
    isDeepStrictEqual(alone, wanted),
    `page ${page} without per_page differs from page ${page} with per_page 20, which is the default`,
    {
      answer,
      at: '/data',
      expected: `${wanted!.length} addresses: ${wanted!.slice(0, 3).join(', ')} …`,
      found: `${alone!.length} addresses: ${alone!.slice(0, 3).join(', ')} …`,
    },
  );
});

for (const perPage of [1, 2, 5, 19]) {
  const options = { case: String(perPage), effects: 'write' } as const;
  stillCheck('ADDR-LIST-PER-PAGE-HONOURED', options, async ({ addresses, listSnapshot, expect }) => {
    const { total } = await listSnapshot.longer(perPage);
    const pages = Math.ceil(total / perPage);
    for (const n of new Set([0, 1, pages - 1])) {
      const answer = await listSnapshot.page(perPage, n);
      if (!answer.ok) requireOk(await addresses.list({}, 'list without per_page'), 'ADDR-LIST-STATUS');
      expect.accepted(answer, `per_page may be up to 20 and ${total} addresses have ${pages} such pages`);
      const { length } = pageOf(answer).items;
      const isLast = n === pages - 1;
      expect.that(isLast ? length <= perPage : length === perPage, `the page carries ${length} addresses`, {
        answer,
        at: '/data',
        expected: `${isLast ? 'at most ' : ''}${perPage} addresses`,
        found: String(length),
      });
    }
  });
}

writeCheck('ADDR-LIST-NO-REPEATS', async ({ listSnapshot, expect }) => {
  const { walks, total } = await listSnapshot.facts();
  for (const { perPage, walk } of walks) {
    const seen = new Map<string, number>();
    for (const [n, { answer, items }] of walk.pages.entries()) {
      for (const key of items.map(keyOf)) {
        const again = `${key} is on page ${n + 1} of a walk and was on page ${seen.get(key)} of it`;
        expect.that(!seen.has(key), again, { answer, expected: 'each address on one page', found: key });
        seen.set(key, n + 1);
      }
    }
    // What follows the last page is left open; before it, a page of known addresses only is a repeat.
    const met = walk.pages.length * perPage;
    expect.that(
      !walk.repeated || met >= total,
      `page ${walk.pages.length + 1} of ${perPage} repeats earlier pages, though there are ${total} addresses`,
      {
        ...(walk.end && { answer: walk.end }),
        expected: 'addresses that no earlier page carried',
        found: 'only addresses of earlier pages',
      },
    );
  }
});

writeCheck('ADDR-LIST-NO-GAPS', async ({ listSnapshot, expect }) => {
  const { walks, met, missing } = await listSnapshot.facts();
  const all = [...met, ...missing];
  for (const { perPage, walk } of walks) {
    const seen = new Set(walk.pages.flatMap(({ items }) => items.map(keyOf)));
    const missed = all.filter((key) => !seen.has(key));
    if (missed.length === 0) continue;
    const answer = walk.end ?? walk.pages.at(-1)?.answer;
    const which = missed.slice(0, 5).join(', ');
    expect.fail(
      `a walk through pages of ${perPage} misses ${missed.length} of ${all.length} addresses: ${which}`,
      {
        ...(answer && { answer }),
        expected: `all ${all.length} addresses`,
        found: `${seen.size} of them, on ${walk.pages.length} pages`,
      },
    );
  }
});

writeCheck('ADDR-LIST-BEYOND-NO-REPEATS', async ({ addresses, listSnapshot, expect, skip }) => {
  const { base, total, met } = await listSnapshot.longer(20);
  const beyond = base + Math.ceil(total / 20);
  const answer = await addresses.list({ page: beyond, per_page: 20 }, `list page ${beyond}, after the last`);
  if (!answer.ok) skip(`a page after the last is answered ${answer.status}`);
  const { items, meta } = pageOf(answer);
  const repeated = items.map(keyOf).filter((key) => met.has(key));
  if (repeated.length === 0 || !Number.isInteger(meta.current_page)) return;
  // The last page may be sent in place of one that does not exist, but it has to carry its own number.
  expect.that(
    meta.current_page !== beyond,
    `page ${beyond} is answered with ${repeated.length} addresses of an earlier page`,
    {
      answer,
      at: '/meta/current_page',
      expected: `no address on a page ${beyond}, or the number of the page that carries them`,
      found: String(meta.current_page),
    },
  );
});
