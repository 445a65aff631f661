/** Hooks over HTTP and as commands, with good and bad answers (docs/hooks.md). */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { HooksConfig } from '../../lib/config/types.ts';
import { createHooks } from '../../lib/http/hooks.ts';
import { HookFailed, Undecided } from '../../lib/model/verdict.ts';
import { mintHook } from '../../services/agents/idp/mint-hook.ts';
import type { Place } from '../../services/caches/api/places.ts';
import { seedHook, unseedHook } from '../../services/caches/api/seed-hooks.ts';
import { type Reply, scriptedClient } from './fakes.ts';

const URL_HOOK = { url: 'http://hooks.example/it', headers: { 'x-key': 'k' } };

/** The hooks of a configuration whose HTTP calls are answered like this. */
function over(config: HooksConfig, ...replies: Reply[]) {
  const { http, sent } = scriptedClient(...replies);
  return { hooks: createHooks(config, http), sent, http };
}

/** A hook that is this program, with its input as `input`. */
const command = (program: string) => ({
  command: [
    process.execPath,
    '--input-type=module',
    '--eval',
    `let text = ''; for await (const part of process.stdin) text += part; const input = JSON.parse(text); ${program}`,
  ],
});

const json = (value: unknown): Reply => ({ text: JSON.stringify(value) });

test('a target without hooks has none', () => {
  const { hooks } = over({});
  expect(hooks.clock).toBeUndefined();
  expect(hooks.offers('seed')).toBe(false);
  expect([seedHook(hooks), unseedHook(hooks), mintHook(hooks)]).toEqual([undefined, undefined, undefined]);
});

describe('a hook over HTTP', () => {
  test('is a POST of JSON, with the headers of the configuration', async () => {
    const { hooks, sent } = over({ clock: URL_HOOK }, json({ now: '2026-01-01T02:00:00Z' }));
    expect(await hooks.clock?.(7200)).toBe(Date.parse('2026-01-01T02:00:00Z'));
    expect(sent).toMatchObject([
      { method: 'POST', url: URL_HOOK.url, body: '{"advanceSeconds":7200}', timeoutMs: 30_000 },
    ]);
    expect(sent[0]?.headers).toContainEqual(['x-key', 'k']);
    expect(sent[0]?.headers).toContainEqual(['content-type', 'application/json']);
  });

  test('is called only once the last change must be visible, even where it is not recorded', async () => {
    const { hooks, http } = over({ clock: URL_HOOK, seed: URL_HOOK }, json({}), json({}));
    const rests: number[] = [];
    vi.spyOn(http.time, 'rest').mockImplementation(async (ms) => void rests.push(ms));
    http.settling.ms = 60_000;
    await hooks.call('seed', {});
    expect(rests).toEqual([]);
    await hooks.clock?.(1, true);
    expect(rests[0]).toBeGreaterThan(50_000);
  });

  test('of each kind gets and returns its own data', async () => {
    const { hooks, sent } = over(
      { seed: URL_HOOK, unseed: URL_HOOK, mint: URL_HOOK },
      json({ caches: [{ id: 1 }] }),
      json({}),
      json({ token: 'a.b.c' }),
    );
    expect(await seedHook(hooks)?.([{ key: 'k' }])).toEqual([{ id: 1 }]);
    const repository: Place = { level: 'repository', names: ['octo', 'app'] };
    await unseedHook(hooks)?.([1, '9007199254740993'].map((id) => ({ id, repository })));
    expect(await mintHook(hooks)?.({ alg: 'RS256' }, { sub: 's' })).toBe('a.b.c');
    expect(sent[1]?.body).toBe(
      '{"ids":[1,9007199254740993],"caches":[{"owner":"octo","repo":"app","id":1},{"owner":"octo","repo":"app","id":9007199254740993}]}',
    );
    expect([sent[0], sent[2]].map((request) => JSON.parse(request?.body ?? ''))).toEqual([
      { caches: [{ key: 'k' }] },
      { header: { alg: 'RS256' }, claims: { sub: 's' } },
    ]);
  });

  test('that moves the clock need not tell the time', async () => {
    for (const reply of [{ status: 204 }, json({}), json({ now: 'soon' }), json({ now: 5 })]) {
      expect(await over({ clock: URL_HOOK }, reply).hooks.clock?.(1)).toBeUndefined();
    }
  });

  const BAD: [what: string, reply: Reply, message: string][] = [
    ['answers an error', { status: 500, text: 'oops' }, 'hook clock answered 500'],
    ['answers no JSON', { text: '<html>' }, 'hook clock: the answer is not a JSON object'],
    ['answers a list', json([1]), 'hook clock: the answer is not a JSON object'],
  ];

  test.each(BAD)('that %s leaves the check undecided', async (_what, reply, message) => {
    const call = over({ clock: URL_HOOK }, reply).hooks.clock?.(1);
    await expect(call).rejects.toBeInstanceOf(HookFailed);
    await expect(call).rejects.toThrow(message);
  });

  test('that is not there leaves the check undecided, and is not told as one that failed', async () => {
    const call = over({ clock: URL_HOOK }, new Error('connection refused')).hooks.clock?.(1);
    await expect(call).rejects.toBeInstanceOf(Undecided);
    await expect(call).rejects.not.toBeInstanceOf(HookFailed);
    await expect(call).rejects.toThrow('connection refused');
  });

  test('that lacks what was asked for leaves the check undecided', async () => {
    const { hooks } = over({ seed: URL_HOOK, mint: URL_HOOK }, json({ caches: {}, token: 1 }));
    await expect(seedHook(hooks)?.([])).rejects.toEqual(
      new Undecided('hook seed: the answer has no array `caches`'),
    );
    await expect(mintHook(hooks)?.({}, {})).rejects.toEqual(
      new Undecided('hook mint: the answer has no string `token`'),
    );
  });
});

