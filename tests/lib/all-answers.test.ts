/**
 * The form of all answers of a run: those to unusual requests count as well, if the same is answered again; what came
 * only once, and what the run did not get, does not.
 */
import { expect, test } from 'vitest';
import type { Transport } from '../../lib/http/transport.ts';
import type { CheckResult } from '../../lib/model/results.ts';
import { checksOnReference } from './reference-checks.ts';

/** A wire that leaves `verified_carriers` out of the first few answers to creates for the US. */
const withoutCarriers = (times: number) => (wire: Transport) => {
  let left = times;
  return {
    ...wire,
    send: async (request: Parameters<Transport['send']>[0]) => {
      const answer = await wire.send(request);
      if (answer.status !== 201 || !request.body?.includes('"country_code":"US"')) return answer;
      left -= 1;
      if (left < 0) return answer;
      const { data } = JSON.parse(answer.text);
      const text = JSON.stringify({ data: { ...data, verified_carriers: undefined } });
      return { ...answer, text, bytes: Buffer.byteLength(text) };
    },
  };
};

/** Runs the checks of these files, and returns the result of the one that judges the form of all answers. */
async function judged(files: readonly string[], over: (wire: Transport) => Transport): Promise<CheckResult> {
  const results = await checksOnReference('shipping', 'address-book', [...files, 'whole-run.suite'], over);
  return results.find(({ id }) => id === 'ADDR-TEMPLATE-ID/all-of-the-run') as CheckResult;
}

test('an answer that does not fit fails the requirement about the property, shown by a second one', async () => {
  const { verdicts, findings, exchanges } = await judged(
    ['silences-create.suite'],
    withoutCarriers(Number.POSITIVE_INFINITY),
  );
  expect(Object.keys(verdicts).filter((id) => verdicts[id] === 'failed')).toEqual([
    'ADDR-TEMPLATE-VERIFIED-CARRIERS',
  ]);
  const shown = exchanges.find(({ id }) => id === findings[0]?.exchange);
  expect(shown?.purpose).toMatch(/^create with .* again$/);
  expect(findings[0]).toMatchObject({ pointer: '/data/verified_carriers', found: 'nothing' });
});

test('one that came once accuses nobody', async () => {
  const { verdict, exchanges } = await judged(['silences-create.suite'], withoutCarriers(1));
  expect(exchanges.length).toBeGreaterThan(0);
  expect(verdict).not.toBe('failed');
});

test('what no answer had in it is skipped, and without any answer everything is', async () => {
  const { verdict: partly, verdicts } = await judged(['silences-create.suite'], (wire) => wire);
  expect(partly).toBe('passed');
  expect(verdicts).toMatchObject({ 'ADDR-ADDRESS-NAME': 'passed', 'ADDR-CARRIER-STATUS': 'skipped' });
  const { verdict, reason } = await judged([], (wire) => wire);
  expect({ verdict, reason }).toEqual({
    verdict: 'skipped',
    reason: 'the run got no answer of which the specification has a table',
  });
});
