/** The ways in which one property of an answer can fail to fit its schema. */
import { resolve, type SchemaNode, type Schemas } from '../kit/walk.ts';

/** One way of breaking a property, in place, on the object that has it. */
export interface Mutation {
  /** Part of the deviation's id, such as `absent`, `null`, `type` or `pattern`. */
  name: string;
  /** Completes the sentence of the deviation. */
  phrase: string;
  apply(object: Record<string, unknown>, property: string): void;
  /** True where the fault is so rare that breaking one of the answers with the property is enough. */
  rare?: boolean;
}

type Json = null | boolean | number | string | unknown[] | Record<string, unknown>;

function typesOf(node: SchemaNode): readonly string[] {
  if (node.type !== undefined) return [node.type].flat();
  const values = node.const !== undefined ? [node.const] : (node.enum ?? []);
  const types = values.map((value) => (Number.isInteger(value) ? 'integer' : typeof value));
  if (types.length > 0) return [...new Set(types)];
  return node.properties !== undefined ? ['object'] : [];
}

/** Returns a value of another JSON type, as a careless serialiser makes it from a good value. */
function otherType(value: unknown, types: readonly string[]): Json {
  if (types.includes('string')) {
    if (typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value)) return Number(value);
    return { value: value ?? null };
  }
  if (types.includes('integer') || types.includes('number')) return String(value ?? 0);
  if (types.includes('boolean')) return value === true ? 'true' : 'false';
  if (types.includes('array')) return { ...(Array.isArray(value) ? value : []) };
  return [value ?? null];
}

function replace(name: string, phrase: string, change: (value: unknown) => unknown): Mutation {
  return {
    name,
    phrase,
    apply: (object, property) => {
      if (Object.hasOwn(object, property)) object[property] = change(object[property]);
    },
  };
}

/** Returns a text that does not match a pattern but resembles the good one as far as possible. */
function mismatch(pattern: string, value: unknown): string {
  const good = String(value);
  const test = new RegExp(pattern, 'u');
  const near = [good.replaceAll('-', ''), `${good}${good.slice(-1)}`, good.slice(1), `x-${good}`, `${good} `];
  return near.find((text) => text !== '' && !test.test(text)) ?? '?';
}

function* constraints(schemas: Schemas, node: SchemaNode, types: readonly string[]): Generator<Mutation> {
  if (node.const !== undefined) {
    const { const: only } = node;
    if (typeof only === 'string') {
      yield replace('const-case', 'the constant is written in another letter case', () =>
        only === only.toLowerCase() ? only.toUpperCase() : only.toLowerCase(),
      );
    }
    if (typeof only === 'number') yield replace('const', 'the constant is halved', () => only / 2);
  }
  if (node.enum !== undefined) {
    yield replace('enum', 'the value is none of those listed', (value) => `other_${String(value)}`);
  }
  const { pattern, format, minimum, maximum } = node;
  if (pattern !== undefined) {
    yield replace('pattern', 'the text does not match the required pattern', (value) =>
      typeof value === 'string' ? mismatch(pattern, value) : value,
    );
  }
  if (format !== undefined) {
    yield replace('format', `the text is not a valid ${format}`, (value) =>
      typeof value === 'string' ? 'not of that format' : value,
    );
  }
  if (types.includes('integer')) {
    yield replace('fraction', 'the number has a fraction', (value) =>
      typeof value === 'number' ? value + 0.5 : value,
    );
  }
  if (minimum !== undefined) yield replace('minimum', 'the number is too small', () => minimum - 1);
  if (maximum !== undefined) yield replace('maximum', 'the number is too large', () => maximum + 1);
  if (node.minLength !== undefined) yield replace('empty', 'the text is empty', () => '');
  if (node.contains?.const !== undefined) {
    const { const: wanted } = node.contains;
    yield replace('contains', `${String(wanted)} is not in the list`, (value) =>
      Array.isArray(value) ? value.filter((item) => item !== wanted) : value,
    );
  }
  if (node.minItems !== undefined) yield replace('empty', 'the list is empty', () => []);
  if (node.items !== undefined) {
    const itemTypes = typesOf(resolve(schemas, node.items));
    yield replace('items', 'an item of the list has the wrong type', (value) =>
      Array.isArray(value) ? value.map((item) => otherType(item, itemTypes)) : value,
    );
  }
}

/**
 * Generates every way of breaking one property of a schema.
 * @param node the property's schema
 * @param required whether the property has to be present
 */
export function* mutationsOf(schemas: Schemas, node: SchemaNode, required: boolean): Generator<Mutation> {
  const resolved = resolve(schemas, node);
  const types = typesOf(resolved);
  const nullable = types.includes('null') || types.length === 0;
  if (required) {
    yield { name: 'absent', phrase: 'it is left out', apply: (object, property) => delete object[property] };
    if (nullable && types.length > 0) {
      yield {
        name: 'absent-when-null',
        phrase: 'it is left out instead of being null',
        apply: (object, property) => {
          if (object[property] === null) delete object[property];
        },
      };
    }
  }
  if (!nullable) yield replace('null', 'it is null', () => null);
  if (types.length > 0) {
    yield replace('type', 'it has another JSON type', (value) =>
      value === null ? value : otherType(value, types),
    );
    if (nullable) {
      const written = replace('null-as-text', 'null is written as text or false', (value) =>
        value === null ? (types.includes('string') ? false : 'null') : value,
      );
      yield { ...written, rare: true };
    }
  }
  yield* constraints(schemas, resolved, types);
}