describe('a hook that is a command', () => {
  test('takes JSON on its input and gives JSON on its output', async () => {
    const { hooks, sent } = over({
      mint: command(
        'console.log(JSON.stringify({ token: input.header.alg + "." + input.claims.sub + ".x" }))',
      ),
    });
    expect(await mintHook(hooks)?.({ alg: 'RS256' }, { sub: 'ä' })).toBe('RS256.ä.x');
    expect(sent).toEqual([]);
  });

  test('may print nothing', async () => {
    expect(await over({ clock: command('') }).hooks.clock?.(1)).toBeUndefined();
  });

  test('need not read its input, however long that is', async () => {
    const { hooks } = over({
      seed: { command: [process.execPath, '--eval', 'console.log(\'{"caches":[]}\')'] },
    });
    expect(
      await seedHook(hooks)?.(Array.from({ length: 20_000 }, () => ({ key: 'a key of some length' }))),
    ).toEqual([]);
  });

  test('that fails leaves the check undecided, without what it was given', async () => {
    const { hooks } = over({ mint: command('process.stderr.write("why"); process.exit(3)') });
    const call = mintHook(hooks)?.({}, { sub: 'secret-sub' });
    await expect(call).rejects.toBeInstanceOf(Undecided);
    await expect(call).rejects.toThrow(/^hook mint: .+ failed: exit status 3$/);
    // Neither the arguments of the command nor its input.
    await expect(call).rejects.not.toThrow(/secret-sub|process\.exit/);
  });

  test('sees of the environment what it needs to start, and what its configuration names', async () => {
    vi.stubEnv('LANG', 'es_MX.UTF-8');
    vi.stubEnv('CONFORM_TEST_SECRET', 'hunter2-hunter2');
    vi.stubEnv('CONFORM_TEST_NAMED', 'for the hook');
    onTestFinished(() => void vi.unstubAllEnvs());
    const told = 'console.log(JSON.stringify({ seen: process.env }))';
    const seen = async (env?: string[]) =>
      (await over({ seed: { ...command(told), ...(env && { env }) } }).hooks.call('seed', {})).seen;
    const needed = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'SystemRoot'];
    // The operating system may add some of its own; none of ours.
    expect(
      Object.keys((await seen()) as object).filter((name) => !needed.includes(name) && name in process.env),
    ).toEqual([]);
    expect(await seen()).toMatchObject({ LANG: 'es_MX.UTF-8', PATH: process.env.PATH });
    expect(await seen(['CONFORM_TEST_NAMED', 'CONFORM_TEST_ABSENT'])).toMatchObject({
      CONFORM_TEST_NAMED: 'for the hook',
    });
    expect(await seen(['CONFORM_TEST_NAMED'])).not.toHaveProperty('CONFORM_TEST_SECRET');
  });

  test('that writes no JSON, or does not exist, leaves the check undecided', async () => {
    await expect(over({ clock: command('console.log("done")') }).hooks.clock?.(1)).rejects.toEqual(
      new Undecided('hook clock: the answer is not a JSON object'),
    );
    const missing = over({ clock: { command: ['conform-test-no-such-program'] } }).hooks.clock?.(1);
    await expect(missing).rejects.toBeInstanceOf(Undecided);
    await expect(missing).rejects.toThrow(
      'hook clock: conform-test-no-such-program failed: there is no such program',
    );
  });
});
