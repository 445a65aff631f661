/** A list without addresses may be answered like a page after the last one: checks that are run alone meet it first. */
import { expect, test } from 'vitest';
import { gatherChecks } from '../../lib/check/suite.ts';
import { loadCases } from '../../lib/prove/load.ts';
import { runCase } from '../../lib/prove/run-case.ts';
import { prepare } from '../../lib/prove/target.ts';

test('checks of the list, and nothing before them, on a server that answers 404 to an empty list', async () => {
  const checks = await gatherChecks(async () => {
    await import('../../suites/address-book/pagination.suite.ts');
  });
  const facts = (await loadCases()).find(({ id }) => id === 'shipping/variants/page-beyond-404')!;
  const { facts: _, ...input } = (await prepare(['address-book']))(facts);
  const { notable } = await runCase(facts.id, checks, input, false);
  expect(notable).toEqual([]);
});
