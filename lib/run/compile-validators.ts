/** Build step: compiles the validators of this package's schemas to code. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { baselineSchema } from '../../schemas/baseline.ts';
import { schemaSets } from '../../schemas/published.ts';
import { targetsSchema } from '../../schemas/targets.ts';
import { allServices } from '../check/services.ts';
import {
  ajvFor,
  exportName,
  type NamedSchema,
  validatorsFile,
  validatorsFolder,
} from '../model/json-schema.ts';

const { default: standaloneCode } = createRequire(import.meta.url)('ajv/dist/standalone') as {
  default: (ajv: Ajv2020, exported: Record<string, string>) => string;
};

// Validators of schemas that have changed since the last build would stay for ever.
rmSync(validatorsFolder(), { recursive: true, force: true });
mkdirSync(validatorsFolder());
const sets: (readonly NamedSchema[])[] = [...schemaSets(), [targetsSchema(allServices())], [baselineSchema]];
for (const schemas of sets) {
  const exported = schemas.map(({ $id }, index) => [exportName(index), $id]);
  const code = standaloneCode(ajvFor(schemas, { code: { source: true } }), Object.fromEntries(exported));
  writeFileSync(join(validatorsFolder(), validatorsFile(schemas)), code);
}
