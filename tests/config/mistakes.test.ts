/** Mistakes in `targets.yaml`, and the messages about them. */
import { describe, expect, test } from 'vitest';
import { loadTarget } from '../../lib/config/load.ts';
import { UsageError } from '../../lib/model/usage-error.ts';
import { temporaryFolder } from '../lib/conform.ts';
import { complaint, load, mine, SECRET, SHIPPING } from './yaml.ts';

const MISTAKES: [what: string, yaml: string, message: string][] = [
  [
    'an unknown key',
    mine(SHIPPING.replace('clientSecret', 'clientSecert')),
    'targets.yaml:6: targets.mine.shipping: unknown key `clientSecert`; did you mean `clientSecret`?',
  ],
  [
    'an unknown key that is like none',
    mine(`${SHIPPING}\n    zzzzzzzzz: 1`),
    'targets.yaml:7: targets.mine: unknown key `zzzzzzzzz`; there are title, embedded, agents, caches, shipping, hooks, network, run',
  ],
  [
    'a missing key',
    mine('\n    shipping:\n      baseUrl: https://api.example\n      clientId: me'),
    'targets.yaml:3: targets.mine.shipping: the key `clientSecret` is missing',
  ],
  [
    'a URL without a scheme',
    mine(SHIPPING.replace('https://', '')),
    'targets.yaml:4: targets.mine.shipping.baseUrl: write the scheme too: `http://` or `https://`, then the host',
  ],
  [
    'a host and a port, which is a URI of another kind',
    mine(SHIPPING.replace('https://api.example', 'localhost:3000')),
    'targets.yaml:4: targets.mine.shipping.baseUrl: write the scheme too: `http://` or `https://`, then the host',
  ],
  [
    'a URL of another scheme that holds a password',
    mine(SHIPPING.replace('https://', `ftp://user:${SECRET}@`)),
    'targets.yaml:4: targets.mine.shipping.baseUrl: not an http or https URL',
  ],
  [
    'a URL that holds a password',
    mine(SHIPPING.replace('https://', `https://user:${SECRET}@`)),
    'targets.yaml:4: targets.mine.shipping.baseUrl: a URL without user and password is wanted: credentials have keys of their own',
  ],
  [
    'a number where text is wanted',
    mine(SHIPPING.replace(SECRET, '12345678')),
    'targets.yaml:6: targets.mine.shipping.clientSecret: must be text; put it in quotation marks',
  ],
  [
    'a number out of range',
    mine(`${SHIPPING}\n      rate: { perSecond: 0 }`),
    'targets.yaml:7: targets.mine.shipping.rate.perSecond: must be > 0',
  ],
  [
    'an unknown effect',
    mine(`${SHIPPING}\n    run:\n      effects: [read, rite]`),
    'targets.yaml:8: targets.mine.run.effects.1: not one of read, write, settings; did you mean `write`?',
  ],
  [
    'an effect that is like none',
    mine(`${SHIPPING}\n    run:\n      effects: [everything]`),
    'targets.yaml:8: targets.mine.run.effects.0: not one of read, write, settings',
  ],
  [
    'one effect where a list is wanted',
    mine(`${SHIPPING}\n    run:\n      effects: read`),
    'targets.yaml:8: targets.mine.run.effects: must be a list',
  ],
  [
    'an invalid path',
    mine(`${SHIPPING}\n      protectedResource: { method: GET, path: things }`),
    'targets.yaml:7: targets.mine.shipping.protectedResource.path: must match ^/',
  ],
  [
    'a header that the suite sets itself',
    mine(`${SHIPPING}\n      headers: { AUTHORIZATION: Basic eA }`),
    'targets.yaml:7: targets.mine.shipping.headers: `AUTHORIZATION` is no name of a header, or one that the suite sets itself: leave it out',
  ],
  [
    'a token with a blank at its end',
    mine('\n    caches: { baseUrl: https://a.example, token: "abc " }'),
    'targets.yaml:3: targets.mine.caches.token: has white space, which no token has',
  ],
  [
    'a service whose keys are all comments',
    mine('\n    shipping:\n      # baseUrl: https://api.example'),
    'targets.yaml:3: targets.mine.shipping: is empty; it needs `baseUrl` and `clientId` and `clientSecret`',
  ],
  [
    'an alias of nothing',
    mine('\n    shipping: *base'),
    'targets.yaml: Unresolved alias (the anchor must be set before the alias): base',
  ],
  [
    'a merge key that stands for no map',
    `x-base: &base [1]\n${mine('\n    <<: *base')}`,
    'targets.yaml: a merge key `<<` takes a map, or a list of maps',
  ],
  [
    'a hook that is neither',
    mine(`${SHIPPING}\n    hooks:\n      clock: {}`),
    'targets.yaml:8: targets.mine.hooks.clock: needs one of the keys url, command, and only one',
  ],
  [
    'a target without a service',
    mine('\n    title: Mine'),
    'targets.yaml:2: target `mine` has none of agents, caches, shipping',
  ],
  [
    'a name with a space',
    'targets:\n  "my own":\n    embedded: true\n',
    'targets.yaml:2: targets: the name `my own` may only have letters, digits, dots, hyphens and underscores',
  ],
  ['no target', 'targets: {}\n', 'targets.yaml:1: targets: is empty'],
  [
    'an empty file',
    '',
    'targets.yaml:1: the file: is empty; it needs `targets` (`conform init` writes a file)',
  ],
  [
    'a file of comments',
    '# targets:\n#   mine:\n',
    'targets.yaml:1: the file: is empty; it needs `targets` (`conform init` writes a file)',
  ],
  ['a list', '- targets\n', 'targets.yaml:1: the file: must be keys with values'],
  ['no value for targets', 'targets:\n', 'targets.yaml:1: targets: is empty'],
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
  test.each(MISTAKES)('%s is reported with file, line and path', (_what, yaml, message) => {
    const said = complaint(yaml);
    expect(said.slice(0, message.length)).toBe(message);
    expect(said.split('\n')).toHaveLength(1);
    expect(said).not.toContain(SECRET);
  });

  test('several are reported at once', () => {
    const said = complaint(mine(`${SHIPPING}\n      rate: { perSecnod: 2 }\n    run: { maxWait: soon }`));
    expect(said.split('\n').sort()).toEqual([
      'targets.yaml:7: targets.mine.shipping.rate: unknown key `perSecnod`; did you mean `perSecond`?',
      'targets.yaml:8: targets.mine.run.maxWait: must be a number',
    ]);
  });

  test('a target that does not exist is reported with the nearest name', () => {
    expect(complaint(mine(SHIPPING), 'mime')).toBe('targets.yaml: no target `mime`; did you mean `mine`?');
  });

  test('a file that is not there, and a folder', () => {
    expect(() => loadTarget('no-such-folder/targets.yaml', undefined, {}, [])).toThrow(
      new UsageError('no-such-folder/targets.yaml: no such file; name one with --config'),
    );
    const folder = temporaryFolder();
    expect(() => loadTarget(folder, undefined, {}, [])).toThrow(
      new UsageError(`${folder}: not a file; name one with --config`),
    );
  });

  test('a mistake in another target than the chosen one does not matter where only values are wrong', () => {
    const yaml = `${mine(SHIPPING)}  other:${SHIPPING.replace('https://', '')}\n`;
    expect(load(yaml, 'mine').target.name).toBe('mine');
    expect(complaint(yaml, 'other')).toContain('targets.other.shipping.baseUrl: write the scheme too');
  });
});
