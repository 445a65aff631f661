/** `conform run --dry-run --shard`: what one shard of a run would do. */
import { expect, test } from 'vitest';
import { conformHere, temporaryFile } from '../lib/conform.ts';

test('the dry runs of all shards tell each check once', async () => {
  const shipping = { baseUrl: 'http://127.0.0.1:9', clientId: 'a', clientSecret: 'long-enough-secret' };
  const config = temporaryFile('targets.yaml', JSON.stringify({ targets: { mine: { shipping } } }));
  const checksOf = async (...flags: string[]) => {
    const { stdout } = await conformHere([
      'run',
      '--dry-run',
      '-s',
      'oauth-token',
      '--config',
      config,
      ...flags,
    ]);
    const [, going, skipped = '0'] = /oauth-token +(\d+) .*?(?:, (\d+) skipped)?$/m.exec(stdout) ?? [];
    return Number(going) + Number(skipped);
  };
  const whole = await checksOf();
  const parts = [
    await checksOf('--isolated', '--shard', '1/2'),
    await checksOf('--isolated', '--shard', '2/2'),
  ];
  expect(Math.min(...parts)).toBeGreaterThan(0);
  expect(parts[0]! + parts[1]!).toBe(whole);
});
