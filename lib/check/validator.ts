/**
 * Validates what targets send with JSON Schema 2020-12: reports every field at fault, by JSON pointer, with
 * what was found.
 */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { valueAt } from '../http/answer.ts';
import { escapeToken } from '../model/json-pointer.ts';
import { type NamedSchema, validatorsOf } from '../model/json-schema.ts';

/** One field that does not fit. */
export interface Misfit {
  /** JSON pointer into the value; for a missing property, to where it would be. */
  pointer: string;
  /** What the schema asks for: `string`, `present`, `one of …`. */
  expected: string;
  /** What is there, as short JSON, or `nothing`. */
  found: string;
}

/** The parts of a JSON Schema that tell where its properties are in a value. */
interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

/** Validates against a set of schemas that refer to each other by `$id`. */
export class Validator {
  readonly #schemas: ReadonlyMap<string, Schema>;
  readonly #validators: (id: string) => ValidateFunction | undefined;

  /** @param schemas JSON Schema 2020-12 objects with `$id` */
  constructor(schemas: readonly NamedSchema[]) {
    this.#schemas = new Map(schemas.map((schema) => [schema.$id, schema as Schema]));
    this.#validators = validatorsOf(schemas);
  }

  /** Returns everything in `value` that does not fit the schema named `id`; empty when it fits. */
  check(id: string, value: unknown): Misfit[] {
    const validate = this.#validators(id);
    if (!validate) throw new Error(`no schema named ${id}`);
    if (validate(value)) return [];
    const misfits = new Map<string, Misfit>();
    for (const error of validate.errors ?? []) {
      const misfit = describe(error, value);
      if (misfit && !misfits.has(misfit.pointer)) misfits.set(misfit.pointer, misfit);
    }
    return [...misfits.values()];
  }

  /**
   * Returns where the properties of named schemas are in `value`: `Address/name` -> [`/data/0/address/name`,
   * …]. A property has a place there as soon as the object that ought to have it is there.
   */
  locate(id: string, value: unknown): Map<string, string[]> {
    const places = new Map<string, string[]>();
    this.#walk(this.#schema(id), value, '', id, places);
    return places;
  }

  /**
   * Returns what in `value` does not fit the schema named `id`, by the property at fault, named as in `locate`: the one
   * at the place, or the nearest one above it. What belongs to no property is left out.
   */
  faults(id: string, value: unknown): Map<string, Misfit[]> {
    const faults = new Map<string, Misfit[]>();
    const misfits = this.check(id, value);
    if (misfits.length === 0) return faults;
    const owners = new Map<string, string>();
    for (const [field, pointers] of this.locate(id, value))
      for (const pointer of pointers) owners.set(pointer, field);
    for (const misfit of misfits) {
      const field = ownerOf(misfit.pointer, owners);
      if (field !== undefined) faults.set(field, [...(faults.get(field) ?? []), misfit]);
    }
    return faults;
  }

  #walk(schema: Schema, value: unknown, pointer: string, owner: string, places: Map<string, string[]>): void {
    if (typeof schema.$ref === 'string') {
      this.#walk(this.#schema(schema.$ref), value, pointer, schema.$ref, places);
      return;
    }
    for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) {
      this.#walk(branch, value, pointer, owner, places);
    }
    if (Array.isArray(value)) {
      if (schema.items)
        for (const [i, item] of value.entries())
          this.#walk(schema.items, item, `${pointer}/${i}`, owner, places);
      return;
    }
    if (value === null || typeof value !== 'object') return;
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const field = `${owner}/${name}`;
      const at = `${pointer}/${escapeToken(name)}`;
      const known = places.get(field);
      if (known) known.push(at);
      else places.set(field, [at]);
      this.#walk(property, (value as Record<string, unknown>)[name], at, field, places);
    }
  }

  #schema(id: string): Schema {
    const schema = this.#schemas.get(id);
    if (!schema) throw new Error(`no schema named ${id}`);
    return schema;
  }
}

/** Returns the property that a pointer belongs to: the one at the pointer, or the nearest one above it. */
function ownerOf(pointer: string, owners: ReadonlyMap<string, string>): string | undefined {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const owner = owners.get(at);
    if (owner !== undefined) return owner;
  }
  return undefined;
}

/** Keywords whose errors repeat what their branches say, and name no field of their own. */
const COMBINATORS = new Set(['if', 'allOf', 'not']);

function describe(error: ErrorObject, instance: unknown): Misfit | undefined {
  if (COMBINATORS.has(error.keyword)) return undefined;
  const missing = error.keyword === 'required' ? String(error.params.missingProperty) : undefined;
  const pointer =
    missing === undefined ? error.instancePath : `${error.instancePath}/${escapeToken(missing)}`;
  const value = missing === undefined ? valueAt(instance, pointer) : undefined;
  return {
    pointer,
    expected: expectation(error),
    found: missing === undefined ? short(value) : 'nothing',
  };
}

function expectation(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return 'to be present';
    case 'type':
      return `type ${[params.type].flat().join(' or ')}`;
    case 'const':
      return `the value ${short(params.allowedValue)}`;
    case 'enum':
      return `one of ${short(params.allowedValues)}`;
    case 'pattern':
      return `text that matches ${String(params.pattern)}`;
    case 'format':
      return `format ${String(params.format)}`;
    default:
      return error.message ?? error.keyword;
  }
}

/** Returns a value as JSON, cut off after `limit` characters. */
export function short(value: unknown, limit = 120): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text;
}
