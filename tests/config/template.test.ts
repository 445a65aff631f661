/** `conform init` writes a valid configuration that has every key. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { allServices } from '../../lib/check/services.ts';
import { loadTarget } from '../../lib/config/load.ts';
import { templateOf } from '../../lib/config/template.ts';
import { targetsSchema } from '../../schemas/targets.ts';
import { conformHere, temporaryFile, temporaryFolder } from '../lib/conform.ts';

const services = allServices();
const values = Object.fromEntries(services.map(({ name }) => [`${name}.baseUrl`, `https://${name}.example`]));

interface Schema {
  properties?: Record<string, Schema>;
}

/** Returns the paths of all keys that a schema names. */
function keysOf({ properties = {} }: Schema, path: string): string[] {
  return Object.entries(properties).flatMap(([name, inner]) => {
    const own = path === '' ? name : `${path}.${name}`;
    return [own, ...keysOf(inner, own)];
  });
}

/** Returns the paths of all keys of a value. */
function pathsOf(value: unknown, path: string): string[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = path === '' ? name : `${path}.${name}`;
    return [own, ...pathsOf(inner, own)];
  });
}

test('it has every key of every schema, once the comment signs are removed', () => {
  const { text } = templateOf({ name: 'mine', services, values });
  // Lines that still have a comment sign are comments in words.
  const open = text.replaceAll(/^( +)# (?=[a-z]\w*:( |$))/gm, '$1');
  const written = pathsOf((parse(open) as { targets: { mine: object } }).targets.mine, '');
  const { properties } = targetsSchema(services) as unknown as {
    properties: { targets: { additionalProperties: Schema } };
  };
  const keys = keysOf(properties.targets.additionalProperties, '').filter((key) => key !== 'embedded');
  expect(keys.filter((key) => !written.includes(key))).toEqual([]);
  expect(keys.length).toBeGreaterThan(60);
});

test('it is a configuration as it stands, with its variables', () => {
  const { text, variables } = templateOf({ name: 'mine', services, values });
  const file = temporaryFile('targets.yaml', text);
  const env = Object.fromEntries(variables.map((name) => [name, 'x']));
  const { target } = loadTarget(file, undefined, env, services);
  expect(target).toMatchObject({
    shipping: { baseUrl: 'https://shipping.example', clientId: 'x', clientSecret: 'x' },
    agents: { baseUrl: 'https://agents.example' },
    caches: { baseUrl: 'https://caches.example', token: 'x' },
  });
});

test('values may be variables of other names', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as a user writes it
  const given = { ...values, 'caches.token': '${CACHE_BOT}' };
  const { text, variables } = templateOf({ name: 'mine', services, values: given });
  expect(variables).toContain('CACHE_BOT');
  expect(variables).not.toContain('CACHES_TOKEN');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as the file has it
  expect(text).toContain('token: "${CACHE_BOT}"');
});

test('conform init writes it and says what comes next', async () => {
  const cwd = temporaryFolder();
  const flags = ['init', '--service', 'shipping', '--set', 'shipping.baseUrl=https://api.example.com'];
  const { code, stdout } = await conformHere(flags, { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/set these variables: SHIPPING_CLIENT_ID, SHIPPING_CLIENT_SECRET\n/);
  expect(stdout).toMatch(/next: conform doctor, then conform run\n/);
  const text = readFileSync(join(cwd, 'targets.yaml'), 'utf8');
  expect(text).toContain('baseUrl: https://api.example.com');
  const again = await conformHere(flags, { cwd });
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('there is such a file') });
  expect(readFileSync(join(cwd, 'targets.yaml'), 'utf8')).toBe(text);
});

test('conform init takes a variable for any value', async () => {
  const cwd = temporaryFolder();
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as a user types it
  const values = ['shipping.baseUrl=${SHIPPING_URL}', 'shipping.rate.perSecond=${RATE}'];
  const { code, stdout, stderr } = await conformHere(['init', '--service', 'shipping', '--set', ...values], {
    cwd,
  });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/set these variables: SHIPPING_URL, .*RATE/);
  expect(readFileSync(join(cwd, 'targets.yaml'), 'utf8')).toMatch(/baseUrl: "?\$\{SHIPPING_URL\}/);
});

test.each([
  [['--service', 'shiping'], 'no service `shiping`; did you mean `shipping`?'],
  [
    ['--service', 'shipping', '--set', 'shipping.clientSecret=hunter2'],
    'secrets are not written to the file',
  ],
  [['--service', 'shipping', '--set', 'shipping.baseUrl=localhost:3000'], 'write the scheme too'],
  [
    ['--service', 'shipping', '--set', 'shipping.baseURL=http://localhost:3000'],
    'no such key; did you mean `shipping.baseUrl`?',
  ],
  [['--out', 'no/such/folder/targets.yaml'], 'cannot be written (ENOENT)'],
  [[], 'name what the target implements with --service: agents (Agent registration: agent-registration); '],
])('conform init %j writes nothing', async (flags, message) => {
  const cwd = temporaryFolder();
  const { code, stderr } = await conformHere(['init', ...flags], { cwd });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('hunter2');
  expect(code).toBe(2);
  expect(existsSync(join(cwd, 'targets.yaml'))).toBe(false);
});
