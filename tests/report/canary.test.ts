/**
 * Puts canary secrets wherever a run may have text of a target
 * or a user, and tests that no byte of them is written.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { learnSecrets } from '../../lib/model/redaction/learn.ts';
import { createRedactor } from '../../lib/model/redaction/redactor.ts';
import type { Exchange, RunReport } from '../../lib/model/results.ts';
import { writeReports } from '../../lib/report/index.ts';
import { redacted, redactorWith } from './redacted.ts';
import { sampleReport, sampleSecrets } from './sample.ts';
import { unfolded } from './unfolded.ts';

const claims = Buffer.from(
  '{"iss":"https://idp.example","sub":"canary","email":"canary@example.org"}',
).toString('base64url');

/** Secrets that the user configured; those below only came from the target. */
const configured = {
  client_secret: 'canary+Client/Secret=0 with "odd" & chars',
  private_key: `-----BEGIN PRIVATE KEY-----\n${'CanaryKeyMaterial0123456789abcdef'.repeat(4)}\n-----END PRIVATE KEY-----`,
};
const received = {
  access_token: 'canary-received-access-token-71f0',
  refresh_token: 'canary-received-refresh-token-93ab',
  api_key: 'canary-received-api-key-55ce',
};
const assertion = `eyJhbGciOiJSUzI1NiIsInR5cCI6Im9hdXRoLWlkLWphZytqd3QifQ.${claims}.${'canarySignature0'.repeat(10)}`;
const all = { ...configured, ...received, assertion };

/** The forms that checks derive from a secret and send. */
const derived = (one: string): string[] => [
  one.slice(0, 20),
  one.slice(-20),
  `${one.slice(0, 15)}~${one.slice(16)}`,
  `${one}x`,
  ...one.split('.'),
];

/** Base32 implemented literally after RFC 4648, section 6: five bits at a time. */
const base32 = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .replace(
      /.{1,5}/g,
      (bits) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(bits.padEnd(5, '0'), 2)]!,
    );

const reversed = (text: string): string => [...text].reverse().join('');

/** A text that carries every canary in every way in which one place may carry it. */
function everything(): string {
  const ways = Object.values(all).flatMap((one) => [
    one,
    one.toUpperCase(),
    one.toLowerCase(),
    reversed(one),
    Buffer.from(one).toString('hex'),
    Buffer.from(one).toString('hex').toUpperCase(),
    base32(one),
    base32(one).toLowerCase(),
    encodeURIComponent(one),
    new URLSearchParams({ v: one }).toString(),
    JSON.stringify({ v: one }),
    Buffer.from(`id:${one}`).toString('base64'),
    Buffer.from(`x${one}`).toString('base64url'),
    ...derived(one),
  ]);
  return `carries <&> ${ways.join(' | ')}`;
}

/** Returns the sample with the canaries in every field that is not the suite's own text. */
function poisoned(): RunReport {
  const report = sampleReport();
  const text = everything();
  report.target.urls.shipping = `https://user:${encodeURIComponent(configured.client_secret)}@127.0.0.1/?t=${received.access_token}`;
  report.target.title = text;
  for (const check of report.checks) {
    if (check.reason !== undefined) check.reason = text;
    for (const finding of check.findings) {
      finding.message += text;
      finding.expected = text;
      finding.found = text;
      finding.pointer = `/data/${text}`;
    }
    for (const observation of check.observations) observation.answer = text;
    check.exchanges = check.exchanges.map((exchange) => poison(exchange, text));
  }
  for (const observation of report.observations) observation.answer = text;
  const first = report.checks.find((check) => check.exchanges[0]?.response)!.exchanges[0]!.response!.body;
  first.text = JSON.stringify({ ...received, token_type: 'Bearer' });
  return report;
}

function poison(exchange: Exchange, text: string): Exchange {
  const body = { text, bytes: text.length };
  return {
    ...exchange,
    purpose: text,
    request: {
      ...exchange.request,
      url: `https://127.0.0.1/${encodeURIComponent(text)}?token=${received.access_token}`,
      headers: [
        ['authorization', `Bearer ${assertion}`],
        ['x-echo', text],
        [received.api_key, 'as a name'],
      ],
      body,
    },
    ...(exchange.response
      ? { response: { status: 200, headers: [['location', text]], body: { ...body, cut: true } } }
      : { error: text }),
  };
}

