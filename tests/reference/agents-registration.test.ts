/** Registrations at the agent reference, and assertions that are used twice. */
import { describe, expect, test } from 'vitest';
import { Validator } from '../../lib/check/validator.ts';
import { agentSchemas } from '../../schemas/agents/index.ts';
import { mint, service, start } from './agents-idp.ts';

const validator = new Validator(agentSchemas);
const now = start / 1000;

describe('registration', () => {
  test('answers with the whole registration', async () => {
    const { answer, status, body } = await service().register(await mint());
    expect(status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(validator.check('RegistrationResponse', body)).toEqual([]);
    expect(body.credential).toBe(body.api_key);
    expect(body.scopes).toEqual(['service:global']);
  });

  test('the same user gets another key under the same id, another user another id', async () => {
    const { register, scrape } = service();
    const first = (await register(await mint())).body;
    const second = (await register(await mint())).body;
    const other = (await register(await mint({ sub: 'user-2', email: 'user-2@example.com' }))).body;
    expect(second.user_id).toBe(first.user_id);
    expect(second.api_key).not.toBe(first.api_key);
    expect(second.registration_id).not.toBe(first.registration_id);
    expect(other.user_id).not.toBe(first.user_id);
    for (const { api_key } of [first, second, other]) {
      expect((await scrape({ authorization: `Bearer ${api_key}` })).status).toBe(200);
    }
  });

  test('an assertion is good up to its exp and not beyond', async () => {
    const { clock, register } = service();
    const last = await mint({ exp: now + 300 });
    const late = await mint({ exp: now + 300 });
    clock.advance(299_000);
    expect((await register(last)).status).toBe(200);
    clock.advance(1_000);
    expect((await register(late)).body.error).toBe('credential_expired');
  });
});

describe('replay', () => {
  test('a used jti is refused: the token again, newly signed, for another user, after its exp', async () => {
    const { clock, register } = service();
    const token = await mint({ jti: 'once' });
    expect((await register(token)).status).toBe(200);
    expect((await register(await mint())).status).toBe(200);
    for (const again of [token, await mint({ jti: 'once' }), await mint({ jti: 'once', sub: 'user-2' })]) {
      const { status, body } = await register(again);
      expect([status, body.error]).toEqual([401, 'replay_detected']);
    }
    clock.advance(600_000);
    expect((await register(await mint({ jti: 'once', exp: now + 900 }))).body.error).toBe('replay_detected');
  });

  test('of a burst exactly one succeeds', async () => {
    const { register } = service();
    const token = await mint();
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const errors = answers.filter(({ status }) => status !== 200).map(({ body }) => body.error);
    expect(new Set(errors)).toEqual(new Set(['replay_detected']));
  });

  test('a refused assertion is not used up', async () => {
    const { register } = service();
    expect((await register(await mint({ jti: 'later', aud: 'https://other.example' }))).status).toBe(401);
    expect((await register(await mint({ jti: 'later' }))).status).toBe(200);
  });

  test('a failure of the service is server_error and leaves the assertion usable', async () => {
    let broken = true;
    const { register } = service({
      provision: async () => {
        if (broken) throw new Error('store is down');
      },
    });
    const token = await mint();
    const { status, body } = await register(token);
    expect([status, body.error]).toEqual([500, 'server_error']);
    broken = false;
    expect((await register(token)).status).toBe(200);
    expect((await register(token)).body.error).toBe('replay_detected');
  });
});

/** A promise with its resolver (Promise.withResolvers is not in Node 20). */
function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test('a replay store that looks up and marks in two steps accepts a burst', async () => {
  const burst = 5;
  // Signatures are verified on other threads, so requests arrive one by one: none marks before all have looked up.
  let looked = 0;
  const { promise: all, resolve } = withResolvers();
  const { register } = service({
    claimAssertion: async (replays, key, expires) => {
      const known = replays.has(key);
      looked += 1;
      if (looked === burst) resolve();
      await all;
      replays.set(key, expires);
      return !known;
    },
  });
  const token = await mint();
  const answers = await Promise.all(Array.from({ length: burst }, () => register(token)));
  expect(answers.map(({ status }) => status)).toEqual(Array(burst).fill(200));
});
