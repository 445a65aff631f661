import { describe, expect, test } from 'vitest';
import type { Call } from '../../lib/http/client.ts';
import { Blocked, Undecided } from '../../lib/model/verdict.ts';
import { scriptedClient, triesUntilGivenUp } from '../lib/fakes.ts';

const CALL: Call = { method: 'GET', url: 'http://target.example/thing', purpose: 'ask' };
const THROTTLED = { status: 429, headers: [] };

const undecided = (text: string) =>
  expect.objectContaining({ name: 'Undecided', message: expect.stringContaining(text) });

describe('throttling', () => {
  test('is waited out as long as Retry-After says, in seconds', async () => {
    const { http, waits, sent } = scriptedClient(
      { status: 429, headers: [['Retry-After', '7']] },
      { status: 200 },
    );
    expect((await http.send(CALL)).status).toBe(200);
    expect(waits).toEqual([7_000]);
    expect(sent).toHaveLength(2);
  });

  test('is waited out until the date that Retry-After names', async () => {
    const inAMinute = new Date(Date.now() + 40_000).toUTCString();
    const { http, waits } = scriptedClient(
      { status: 503, headers: [['retry-after', inAMinute]] },
      { status: 200 },
    );
    await http.send(CALL);
    expect(waits[0]).toBeGreaterThan(35_000);
    expect(waits[0]).toBeLessThanOrEqual(40_125);
  });

  test('is waited out until that date by the clock of the target, which a hook may have moved', async () => {
    const tomorrow = Date.now() + 86_400_000;
    const { http, waits } = scriptedClient(
      { status: 429, headers: [['retry-after', new Date(tomorrow + 40_000).toUTCString()]] },
      { status: 200 },
    );
    http.time.now = () => tomorrow;
    await http.send(CALL);
    expect(waits[0]).toBeGreaterThan(35_000);
    expect(waits[0]).toBeLessThanOrEqual(40_125);
  });

  test('is waited out ever longer without a Retry-After, or with an invalid one', async () => {
    const soon = { status: 429, headers: [['retry-after', 'soon']] as [string, string][] };
    const { http, waits } = scriptedClient(THROTTLED, soon, THROTTLED, { status: 204 });
    expect((await http.send(CALL)).status).toBe(204);
    expect(waits).toEqual([1_000, 2_000, 4_000]);
  });

  test('is also said by 403 with no request left, until the time that comes with it', async () => {
    const left = (count: string, reset: string): [string, string][] => [
      ['X-RateLimit-Remaining', count],
      ['X-RateLimit-Reset', reset],
      ['Date', 'Wed, 25 Nov 2026 04:00:00 GMT'],
    ];
    const { http, waits } = scriptedClient(
      { status: 403, headers: left('0', String(Date.UTC(2026, 10, 25, 4, 0, 9) / 1000)) },
      { status: 403, headers: left('0', '5') },
      { status: 403, headers: left('0', '0') },
      { status: 403, headers: left('3', '9') },
    );
    http.time.rest = async (ms) => void waits.push(ms);
    expect((await http.send(CALL)).status).toBe(403);
    expect(waits.slice(0, 3)).toEqual([9_000, 5_000, 4_000]);
  });

  test('that moving the clock of the target did not end is waited out in real time', async () => {
    const throttled = { status: 429, headers: [['retry-after', '7']] as [string, string][] };
    const { http, waits } = scriptedClient(throttled, throttled, { status: 200 });
    const rests: number[] = [];
    http.time.rest = async (ms) => {
      rests.push(ms);
    };
    await http.send(CALL);
    expect({ waits, rests }).toEqual({ waits: [7_000], rests: [7_000] });
  });

  test('that waiting does not end is undecided', async () => {
    const { http, sent } = scriptedClient(THROTTLED);
    await expect(http.send(CALL)).rejects.toEqual(undecided('the target kept throttling (429)'));
    expect(sent).toHaveLength(5);
  });

  test('that goes on is tried ever less often, until an answer comes', async () => {
    const replies = [
      ...Array.from({ length: 5 + 3 + 2 + 1 + 1 }, () => THROTTLED),
      { status: 200 },
      THROTTLED,
    ];
    const client = scriptedClient(...replies);
    const tries: number[] = [];
    for (let call = 0; call < 5; call += 1) tries.push(await triesUntilGivenUp(client, CALL));
    expect(tries).toEqual([5, 3, 2, 1, 1]);
    await client.http.send(CALL);
    expect(await triesUntilGivenUp(client, CALL)).toBe(5);
  });

  test('for more than a minute is not waited for', async () => {
    const { http, waits } = scriptedClient({ status: 429, headers: [['retry-after', '3600']] });
    await expect(http.send(CALL)).rejects.toEqual(undecided('throttles for another 3600 s'));
    expect(waits).toEqual([]);
  });

  test('is reported to the caller before the next try', async () => {
    const { http } = scriptedClient(THROTTLED, THROTTLED, { status: 200 });
    let told = 0;
    await http.send({ ...CALL, onThrottled: () => (told += 1) });
    expect(told).toBe(2);
  });

  test('is the answer where the check is about throttling', async () => {
    const { http, waits, sent } = scriptedClient(THROTTLED);
    expect((await http.send({ ...CALL, throttled: 'answer' })).status).toBe(429);
    expect(waits).toEqual([]);
    expect(sent).toHaveLength(1);
  });
});

