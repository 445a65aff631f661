/** Flags over the file over defaults; and which values of a configuration are secrets. */
import { describe, expect, test } from 'vitest';
import { resolveOptions } from '../../lib/config/options.ts';
import { addTargetSecrets } from '../../lib/config/secrets.ts';
import type { ResolvedTarget } from '../../lib/config/types.ts';
import { UsageError } from '../../lib/model/usage-error.ts';

const TARGET: ResolvedTarget = { name: 'mine', embedded: false, hooks: {} };
const SUITES = ['one', 'two', 'three'];

describe('options', () => {
  test('have defaults that change nothing shared, except on the reference', () => {
    const options = resolveOptions({}, {}, TARGET, SUITES);
    expect(options).toMatchObject({
      suites: SUITES,
      grep: [],
      effects: ['read', 'write'],
      maxWaitMs: 10_000,
      timeoutMs: 10_000,
      strict: false,
    });
    expect(options.seed).toBeGreaterThan(0);
    expect(resolveOptions({}, {}, { ...TARGET, embedded: true }, SUITES).effects).toEqual([
      'read',
      'write',
      'settings',
    ]);
  });

  test('come from the file', () => {
    const run = {
      suites: ['two'],
      grep: 'A-*',
      effects: ['read' as const],
      maxWait: 3,
      timeout: 0.5,
      seed: 4,
      strict: true,
    };
    expect(resolveOptions({}, run, TARGET, SUITES)).toEqual({
      suites: ['two'],
      grep: ['A-*'],
      effects: ['read'],
      maxWaitMs: 3_000,
      timeoutMs: 500,
      seed: 4,
      strict: true,
    });
  });

  test('come from flags before the file', () => {
    const run = {
      suites: ['two'],
      grep: 'A-*',
      effects: ['read' as const],
      maxWait: 3,
      timeout: 0.5,
      seed: 4,
      strict: false,
    };
    const flags = {
      suite: ['three', 'one'],
      grep: ['B', 'C'],
      effects: 'write,settings',
      maxWait: '0',
      timeout: '2',
      seed: '9',
      strict: true,
    };
    expect(resolveOptions(flags, run, TARGET, SUITES)).toEqual({
      // In the order of the catalogues, whatever the order of the flags.
      suites: ['one', 'three'],
      grep: ['B', 'C'],
      effects: ['write', 'settings'],
      maxWaitMs: 0,
      timeoutMs: 2_000,
      seed: 9,
      strict: true,
    });
  });

  test.each([
    [{ suite: ['on'] }, '--suite: no suite `on`; did you mean `one`?'],
    [{ effects: 'read,' }, '--effects: no effect ``; there are read, write, settings'],
    [{ maxWait: '-1' }, '--max-wait -1: not a number of 0 or more'],
    [{ timeout: '1s' }, '--timeout 1s: not a number of 0 or more'],
    [{ timeout: '0' }, '--timeout 0: must be greater than 0'],
    [{ seed: '' }, '--seed : not a number of 0 or more'],
    [{ seed: 'Infinity' }, '--seed Infinity: not a number of 0 or more'],
  ])('%j is wrong usage', (flags, message) => {
    expect(() => resolveOptions(flags, {}, TARGET, SUITES)).toThrow(new UsageError(message));
  });

  test('of the file are reported with their place', () => {
    const at = (key: string) => `targets.yaml:9: targets.mine.run.${key}`;
    expect(() => resolveOptions({}, { suites: ['tow'] }, TARGET, SUITES, at)).toThrow(
      new UsageError('targets.yaml:9: targets.mine.run.suites: no suite `tow`; did you mean `two`?'),
    );
  });
});

test('secrets are found wherever they stand, with the key that they stand under', () => {
  const found: [string, string][] = [];
  addTargetSecrets({ add: (secret, label) => found.push([label, secret]) }, {
    ...TARGET,
    title: 'Public',
    shipping: {
      baseUrl: 'https://api.example',
      clientId: 'public-id',
      clientSecret: 's1',
      secondClient: { clientId: 'public-id-2', clientSecret: 's2' },
      refreshToken: 's3',
      scopes: ['read'],
      headers: { 'X-Gateway': 's4' },
    },
    agents: {
      baseUrl: 'https://api.example',
      key: {
        kty: 'RSA',
        kid: 'public-kid',
        n: 'public-n',
        e: 'AQAB',
        d: 's5',
        p: 's6',
        q: 's7',
        dp: 's8',
        dq: 's9',
        qi: 's10',
      },
    },
    caches: {
      baseUrl: 'https://api.example',
      token: 's11',
      readerToken: 's12',
      tokens: [{ token: 's13', scopes: ['repo'] }],
    },
    hooks: { clock: { url: 'https://hooks.example', headers: { Authorization: 's14' } } },
  } as unknown as ResolvedTarget);

  expect(found.map(([, secret]) => secret).sort()).toEqual(
    Array.from({ length: 14 }, (_, i) => `s${i + 1}`).sort(),
  );
  expect(Object.fromEntries(found.map(([label, secret]) => [secret, label]))).toMatchObject({
    s1: 'clientSecret',
    s3: 'refreshToken',
    s4: 'X-Gateway',
    s5: 'd',
    s11: 'token',
  });
});
