/** 2 Pagination meta: the values, as pages of many sizes have them. */

import { itemsOf } from '../../services/shipping/api/address-list.ts';
import { keyOf } from '../../services/shipping/api/pages.ts';
import type { Judgeable } from '../../services/shipping/fixtures/list-snapshot.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ touches: { addresses: 'still' }, effects: 'write' });

writeCheck('ADDR-META-TOTAL-COUNT-VALUE', async ({ listSnapshot, expect, block }) => {
  const { total, walks } = await listSnapshot.facts();
  const isWhole = walks.every(({ walk }) => new Set(itemsOf(walk).map(keyOf)).size === total);
  for (const { answer, meta } of await listSnapshot.judgeable('total_count')) {
    if (meta.total_count !== total && !isWhole)
      block('pages of different sizes do not carry the same addresses', 'ADDR-LIST-NO-GAPS');
    expect.equal(meta.total_count, total, `total_count of a list of ${total} addresses`, {
      answer,
      at: '/meta/total_count',
    });
  }
});

writeCheck('ADDR-META-PER-PAGE-VALUE', async ({ listSnapshot, expect }) => {
  for (const { answer, meta, perPage } of await listSnapshot.pages('per_page')) {
    expect.equal(meta.per_page, perPage, `meta.per_page of a page of ${perPage}`, {
      answer,
      at: '/meta/per_page',
    });
  }
});

writeCheck('ADDR-META-CURRENT-PAGE-VALUE', async ({ listSnapshot, expect }) => {
  for (const { answer, meta, page } of await listSnapshot.judgeable('current_page')) {
    expect.equal(meta.current_page, page, `current_page of page ${page}`, {
      answer,
      at: '/meta/current_page',
    });
  }
});

writeCheck('ADDR-META-TOTAL-PAGES-VALUE', async ({ listSnapshot, expect, block }) => {
  const { total } = await listSnapshot.facts();
  const judgeable = await listSnapshot.judgeable('total_pages');
  const follows = ({ meta, perPage }: Judgeable) =>
    meta.total_count !== total && meta.total_pages === Math.ceil((meta.total_count as number) / perPage);
  for (const { answer, meta, pages, perPage } of judgeable.filter((page) => !follows(page))) {
    expect.equal(meta.total_pages, pages, `total_pages of ${total} addresses in pages of ${perPage}`, {
      answer,
      at: '/meta/total_pages',
    });
  }
  if (judgeable.some(follows))
    block('total_pages agrees with a wrong total_count', 'ADDR-META-TOTAL-COUNT-VALUE');
});

writeCheck('ADDR-META-NEXT-PAGE-VALUE', async ({ listSnapshot, expect }) => {
  for (const { answer, meta, page } of await listSnapshot.judgeable('next_page', ({ isLast }) => !isLast)) {
    expect.equal(meta.next_page, page + 1, `next_page of page ${page}`, { answer, at: '/meta/next_page' });
  }
});

writeCheck('ADDR-META-NEXT-PAGE-LAST', async ({ listSnapshot, expect, block }) => {
  const last = await listSnapshot.judgeable('next_page', ({ isLast }) => isLast);
  const follows = ({ meta, page, pages }: Judgeable) =>
    meta.next_page === page + 1 && Number.isInteger(meta.total_pages) && (meta.total_pages as number) > pages;
  for (const { answer, meta, page } of last.filter((one) => !follows(one))) {
    expect.equal(meta.next_page, null, `next_page of page ${page}, the last one,`, {
      answer,
      at: '/meta/next_page',
    });
  }
  if (last.some(follows)) block('next_page agrees with a wrong total_pages', 'ADDR-META-TOTAL-PAGES-VALUE');
});

writeCheck('ADDR-META-PREV-PAGE-VALUE', async ({ listSnapshot, expect }) => {
  for (const { answer, meta, page } of await listSnapshot.judgeable('prev_page', ({ isFirst }) => !isFirst)) {
    expect.equal(meta.prev_page, page - 1, `prev_page of page ${page}`, { answer, at: '/meta/prev_page' });
  }
});

writeCheck('ADDR-META-PREV-PAGE-FIRST', async ({ listSnapshot, expect }) => {
  for (const { answer, meta, page } of await listSnapshot.judgeable('prev_page', ({ isFirst }) => isFirst)) {
    expect.equal(meta.prev_page, null, `prev_page of page ${page}, the first one,`, {
      answer,
      at: '/meta/prev_page',
    });
  }
});
