/** Servers that the suite once misjudged: what it has to say of them, and what it must not say. */
import { expect, test } from 'vitest';
import { run, serve } from './run.ts';

const REGISTER = '/agent/auth';

/** Replaces the code of refused registrations by the one that `codeFor` returns for the assertion, if any. */
const refusing = (codeFor: (assertion: string) => string | undefined) => ({
  filter:
    (next: (request: Request) => Promise<Response>) =>
    async (request: Request): Promise<Response> => {
      if (new URL(request.url).pathname !== REGISTER) return next(request);
      const text = await request.clone().text();
      const answer = await next(request);
      const assertion = /"assertion":\s*"([^"]*)"/.exec(text)?.[1] ?? '';
      const code = answer.ok ? undefined : codeFor(assertion);
      if (code === undefined) return answer;
      const body = { ...((await answer.json()) as object), error: code };
      return Response.json(body, { status: answer.status, headers: { 'cache-control': 'no-store' } });
    },
});

test('a recovery from a code that no refusal had is not shown', async () => {
  const { agents } = await serve(refusing(() => 'invalid_assertion'));
  const ran = await run({ agents });
  for (const id of [
    'AGENT-RECOVER-AUDIENCE-MISMATCH',
    'AGENT-RECOVER-CREDENTIAL-EXPIRED',
    'AGENT-RECOVER-INVALID-SIGNATURE',
  ])
    expect([id, ran.of(id).verdict]).toEqual([id, 'blocked']);
  expect(ran.of('AGENT-RECOVER-AUDIENCE-MISMATCH').blockedBy).toBe('AGENT-ERR-AUDIENCE-MISMATCH-CODE');
});

/** Delivers the first request of so many bursts twice, before any other of the burst, and answers as to the second. */
const doubling = (bursts: number) => {
  const underWay = new Map<string, Promise<void>>();
  let left = bursts;
  return {
    filter:
      (next: (request: Request) => Promise<Response>) =>
      async (request: Request): Promise<Response> => {
        const assertion = /"assertion":\s*"([^"]*)"/.exec(await request.clone().text())?.[1];
        if (assertion === undefined) return next(request);
        const before = underWay.get(assertion);
        let resolve = (): void => {};
        const promise = new Promise<void>((end) => {
          resolve = end;
        });
        underWay.set(assertion, promise);
        await before;
        // Those that were sent at the same time have come by now.
        await new Promise((wake) => setImmediate(wake));
        const isBurst = before === undefined && underWay.get(assertion) !== promise;
        if (isBurst && left > 0) {
          left -= 1;
          await next(request.clone());
        }
        return next(request).finally(resolve);
      },
  };
};

test.each([
  [1, 'errored'],
  [20, 'failed'],
])('%i bursts whose winner was delivered twice are %s', async (bursts, verdict) => {
  const { agents } = await serve(doubling(bursts));
  const ran = await run({ agents }, { prefixes: ['AGENT-REPLAY-BURST-'] });
  expect(ran.of('AGENT-REPLAY-BURST-ONE').verdict).toBe(verdict);
});

test.each([
  [3, 1],
  [7, 1],
  [7, 6],
  [11, 0],
])('where each request n with n modulo %i = %i is delivered twice, no check fails', async (modulus, rest) => {
  let n = 0;
  const { agents } = await serve({
    filter: (next) => async (request) => {
      const isTwice = request.method === 'POST' && ++n % modulus === rest;
      if (isTwice) await next(request.clone());
      return next(request);
    },
  });
  const ran = await run({ agents });
  expect(ran.having('failed')).toEqual([]);
  // Replays that the checks themselves send are still replays.
  expect(ran.of('AGENT-REPLAY-SAME').verdict).toBe('passed');
});

test.each(['issuer_not_enabled', 'audience_mismatch', 'missing_verified_email', 'credential_expired'])(
  'garbage that is refused as %s lacks that, too',
  async (code) => {
    const isGarbage = (assertion: string) => {
      try {
        JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString());
        return false;
      } catch {
        return true;
      }
    };
    const target = await serve(refusing((assertion) => (isGarbage(assertion) ? code : undefined)));
    const ran = await run({ agents: target.agents }, { prefixes: ['AGENT-ERR-FITTING', 'AGENT-ASSERTION-'] });
    expect(ran.having('failed')).toEqual([]);
  },
);

test('another call in the configuration is obeyed, and the path of the specification is not asked for', async () => {
  const { agents } = await serve();
  const scrape = { path: '/v2/another', method: 'POST' };
  const ran = await run({ agents: { ...agents, scrape } }, { prefixes: ['AGENT-SCRAPE-PATH'] });
  expect(ran.of('AGENT-SCRAPE-PATH').verdict).toBe('skipped');
  expect(ran.of('AGENT-SCRAPE-PATH').reason).toContain('agents.scrape');
});

test('a logo and a skill that are no text, whatever their media type, are observed', async () => {
  const TYPED = { 'content-type': 'application/json' };
  const bytes = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]);
  const { agents } = await serve({
    filter:
      (next: (request: Request) => Promise<Response>) =>
      async (request: Request): Promise<Response> => {
        const { pathname } = new URL(request.url);
        return /logo|auth\.md/.test(pathname) ? new Response(bytes, { headers: TYPED }) : next(request);
      },
  });
  const prefixes = ['AGENT-PRM-LOGO-SERVED', 'AGENT-ASM-SKILL-SERVED'];
  const ran = await run({ agents }, { prefixes });
  for (const id of prefixes) expect(ran.of(id).observations[0]?.answer).toBe('200, application/json');
});

test('keys that reach the API a moment after their issue are not said to be refused', async () => {
  const issued = new Map<string, number>();
  const { agents } = await serve({
    options: {
      rules: {
        agents: {
          storeKey: (keys, registration) => {
            issued.set(registration.apiKey, Date.now());
            keys.set(registration.apiKey, registration);
          },
          findKey: (keys, key) => (Date.now() - (issued.get(key) ?? 0) > 400 ? keys.get(key) : undefined),
        },
      },
    },
  });
  const ran = await run({ agents }, { prefixes: ['AGENT-KEY-', 'AGENT-USER-'] });
  expect(ran.having('failed')).toEqual([]);
  expect(new Set(ran.having('errored'))).toEqual(new Set(['AGENT-KEY-OPENS']));
  expect(ran.of('AGENT-KEY-OPENS').reason).toContain('settle: 2');
});

test('a burst that a gateway turns away as a whole decides nothing', async () => {
  let underWay = 0;
  const { agents } = await serve({
    filter: (next) => async (request) => {
      if (new URL(request.url).pathname !== REGISTER) return next(request);
      underWay += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      const crowded = underWay > 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      underWay -= 1;
      return crowded ? new Response('Busy.', { status: 503 }) : next(request);
    },
  });
  const ran = await run({ agents }, { prefixes: ['AGENT-REPLAY-BURST-'] });
  expect(ran.having('failed')).toEqual([]);
  expect(ran.of('AGENT-REPLAY-BURST-ONE').verdict).toBe('errored');
});
