/** The command repeats the request exactly in a real shell, and nothing that a target sent is executed. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../lib/model/redaction/redactor.ts';
import type { Exchange, HeaderPair } from '../../lib/model/results.ts';
import { curlCommand } from '../../lib/report/curl.ts';
import { inert } from '../../lib/report/terminal-safe.ts';
import { attacks, hostileText } from './arbitrary.ts';

const bash = ['/bin/bash', '/usr/bin/bash'].find(existsSync);
const noBash = 'bash is not installed';

function request(method: string, url: string, headers: HeaderPair[], body?: string): Exchange {
  return {
    id: 'x1',
    purpose: 'test',
    startedAt: '2025-01-01T00:00:00.000Z',
    durationMs: 1,
    request: {
      method,
      url,
      headers,
      ...(body === undefined ? {} : { body: { text: body, bytes: Buffer.byteLength(body) } }),
    },
  };
}

/** Returns the arguments that `curl` would get for each command, from a bash that has these variables. */
function argumentsOf(commands: string[], variables: Record<string, string> = {}): string[][] {
  const script = `curl() { printf '%s\\0' "$@"; printf 'END\\0'; }\n${commands.join('\n')}\n`;
  const out = execFileSync(bash!, ['--norc', '-c', script], {
    env: { PATH: '/nowhere', LC_ALL: 'C.UTF-8', ...variables },
    maxBuffer: 1 << 26,
  }).toString('utf8');
  const all = out.split('\0');
  const calls: string[][] = [[]];
  for (const one of all.slice(0, -1)) {
    if (one === 'END') calls.push([]);
    else calls.at(-1)!.push(one);
  }
  return calls.slice(0, -1);
}

const following = (args: string[], flag: string) =>
  args.flatMap((arg, i) => (args[i - 1] === flag ? [arg] : []));

describe('the curl command', () => {
  it('hands bodies and headers to curl as they were, whatever is in them', ({ skip }) => {
    skip(bash === undefined, noBash);
    // A shell word cannot contain NUL or a lone surrogate.
    const clean = (text: string) => Buffer.from(text.replaceAll('\0', ''), 'utf8').toString('utf8');
    const texts = [...attacks, ...fc.sample(hostileText, { numRuns: 300, seed: 4 })]
      .map(clean)
      .filter((text) => text !== '' && !/«/.test(text));
    const commands = texts.map(
      (text) =>
        curlCommand(
          request(
            'POST',
            'http://127.0.0.1/a',
            [
              ['content-type', 'application/json'],
              ['x-odd', text],
            ],
            text,
          ),
        ).command,
    );
    const calls = argumentsOf(commands);
    expect(calls).toHaveLength(texts.length);
    calls.forEach((args, i) => {
      expect(following(args, '--data-raw')).toEqual([texts[i]]);
      expect(following(args, '-H')[1]).toBe(`x-odd: ${texts[i]}`);
    });
    for (const command of commands) expect(inert(command)).toBe(command);
  });

  it('has variables where secrets were, also in forms, JSON, headers and Basic credentials', ({ skip }) => {
    skip(bash === undefined, noBash);
    const secret = 'p/q+r s&t="u"$HOME`id`';
    const redactor = createRedactor();
    redactor.add(secret, 'client_secret');
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_secret: secret }).toString();
    const basic = Buffer.from(`app-17:${secret}`).toString('base64');
    const commands = [
      request('POST', 'http://127.0.0.1/t', [['Content-Type', 'application/x-www-form-urlencoded']], form),
      request('GET', 'http://127.0.0.1/t', [['Authorization', `Bearer ${secret}`]]),
      request('GET', 'http://127.0.0.1/t', [['Authorization', `Basic ${basic}`]]),
    ].map((exchange) => curlCommand(redactor.deep(exchange)));
    for (const { variables } of commands) expect(variables).toEqual(['CLIENT_SECRET']);
    const [formArgs, bearerArgs, basicArgs] = argumentsOf(
      commands.map(({ command }) => command),
      { CLIENT_SECRET: secret },
    );
    expect(following(formArgs!, '--data-raw')).toEqual(['grant_type=client_credentials']);
    expect(following(formArgs!, '--data-urlencode')).toEqual([`client_secret=${secret}`]);
    expect(following(bearerArgs!, '-H')).toEqual([`Authorization: Bearer ${secret}`]);
    expect(following(basicArgs!, '-u')).toEqual([`app-17:${secret}`]);
  });

  it('says the method only where curl would choose another, and leaves out what curl sets itself', () => {
    const of = (...args: Parameters<typeof request>) => curlCommand(request(...args)).command;
    expect(
      of('GET', 'http://127.0.0.1/a', [
        ['host', 'h'],
        ['Content-Length', '0'],
      ]),
    ).toBe('curl -i http://127.0.0.1/a');
    expect(of('DELETE', 'http://127.0.0.1/a', [])).toBe('curl -i -X DELETE http://127.0.0.1/a');
    expect(of('HEAD', 'http://127.0.0.1/a', [])).toBe('curl -I http://127.0.0.1/a');
    expect(of('GET', 'http://127.0.0.1/a/../b?q[]=1', [])).toBe(
      "curl -i -g --path-as-is 'http://127.0.0.1/a/../b?q[]=1'",
    );
    expect(of('POST', 'http://127.0.0.1/a', [], 'x')).toContain("-H 'Content-Type:'");
  });

  it('says what keeps it from repeating the request', () => {
    const cut = request('POST', 'http://127.0.0.1/a', [['x-token', '«access_token…»']], 'x');
    cut.request.body!.cut = true;
    const { command, caveats } = curlCommand(cut);
    expect(command).toContain('"$ACCESS_TOKEN_PART"');
    expect(caveats).toHaveLength(2);
    const { caveats: bytes } = curlCommand(request('POST', 'http://127.0.0.1/a', [], '{\ufffd'));
    expect(bytes).toEqual([expect.stringContaining('no UTF-8')]);
  });
});