describe('a target that does not answer', () => {
  const refused = new Error('connection refused');

  test('is undecided, with what went wrong in the record', async () => {
    const { http } = scriptedClient(refused);
    http.recorder.begin();
    await expect(http.send(CALL)).rejects.toEqual(
      undecided('ask: GET http://target.example/thing got no answer: connection refused'),
    );
    const { exchanges } = http.recorder.end();
    expect(exchanges).toMatchObject([{ purpose: 'ask', error: 'connection refused' }]);
    expect(exchanges[0]).not.toHaveProperty('response');
  });

  test('is given up after three requests, and tried again every tenth time, three times at most', async () => {
    const { http, sent } = scriptedClient(refused);
    const outcomes: boolean[] = [];
    for (let i = 0; i < 60; i += 1) {
      const before = sent.length;
      await expect(http.send(CALL)).rejects.toBeInstanceOf(Undecided);
      outcomes.push(sent.length > before);
    }
    const asked = outcomes.flatMap((was, i) => (was ? [i + 1] : []));
    expect(asked).toEqual([1, 2, 3, 13, 23, 33]);
  });

  test('is used as before once it has answered', async () => {
    const { http, sent } = scriptedClient(refused, refused, refused, { status: 200 });
    for (let i = 0; i < 12; i += 1) await http.send(CALL).catch(() => {});
    expect(sent).toHaveLength(3);
    expect((await http.send(CALL)).status).toBe(200);
    expect((await http.send(CALL)).status).toBe(200);
  });

  test('does not silence another one', async () => {
    const { http } = scriptedClient((request) =>
      request.url.includes('target') ? refused : { status: 200 },
    );
    for (let i = 0; i < 5; i += 1) await http.send(CALL).catch(() => {});
    expect((await http.send({ ...CALL, url: 'http://other.example/' })).status).toBe(200);
  });

  test('is not given up where a limiter may have dropped the connection', async () => {
    const { http, sent } = scriptedClient(refused);
    for (let i = 0; i < 8; i += 1) await http.send({ ...CALL, throttled: 'answer' }).catch(() => {});
    expect(sent).toHaveLength(8);
  });
});

