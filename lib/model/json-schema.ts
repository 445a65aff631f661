/**
 * Validators of JSON Schema 2020-12. The build compiles those of this package's schemas, so that a run need not;
 * others, such as those of a plugin, are compiled on first use.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { codeRoot, isBuilt, pluginRoots } from './paths.ts';

/** A schema that others refer to by its `$id`. */
export type NamedSchema = { readonly $id: string; readonly [keyword: string]: unknown };

const require = createRequire(import.meta.url);

/** Returns the folder in which the build puts compiled validators. */
export function validatorsFolder(): string {
  return join(codeRoot(), 'validators');
}

/** Returns the name of the file with the compiled validators of these schemas: a digest of them. */
export function validatorsFile(schemas: readonly NamedSchema[]): string {
  return `${createHash('sha256').update(JSON.stringify(schemas)).digest('hex').slice(0, 16)}.cjs`;
}

/** Returns the name under which a compiled file exports the validator of the schema at an index. */
export function exportName(index: number): string {
  return `validate${index}`;
}

/**
 * Returns an instance of ajv that knows these schemas and the usual formats.
 * @param options further options of ajv
 */
export function ajvFor(schemas: readonly NamedSchema[], options: object = {}): Ajv2020 {
  // Loaded only where it is needed: that takes a twentieth of a second.
  const { Ajv2020: Ajv } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const addFormats = require('ajv-formats') as (ajv: Ajv2020) => void;
  // Tests validate this package's own schemas with the meta-schema; that of a plugin is validated here.
  const validateSchema = pluginRoots().length > 0;
  const ajv = new Ajv({ allErrors: true, strict: false, verbose: true, validateSchema, ...options });
  addFormats(ajv);
  for (const schema of schemas) ajv.addSchema(schema);
  return ajv;
}

/**
 * Returns a function that gives the validator of the schema with an `$id`, and `undefined` where there is none.
 * @param schemas schemas that refer to each other
 */
export function validatorsOf(schemas: readonly NamedSchema[]): (id: string) => ValidateFunction | undefined {
  let find: ((id: string) => ValidateFunction | undefined) | undefined;
  return (id) => {
    find ??= builtValidators(schemas) ?? compiledValidators(schemas);
    return find(id);
  };
}

function builtValidators(schemas: readonly NamedSchema[]) {
  if (!isBuilt()) return undefined;
  const file = join(validatorsFolder(), validatorsFile(schemas));
  if (!existsSync(file)) return undefined;
  const built = require(file) as Record<string, ValidateFunction>;
  const indexes = new Map(schemas.map(({ $id }, index) => [$id, index]));
  return (id: string) => built[exportName(indexes.get(id) ?? -1)];
}

function compiledValidators(schemas: readonly NamedSchema[]) {
  const ajv = ajvFor(schemas);
  return (id: string) => ajv.getSchema(id);
}
