/**
 * Validates a parsed `targets.yaml` by its schema. Every mistake is reported with file, line, path and the
 * nearest valid name.
 */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { type Document, isMap, isNode, isScalar, type LineCounter } from 'yaml';
import { bearer, PROXY, type TargetPart, targetsSchema } from '../../schemas/targets.ts';
import { tokensOf } from '../model/json-pointer.ts';
import { type NamedSchema, validatorsOf } from '../model/json-schema.ts';
import { UsageError } from '../model/usage-error.ts';
import { wrongAddress } from './addresses.ts';
import { nearest, suggestion } from './nearest.ts';

/** Keys and indexes, from the top of the file. */
export type Path = (string | number)[];

/** Returns `file:line` of a path. */
export type Place = (path: Path) => string;

/** How many mistakes are reported at once. */
const MOST_MISTAKES = 5;
/** How many schema errors are examined. There is a limit because each is compared with the others. */
const MOST_ERRORS = 200;

const compiled = new Map<readonly TargetPart[], ValidateFunction>();

/** Returns the schema errors in the contents of a file. The validator is made on first use and kept. */
export function errorsOf(doc: Document, parts: readonly TargetPart[]): ErrorObject[] {
  const validator = compiled.get(parts) ?? compile(parts);
  compiled.set(parts, validator);
  return validator(doc.toJS()) ? [] : [...(validator.errors ?? [])];
}

function compile(parts: readonly TargetPart[]): ValidateFunction {
  const schema = targetsSchema(parts) as NamedSchema;
  return validatorsOf([schema])(schema.$id) as ValidateFunction;
}

/**
 * Requires that a file is valid. A value with `${…}` is skipped until it is filled in. In targets other than
 * the chosen one, keys and types are validated, but not formats, patterns and alternatives (`anyOf`,
 * `oneOf`).
 * @throws UsageError with a line for each mistake
 */
export function validate(
  doc: Document,
  place: Place,
  chosen: string | undefined,
  parts: readonly TargetPart[],
): void {
  const errors = errorsOf(doc, parts).filter((error) => {
    if (typeof error.data === 'string' && error.data.includes('${')) return false;
    // The error of `propertyNames` itself reports the same mistake.
    if (error.propertyName !== undefined) return false;
    if (!['format', 'pattern', 'oneOf', 'anyOf'].includes(error.keyword)) return true;
    const path = tokensOf(error.instancePath);
    return path[0] !== 'targets' || path[1] === chosen;
  });
  const messages = new Set(
    withoutEchoes(errors.slice(0, MOST_ERRORS)).map((error) => describe(error, place)),
  );
  if (messages.size > 0) throw new UsageError([...messages].slice(0, MOST_MISTAKES).join('\n'));
}

/**
 * Drops errors that another error explains better: those in the branches of a failed `anyOf` or `oneOf`, and
 * the absence of a required key where that key is only misspelt.
 */
function withoutEchoes(errors: ErrorObject[]): ErrorObject[] {
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const misspelt = errors.flatMap((error) =>
    error.keyword === 'additionalProperties' ? [`${error.instancePath}/${meant(error) ?? ''}`] : [],
  );
  return errors.filter((error) => {
    if (choices.some((choice) => error !== choice && error.schemaPath.startsWith(`${choice.schemaPath}/`)))
      return false;
    return (
      error.keyword !== 'required' ||
      !misspelt.includes(`${error.instancePath}/${error.params.missingProperty}`)
    );
  });
}

/** Returns the known key that an unknown one is most similar to. */
function meant(error: ErrorObject): string | undefined {
  return nearest(String(error.params.additionalProperty), knownKeys(error));
}

function knownKeys({ parentSchema }: ErrorObject): string[] {
  return Object.keys((parentSchema as { properties?: object }).properties ?? {});
}

