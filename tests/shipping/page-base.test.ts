/** The number of the first page is learnt from the answers of the target, and not from those of a gateway. */
import { expect, test } from 'vitest';
import { Session } from '../../lib/check/session.ts';
import type { ResolvedTarget, RunOptions } from '../../lib/config/types.ts';
import { Answer } from '../../lib/http/answer.ts';
import type { Exchange } from '../../lib/model/results.ts';
import { ADDRESSES, AddressList } from '../../services/shipping/api/address-list.ts';
import { pageBase, type Query } from '../../services/shipping/api/pages.ts';

const ids = ['a', 'b', 'c'];
const HTML = '<!doctype html><h1>Sign in</h1>';

/**
 * Returns a function that determines the page base of a list which counts from `base`. Requests whose ordinal
 * number is in `html` are answered with a gateway's HTML page.
 */
function listFrom(base: number, html: readonly number[]) {
  let n = 0;
  const kept = new Map<string, unknown>();
  const list = async ({ page = base, per_page: size = 20 }: Query) => {
    n += 1;
    const at = Math.max(0, Number(page) - base) * Number(size);
    const isHtml = html.includes(n);
    const text = isHtml
      ? HTML
      : JSON.stringify({ data: ids.slice(at, at + Number(size)).map((id) => ({ id })) });
    const headers: [string, string][] = [['content-type', isHtml ? 'text/html' : 'application/json']];
    const exchange = {
      request: { method: 'GET', url: 'http://target.test/list', headers: [] },
      response: { status: 200, headers, body: { text, bytes: text.length } },
    } as unknown as Exchange;
    return new Answer(exchange, 200, text);
  };
  const session = {
    once: async (key: string, make: () => Promise<unknown>) => {
      if (!kept.has(key)) kept.set(key, await make());
      return kept.get(key);
    },
  };
  return () => pageBase({ list } as unknown as AddressList, session as unknown as Session);
}

test.each([0, 1])('pages are counted from %i', async (base) => {
  expect(await listFrom(base, [])()).toBe(base);
});

test.each([1, 2, 3])(
  'a page of HTML as answer %i does not decide it for the rest of the run',
  async (nth) => {
    for (const base of [0, 1]) {
      const ask = listFrom(base, [nth]);
      if (base === 1) expect(await ask()).toBe(1);
      else await ask();
      expect(await ask()).toBe(base);
    }
  },
);

test('what others save meanwhile does not decide it: it is learnt while nothing comes or goes', async () => {
  const saved = ['b', 'a'];
  let save = async () => {};
  const wire = {
    send: async ({ url }: { url: string }) => {
      // The newest address comes first: without the lock, each request would see another first address.
      if (!url.endsWith('/token')) void save();
      const { searchParams } = new URL(url);
      const [page, size] = [
        Number(searchParams.get('page') ?? 0),
        Number(searchParams.get('per_page') ?? 20),
      ];
      const data = saved.slice(page * size, (page + 1) * size).map((id) => ({ id }));
      const text = url.endsWith('/token') ? '{"access_token":"t"}' : JSON.stringify({ data });
      return { status: 200, headers: [], text, bytes: text.length };
    },
    close: async () => {},
  };
  const shipping = {
    baseUrl: 'http://target.test',
    clientId: 'c',
    clientSecret: 's',
    rate: { unlimited: true },
  };
  const options = { suites: [], grep: [], effects: [], maxWaitMs: 0, timeoutMs: 9, seed: 1, strict: false };
  const session = await Session.open(
    {
      runId: 'page-base',
      target: { name: 'none', embedded: false, hooks: {}, shipping } as unknown as ResolvedTarget,
      options: options as unknown as RunOptions,
    },
    () => wire,
  );
  save = () => session.lockOf(ADDRESSES).change(async () => void saved.unshift(`new-${saved.length}`));
  expect(await new AddressList(session).base()).toBe(0);
});
