/** The certificate, and several runs side by side, in a real browser. */
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunReport } from '../../lib/model/results.ts';
import { certificate } from '../../lib/report/html/certificate.ts';
import { matrix } from '../../lib/report/html/matrix.ts';
import { noBrowser, ReportBrowser } from './browser.ts';
import { sampleReport } from './sample.ts';

const PAGES: [name: string, render: (report: RunReport) => string][] = [
  ['the certificate', certificate],
  ['two runs side by side', (report) => matrix([report, report])],
];

describe.skipIf(noBrowser !== undefined)('a page beside the report', () => {
  let browser: ReportBrowser;
  beforeAll(async () => {
    browser = await ReportBrowser.start();
  });
  afterAll(() => browser.stop());

  it('the certificate is not wider than the paper', async () => {
    // A4 without its margins, in CSS pixels.
    const width = Math.floor(((210 - 36) / 25.4) * 96);
    const viewport = { width, height: 1000 };
    const opened = await browser.open(await browser.write(sampleReport(), certificate), { viewport });
    try {
      await opened.page.emulateMedia({ media: 'print' });
      expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    } finally {
      await opened.close();
    }
  });

  it.each(PAGES)('has nothing that axe-core finds, and fits a narrow screen: %s', async (_, render) => {
    const viewport = { width: 390, height: 844 };
    const opened = await browser.open(await browser.write(sampleReport(), render), { viewport });
    try {
      await opened.page.evaluate(axe.source);
      const { violations } = (await opened.page.evaluate('axe.run()')) as axe.AxeResults;
      expect(violations.map(({ id }) => id)).toEqual([]);
      const width = await opened.page.evaluate('document.documentElement.scrollWidth');
      expect(width).toBeLessThanOrEqual(viewport.width);
      expect([opened.requests, opened.complaints]).toEqual([[], []]);
    } finally {
      await opened.close();
    }
  });

  it('the report prints what one fault breaks unfolded', async () => {
    const report = sampleReport();
    const [one, other, ...rest] = report.groups;
    const joined = { ...one!, requirements: [...one!.requirements, ...other!.requirements] };
    const { page, close } = await browser.open(await browser.write({ ...report, groups: [joined, ...rest] }));
    try {
      expect(await page.locator('.failures details').count()).toBe(1);
      await page.evaluate('dispatchEvent(new Event("beforeprint"))');
      expect(await page.locator('.failures details[open]').count()).toBe(1);
    } finally {
      await close();
    }
  });
});