describe('a request', () => {
  test('carries its body with the matching type, and a User-Agent', async () => {
    const { http, sent } = scriptedClient({});
    await http.send({ ...CALL, method: 'POST', body: { json: { a: 'ä' } } });
    await http.send({ ...CALL, method: 'POST', body: { form: { a: 'b c', left: undefined, d: '&=+' } } });
    await http.send({ ...CALL, method: 'POST', body: { raw: '{"a": ' } });
    expect(sent.map((request) => request.body)).toEqual(['{"a":"ä"}', 'a=b+c&d=%26%3D%2B', '{"a": ']);
    const types = sent.map((request) =>
      request.headers.filter(([name]) => name === 'content-type').map(([, v]) => v),
    );
    expect(types).toEqual([['application/json'], ['application/x-www-form-urlencoded'], []]);
    for (const { headers } of sent) {
      expect(headers).toContainEqual(['accept', 'application/json']);
      expect(headers).toContainEqual(['user-agent', 'api-conformance']);
    }
  });

  test('has the headers it is given in the place of the usual ones, and lacks those that are taken away', async () => {
    const { http, sent } = scriptedClient({});
    await http.send({
      ...CALL,
      method: 'POST',
      headers: { 'Content-Type': undefined, Accept: 'text/plain' },
      body: { json: {} },
    });
    expect(sent[0]?.headers).toEqual([
      ['Accept', 'text/plain'],
      ['user-agent', 'api-conformance'],
    ]);
  });

  test.each(['a\r\nx-injected: 1', 'a\u0000', 'tökén€', 'line\nbreak'])(
    'is not sent with the header value %j, which no header can carry',
    async (value) => {
      const { http, sent } = scriptedClient({});
      const send = http.send({ ...CALL, headers: { authorization: `Bearer ${value}` } });
      await expect(send).rejects.toBeInstanceOf(Blocked);
      await expect(send).rejects.toThrow('the value for the header authorization');
      expect(sent).toEqual([]);
    },
  );

  test('may be sent twice by the wire only where it has no effects and nobody counts it', async () => {
    const { http, sent } = scriptedClient({});
    await http.send(CALL);
    await http.send({ ...CALL, method: 'POST' });
    await http.send({ ...CALL, method: 'DELETE' });
    await http.send({ ...CALL, throttled: 'answer' });
    expect(sent.map((request) => request.resend)).toEqual([true, false, false, false]);
  });

  test('has the timeout of the run, or its own', async () => {
    const { http, sent } = scriptedClient({});
    await http.send(CALL);
    await http.send({ ...CALL, timeoutMs: 30_000 });
    expect(sent.map((request) => request.timeoutMs)).toEqual([1_000, 30_000]);
  });
});

describe('the record', () => {
  test('keeps what was sent and what came, bodies up to a bound and their true size', async () => {
    const long = 'x'.repeat(70_000);
    const { http } = scriptedClient({
      status: 201,
      headers: [
        ['X-A', '1'],
        ['X-A', '2'],
      ],
      text: long,
    });
    http.recorder.begin();
    const answer = await http.send({ ...CALL, method: 'POST', body: { json: { a: 1 } } });
    const [exchange] = http.recorder.end().exchanges;
    expect(exchange?.request).toMatchObject({
      method: 'POST',
      url: CALL.url,
      body: { text: '{"a":1}', bytes: 7 },
    });
    expect(exchange?.response).toEqual({
      status: 201,
      headers: [
        ['X-A', '1'],
        ['X-A', '2'],
      ],
      body: {
        text: long.slice(0, 65_536),
        bytes: 70_000,
        cut: true,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    // The check itself sees all of it.
    expect(answer.text).toHaveLength(70_000);
    expect(answer.header('x-a')).toEqual(['1', '2']);
  });

  test('begins anew with each check, and numbers on', async () => {
    const { http } = scriptedClient({});
    http.recorder.begin();
    await http.send(CALL);
    expect(http.recorder.end().exchanges.map((e) => e.id)).toEqual(['x1']);
    http.recorder.begin();
    await http.send(CALL);
    expect(http.recorder.end().exchanges.map((e) => e.id)).toEqual(['x2']);
    expect(http.recorder.count).toBe(2);
  });

  test('leaves out what only moves the clock, and counts it', async () => {
    const { http } = scriptedClient({});
    http.recorder.begin();
    await http.send({ ...CALL, quiet: true });
    expect(http.recorder.end().exchanges).toEqual([]);
    expect(http.recorder.count).toBe(1);
  });
});

test('a body in Latin-1 is sent byte by byte and recorded as UTF-8 reads it', async () => {
  const { http, sent } = scriptedClient({});
  const body = { raw: '{\u00ff', type: 'application/json', encoding: 'latin1' } as const;
  const { exchange } = await http.send({ ...CALL, method: 'POST', body });
  expect(sent[0]).toMatchObject({ body: '{\ufffd', bytes: Buffer.from([0x7b, 0xff]) });
  expect(exchange.request.body).toEqual({ text: '{\ufffd', bytes: 2 });
});
