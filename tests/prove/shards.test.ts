/** A proof in shards gives the same result as the proof in one piece. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conform, conformHere, temporaryFolder } from '../lib/conform.ts';

const CHOICE = [
  '--suite',
  'oauth-token',
  '--only',
  'shipping/revoke-not-bound',
  'shipping/revoke-wants-bearer',
  'shipping/reference',
  '--jobs',
  '1',
];

/** Returns a proof without its times, which differ at every run. */
function said(folder: string): unknown {
  const proof = JSON.parse(readFileSync(join(folder, 'proof.json'), 'utf8')) as {
    cases: { id: string; said: object }[];
  };
  return {
    ...proof,
    durationMs: 0,
    cases: proof.cases.map((each) => ({ ...each, durationMs: 0 })),
  };
}

test('merged shards say what one proof says; a shard that is missing is named', async () => {
  const [whole, merged] = [temporaryFolder(), temporaryFolder()];
  const parts = [temporaryFolder(), temporaryFolder()];
  const [single, ...shards] = await Promise.all([
    conform(['prove', ...CHOICE, '--out', whole]),
    ...parts.map((part, i) => conform(['prove', ...CHOICE, '--shard', `${i + 1}/2`, '--out', part])),
  ]);
  for (const { stderr } of shards) expect(stderr).toBe('');
  const { code, stderr } = await conformHere(['prove', '--merge', ...parts, '--out', merged]);
  expect(stderr).toBe('');
  expect(code).toBe(single.code);
  expect(said(merged)).toEqual(said(whole));

  const half = await conformHere(['prove', '--merge', parts[0]!, '--out', merged]);
  expect(half.code).toBe(2);
  expect(half.stderr).toContain('no shard has shipping/revoke-');
  expect(existsSync(join(whole, 'outcomes.json'))).toBe(false);
}, 120_000);
