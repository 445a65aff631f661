/** What the client makes of the errors of a gateway. */
import { describe, expect, test } from 'vitest';
import type { Call } from '../../lib/http/client.ts';
import { scriptedClient } from '../lib/fakes.ts';

const CALL: Call = { method: 'GET', url: 'http://target.example/thing', purpose: 'ask' };
const _THROTTLED = { status: 429, headers: [] };

const undecided = (text: string) =>
  expect.objectContaining({ name: 'Undecided', message: expect.stringContaining(text) });

describe('a gateway', () => {
  test.each([502, 503, 504])('that answers %i says nothing about the service', async (status) => {
    const { http } = scriptedClient({ status });
    await expect(http.send(CALL)).rejects.toEqual(undecided(`a gateway answered ${status}`));
    expect((await http.send({ ...CALL, gatewayErrors: 'answer' })).status).toBe(status);
  });

  test('that answers so again after a pause is unavailable, and is not retried from then on', async () => {
    const { http, waits, sent } = scriptedClient(
      { status: 503, headers: [['retry-after', '60']] },
      { status: 503, headers: [['retry-after', '60']] },
    );
    const call = { ...CALL, gatewayErrors: 'lasting' } as const;
    expect((await http.send(call)).status).toBe(503);
    expect((await http.send(call)).status).toBe(503);
    expect(waits).toHaveLength(1);
    expect(sent).toHaveLength(3);
  });

  test('that recovers in a moment changes nothing', async () => {
    const { http, sent } = scriptedClient({ status: 502 }, { status: 401 });
    expect((await http.send({ ...CALL, gatewayErrors: 'lasting' })).status).toBe(401);
    expect(sent).toHaveLength(2);
  });

  test('is not blamed for a 500, which is the service itself', async () => {
    expect((await scriptedClient({ status: 500 }).http.send(CALL)).status).toBe(500);
  });
});
