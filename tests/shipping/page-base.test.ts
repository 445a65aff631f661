/** The number of the first page: learnt from the answers of the target, not from those of a gateway. */
import { expect, test } from 'vitest';
import type { Session } from '../../lib/check/session.ts';
import { Answer } from '../../lib/http/answer.ts';
import type { Exchange } from '../../lib/model/results.ts';
import type { AddressList } from '../../services/shipping/api/address-list.ts';
import { pageBase, type Query } from '../../services/shipping/api/pages.ts';

const ids = ['a', 'b', 'c'];
const HTML = '<!doctype html><h1>Sign in</h1>';

/** A list that counts pages from `base`; every request whose number is in `html` gets an HTML page of a gateway. */
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
