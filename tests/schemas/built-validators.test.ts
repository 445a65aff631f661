/** The validators that the build compiles to code say the same as those that are compiled when they are needed. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { allServices } from '../../lib/check/services.ts';
import { ajvFor, exportName, type NamedSchema, validatorsFile } from '../../lib/model/json-schema.ts';
import { packageRoot } from '../../lib/model/paths.ts';
import { baselineSchema } from '../../schemas/baseline.ts';
import { schemaSets } from '../../schemas/published.ts';
import { targetsSchema } from '../../schemas/targets.ts';

const require = createRequire(import.meta.url);

/** A value of each type, among them texts that have the formats of schemas. */
const VALUES = [null, true, 1, -0.5, '', 'text', 'https://a.example/', '2026-01-31T00:00:00Z', [], [{}], {}];

/** Returns values that fit a schema in some properties and not in others. */
function* valuesFor({ properties = {} }: NamedSchema): Generator<unknown> {
  yield* VALUES;
  for (const name of Object.keys(properties as object)) for (const value of VALUES) yield { [name]: value };
  for (const value of VALUES)
    yield Object.fromEntries(Object.keys(properties as object).map((name) => [name, value]));
}

const sets: (readonly NamedSchema[])[] = [...schemaSets(), [targetsSchema(allServices())], [baselineSchema]];

test.each(sets.map((schemas) => [schemas[0]?.$id, schemas] as const))('%s and its set', (_, schemas) => {
  const file = join(packageRoot(), 'dist', 'validators', validatorsFile(schemas));
  const built = require(file) as Record<string, ValidateFunction>;
  const ajv = ajvFor(schemas);
  for (const [index, schema] of schemas.entries()) {
    const compiled = ajv.getSchema(schema.$id) as ValidateFunction;
    const validate = built[exportName(index)] as ValidateFunction;
    for (const value of valuesFor(schema)) {
      expect([schema.$id, value, validate(value)]).toEqual([schema.$id, value, compiled(value)]);
      expect(validate.errors).toEqual(compiled.errors);
    }
  }
});
