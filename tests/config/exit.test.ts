/** Wrong usage and wrong configurations end with exit status 2 and one message, and nothing is sent. */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockFolder } from '../../lib/check/journal/lock.ts';
import { conform, conformHere, temporaryFile, temporaryFolder } from '../lib/conform.ts';

const SECRET = 'hunter2-hunter2';

let server: Server;
let connections = 0;
let url = '';

beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  connections = 0;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Returns a configuration whose only mistake, if any, is in the lines `further`. */
const configuration = (further = ''): string => `targets:
  mine:
    shipping:
      baseUrl: ${url}
      clientId: me
      clientSecret: ${SECRET}
${further}`;

/** Expects exit status 2, exactly this message on the error stream, and no connection to the server. */
async function expectRefused(
  args: string[],
  message: string,
  options: { cwd?: string; env?: Record<string, string> } = {},
) {
  const { code, stdout, stderr } = await conformHere(args, options);
  expect(stderr).toBe(`conform: ${message}\n`);
  expect(stdout).toBe('');
  expect(code).toBe(2);
  expect(connections).toBe(0);
}

describe('conform run sends nothing and exits with 2', () => {
  const run = (yaml: string, flags: string[], message: string) => {
    const file = temporaryFile('targets.yaml', yaml);
    return expectRefused(['run', '--config', 'targets.yaml', ...flags], message, { cwd: dirname(file) });
  };

  test('for an unknown key', () =>
    run(
      configuration('      rates: 2\n'),
      [],
      'targets.yaml:7: targets.mine.shipping: unknown key `rates`; did you mean `rate`?',
    ));

  test('for a variable that is not set', () =>
    run(
      configuration(`      redirectUri: $\{CONFORM_TEST_NOT_SET}\n`),
      [],
      'targets.yaml:7: the environment variable CONFORM_TEST_NOT_SET is not set',
    ));

  test('for a key that is not a private key', () =>
    run(
      configuration(`    agents:\n      baseUrl: ${url}\n      key: '{"kty":"RSA","n":"${SECRET}"}'\n`),
      [],
      'targets.yaml:9: the key is not a private RSA key as a JWK (`kty`: RSA, with `d`)',
    ));

  test('for a suite in the file that does not exist', () =>
    run(
      configuration('    run: { suites: [oauth-tokens] }\n'),
      [],
      'targets.yaml:7: targets.mine.run.suites: no suite `oauth-tokens`; did you mean `oauth-token`?',
    ));

  test('for an unknown target', () =>
    run(configuration(), ['--target', 'mein'], 'targets.yaml: no target `mein`; did you mean `mine`?'));

  test('for an unknown suite', () =>
    run(
      configuration(),
      ['--suite', 'adress-book'],
      '--suite: no suite `adress-book`; did you mean `address-book`?',
    ));

  test('for a suite that the target has no configuration for', () =>
    run(
      configuration(),
      ['--suite', 'cache-management'],
      '--suite: no suite `cache-management`; there are address-book, oauth-token',
    ));

  test('for an id that no requirement has', () =>
    run(
      configuration(),
      ['--grep', 'TOKEN-EXPIRI'],
      '--grep TOKEN-EXPIRI matches no id; did you mean `TOKEN-EXPIRY`?',
    ));

  test('for a case that no check has', () =>
    run(
      configuration(),
      ['--grep', 'TOKEN-EXPIRY/none'],
      '--grep TOKEN-EXPIRY/none: there is no such check; `conform explain ID` names those of a requirement',
    ));

  test('for a known failure that no requirement can have', async () => {
    const known = temporaryFile('known.yaml', 'known: [ADDR-CREATE-STATUS, TOKEN-EXPIRI]\n');
    await run(
      configuration(),
      ['--known-failures', known],
      `${known}: entry 2: TOKEN-EXPIRI matches no requirement; did you mean \`TOKEN-EXPIRY\`?`,
    );
  });

  test('for an effect that does not exist', () =>
    run(
      configuration(),
      ['--effects', 'read,rite'],
      '--effects: no effect `rite`; there are read, write, settings',
    ));

  test('for a mistake in the flags, before variables that are not set', () =>
    run(
      configuration(`      redirectUri: $\{CONFORM_TEST_NOT_SET}\n`),
      ['--timeout', 'soon'],
      '--timeout soon: not a number of 0 or more',
    ));

  test.each([
    [['--timeout', '0'], '--timeout 0: must be greater than 0'],
    [['--max-wait', 'soon'], '--max-wait soon: not a number of 0 or more'],
    [['--known-failures', 'none.txt'], 'none.txt: no such file of known failures'],
  ])('for the flag %s', (flags, message) => run(configuration(), flags, message));

  test('for a configuration that is not there', () =>
    expectRefused(['run', '--config', 'nowhere.yaml'], 'nowhere.yaml: no such file; name one with --config'));
});

test('flags and commands that do not exist are reported with the nearest one', async () => {
  const [flag, command] = await Promise.all([conform(['run', '--targte', 'a']), conform(['rnu'])]);
  expect(flag).toMatchObject({ code: 2, stdout: '' });
  expect(flag.stderr).toContain("unknown option '--targte'");
  expect(flag.stderr).toContain('--target');
  expect(command).toMatchObject({ code: 2, stdout: '' });
  expect(command.stderr).toContain("unknown command 'rnu'");
  expect(command.stderr).toContain('run');
});

test('the other commands say the same of an unknown name', async () => {
  await expectRefused(
    ['explain', 'TOKEN-EXPIRI'],
    'no requirement `TOKEN-EXPIRI`; did you mean `TOKEN-EXPIRY`?',
  );
  await expectRefused(['list', '--suite', 'oauth'], 'no suite `oauth`; did you mean `oauth-token`?');
  await expectRefused(['serve', '--port', '99999'], '--port 99999: not a port');
});

test('conform clean accepts a target whose configuration names suites', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'targets.yaml'), configuration('    run: { suites: [oauth-token] }\n'));
  // A journal in the project's folder may come from somebody else, so it is never read.
  mkdirSync(join(cwd, 'reports', 'mine'), { recursive: true });
  writeFileSync(join(cwd, 'reports', 'mine', 'journal.jsonl'), 'anything');
  const stdout = 'nothing to undo on mine\n';
  expect(await conformHere(['clean'], { cwd })).toEqual({ code: 0, stdout, stderr: '' });
});

test('a folder that another run writes to is refused before anything is sent', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'targets.yaml'), configuration(''));
  const unlock = lockFolder(join(cwd, 'out'));
  await expectRefused(
    ['run', '--out', 'out'],
    `out: another run writes there; name another folder with --out (process ${process.pid}). If that process is over, remove ${join('out', '.conform.lock')}`,
    { cwd },
  );
  unlock();
});
