/** A state folder without space is named as such, before anything is sent. */
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { conformHere, temporaryFile, temporaryFolder } from '../lib/conform.ts';

test.runIf(existsSync('/dev/full')).each(['run', 'doctor'])(
  '%s ends with 2, and sends nothing',
  async (word) => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const mine = { shipping: { baseUrl, clientId: 'one', clientSecret: 'two-two-two' } };
    const config = temporaryFile('targets.yaml', JSON.stringify({ targets: { mine } }));
    const state = join(temporaryFolder(), 'state');
    mkdirSync(join(state, 'journals'), { recursive: true, mode: 0o700 });
    // What is written first, to see whether there is space, leads to a full device.
    symlinkSync('/dev/full', join(state, 'journals', `writable-${process.pid}.lock`));
    const { code, stderr } = await conformHere([word, '--config', config], {
      env: { CONFORM_STATE_DIR: state },
    });
    expect(stderr).toMatch(
      /journals: the journal of what a run makes cannot be kept there \(ENOSPC.*\); name a folder of your own in CONFORM_STATE_DIR/,
    );
    expect([code, requests]).toEqual([2, 0]);
    expect(readdirSync(join(state, 'journals'))).toEqual([]);
  },
);

test.runIf(existsSync('/proc/self'))(
  'a state folder of the kernel is refused, and does not hang',
  async () => {
    const mine = {
      shipping: { baseUrl: 'http://127.0.0.1:9', clientId: 'one', clientSecret: 'two-two-two' },
    };
    const config = temporaryFile('targets.yaml', JSON.stringify({ targets: { mine } }));
    const { code, stderr } = await conformHere(['doctor', '--config', config], {
      env: { CONFORM_STATE_DIR: '/proc/no/such' },
    });
    expect(stderr).toMatch(/cannot be kept there \(\/proc is no place for files\)/);
    expect(code).toBe(2);
  },
);
