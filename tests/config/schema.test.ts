import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { packageRoot } from '../../lib/model/paths.ts';
import { targetsSchema } from '../../schemas/targets.ts';

const FILE = join(packageRoot(), 'schemas', 'targets.schema.json');

/** Written anew with `UPDATE=1 npx vitest run --project tests tests/config/schema.test.ts && npm run format`. */
test('schemas/targets.schema.json is the schema that targets.yaml is validated by', () => {
  if (process.env.UPDATE === '1') writeFileSync(FILE, `${JSON.stringify(targetsSchema, null, 2)}\n`);
  expect(
    JSON.parse(readFileSync(FILE, 'utf8')),
    'run UPDATE=1 npx vitest run --project tests tests/config/schema.test.ts && npm run format',
  ).toEqual(targetsSchema);
});

test('it is a valid JSON Schema', () => {
  expect(new Ajv2020({ strict: false }).validateSchema(targetsSchema)).toBe(true);
});
