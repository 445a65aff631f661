/**
 * A whole run against a target that echoes what it is sent: no secret is written, and no more is redacted.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  createReference,
  describeReference,
  type Handler,
  listen,
  makeTrust,
} from '../../reference/index.ts';
import { runAgainst } from '../lib/conform.ts';
import { unfolded } from '../report/unfolded.ts';

/** The secret is hexadecimal, so it is still usable when it is written in capital letters. */
const SECRET = 'f3a91c07be5d2846f3b0a17c9e5d2468';
const WINDOW = 12;

interface Overheard {
  secrets: Set<string>;
  handle: Handler;
}

function holdsAny(text: string, windows: ReadonlySet<string>): boolean {
  for (let i = 0; i + WINDOW <= text.length; i++) if (windows.has(text.slice(i, i + WINDOW))) return true;
  return false;
}

/** Returns every character as a percent-encoding with lower-case digits. */
const escaped = (text: string): string => Buffer.from(text).toString('hex').replace(/../g, '%$&');

/**
 * A target that issues the reference's credentials, accepts another client secret, and echoes requests in its
 * headers. It collects the secrets that it sees.
 */
function reflecting(handle: Handler, ownSecret: string): Overheard {
  const secrets = new Set([SECRET]);
  const hear = (text: string, pattern: RegExp) => {
    for (const [, value] of text.matchAll(pattern)) secrets.add(value!);
  };
  return {
    secrets,
    handle: async (request) => {
      const body = await request.text();
      // Of an assertion, only the signature is a secret: its header is the same in all of them.
      hear(body, /"assertion":"[\w-]+\.[\w-]+\.([\w-]{40,})"/g);
      const { method, headers: given } = request;
      const own = body.replaceAll(SECRET, ownSecret).replaceAll(escaped(SECRET), ownSecret);
      const told = method === 'GET' ? {} : { body: own };
      const answer = await handle(new Request(request.url, { method, headers: given, ...told }));
      const text = await answer.text();
      hear(text, /"(?:access_token|refresh_token|credential)":"([^"]{8,})"/g);
      const headers = new Headers(answer.headers);
      const sent = `${request.headers.get('authorization')} ${body}`;
      headers.set('x-echo', encodeURIComponent(sent).slice(0, 4000));
      headers.set('x-loud', encodeURIComponent(sent.toUpperCase()).slice(0, 4000));
      headers.set('x-hex', Buffer.from(sent.slice(0, 500)).toString('hex'));
      return new Response(text === '' ? null : text, { status: answer.status, headers });
    },
  };
}

test('a run writes no secret, nor what its checks made of one, in whole or in part', async () => {
  const trust = await makeTrust();
  let url = '';
  const { handle } = createReference({ issuer: trust.issuer, jwks: trust.jwks, publicUrl: () => url });
  const own = describeReference('', trust).shipping.clientSecret;
  const target = reflecting(handle, own);
  const server = await listen(target.handle);
  onTestFinished(() => server.close());
  url = server.url;
  const { shipping, agents, hooks } = describeReference(url, trust);
  const { out, report, stdout } = await runAgainst(
    {
      shipping: { ...shipping, clientSecret: SECRET },
      agents: { ...agents, key: trust.key },
      hooks: { clock: hooks.clock },
    },
    [
      '--suite',
      'oauth-token',
      'agent-registration',
      '--effects',
      'read,write,settings',
      '--junit',
      'rich',
      '--har',
      'full',
    ],
    { timeoutMs: 150_000 },
  );
  expect(report.checks.filter(({ verdict }) => verdict === 'failed').map(({ reason }) => reason)).toEqual([]);
  expect(target.secrets.size).toBeGreaterThan(100);
  const windows = new Set(
    [...target.secrets].flatMap((secret) =>
      Array.from({ length: secret.length - WINDOW + 1 }, (_, i) => secret.slice(i, i + WINDOW).toLowerCase()),
    ),
  );
  const texts = readdirSync(out).map(
    (name) => [name, unfolded(readFileSync(join(out, name), 'utf8'))] as const,
  );
  const leaks = [...texts, ['stdout', stdout] as const].flatMap(([name, text]) =>
    text
      .split(/\n|\},/)
      .filter((line) => holdsAny(line.toLowerCase(), windows))
      .map((line) => `${name}: ${line.slice(0, 400)}`),
  );
  expect(leaks).toEqual([]);
  // Redactions are counted, and addresses and words stay whole.
  expect(report.redacted?.clientSecret).toBeGreaterThan(100);
  const paths = report.checks.flatMap((check) =>
    check.exchanges.map((one) => one.request.url.split('?')[0]!),
  );
  expect(paths.filter((path) => path.includes('«'))).toEqual([]);
}, 200_000);
