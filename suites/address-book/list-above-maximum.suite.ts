/** 2 Pagination meta and 4.1: what the meta says when `per_page` is above the maximum. */
import { pageOf } from '../../services/shipping/api/pages.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write', touches: { addresses: 'still' } });

for (const [id, name, typed, wanted] of [
  ['ADDR-META-TOTAL-PAGES-VALUE', 'total_pages', 'ADDR-META-TOTAL-PAGES', (pages: number) => pages],
  ['ADDR-META-NEXT-PAGE-VALUE', 'next_page', 'ADDR-META-NEXT-PAGE', (_: number, page: number) => page + 1],
] as const) {
  writeCheck(id, { case: 'above-maximum' }, async ({ addresses, listSnapshot, expect, block, skip }) => {
    const { base, total, missing } = await listSnapshot.longer(20);
    if (missing.length > 0) block('the pages do not carry every address', 'ADDR-LIST-NO-GAPS');
    // The last page, were pages of 100 sent.
    const page = base + Math.ceil(total / 100) - 1;
    const answer = await addresses.list({ page, per_page: 100 }, 'list a page of 100');
    if (!answer.ok) skip(`a per_page above the maximum is answered ${answer.status}`);
    const { items, meta } = pageOf(answer);
    // A page of another size violates another requirement.
    if (items.length !== 20 || meta.per_page !== 20) skip(`the page has ${items.length} addresses, not 20`);
    if (!Number.isInteger(meta[name]) && (name !== 'next_page' || meta[name] !== null))
      block(`meta.${name} has no valid value`, typed);
    const { total_count: told } = meta;
    if (name === 'total_pages' && told !== total && meta[name] === Math.ceil((told as number) / 20))
      block('total_pages agrees with a wrong total_count', 'ADDR-META-TOTAL-COUNT-VALUE');
    const what = `${name} of ${total} addresses in the pages of 20 that are sent for per_page 100`;
    expect.equal(meta[name], wanted(Math.ceil(total / 20), page), what, { answer, at: `/meta/${name}` });
  });
}