/** Returns what must not occur in any file: each canary and its encodings. */
function needles(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex');
  const inBase32 = base32(secret).slice(0, -1);
  return [
    secret,
    secret.toUpperCase(),
    secret.toLowerCase(),
    reversed(secret),
    hex,
    hex.toUpperCase(),
    inBase32,
    inBase32.toLowerCase(),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    ...[0, 1, 2].map((shift) =>
      Buffer.from(`${'x'.repeat(shift)}${secret}`)
        .toString('base64')
        .slice(4, -4),
    ),
    ...secret.split('.').filter((part) => part.length >= 12),
  ];
}

/**
 * Nor may any twelve characters of a canary. The beginning
 * of a JWT is public, so of JWTs only whole parts count.
 */
const windows = new Set(
  Object.values({ ...all, ...sampleSecrets })
    .filter((secret) => secret.length <= 200)
    .flatMap(needles)
    .flatMap((needle) => Array.from({ length: needle.length - 11 }, (_, i) => needle.slice(i, i + 12))),
);

function leakIn(written: string): string | undefined {
  for (let i = 0; i + 12 <= written.length; i++) {
    const window = written.slice(i, i + 12);
    if (windows.has(window)) return window;
  }
  return Object.values({ ...all, ...sampleSecrets })
    .flatMap(needles)
    .find((needle) => written.includes(needle));
}

const folder = mkdtempSync(join(tmpdir(), 'report-canary-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Returns a redactor that knows the configured secrets, and whatever checks derived from any secret. It
 * learns received secrets from the answers that bring them.
 */
function configuredRedactor() {
  const redactor = redactorWith({ ...configured, ...sampleSecrets });
  for (const one of Object.values(all)) for (const value of derived(one)) redactor.derive(value, one);
  return redactor;
}

describe('secrets', () => {
  it('would be seen in the compressed parts of the page, were they not redacted', async () => {
    const out = join(folder, 'open');
    await writeReports(poisoned(), out);
    const page = readFileSync(join(out, 'index.html'), 'utf8');
    const blocks = unfolded(page).slice(unfolded(page).indexOf('id="evidence"'));
    expect(leakIn(blocks)).toBeDefined();
    expect(blocks).toContain('"exchanges":{');
  });

  it('are in no file, in whole or in parts, in neither profile', async () => {
    for (const junitProfile of ['strict', 'rich'] as const) {
      const paths = await writeReports(
        redacted(poisoned(), configuredRedactor()),
        join(folder, junitProfile),
        {
          junitProfile,
          har: 'full',
        },
      );
      expect(paths.map((path) => basename(path))).toEqual([
        'junit.xml',
        'report.json',
        'index.html',
        'summary.md',
        'ctrf.json',
        'exchanges.har',
        'badge.svg',
        'annotations.txt',
        'codequality.json',
        'certificate.html',
      ]);
      for (const path of paths) {
        const written = unfolded(readFileSync(path, 'utf8'));
        const leak = leakIn(written);
        if (leak !== undefined) throw new Error(`${basename(path)} holds ${JSON.stringify(leak)}`);
      }
    }
  });

  it('that a target hands out are learnt before a check is shown', () => {
    const redactor = createRedactor();
    for (const { exchanges } of poisoned().checks)
      for (const exchange of exchanges) learnSecrets(exchange, redactor);
    expect(redactor.text(`got ${received.refresh_token}`)).toBe('got «refresh_token»');
  });
});

describe('a target', () => {
  it('cannot blot out the verdict by handing out our own words as a token', () => {
    const report = sampleReport();
    const failed = report.requirements.find((one) => one.verdict === 'failed')!;
    const body = report.checks.find((check) => check.exchanges[0]?.response)!.exchanges[0]!.response!.body;
    body.text = [failed.id, failed.title, failed.statement, report.summary, 'requirements', 'observed']
      .map((word) => `{"access_token":${JSON.stringify(word)}}`)
      .join('\n');
    const written = redacted(report);
    const strip = ({ checks, target, observations, redacted: _, ...rest }: RunReport) => rest;
    expect(strip(written)).toEqual(strip(report));
    expect(written.checks.map(({ id, title, verdict }) => [id, title, verdict])).toEqual(
      report.checks.map(({ id, title, verdict }) => [id, title, verdict]),
    );
  });
});
