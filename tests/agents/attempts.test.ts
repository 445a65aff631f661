/** Registration attempts are counted and bounded, and stop when the target throttles. */
import { expect, test } from 'vitest';
import { allCatalogues } from '../../lib/model/catalogue/registry.ts';
import { checks, registrations, run, serve } from './run.ts';
import { throttling } from './throttling.ts';

test('the default run stays under 60 attempts and says what it has not exercised', async () => {
  const target = await serve();
  const ran = await run({ agents: target.agents });
  const made = registrations(target.received).length;
  expect(made).toBeLessThan(60);
  expect(ran.counts).toEqual({ 'registration attempts': made });
  expect(ran.of('AGENT-RATE-LIMITS').observations[0]?.answer).toContain(`${made} registration attempts`);
  const passed = new Set(
    ran.results.flatMap(({ verdicts }) => Object.keys(verdicts).filter((id) => verdicts[id] === 'passed')),
  );
  const required = allCatalogues()
    .get('agent-registration')!
    .requirements.filter((r) => r.level === 'required');
  // Without a clock hook years cannot pass, and only the larger sweep tries a `jti` that resembles a used one,
  // registrations that the specification leaves open, what other refusals make no more than likely, and a key of
  // its own that is to be revoked.
  expect(new Set(required.map(({ id }) => id).filter((id) => !passed.has(id)))).toEqual(
    new Set([
      'AGENT-JTI-SIMILAR',
      'AGENT-KEY-NEVER-EXPIRES',
      'AGENT-NO-REVOCATION',
      'AGENT-ERR-LEFT-OPEN',
      'AGENT-ALG-CASE',
      'AGENT-ALG-HS256-JWK',
      'AGENT-ALG-RS384',
      'AGENT-ASSERTION-NO-CLAIMS',
      'AGENT-REQ-ASSERTION-TYPE-NOT-TEXT',
      'AGENT-REQ-TYPE-NOT-TEXT',
      'AGENT-TYP-OTHER',
    ]),
  );
  for (const verdict of ['failed', 'blocked', 'errored', 'warned'] as const)
    expect(ran.having(verdict)).toEqual([]);
});

test.each([
  ['nested', (body: string) => `{"error":${body}}`],
  ['plain text', (body: string) => (JSON.parse(body) as { error: string }).error],
])('errors that are %s fail within the default attempts', async (_what, change) => {
  const target = await serve({
    filter: (next) => async (request) => {
      const answer = await next(request);
      if (answer.ok || new URL(request.url).pathname !== '/agent/auth') return answer;
      return new Response(change(await answer.text()), { status: answer.status });
    },
  });
  const ran = await run({ agents: target.agents });
  expect(registrations(target.received).length).toBeLessThanOrEqual(60);
  expect(ran.of('AGENT-ERROR-CODE').verdicts['AGENT-ERROR-CODE']).toBe('failed');
});

test('a server_error for what is no assertion comes again within the default attempts, and fails', async () => {
  const target = await serve({
    filter: (next) => async (request) => {
      const { pathname } = new URL(request.url);
      const text = request.method === 'POST' ? await request.clone().text() : '';
      const isAssertion = /"assertion":"eyJ[\w-]+\.eyJ/.test(text) || !text.includes('"assertion"');
      if (pathname !== '/agent/auth' || isAssertion) return next(request);
      return Response.json({ error: 'server_error', error_description: 'It broke.' }, { status: 500 });
    },
  });
  const ran = await run({ agents: target.agents });
  expect(registrations(target.received).length).toBeLessThanOrEqual(60);
  expect(ran.having('failed')).toContain('AGENT-ERR-FITTING');
});

test('what belongs to the larger sweep names the key that unlocks it', async () => {
  const target = await serve();
  const prefixes = ['AGENT-REQ-JSON-TYPES', 'AGENT-CRIT-UNKNOWN'];
  const without = await run({ agents: target.agents }, { prefixes });
  expect(without.having('skipped')).toEqual(['AGENT-CRIT-UNKNOWN', 'AGENT-REQ-JSON-TYPES']);
  expect(without.of('AGENT-CRIT-UNKNOWN').reason).toContain('targets.tested.agents.maxAttempts');
  const more = await run({ agents: { ...target.agents, maxAttempts: 400 } }, { prefixes });
  expect(more.having('skipped')).toEqual([]);
});

test('with enough attempts nothing is skipped for lack of them', async () => {
  const target = await serve();
  const ran = await run({ agents: { ...target.agents, maxAttempts: 400 } });
  const reasons = ran.having('skipped').map((id) => ran.of(id).reason);
  expect(reasons.filter((reason) => reason?.includes('maxAttempts'))).toEqual([]);
  expect(registrations(target.received).length).toBeLessThanOrEqual(400);
});

