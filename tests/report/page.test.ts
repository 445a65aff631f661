/**
 * The compliance report in a real browser: reading, filtering, linking, printing, with and without a script.
 */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { html } from '../../lib/report/html/page.ts';
import { noBrowser, type Opened, ReportBrowser } from './browser.ts';
import { largeReport, sampleReport } from './sample.ts';

const report = sampleReport();
const failed = report.requirements.filter((one) => one.verdict === 'failed');

describe.skipIf(noBrowser !== undefined)(`the page${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: ReportBrowser;
  let address: string;
  beforeAll(async () => {
    browser = await ReportBrowser.start();
    address = await browser.write(report);
  });
  afterAll(() => browser.stop());

  /** Opens the sample, does something with it, and checks that the page sent nothing and had no errors. */
  async function visit<T>(
    use: (opened: Opened) => Promise<T>,
    options: Parameters<ReportBrowser['open']>[1] = {},
    hash = '',
    file = address,
  ): Promise<T> {
    const opened = await browser.open(file + hash, options);
    try {
      const result = await use(opened);
      expect(opened.requests).toEqual([]);
      expect(opened.complaints).toEqual([]);
      return result;
    } finally {
      await opened.close();
    }
  }

  /** Opens every entry and every check inside it, and waits for their content. */
  async function unfoldAll(page: Page): Promise<void> {
    for (const empty of ['.req:not(:has(.req-body))', '.exchanges:not([data-filled])']) {
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
      await expect.poll(() => page.locator(empty).count(), { timeout: 10_000 }).toBe(0);
    }
  }

  const shown = ({ page }: Opened) =>
    page.locator('.req:not([hidden])').evaluateAll((elements) => elements.map((element) => element.id));

  for (const [colorScheme, rules] of [
    ['light', ''],
    // Only colours differ.
    ['dark', '{ runOnly: ["color-contrast"] }'],
  ] as const) {
    it(`has nothing that axe-core finds, everything unfolded, ${colorScheme}`, async () => {
      await visit(
        async ({ page }) => {
          await unfoldAll(page);
          await page.evaluate(axe.source);
          const { violations, passes } = (await page.evaluate(`axe.run(${rules})`)) as axe.AxeResults;
          console.log(`axe-core ${colorScheme}: ${passes.length} rules passed`);
          expect(passes.length).toBeGreaterThan(0);
          expect(violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html)])).toEqual(
            [],
          );
        },
        { colorScheme },
      );
    });
  }

  it('opens with the verdict and every requirement that fails', async () => {
    await visit(async ({ page }) => {
      expect(await page.title()).toBe('Not conformant: Shipping sandbox');
      expect(await page.locator('.verdict').textContent()).toContain(report.summary);
      expect(await page.locator('.failures li').count()).toBe(failed.length);
      for (const { id } of failed)
        expect(await page.locator(`[id="${id}"]`).getAttribute('open')).not.toBeNull();
    });
  });

  it('follows links to a requirement, a check and an exchange, from outside and within', async () => {
    const check = report.checks.find((one) => one.verdict === 'passed' && one.exchanges.length > 0)!;
    const exchange = check.exchanges[0]!.id;
    for (const target of [check.requirements[0]!, `check:${check.id}`, exchange]) {
      await visit(
        async ({ page }) => {
          const element = page.locator(`[id="${target}"]`);
          await element.waitFor({ state: 'visible' });
          expect(await element.evaluate((one) => one.getBoundingClientRect().top)).toBeLessThan(500);
          expect(await page.locator(`[id="${check.requirements[0]}"]`).getAttribute('open')).not.toBeNull();
        },
        {},
        `#${target}`,
      );
    }
    await visit(async ({ page }) => {
      await page.locator('.failures a').first().click();
      expect(await page.evaluate('location.hash')).toBe(`#${report.groups[0]!.root}`);
    });
  });

  it('shows a linked entry although a filter hides it', async () => {
    await visit(async (opened) => {
      const { page } = opened;
      await page.locator('#by-suite').selectOption('oauth-token');
      expect(await shown(opened)).not.toContain('ADDR-LIST-PARTITION');
      await page.evaluate('location.hash = "#ADDR-LIST-PARTITION"');
      await page.locator('#ADDR-LIST-PARTITION').waitFor({ state: 'visible' });
      expect(await shown(opened)).toHaveLength(report.requirements.length);
    });
  });

  it('filters by verdict, suite, level and words, and says how many are left', async () => {
    await visit(async (opened) => {
      const { page } = opened;
      const ids = (keep: (one: (typeof report.requirements)[number]) => boolean) =>
        report.requirements
          .filter(keep)
          .map(({ id }) => id)
          .sort();
      const now = async () => (await shown(opened)).sort();
      await page.locator('.chip[data-outcome=failed]').click();
      expect(await now()).toEqual(ids((one) => one.verdict === 'failed'));
      await page.locator('.chip[data-outcome=observed]').click();
      expect(await now()).toEqual(ids((one) => one.verdict === 'failed' || one.verdict === 'observed'));
      await page.locator('#by-suite').selectOption('oauth-token');
      expect(await now()).toEqual(
        ids((one) => one.suite === 'oauth-token' && /failed|observed/.test(one.verdict!)),
      );
      expect(await page.locator('#shown').textContent()).toBe(
        `${(await now()).length} of ${report.requirements.length} shown`,
      );
      await page.locator('#clear').click();
      await page.locator('#by-level').selectOption('advised');
      expect(await now()).toEqual(ids((one) => one.level === 'advised'));
      await page.locator('#clear').click();
      await page.keyboard.press('/');
      await page.keyboard.type('patch omitted');
      expect(await now()).toEqual(ids((one) => /OMITTED/.test(one.id)));
      await page.locator('#find').fill('no such words');
      expect(await now()).toEqual([]);
      expect(await page.locator('#nothing').isVisible()).toBe(true);
    });
  });

  it('keeps the choice in the address, and takes it from there', async () => {
    await visit(async (opened) => {
      const { page } = opened;
      await page.locator('.chip[data-outcome=failed]').click();
      await page.locator('#by-suite').selectOption('address-book');
      await page.locator('#find').fill('patch');
      const chosen = await page.evaluate('location.hash');
      expect(chosen).toBe('#?verdict=failed&find=patch&suite=address-book');
      await page.locator('#shown', { hasText: /^[1-9] of/ }).waitFor();
      const left = await shown(opened);
      await visit(
        async (again) => {
          await again.page.locator('#shown', { hasText: `${left.length} of` }).waitFor();
          expect(await shown(again)).toEqual(left);
          expect(await again.page.locator('#by-suite').inputValue()).toBe('address-book');
          await again.page.locator('#clear').click();
          expect(await again.page.evaluate('location.hash')).toBe('');
          expect(await shown(again)).toHaveLength(report.requirements.length);
        },
        {},
        chosen as string,
      );
    });
  });

  it('shows exchanges as they were recorded, unfolded from the compressed block', async () => {
    const check = report.checks.find((one) => one.verdict === 'passed' && one.exchanges.length > 0)!;
    const { request, response } = check.exchanges[0]!;
    await visit(
      async ({ page }) => {
        const exchange = page.locator(`[id="${check.exchanges[0]!.id}"]`);
        await exchange.waitFor({ state: 'visible' });
        expect(await exchange.locator('.url').textContent()).toBe(request.url);
        const body = await exchange.locator('.side').nth(1).locator('pre.body').textContent();
        expect(JSON.parse(body!)).toEqual(JSON.parse(response!.body.text!));
        for (const [name, value] of response!.headers)
          expect(await exchange.textContent()).toContain(`${name}: ${value}`);
      },
      {},
      `#${check.exchanges[0]!.id}`,
    );
  });

  it('has on paper also the failures whose evidence is beyond what stands in the markup', async () => {
    await visit(
      async ({ page }) => {
        await page.locator('html[data-printable]').waitFor({ state: 'attached' });
        await page.evaluate('dispatchEvent(new Event("beforeprint"))');
        const entries = '.req[data-outcome=failed][open]';
        expect(await page.locator(entries).count()).toBe(100);
        expect(await page.locator(`${entries}:has(.finding .exchange)`).count()).toBe(100);
      },
      {},
      '',
      await browser.write(largeReport()),
    );
  });

  it('is small: five megabytes of evidence take a tenth of that', async () => {
    expect((await html(largeReport())).length).toBeLessThan(1_500_000);
    const clean = largeReport();
    for (const one of clean.requirements) one.verdict = 'passed';
    for (const one of clean.checks) one.findings = [];
    expect((await html(clean)).length).toBeLessThan(600_000);
  });

  it('marks what is wrong at its place in the answer', async () => {
    await visit(async ({ page }) => {
      const marks = (id: string) => page.locator(`[id="${id}"] .finding mark`).allTextContents();
      expect(await marks('ADDR-LIST-PER-PAGE-MAX')).toEqual(['"per_page": 50,']);
      expect(await marks('ADDR-UPDATE-OMITTED-KEPT-COMPANY')).toEqual(['"company": null,']);
      expect(await marks('TOKEN-REVOKE-CLIENT')).toEqual(['200']);
      await page.locator('#ADDR-AUTH-CHALLENGE > summary').click();
      expect(await marks('ADDR-AUTH-CHALLENGE')).toEqual(['WWW-Authenticate: (absent)']);
    });
  });

  it('has no secret in its commands, and names the variables', async () => {
    await visit(async ({ page }) => {
      const curl = page.locator('#TOKEN-FIELD-EXPIRES-IN .curl');
      expect(await curl.locator('pre').textContent()).toContain(
        '--data-urlencode client_secret="$CLIENT_SECRET"',
      );
      expect(await curl.textContent()).toContain('Set CLIENT_SECRET first');
    });
  });

  it('has the essentials without a script', async () => {
    await visit(
      async ({ page }) => {
        expect(await page.locator('.tools').isVisible()).toBe(false);
        expect(await page.locator('.verdict').textContent()).toContain('Not conformant');
        for (const { id } of failed) {
          const entry = page.locator(`[id="${id}"]`);
          expect(await entry.locator('.finding .message').isVisible()).toBe(true);
          expect(await entry.locator('.finding .exchange').isVisible()).toBe(true);
          expect(await entry.locator('.curl pre').isVisible()).toBe(true);
        }
      },
      { javaScriptEnabled: false },
    );
  });

  it('prints failures unfolded with their evidence, and no controls', async () => {
    await visit(async ({ page }) => {
      for (const { id } of failed)
        await page.locator(`[id="${id}"]`).evaluate((one) => one.removeAttribute('open'));
      await page.emulateMedia({ media: 'print' });
      await page.evaluate('dispatchEvent(new Event("beforeprint"))');
      for (const { id } of failed)
        expect(await page.locator(`[id="${id}"] .finding .exchange`).isVisible()).toBe(true);
      expect(await page.locator('.tools').isVisible()).toBe(false);
      expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
    });
  });

  it('fits a phone', async () => {
    await visit(
      async ({ page }) => {
        await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      },
      { viewport: { width: 360, height: 740 }, isMobile: true },
    );
  });

  it('is quick with a thousand checks and five megabytes of evidence', async () => {
    const started = performance.now();
    const large = await browser.write(largeReport());
    const rendered = performance.now();
    await visit(
      async ({ page }) => {
        const loaded = performance.now();
        await page.locator('#find').fill('large-077');
        await page.locator('#shown', { hasText: '10 of 1000' }).waitFor();
        const filtered = performance.now();
        await page.locator('#TOKEN-LARGE-0777 > summary').click();
        await page.locator('#TOKEN-LARGE-0777 .exchanges > summary').click();
        await page.locator('#TOKEN-LARGE-0777 .exchange').first().waitFor();
        const ms = (from: number, to: number) => `${(to - from).toFixed(0)} ms`;
        console.log(
          `large report: written in ${ms(started, rendered)}, loaded in ${ms(rendered, loaded)}, searched in ${ms(loaded, filtered)}, evidence after ${ms(filtered, performance.now())}`,
        );
        expect(loaded - rendered).toBeLessThan(30_000);
      },
      {},
      '',
      large,
    );
  });
});
