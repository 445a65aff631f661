/** `targets.yaml`: what is read from it, and what a mistake in it is answered with. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadTarget } from '../../lib/target/load.ts';
import { UsageError } from '../../lib/target/usage-error.ts';
import { temporaryFile, temporaryFolder } from '../lib/conform.ts';

/** Stands in every file; in no message. */
const SECRET = 'hunter2-hunter2';

const SHIPPING = `
    shipping:
      baseUrl: https://api.example
      clientId: me
      clientSecret: ${SECRET}`;

/** A place for the value of an environment variable, as it is written in the file. */
const variable = (name: string): string => `$\{${name}}`;

/** A file with one target `mine`; the target begins on line 2, its service on line 3. */
const mine = (body: string): string => `targets:\n  mine:${body}\n`;

const load = (yaml: string, name?: string, env: NodeJS.ProcessEnv = {}) =>
  loadTarget(temporaryFile('targets.yaml', yaml), name, env);

/** What is said of a mistake, without the folder of the file. */
function complaint(yaml: string, name?: string, env: NodeJS.ProcessEnv = {}): string {
  const file = temporaryFile('targets.yaml', yaml);
  try {
    loadTarget(file, name, env);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message.replaceAll(`${dirname(file)}/`, '');
  }
  throw new Error('no mistake was found');
}

const MISTAKES: [what: string, yaml: string, message: string][] = [
  [
    'an unknown key',
    mine(SHIPPING.replace('clientSecret', 'clientSecert')),
    'targets.yaml:6: targets.mine.shipping: unknown key `clientSecert`; did you mean `clientSecret`?',
  ],
  [
    'an unknown key that is like none',
    mine(`${SHIPPING}\n    zzzzzzzzz: 1`),
    'targets.yaml:7: targets.mine: unknown key `zzzzzzzzz`; there are title, embedded, shipping, agents, caches, hooks, run',
  ],
  [
    'a missing key',
    mine('\n    shipping:\n      baseUrl: https://api.example\n      clientId: me'),
    'targets.yaml:3: targets.mine.shipping: the key `clientSecret` is missing',
  ],
  [
    'a URL without a scheme',
    mine(SHIPPING.replace('https://', '')),
    'targets.yaml:4: targets.mine.shipping.baseUrl: not an http or https URL without user and password',
  ],
  [
    'a host and a port, which is a URI of another kind',
    mine(SHIPPING.replace('https://api.example', 'localhost:3000')),
    'targets.yaml:4: targets.mine.shipping.baseUrl: not an http or https URL without user and password',
  ],
  [
    'a URL of another scheme that holds a password',
    mine(SHIPPING.replace('https://', `ftp://user:${SECRET}@`)),
    'targets.yaml:4: targets.mine.shipping.baseUrl: not an http or https URL without user and password',
  ],
  [
    'a URL that holds a password',
    mine(SHIPPING.replace('https://', `https://user:${SECRET}@`)),
    'targets.yaml:4: targets.mine.shipping.baseUrl: not an http or https URL without user and password',
  ],
  [
    'a number where text is wanted',
    mine(SHIPPING.replace(SECRET, '12345678')),
    'targets.yaml:6: targets.mine.shipping.clientSecret: must be string; put it in quotation marks',
  ],
  [
    'a number out of range',
    mine(`${SHIPPING}\n      rate: { perSecond: 0 }`),
    'targets.yaml:7: targets.mine.shipping.rate.perSecond: must be > 0',
  ],
  [
    'an effect that is none',
    mine(`${SHIPPING}\n    run:\n      effects: [read, rite]`),
    'targets.yaml:8: targets.mine.run.effects.1: not a valid value; did you mean `write`?',
  ],
  [
    'a hook that is neither',
    mine(`${SHIPPING}\n    hooks:\n      clock: {}`),
    'targets.yaml:8: targets.mine.hooks.clock: needs one of the keys url, command, and only one',
  ],
  [
    'a target without a service',
    mine('\n    title: Mine'),
    'targets.yaml:2: target `mine` has none of shipping, agents, caches',
  ],
  [
    'a name with a space',
    'targets:\n  "my own":\n    embedded: true\n',
    'targets.yaml:2: targets: the name `my own` may only have letters, digits, dots, hyphens and underscores',
  ],
  ['no target', 'targets: {}\n', 'targets.yaml:1: targets: is empty'],
  ['an empty file', '', 'targets.yaml:1: the file: must be object'],
  ['a list', '- targets\n', 'targets.yaml:1: the file: must be object'],
  [
    'a default that is not there',
    `default: mnie\n${mine(SHIPPING)}`,
    'targets.yaml:1: no target `mnie`; did you mean `mine`?',
  ],
  [
    'several targets and no default',
    'targets:\n  a: { embedded: true }\n  b: { embedded: true }\n',
    'targets.yaml: no `default`, so name a target with --target; there are a, b',
  ],
  ['broken YAML', 'targets:\n  mine: { shipping: \n  other: }\n', 'targets.yaml:'],
  ['a tab for indentation', 'targets:\n\tmine: {}\n', 'targets.yaml:2: Tabs are not allowed as indentation'],
  [
    'a key given twice',
    mine(`${SHIPPING}\n    title: One\n    title: Two`),
    'targets.yaml:8: Map keys must be unique',
  ],
];

describe('a mistake', () => {
  test.each(MISTAKES)('%s is told with file, line and path', (_what, yaml, message) => {
    const said = complaint(yaml);
    expect(said.slice(0, message.length)).toBe(message);
    expect(said.split('\n')).toHaveLength(1);
    expect(said).not.toContain(SECRET);
  });

  test('several are told at once', () => {
    const said = complaint(mine(`${SHIPPING}\n      rate: { perSecnod: 2 }\n    run: { maxWait: soon }`));
    expect(said.split('\n').sort()).toEqual([
      'targets.yaml:7: targets.mine.shipping.rate: unknown key `perSecnod`; did you mean `perSecond`?',
      'targets.yaml:8: targets.mine.run.maxWait: must be number',
    ]);
  });

  test('a target that is not there is told with the nearest name', () => {
    expect(complaint(mine(SHIPPING), 'mime')).toBe('targets.yaml: no target `mime`; did you mean `mine`?');
  });

  test('a file that is not there, and a folder', () => {
    expect(() => loadTarget('no-such-folder/targets.yaml', undefined, {})).toThrow(
      new UsageError('no-such-folder/targets.yaml: no such file; name one with --config'),
    );
    const folder = temporaryFolder();
    expect(() => loadTarget(folder, undefined, {})).toThrow(
      new UsageError(`${folder}: not a file; name one with --config`),
    );
  });

  test('a mistake in another target than the chosen one does not matter where only values are wrong', () => {
    const yaml = `${mine(SHIPPING)}  other:${SHIPPING.replace('https://', '')}\n`;
    expect(load(yaml, 'mine').target.name).toBe('mine');
    expect(complaint(yaml, 'other')).toContain(
      'targets.other.shipping.baseUrl: not an http or https URL without user and password',
    );
  });
});

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

  test('that holds what is no URL is told like a literal', () => {
    const yaml = mine(SHIPPING.replace('https://api.example', variable('URL')));
    expect(complaint(yaml, undefined, { URL: `//${SECRET}` })).toBe(
      'targets.yaml:4: targets.mine.shipping.baseUrl: not an http or https URL without user and password',
    );
  });

  test('with an empty default takes its key away', () => {
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
      'targets.mine.shipping.rate.perSecond: must be number',
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
    expect(loadTarget(join(folder, 'targets.yaml'), undefined, {}).target.agents?.key).toEqual(JWK);
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