/** Describes one mistake in one line. The value itself is left out, since it may be a secret or hold one. */
function describe(error: ErrorObject, place: Place): string {
  const path = tokensOf(error.instancePath);
  const name = path.join('.') || 'the file';
  const at = (message: string, below: Path = []) => `${place([...path, ...below])}: ${name}: ${message}`;
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(error.params.additionalProperty);
      return at(`unknown key \`${key}\`${suggestion(key, knownKeys(error))}`, [key]);
    }
    case 'propertyNames': {
      const key = String(error.params.propertyName);
      if (path.at(-1) === 'headers')
        return at(`\`${key}\` is no name of a header, or one that the suite sets itself: leave it out`, [
          key,
        ]);
      return at(`the name \`${key}\` may only have letters, digits, dots, hyphens and underscores`, [key]);
    }
    case 'required':
      return at(`the key \`${error.params.missingProperty}\` is missing`);
    case 'minProperties':
      return at('is empty');
    case 'enum': {
      const allowed = (error.params.allowedValues as unknown[]).map(String);
      const meant = nearest(String(error.data), allowed);
      return at(
        `not one of ${allowed.join(', ')}${meant === undefined ? '' : `; did you mean \`${meant}\`?`}`,
      );
    }
    case 'type':
      return at(wrongType(error));
    case 'format':
    case 'pattern':
      if (error.schema === bearer.pattern) return at('has white space, which no token has');
      return at(isAddress(error) ? wrongAddress(String(error.data)) : `must match ${error.schema}`);
    case 'not':
      return at(described(error));
    case 'anyOf':
    case 'oneOf':
      return at(choiceOf(error));
    default:
      return at(error.message ?? error.keyword);
  }
}

/** What the types of JSON Schema are called in messages, in words that people who write YAML use. */
const TYPES: Record<string, string> = {
  object: 'keys with values',
  array: 'a list',
  string: 'text',
  integer: 'a whole number',
};

function wrongType({ params, data, instancePath, parentSchema }: ErrorObject): string {
  const { required = [], properties = {} } = parentSchema as { required?: string[]; properties?: object };
  if (data === null || data === undefined) {
    const keys = required.length > 0 ? required : Object.keys(properties);
    const named = keys.map((key) => `\`${key}\``).join(required.length > 0 ? ' and ' : ', ');
    const needs = keys.length === 0 ? '' : `; it ${required.length > 0 ? 'needs' : 'takes'} ${named}`;
    return `is empty${needs}${instancePath === '' ? ' (`conform init` writes a file)' : ''}`;
  }
  const isUnquoted = params.type === 'string' && ['number', 'boolean'].includes(typeof data);
  const wanted = [params.type].flat().map((type) => TYPES[type] ?? `a ${type}`);
  return `must be ${wanted.join(' or ')}${isUnquoted ? '; put it in quotation marks' : ''}`;
}

/** Returns whether the schema wants a URL here. */
function isAddress({ parentSchema, schema }: ErrorObject): boolean {
  return (parentSchema as { format?: string }).format === 'uri' || schema === PROXY.pattern;
}

/** Says what the alternatives of a schema are: the keys that they require, or else the description. */
function choiceOf({ schema, parentSchema }: ErrorObject): string {
  const keys = (schema as { required?: string[] }[]).map((branch) => branch.required?.join(' with '));
  if (keys.every((key) => key !== undefined)) return `needs one of the keys ${keys.join(', ')}, and only one`;
  return described({ parentSchema });
}

function described({ parentSchema }: Pick<ErrorObject, 'parentSchema'>): string {
  return `not as described: ${(parentSchema as { description?: string }).description ?? ''}`;
}

/** Returns the line of the value at `path`, or that of its nearest parent when there is no such value. */
export function lineOf(doc: Document, lines: LineCounter, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = doc.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    const pair = isMap(parent)
      ? parent.items.find((item) => isScalar(item.key) && item.key.value === key)
      : undefined;
    const node = pair?.key ?? doc.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
