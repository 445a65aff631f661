/** A target whose clock is wrong is not reported as refusing valid assertions. */
import { expect, test } from 'vitest';
import type { Handler } from '../../reference/index.ts';
import { registrations, run, serve } from './run.ts';

/** Sets the `Date` of the answers for which `where` holds; the others get one that cannot be parsed. */
const dated =
  (date: () => string, where: (request: Request) => boolean = () => true) =>
  (next: Handler): Handler =>
  async (request) => {
    const answer = await next(request);
    const headers = new Headers(answer.headers);
    headers.set('date', where(request) ? date() : 'unknown');
    return new Response(await answer.text(), { status: answer.status, headers });
  };

const PREFIXES = ['AGENT-REG-STATUS', 'AGENT-EXP-', 'AGENT-ERR-CREDENTIAL', 'AGENT-CLOCK'];
const clockAt = (skewMs: number) => ({ now: () => Date.now() + skewMs, advance: () => {} });

/** Rules that refuse assertions issued in the future, as libraries do that check `iat`. */
const strict = {
  agents: {
    checkNotBefore: (claims: { iat?: unknown }, facts: { now: number }) =>
      Number(claims.iat) > facts.now + 5 ? ('invalid_assertion' as const) : undefined,
  },
};

test.each([
  ['ten minutes ahead', 600_000],
  ['half an hour ahead', 1_800_000],
  ['seven minutes behind', -420_000],
])('a clock that is %s and shows in no Date is learnt from refusals', async (_words, skewMs) => {
  const target = await serve({
    options: { clock: clockAt(skewMs), rules: strict },
    filter: dated(() => 'unknown'),
  });
  const ran = await run({ agents: target.agents }, { prefixes: PREFIXES });
  expect([...ran.having('failed'), ...ran.having('blocked'), ...ran.having('errored')]).toEqual([]);
  expect(ran.of('AGENT-EXP-PAST-TEN-MINUTES').verdict).toBe('passed');
  expect(ran.of('AGENT-EXP-STILL-VALID').verdict).toBe('passed');
  expect(ran.of('AGENT-CLOCK').observations[0]?.answer).toMatch(/s (ahead|behind); no answer .* has a Date/);
  expect(registrations(target.received).length).toBeLessThanOrEqual(60);
});

test.each([600_000, -600_000])(
  'the Date of the refusal counts where the metadata has another (%i ms)',
  async (skewMs) => {
    const clock = clockAt(skewMs);
    const target = await serve({
      options: { clock, rules: strict },
      filter: (next) => async (request) => {
        const date = request.method === 'POST' ? clock.now() : Date.now();
        return dated(() => new Date(date).toUTCString())(next)(request);
      },
    });
    const ran = await run({ agents: target.agents }, { prefixes: PREFIXES });
    expect([...ran.having('failed'), ...ran.having('blocked'), ...ran.having('errored')]).toEqual([]);
    expect(ran.of('AGENT-EXP-PAST-TEN-MINUTES').verdict).toBe('passed');
  },
);

test('another answer shows the time where the metadata has no Date', async () => {
  const clock = clockAt(600_000);
  const target = await serve({
    options: { clock },
    filter: dated(
      () => new Date(clock.now()).toUTCString(),
      (request) => !request.url.includes('oauth-protected-resource'),
    ),
  });
  const ran = await run({ agents: target.agents }, { prefixes: PREFIXES });
  expect([...ran.having('failed'), ...ran.having('blocked'), ...ran.having('errored')]).toEqual([]);
  expect(ran.of('AGENT-CLOCK').observations[0]?.answer).toContain('oauth-authorization-server');
});

test('where a target refuses everything as expired, the reason names the time that was assumed', async () => {
  const target = await serve({
    filter: (next) => async (request) =>
      request.method === 'POST' && request.url.endsWith('/agent/auth')
        ? Response.json(
            { error: 'credential_expired', error_description: 'Expired.' },
            { status: 401, headers: { date: 'unknown' } },
          )
        : dated(() => 'unknown')(next)(request),
  });
  const ran = await run({ agents: target.agents }, { prefixes: ['AGENT-REG-STATUS'] });
  const { verdict, reason } = ran.of('AGENT-REG-STATUS');
  expect(verdict).toBe('failed');
  expect(reason).toContain('the time of this machine, since no answer of the target has a Date');
});

test('metadata from a cache has the Date of then, and says in Age how long ago that was', async () => {
  const target = await serve({
    options: { rules: strict },
    filter: (next) => async (request) => {
      if (request.method === 'POST') return next(request);
      const answer = await dated(() => new Date(Date.now() - 200_000).toUTCString())(next)(request);
      answer.headers.set('age', '200');
      return answer;
    },
  });
  const ran = await run({ agents: target.agents }, { prefixes: PREFIXES });
  expect([...ran.having('failed'), ...ran.having('blocked'), ...ran.having('errored')]).toEqual([]);
  expect(ran.of('AGENT-CLOCK').observations[0]?.answer).toMatch(/^as here/);
});

test.each([
  [-3_600_000, {}],
  [3_600_000, {}],
  [-3_600_000, strict],
  [3_600_000, strict],
])('a Date of a gateway whose clock is wrong by %i ms is no fault', async (offMs, rules) => {
  const target = await serve({
    options: { rules },
    filter: dated(() => new Date(Date.now() + offMs).toUTCString()),
  });
  const ran = await run({ agents: target.agents }, { prefixes: PREFIXES });
  expect([...ran.having('failed'), ...ran.having('blocked'), ...ran.having('errored')]).toEqual([]);
  expect(ran.of('AGENT-CLOCK').observations[0]?.answer).toMatch(/^as here; the time of this machine, which/);
});

test.each([-3_600_000, 3_600_000])(
  'a clock that is wrong by %i ms, as its Date says, is gone by',
  async (skewMs) => {
    const clock = clockAt(skewMs);
    const target = await serve({
      options: { clock },
      filter: dated(() => new Date(clock.now()).toUTCString()),
    });
    const ran = await run({ agents: target.agents }, { prefixes: PREFIXES });
    expect([...ran.having('failed'), ...ran.having('blocked'), ...ran.having('errored')]).toEqual([]);
    expect(ran.of('AGENT-CLOCK').observations[0]?.answer).toMatch(/s (ahead|behind); by the Date/);
  },
);
