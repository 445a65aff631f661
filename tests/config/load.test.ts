/** Reading `targets.yaml`: variables, keys, and the choice of a target. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allServices } from '../../lib/check/services.ts';
import { loadTarget } from '../../lib/config/load.ts';
import { temporaryFolder } from '../lib/conform.ts';
import { complaint, load, mine, SECRET, SHIPPING, variable } from './yaml.ts';

describe('a variable', () => {
  const withVariables = mine(
    SHIPPING.replace(SECRET, variable('CLIENT_SECRET')).replace('me', variable('CLIENT_ID:-somebody')),
  );

  test('is replaced by its value, or by its default', () => {
    const { target } = load(withVariables, undefined, { CLIENT_SECRET: SECRET });
    expect(target.shipping).toMatchObject({ clientId: 'somebody', clientSecret: SECRET });
    const other = load(withVariables, undefined, { CLIENT_SECRET: SECRET, CLIENT_ID: 'me' });
    expect(other.target.shipping?.clientId).toBe('me');
  });

  test('is named with its line where it is not set, or empty', () => {
    const message = 'targets.yaml:6: the environment variable CLIENT_SECRET is not set';
    expect(complaint(withVariables)).toBe(message);
    expect(complaint(withVariables, undefined, { CLIENT_SECRET: '' })).toBe(message);
  });

  test.each([variable('CLIENT-SECRET'), '${CLIENT_SECRET', '$CLIENT_SECRET'])(
    'is not written %s',
    (wrong) => {
      expect(complaint(mine(SHIPPING.replace(SECRET, JSON.stringify(wrong))))).toMatch(
        /^targets.yaml:6: what begins with `\$` is no variable: write `\$\{NAME\}` or /,
      );
    },
  );

  test('may be written otherwise in the command of a hook, for its shell', () => {
    const hook = `${SHIPPING}\n    hooks: { clock: { command: [sh, -c, "echo $\{1%.x} $\{#}"] } }`;
    expect(load(mine(hook)).target.hooks.clock?.command?.[2]).toContain('%.x');
  });

  test('stands anywhere in a value, and several times', () => {
    const yaml = mine(
      SHIPPING.replace(
        'api.example',
        `${variable('HOST')}:${variable('PORT:-8443')}/v${variable('PORT:-8443')}`,
      ),
    );
    expect(load(yaml, undefined, { HOST: 'h.example' }).target.shipping?.baseUrl).toBe(
      'https://h.example:8443/v8443',
    );
  });

  test('is looked up in the chosen target only', () => {
    const yaml = `${mine(SHIPPING)}  other:${SHIPPING.replace(SECRET, variable('NOT_SET'))}\n`;
    expect(load(yaml, 'mine').target.name).toBe('mine');
  });

  test('whose value is not a URL is reported like a literal', () => {
    const yaml = mine(SHIPPING.replace('https://api.example', variable('URL')));
    expect(complaint(yaml, undefined, { URL: `//${SECRET}` })).toBe(
      'targets.yaml:4: targets.mine.shipping.baseUrl: write the scheme too: `http://` or `https://`, then the host',
    );
  });

  test('with an empty default removes its key', () => {
    const optional = mine(`${SHIPPING}\n      refreshToken: $\{REFRESH_TOKEN:-}`);
    expect(load(optional).target.shipping).not.toHaveProperty('refreshToken');
    expect(load(optional, undefined, { REFRESH_TOKEN: 'r' }).target.shipping?.refreshToken).toBe('r');
    expect(complaint(mine(SHIPPING.replace(SECRET, variable('CLIENT_SECRET:-'))))).toBe(
      'targets.yaml:3: targets.mine.shipping: the key `clientSecret` is missing',
    );
  });

  test('is read as a number or a boolean where one is wanted, and stays text where not', () => {
    const yaml = mine(
      `${SHIPPING.replace(SECRET, variable('SECRET'))}\n      rate: { perSecond: "$\{RATE}", unlimited: "$\{FREE:-false}" }`,
    );
    const { shipping } = load(yaml, undefined, { SECRET: '0042', RATE: '2.5' }).target;
    expect(shipping).toMatchObject({ clientSecret: '0042', rate: { perSecond: 2.5, unlimited: false } });
    expect(complaint(yaml, undefined, { SECRET: 's', RATE: 'fast' })).toContain(
      'targets.mine.shipping.rate.perSecond: must be a number',
    );
  });
});

describe('the key of the trusted issuer', () => {
  const agents = (key: string): string =>
    mine(`\n    agents:\n      baseUrl: https://api.example\n      key: ${key}`);
  const JWK = { kty: 'RSA', n: 'AQAB', e: 'AQAB', d: SECRET };

  test.each([
    ['an object', JSON.stringify(JWK)],
    ['the JSON of one', JSON.stringify(JSON.stringify(JWK))],
  ])('is %s', (_form, key) => {
    expect(load(agents(key)).target.agents?.key).toEqual(JWK);
  });

  test('comes from a variable, or from a file beside the configuration', () => {
    expect(load(agents(variable('JWK')), undefined, { JWK: JSON.stringify(JWK) }).target.agents?.key).toEqual(
      JWK,
    );
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'keys'));
    writeFileSync(join(folder, 'keys', 'idp.json'), JSON.stringify(JWK));
    writeFileSync(join(folder, 'targets.yaml'), agents('{ file: keys/idp.json }'));
    expect(loadTarget(join(folder, 'targets.yaml'), undefined, {}, allServices()).target.agents?.key).toEqual(
      JWK,
    );
  });

  const WRONG: [what: string, key: string, message: string][] = [
    ['text that is no JSON', SECRET, 'targets.yaml:5: the key cannot be read: it is not JSON'],
    [
      'a file that is not there',
      '{ file: nowhere.json }',
      'targets.yaml:5: the key cannot be read: there is no such file',
    ],
    [
      'a public key',
      JSON.stringify({ ...JWK, d: undefined }),
      'targets.yaml:5: the key is not a private RSA key as a JWK (`kty`: RSA, with `d`)',
    ],
    [
      'the JSON of a key of another kind',
      JSON.stringify(JSON.stringify({ ...JWK, kty: 'EC' })),
      'targets.yaml:5: the key is not a private RSA key as a JWK (`kty`: RSA, with `d`)',
    ],
    [
      'an object of another kind',
      JSON.stringify({ ...JWK, kty: 'EC' }),
      'targets.yaml:5: targets.mine.agents.key: not as described: ',
    ],
  ];

  test.each(WRONG)('is not %s', (_what, key, message) => {
    const said = complaint(agents(key));
    expect(said.slice(0, message.length)).toBe(message);
    expect(said).not.toContain(SECRET);
  });
});

describe('a target', () => {
  test('is the named one, the default one, or the only one', () => {
    const two = `default: b\ntargets:\n  a: { embedded: true, title: A }\n  b: { embedded: true, title: B }\n`;
    expect(load(two).target.title).toBe('B');
    expect(load(two, 'a').target.title).toBe('A');
    expect(load(mine(SHIPPING)).target.name).toBe('mine');
  });

  test('has addresses without a slash at the end, and hooks even where it names none', () => {
    const { target, run } = load(mine(SHIPPING.replace('api.example', 'api.example/base//')));
    expect(target).toEqual({
      name: 'mine',
      embedded: false,
      shipping: { baseUrl: 'https://api.example/base', clientId: 'me', clientSecret: SECRET },
      hooks: {},
    });
    expect(run).toEqual({});
  });
});
