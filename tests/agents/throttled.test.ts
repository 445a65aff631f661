/** Registrations that are throttled for a while are sent again, and the target is judged all the same. */
import { expect, test } from 'vitest';
import { assertionIn, unverified } from '../../deviations/agents/kit.ts';
import { registrations, run, serve } from './run.ts';
import { throttling, throttlingEach } from './throttling.ts';

test('a registration that is throttled for a moment is sent again, and is no further attempt', async () => {
  // `Retry-After` has seconds or a date (RFC 9110 10.2.3).
  const after = (count: number) => (count % 12 === 0 ? '0' : new Date(0).toUTCString());
  const target = await serve({ filter: throttlingEach(6, after) });
  const ran = await run({ agents: target.agents });
  for (const verdict of ['failed', 'blocked', 'errored'] as const) expect(ran.having(verdict)).toEqual([]);
  const sent = registrations(target.received).length;
  expect(ran.counts['registration attempts']).toBe(sent - Math.floor(sent / 6));
});

test('a target that throttles without saying for how long is judged after a rest', async () => {
  const rests: number[] = [];
  let sentBefore = 0;
  const target = await serve({
    // Ten are served, and ten more after each second rest.
    filter: throttling(
      () => {
        sentBefore += 1;
        return sentBefore > 10;
      },
      () => Response.json({ error: 'slow_down' }, { status: 429 }),
    ),
  });
  const rest = async (ms: number) => {
    rests.push(ms);
    if (ms > 1_000) sentBefore = 0;
  };
  const ran = await run({ agents: target.agents }, { rest });
  for (const verdict of ['failed', 'blocked', 'errored'] as const) expect(ran.having(verdict)).toEqual([]);
  expect(rests.length).toBeGreaterThan(4);
  expect(rests.slice(0, 4)).toEqual([1_000, 2_000, 1_000, 2_000]);
});

test('after a throttled registration whose jti is used up, a newly minted assertion is sent', async () => {
  const seen = new Map<unknown, number>();
  const tokens: unknown[] = [];
  const target = await serve({
    filter: (next) => async (request) => {
      const token = assertionIn(await request.clone().text());
      const { sub } = unverified(token) ?? {};
      const answer = await next(request);
      if (!answer.ok || sub === undefined) return answer;
      tokens.push(token);
      seen.set(sub, (seen.get(sub) ?? 0) + 1);
      if (seen.get(sub)! % 3 !== 0) return answer;
      return Response.json({ error: 'slow_down' }, { status: 429, headers: { 'retry-after': '0' } });
    },
  });
  const ran = await run({ agents: { ...target.agents, maxAttempts: 400 } });
  for (const verdict of ['failed', 'blocked', 'errored'] as const) expect(ran.having(verdict)).toEqual([]);
  expect(new Set(tokens).size).toBe(tokens.length);
});

test('a target that throttles every third of several hundred registrations for a moment is judged', async () => {
  const target = await serve({ filter: throttlingEach(3, () => '0') });
  const ran = await run({ agents: { ...target.agents, maxAttempts: 400 } });
  for (const verdict of ['failed', 'blocked', 'errored'] as const) expect(ran.having(verdict)).toEqual([]);
  expect(ran.counts['registration attempts']).toBeGreaterThan(200);
});

test('a user who alone is throttled leaves the registrations of others', async () => {
  const keys = new Map<unknown, number>();
  const target = await serve({
    filter: (next) => async (request) => {
      const { sub } = unverified(assertionIn(await request.clone().text())) ?? {};
      if (sub === undefined) return next(request);
      const answer = await next(request);
      if (!answer.ok) return answer;
      keys.set(sub, (keys.get(sub) ?? 0) + 1);
      if (keys.get(sub)! > 2) return Response.json({ error: 'key_limit_reached' }, { status: 429 });
      return answer;
    },
  });
  const ran = await run({ agents: { ...target.agents, maxAttempts: 400 } }, { rest: async () => {} });
  for (const verdict of ['failed', 'blocked'] as const) expect(ran.having(verdict)).toEqual([]);
  const undecided = ran.having('errored');
  expect(undecided.length).toBeGreaterThan(0);
  expect(undecided.length).toBeLessThan(15);
  for (const id of undecided) expect(ran.of(id).reason).toContain('and registers another user meanwhile');
  expect(ran.of('AGENT-RATE-LIMITS').observations[0]?.answer).toContain('none was throttled');
});

test('what a throttled attempt that was sent again was about is in no doubt, and an advised failure stands', async () => {
  let count = 0;
  const target = await serve({
    filter: (next) => async (request) => {
      const isPost = request.method === 'POST' && new URL(request.url).pathname === '/agent/auth';
      if (!isPost) return next(request);
      count += 1;
      if (count % 6 === 0)
        return Response.json({ error: 'slow_down' }, { status: 429, headers: { 'retry-after': '0' } });
      const answer = await next(request);
      answer.headers.delete('www-authenticate');
      return answer;
    },
  });
  const ran = await run({ agents: target.agents });
  for (const verdict of ['failed', 'blocked', 'errored'] as const) expect(ran.having(verdict)).toEqual([]);
  const { verdict, unsteady } = ran.of('AGENT-ERROR-CHALLENGE');
  expect(verdict).toBe('warned');
  expect(unsteady).toBeUndefined();
});
