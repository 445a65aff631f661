/** What a target sends cannot hurt whoever reads the reports. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunReport } from '../../lib/model/results.ts';
import { har } from '../../lib/report/har.ts';
import { markdown } from '../../lib/report/markdown.ts';
import { codeBlock, codeSpan } from '../../lib/report/markdown-text.ts';
import { attacks } from './arbitrary.ts';
import { launch, noBrowser, ReportBrowser } from './browser.ts';
import { sampleReport } from './sample.ts';

const text = attacks.join(' ');

/** Returns the sample with attacks in every field that a target fills. */
function attacked(): RunReport {
  const report = sampleReport();
  report.target.title = text;
  for (const check of report.checks) {
    if (check.reason !== undefined) check.reason = text;
    check.observations = check.observations.map((one) => ({ ...one, answer: text }));
    check.findings = check.findings.map((one) => ({ ...one, message: text, expected: text, found: text }));
    for (const exchange of check.exchanges) {
      exchange.purpose = text;
      exchange.request.url += `?q=${text}`;
      exchange.request.headers.push(['x-attack', text]);
      exchange.request.body = { text, bytes: text.length };
      if (!exchange.response) {
        exchange.error = text;
        continue;
      }
      exchange.response.headers.push(['x-attack', text], [attacks[2]!, text]);
      const body = JSON.stringify({ data: attacks, [attacks[0]!]: text });
      exchange.response.body = { text: body, bytes: body.length };
    }
  }
  report.observations = report.observations.map((one) => ({ ...one, answer: text }));
  report.checks[0]!.exchanges[0]!.response!.body = { text: '['.repeat(1_000_000), bytes: 1_000_000 };
  report.checks[1]!.exchanges[0]!.response!.body = {
    text: '<script>window.pwned=1</script>'.repeat(30_000),
    bytes: 930_000,
  };
  return report;
}

describe.skipIf(noBrowser !== undefined)(`in the page${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('nothing of it runs, loads, leaves or becomes markup', async () => {
    const browser = await ReportBrowser.start();
    try {
      const { page, requests, complaints } = await browser.open(await browser.write(attacked()), {
        viewport: { width: 360, height: 740 },
      });
      const elements = () =>
        page.evaluate(
          '[...document.querySelectorAll("script, img, iframe, object, style, link, meta, form")].map((one) => one.tagName)',
        );
      const before = await elements();
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
      await page.locator('.slot .exchange').first().waitFor();
      await page.evaluate('dispatchEvent(new Event("beforeprint"))');
      expect(await elements()).toEqual(before);
      expect((before as string[]).filter((tag) => tag === 'SCRIPT')).toHaveLength(3);
      expect(before).not.toContain('IMG');
      expect(
        await page.evaluate('[typeof window.pwned, document.querySelectorAll("[onerror]").length]'),
      ).toEqual(['undefined', 0]);
      const seen = await page.locator('.finding .message').first().textContent();
      expect(seen).toContain('<script>window.pwned = 1</script>');
      expect(seen).toContain('\\u202egnp.exe\\u202c');
      expect(seen).toContain('\\x1b[31mred');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      expect([requests, complaints]).toEqual([[], []]);
    } finally {
      await browser.stop();
    }
  });

  it('nothing would run or leave even if it became markup: the policy of the page refuses it', async () => {
    const browser = await ReportBrowser.start();
    try {
      const { page, complaints } = await browser.open(await browser.write(sampleReport()));
      await page.evaluate(`
        document.body.insertAdjacentHTML('beforeend', '<img src="http://127.0.0.1:9/x" onerror="window.pwned=1"><iframe src="http://127.0.0.1:9/"></iframe>');
        document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.pwned = 1' }));
      `);
      await expect
        .poll(() => complaints.filter((one) => one.includes('Content Security Policy')).length)
        .toBeGreaterThanOrEqual(3);
      const reached = await page.evaluate('fetch("http://127.0.0.1:9/").then(() => "sent", () => "refused")');
      expect(reached).toBe('refused');
      expect(await page.evaluate('typeof window.pwned')).toBe('undefined');
    } finally {
      await browser.stop();
    }
  });
});

describe('in Markdown', () => {
  it('all of it stands in code', () => {
    const left = markdown(attacked())
      .replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '')
      .replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '');
    for (const sign of [
      '<script',
      'onerror',
      'javascript:',
      '@everyone',
      'evil.example',
      '\u001b',
      '# heading',
    ]) {
      expect(left).not.toContain(sign);
    }
  });

  it('a fence is longer than any run of backticks within', () => {
    expect(codeSpan('a `` b ` c')).toBe('``` a `` b ` c ```');
    expect(codeBlock('```\nx\n````')).toBe('`````text\n```\nx\n````\n`````');
    expect(codeSpan('\n\n')).toBe('` \\n\\n `');
  });
});

describe.skipIf(noBrowser !== undefined)(`exchanges.har${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'report-har-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is replayed by a browser: the recorded answer comes back', async () => {
    const path = join(folder, 'exchanges.har');
    writeFileSync(path, har(sampleReport()));
    const browser = await launch();
    try {
      const page = await browser.newPage();
      await page.routeFromHAR(path, { notFound: 'abort' });
      const answer = await page.goto(
        'https://sandbox.shipping.example/api/v1/address_templates?page=1&per_page=50',
      );
      expect(answer!.status()).toBe(200);
      expect((await answer!.json()).meta.per_page).toBe(50);
    } finally {
      await browser.close();
    }
  });
});
