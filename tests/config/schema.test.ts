import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { allServices } from '../../lib/check/services.ts';
import { catalogueSchema } from '../../lib/model/catalogue/schema.ts';
import { specificationSchema } from '../../lib/model/catalogue/specification.ts';
import { packageRoot } from '../../lib/model/paths.ts';
import { baselineSchema } from '../../schemas/baseline.ts';
import { reportSchema } from '../../schemas/report/report.schema.ts';
import { targetsSchema } from '../../schemas/targets.ts';

/**
 * `UPDATE=1 npx vitest run --project tests tests/config/schema.test.ts && npm run format` updates these
 * files.
 */
describe.each([
  ['targets.schema.json', 'what targets.yaml is validated by', targetsSchema(allServices())],
  ['report.schema.json', 'the form of report.json', reportSchema],
  ['baseline.schema.json', 'what a baseline is validated by', baselineSchema],
  ['requirements.schema.json', 'what the requirement catalogues are validated by', catalogueSchema],
  ['specification.schema.json', 'what quotations are validated by', specificationSchema],
])('schemas/%s', (name, what, schema) => {
  const file = join(packageRoot(), 'schemas', name);

  test(`is ${what}`, () => {
    if (process.env.UPDATE === '1') writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
    expect(
      JSON.parse(readFileSync(file, 'utf8')),
      'run UPDATE=1 npx vitest run --project tests tests/config/schema.test.ts && npm run format',
    ).toEqual(schema);
  });

  test('is a valid JSON Schema', () => {
    expect(new Ajv2020({ strict: false }).validateSchema(schema)).toBe(true);
  });
});
