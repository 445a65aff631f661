import { Agent, request } from 'undici';
import { describe, expect, test } from 'vitest';
import { manualClock, offsetClock } from '../../reference/kit/clock.ts';
import { createHooks } from '../../reference/kit/hooks.ts';
import { listen } from '../../reference/kit/listen.ts';
import { mount, publicUrlOf } from '../../reference/kit/mount.ts';
import type { Handler } from '../../reference/kit/service.ts';

/** Answers with what it was given. */
const echo: Handler = async (incoming) =>
  Response.json({
    method: incoming.method,
    path: new URL(incoming.url).pathname + new URL(incoming.url).search,
    publicUrl: publicUrlOf(incoming).href,
    test: incoming.headers.get('x-test'),
    body: await incoming.text(),
  });

describe('clock', () => {
  test('a manual clock moves only by hand, an offset clock beside real time', () => {
    const manual = manualClock(1000);
    manual.advance(5);
    expect(manual.now()).toBe(1005);
    const offset = offsetClock();
    offset.advance(3_600_000);
    expect(offset.now() - Date.now()).toBeGreaterThan(3_599_000);
  });
});

describe('mount', () => {
  const handle = mount({ '/one': echo, '/two': async () => new Response('two') });
  const send = async (url: string, init?: RequestInit) => handle(new Request(url, init));

  test('hands on method, headers, query and body, and takes the prefix off the path', async () => {
    const body = 'Núñez';
    const headers = { 'x-test': 'yes', 'x-forwarded-prefix': '/forged' };
    const response = await send('http://host:1234/one/a%20b/?q=1', { method: 'PATCH', headers, body });
    expect(await response.json()).toEqual({
      method: 'PATCH',
      path: '/a%20b/?q=1',
      publicUrl: 'http://host:1234/one/a%20b/?q=1',
      test: 'yes',
      body,
    });
  });

  test('the prefix alone is the root; only whole segments match', async () => {
    expect(await (await send('http://host/one')).json()).toMatchObject({ path: '/', body: '' });
    expect(await (await send('http://host/two/x')).text()).toBe('two');
    for (const path of ['/', '/onetwo', '/constructor/x', '/three/one']) {
      expect((await send(`http://host${path}`)).status).toBe(404);
    }
  });

  test('without a mount the public URL is the request URL', () => {
    expect(publicUrlOf(new Request('http://host/a?b=c')).href).toBe('http://host/a?b=c');
  });
});

describe('hooks', () => {
  const start = Date.UTC(2030, 0, 1);
  function hooks() {
    const clock = manualClock(start);
    const handle = createHooks({
      clock,
      seed: async (body) => ({ seeded: body }),
      unseed: () => {
        throw new RangeError('no such id');
      },
    });
    const post = async (path: string, body: string) => {
      const response = await handle(new Request(`http://host${path}`, { method: 'POST', body }));
      return [response.status, await response.json()];
    };
    return { clock, handle, post };
  }

  test('the clock is advanced, and read with 0', async () => {
    const { clock, post } = hooks();
    const advanced = [200, { now: '2030-01-01T02:00:00.500Z' }];
    expect(await post('/hooks/clock', '{"advanceSeconds":7200.5}')).toEqual(advanced);
    expect(await post('/clock', '{"advanceSeconds":0}')).toEqual(advanced);
    expect(clock.now()).toBe(start + 7_200_500);
  });

  test.each(['{}', 'null', '[]', '{"advanceSeconds":-1}', '{"advanceSeconds":"1"}', '{"advanceSeconds":'])(
    'the clock refuses %s and stays',
    async (body) => {
      const { clock, post } = hooks();
      expect(await post('/hooks/clock', body)).toEqual([400, { message: expect.any(String) }]);
      expect(clock.now()).toBe(start);
    },
  );

  test('seed and unseed go to their callbacks', async () => {
    const { handle, post } = hooks();
    expect(await post('/hooks/seed', '{"caches":[]}')).toEqual([200, { seeded: { caches: [] } }]);
    expect(await post('/hooks/unseed', '{}')).toEqual([400, { message: 'no such id' }]);
    expect((await post('/hooks/other', '{}'))[0]).toBe(404);
    expect((await handle(new Request('http://host/hooks/seed'))).status).toBe(404);
    const none = createHooks({ clock: manualClock() });
    const response = await none(new Request('http://host/hooks/seed', { method: 'POST', body: '{}' }));
    expect(response.status).toBe(404);
  });
});

describe('listen', () => {
  test('serves a mounted handler with keep-alive, and closes with the connection open', async () => {
    const { Request: RequestBefore, Response: ResponseBefore } = globalThis;
    let connections = 0;
    const server = await listen(mount({ '/one': echo }));
    const agent = new Agent({ connections: 1 }).on('connect', () => {
      connections += 1;
    });
    try {
      for (const body of ['first', 'sécond']) {
        const url = `${server.url}/one/path?x=1`;
        const answer = await request(url, { dispatcher: agent, method: 'POST', body });
        expect(answer.statusCode).toBe(200);
        expect(await answer.body.json()).toMatchObject({ path: '/path?x=1', publicUrl: url, body });
      }
      expect(connections).toBe(1);
      expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    } finally {
      await server.close();
      await agent.close();
    }
    expect([globalThis.Request, globalThis.Response]).toEqual([RequestBefore, ResponseBefore]);
    await expect(request(`${server.url}/one/`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test.each([
    '/one/a%20b/?q=1',
    '/one//a',
    '/one',
    '/one?q=/',
    '/one/../two/x',
    '/one/%2E%2e/two/x',
    '/one/./a?b=..',
    '/two/x',
    '/constructor/x',
    '/three/one',
  ])('%s is served as the handler itself does', async (path) => {
    const handle = mount({ '/one': echo, '/two': async () => new Response('two') });
    const agent = new Agent();
    const answers: unknown[] = [];
    // The second is not seen to be mounted.
    for (const handler of [handle, (incoming: Request) => handle(incoming)]) {
      const server = await listen(handler);
      for (const prefix of [[], ['x-forwarded-prefix', '/forged']]) {
        const headers = ['x-test', 'yes', 'host', 'host', ...prefix];
        const answer = await agent.request({ origin: server.url, path, method: 'PUT', headers, body: 'é' });
        answers.push([answer.statusCode, await answer.body.text()]);
      }
      await server.close();
    }
    await agent.close();
    expect(new Set(answers.map((each) => JSON.stringify(each)))).toHaveLength(1);
  });

  test('a port that is taken is an error', async () => {
    const server = await listen(echo);
    const port = Number(new URL(server.url).port);
    await expect(listen(echo, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await server.close();
  });
});
