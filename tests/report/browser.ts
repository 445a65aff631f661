/**
 * A real browser for the tests of the page: Debian's chromium,
 * with everything switched off that uses the network.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { RunReport } from '../../lib/model/results.ts';
import { html } from '../../lib/report/html/page.ts';
import { redacted, redactorWith } from './redacted.ts';
import { sampleSecrets } from './sample.ts';

const executablePath = '/usr/bin/chromium';

/** The reason why there is no browser to test with; `undefined` where there is one. */
export const noBrowser = existsSync(executablePath)
  ? undefined
  : `${executablePath} is not installed (Debian: chromium)`;

/** Starts a browser that sends no requests of its own. */
export function launch(): Promise<Browser> {
  const quiet = ['gpu', 'quic', 'background-networking', 'component-update', 'sync'].map(
    (one) => `--disable-${one}`,
  );
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--no-first-run', ...quiet] });
}

/** An open page, and what it tried to do. */
export interface Opened {
  page: Page;
  /** Every request except the one for the file itself. */
  requests: string[];
  /** Errors, violations of the content security policy, and dialogs. */
  complaints: string[];
  close(): Promise<void>;
}

/** Opens reports as files, in a browser that is started only once. */
export class ReportBrowser {
  private browser: Browser;
  private folder = mkdtempSync(join(tmpdir(), 'report-page-'));
  private files = 0;

  private constructor(browser: Browser) {
    this.browser = browser;
  }

  static async start(): Promise<ReportBrowser> {
    return new ReportBrowser(await launch());
  }

  /** Writes a report as a page, redacted as in a real run, and returns its address. */
  async write(
    report: RunReport,
    render: (report: RunReport) => string | Promise<string> = html,
  ): Promise<string> {
    const path = join(this.folder, `${++this.files}.html`);
    writeFileSync(path, await render(redacted(report, redactorWith(sampleSecrets))));
    return pathToFileURL(path).href;
  }

  async open(address: string, options: BrowserContextOptions = {}): Promise<Opened> {
    const context = await this.browser.newContext(options);
    const page = await context.newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    const file = address.split('#')[0];
    context.on('request', (request) => {
      if (request.url() !== file) requests.push(request.url());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('dialog', async (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      await dialog.dismiss();
    });
    await page.goto(address);
    return { page, requests, complaints, close: () => context.close() };
  }

  async stop(): Promise<void> {
    await this.browser.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
