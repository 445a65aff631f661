import { afterEach, expect, test, vi } from 'vitest';
import { createRedactor } from '../../lib/model/redaction/redactor.ts';
import type { CheckResult, Exchange } from '../../lib/model/results.ts';
import { Outbox, type Told } from '../../lib/run/outbox.ts';

afterEach(() => vi.useRealTimers());

/** Returns an outbox, the secrets that it follows, and a list of what it has sent. */
function opened() {
  vi.useFakeTimers();
  const told: string[][] = [];
  const secrets = createRedactor();
  secrets.add('known-before-it', 'old');
  const idOf = ({ result, secrets: known }: Told) => {
    const exchanges = (result?.exchanges ?? []).map(({ id }) => id);
    return [result?.id ?? 'end', ...exchanges, ...known.map(({ label }) => label)].join(' ');
  };
  const outbox = new Outbox(secrets, ({ results }) => told.push(results.map(idOf)));
  return { outbox, secrets, told };
}

/** The same, after the first result was sent. */
function begun() {
  const { outbox, secrets, told } = opened();
  outbox.put(result('first'));
  told.length = 0;
  return { outbox, secrets, told };
}

const result = (id: string, exchanges: Exchange[] = []) =>
  ({ id, exchanges, findings: [] }) as unknown as CheckResult;

test('the first result is told at once, others together', () => {
  const { outbox, told } = opened();
  outbox.put(result('A'));
  expect(told).toEqual([['A']]);
  outbox.put(result('B'));
  outbox.put(result('C'));
  expect(told).toEqual([['A']]);
  vi.runAllTimers();
  expect(told).toEqual([['A'], ['B', 'C']]);
});

test('results are told together, each with the secrets that became known since the one before', () => {
  const { outbox, secrets, told } = begun();
  secrets.add('first-secret', 'one');
  outbox.put(result('A'));
  secrets.add('second-secret', 'two');
  secrets.derive('SECOND-SECRET', 'second-secret');
  outbox.put(result('B'));
  expect(told).toEqual([]);
  vi.runAllTimers();
  expect(told).toEqual([['A one', 'B two two']]);
});

test('a result is told as it was: what is sent after its check is none of its exchanges', () => {
  const { outbox, secrets, told } = begun();
  const exchanges = [{ id: 'x1' }] as Exchange[];
  outbox.put(result('A', exchanges));
  exchanges.push({ id: 'x2' } as Exchange);
  secrets.add('secret-of-the-second-one', 'late');
  vi.runAllTimers();
  expect(told).toEqual([['A x1', 'end late']]);
});

test('what is there is told at once where it is asked for, and nothing twice', () => {
  const { outbox, told } = begun();
  outbox.put(result('A'));
  outbox.send();
  outbox.send();
  vi.runAllTimers();
  expect(told).toEqual([['A']]);
});

test('the last secrets are told without a result', () => {
  const { outbox, secrets, told } = begun();
  outbox.put(result('A'));
  secrets.add('secret-of-the-cleaning', 'late');
  outbox.send();
  expect(told).toEqual([['A', 'end late']]);
});

test('a redactor that follows another one replaces the same by the same', () => {
  const [leader, follower] = [createRedactor(), createRedactor()];
  leader.onKnown = (known) => follower.follow(known);
  leader.add('first-token-of-all', 'token');
  leader.add('second-token-of-all', 'token');
  leader.derive('econd-token-of-al', 'second-token-of-all');
  const text = 'first-token-of-all, second-token-of-all and econd-token-of-al';
  expect(follower.text(text)).toBe(leader.text(text));
  expect(follower.text(text)).toBe('«token», «token 2» and «token 2…»');
});
