/** Which tokens checks side by side can share is found out, in whatever order tokens asked for at once are issued. */
import { expect, test } from 'vitest';
import { Session } from '../../lib/check/session.ts';
import type { ResolvedTarget, RunOptions } from '../../lib/config/types.ts';
import type { WireRequest } from '../../lib/http/transport.ts';
import { sharing } from '../../services/shipping/fixtures/sharing.ts';

/**
 * Returns what is found out about a target that issues the tokens that are asked for at once in the reverse order.
 * @param isEnded whether each token ends the earlier ones
 */
async function sharingWhere(isEnded: boolean) {
  const issued: string[] = [];
  const asked: (() => void)[] = [];
  const issue = () => {
    issued.push(`token-${issued.length}`);
    return { access_token: issued.at(-1), refresh_token: `refresh-${issued.length}` };
  };
  const inTurn = () => {
    for (const answer of asked.splice(0).reverse()) answer();
  };
  const answered = (status: number, json: unknown) => {
    const text = JSON.stringify(json);
    return { status, headers: [], text, bytes: text.length };
  };
  const wire = {
    send: async ({ url, headers }: WireRequest) => {
      if (url.endsWith('/token')) {
        // All of the same moment are here once what is to be done at once has been done.
        await new Promise<void>((resolve) => {
          if (asked.push(resolve) === 1) setImmediate(inTurn);
        });
        return answered(200, issue());
      }
      const token = headers.find(([name]) => name === 'authorization')?.[1].slice('Bearer '.length);
      const isKnown = isEnded ? token === issued.at(-1) : issued.includes(token ?? '');
      return answered(isKnown ? 200 : 401, { data: [] });
    },
    close: async () => {},
  };
  const baseUrl = 'http://target.test';
  const shipping = { baseUrl, clientId: 'c', clientSecret: 's', rate: { unlimited: true } };
  const options = { suites: ['address-book'], grep: [], effects: [], maxWaitMs: 0, timeoutMs: 9, seed: 1 };
  const session = await Session.open(
    {
      runId: 'sharing',
      target: { name: 'none', embedded: false, hooks: {}, shipping } as unknown as ResolvedTarget,
      options: { ...options, strict: false, concurrency: 8 } as unknown as RunOptions,
    },
    () => wire,
  );
  session.atOnce = 8;
  return sharing(session);
}

test('where each token ends the earlier ones, checks run one by one', async () => {
  expect(await sharingWhere(true)).toEqual({ plenty: ['refreshTokens'], oneByOne: true });
});

test('where tokens last, checks run side by side', async () => {
  expect(await sharingWhere(false)).toEqual({ plenty: ['refreshTokens'], oneByOne: false });
});