test.each([1, 20])(
  'no more than %i attempts are made when the configuration says so',
  async (maxAttempts) => {
    const target = await serve();
    const ran = await run({ agents: { ...target.agents, maxAttempts } });
    expect(registrations(target.received).length).toBeLessThanOrEqual(maxAttempts);
    expect(ran.having('failed')).toEqual([]);
    expect(ran.having('errored')).toEqual([]);
    expect(ran.of('AGENT-PRM-STATUS').verdict).toBe('passed');
    const skipped = ran.having('skipped').map((id) => ran.of(id).reason);
    expect(skipped.some((reason) => reason?.includes('targets.tested.agents.maxAttempts'))).toBe(true);
  },
);

const SLOW_DOWN: [what: string, answer: () => Response][] = [
  ['429', () => Response.json({ error: 'slow_down' }, { status: 429, headers: { 'retry-after': '3600' } })],
  ['429 without Retry-After', () => Response.json({ error: 'slow_down' }, { status: 429 })],
  ['503 with Retry-After', () => new Response(null, { status: 503, headers: { 'retry-after': '60' } })],
];

test.each(SLOW_DOWN)('registrations stop at %s, and what is left is undecided', async (what, answer) => {
  const target = await serve({ filter: throttling((count) => count > 15, answer) });
  const rests: number[] = [];
  const ran = await run({ agents: target.agents }, { rest: async (ms) => void rests.push(ms) });
  // Up to five requests of a burst may have been sent already, and without a time one is sent three times more.
  expect(registrations(target.received).length).toBeLessThanOrEqual(15 + 5 + rests.length);
  expect(rests).toEqual(what.includes('without') ? [1_000, 2_000, 4_000] : []);
  expect(ran.having('failed')).toEqual([]);
  expect(ran.having('blocked')).toEqual([]);
  const undecided = ran.having('errored');
  expect(undecided.length).toBeGreaterThan(20);
  for (const id of undecided)
    expect(ran.of(id).reason).toMatch(
      /throttles registrations \(status (429|503).*stopped after \d+ attempts/,
    );
  expect(ran.of('AGENT-RATE-LIMITS').observations[0]?.answer).toContain('registrations were throttled');
  // Checks that need no further registration still have their verdict.
  expect(ran.of('AGENT-PRM-STATUS').verdict).toBe('passed');
  expect(ran.of('AGENT-REG-STATUS').verdict).toBe('passed');
  expect(ran.of('AGENT-KEY-OPENS').verdict).toBe('passed');
});

test('a target that throttles from the start is undecided as a whole', async () => {
  const target = await serve({ filter: throttling(() => true, SLOW_DOWN[0]![1]) });
  const ran = await run({ agents: target.agents });
  expect(registrations(target.received)).toHaveLength(1);
  expect(ran.having('failed')).toEqual([]);
  expect(ran.of('AGENT-REG-STATUS').verdict).toBe('errored');
});

test('server_error is tried again once, with a new assertion', async () => {
  let failures = 1;
  const target = await serve({
    filter: (next) => async (request) => {
      if (request.method === 'POST' && failures > 0 && new URL(request.url).pathname === '/agent/auth') {
        failures -= 1;
        return Response.json({ error: 'server_error', error_description: 'Away.' }, { status: 500 });
      }
      return next(request);
    },
  });
  const moved: number[] = [];
  const hooks = await serveClock(moved);
  const ran = await run(
    { agents: target.agents, hooks: { clock: { url: hooks } } },
    { prefixes: ['AGENT-REG-STATUS'] },
  );
  expect(ran.of('AGENT-REG-STATUS').verdict).toBe('passed');
  const [first, second] = registrations(target.received).map(
    ({ body }) => (JSON.parse(body) as { assertion: string }).assertion,
  );
  expect(first).not.toBe(second);
  // The first time that passes on the target's clock is the pause; later, it is the weeks until the user
  // registers again.
  expect(moved.find((seconds) => seconds > 0)).toBe(1);
});

test('every check has a turn in the run', () => {
  expect(checks.length).toBeGreaterThan(150);
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
});

/** Serves a clock hook that only records by how much it is asked to move the clock. */
async function serveClock(moved: number[]): Promise<string> {
  const clock = await serve({
    filter: () => async (request) => {
      moved.push(((await request.json()) as { advanceSeconds: number }).advanceSeconds);
      return Response.json({});
    },
  });
  return `${clock.url}/agents/clock`;
}
