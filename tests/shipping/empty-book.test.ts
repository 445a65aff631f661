/** A list without addresses may be answered like a page after the last one: checks that are run alone meet it first. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Session } from '../../lib/check/session.ts';
import { gatherChecks } from '../../lib/check/suite.ts';
import type { Transport } from '../../lib/http/transport.ts';
import { loadCases } from '../../lib/prove/load.ts';
import { prepare } from '../../lib/prove/target.ts';

/** A wire on which an empty list is not found. */
const notFoundWhereEmpty = (wire: Transport): Transport => ({
  ...wire,
  send: async (request) => {
    const answer = await wire.send(request);
    return answer.text.includes('"total_count":0')
      ? { ...answer, status: 404, text: '{}', bytes: 2 }
      : answer;
  },
});

test('checks of the list, and nothing before them, on a server that answers 404 to an empty list', async () => {
  const checks = await gatherChecks(async () => {
    await import('../../suites/address-book/pagination.suite.ts');
  });
  const reference = (await loadCases()).find(({ id }) => id === 'shipping/reference')!;
  const { facts: _, ...input } = (await prepare(['address-book']))(reference);
  const session = await Session.open({ ...input, runId: randomUUID() }, notFoundWhereEmpty);
  const undecided: string[] = [];
  for (const check of checks) {
    const { id, verdict, reason } = await check.run(session);
    if (verdict !== 'passed' && verdict !== 'observed') undecided.push(`${id} ${verdict}: ${reason}`);
  }
  await session.close();
  expect(undecided).toEqual([]);
});
