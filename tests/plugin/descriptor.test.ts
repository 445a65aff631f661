/** An incomplete service descriptor is reported at once, with everything that it lacks. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defineService, type Service } from '../../lib/check/service.ts';
import { targetsSchema } from '../../schemas/targets.ts';
import { conform, temporaryFile } from '../lib/conform.ts';

const WHOLE: Service = {
  name: 'notes',
  title: 'Notes',
  suites: [],
  schema: {},
  normalise: (config) => config,
  urls: () => ({}),
  signOfLife: async () => {},
};

test('all that is missing is said at once', () => {
  expect(defineService(WHOLE)).toBe(WHOLE);
  const { normalise: _, urls: __, signOfLife: ___, ...rest } = WHOLE;
  expect(() => defineService({ ...rest, suites: 'note-keeping' } as never)).toThrow(
    'the descriptor of the service notes lacks suites (array), normalise (function), urls (function), signOfLife (function)',
  );
  expect(() => defineService({} as never)).toThrow(
    '(without a name) lacks name (string), title (string), suites (array), schema (object), normalise (function)',
  );
});

test('a key that a target has for something else is no name', () => {
  for (const name of Object.keys(targetsSchema([]).properties.targets.additionalProperties.properties))
    expect(() => defineService({ ...WHOLE, name })).toThrow(`a service cannot be called ${name}`);
});

test('a command ends with 2 and that one line', async () => {
  const config = temporaryFile('targets.yaml', 'plugins: [.]\ntargets: { a: { embedded: true } }');
  const folder = join(config, '..', 'services', 'notes');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'service.mjs'),
    "import { defineService } from 'api-conformance';\nexport default defineService({ name: 'notes', title: 'Notes' });",
  );
  writeFileSync(join(folder, 'service.js'), "export { default } from './service.mjs';");
  const { stderr, code } = await conform(['list', '--config', config]);
  expect(stderr).toMatch(/^conform: the descriptor of the service notes lacks suites \(array\), [^\n]*\n$/);
  expect(code).toBe(2);
});
