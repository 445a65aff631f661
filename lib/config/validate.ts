/** Judges a parsed `targets.yaml` by its schema; every mistake with file, line, path and the nearest valid name. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { type Document, isMap, isNode, isScalar, type LineCounter } from 'yaml';
import { type TargetPart, targetsSchema } from '../../schemas/targets.ts';
import { pluginRoots } from '../model/paths.ts';
import { UsageError } from '../model/usage-error.ts';
import { nearest, suggestion } from './nearest.ts';

/** Keys and indexes from the top of the file. */
export type Path = (string | number)[];

/** `file:line` of a path. */
export type Place = (path: Path) => string;

const addFormats = ((addFormatsModule as { default?: unknown }).default ?? addFormatsModule) as unknown as (
  ajv: Ajv2020,
) => void;

/** More mistakes than this at once are not told. */
const MOST_MISTAKES = 5;
/** More errors of the schema than this are not looked at: each is compared with the others. */
const MOST_ERRORS = 200;

const compiled = new Map<readonly TargetPart[], ValidateFunction>();

/** What is wrong with the contents of a file, as the schema says; made on first use. */
export function errorsOf(doc: Document, parts: readonly TargetPart[]): ErrorObject[] {
  const validator = compiled.get(parts) ?? compile(parts);
  compiled.set(parts, validator);
  return validator(doc.toJS()) ? [] : [...(validator.errors ?? [])];
}

function compile(parts: readonly TargetPart[]): ValidateFunction {
  // Tests hold this package's own schemas against the meta-schema; those of a plugin are anybody's.
  const validateSchema = pluginRoots().length > 0;
  const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, validateSchema });
  addFormats(ajv);
  return ajv.compile(targetsSchema(parts));
}

/**
 * Throws a `UsageError` with a line for each mistake. Values with `${…}` are judged once they are filled in, and
 * the values of other targets than the chosen one not at all.
 */
export function validate(
  doc: Document,
  place: Place,
  chosen: string | undefined,
  parts: readonly TargetPart[],
): void {
  const errors = errorsOf(doc, parts).filter((error) => {
    if (typeof error.data === 'string' && error.data.includes('${')) return false;
    // Said by `propertyNames` already.
    if (error.propertyName !== undefined) return false;
    if (!['format', 'pattern', 'oneOf', 'anyOf'].includes(error.keyword)) return true;
    const path = pathOf(error.instancePath);
    return path[0] !== 'targets' || path[1] === chosen;
  });
  const messages = new Set(
    withoutEchoes(errors.slice(0, MOST_ERRORS)).map((error) => describe(error, place)),
  );
  if (messages.size > 0) throw new UsageError([...messages].slice(0, MOST_MISTAKES).join('\n'));
}

/** Without what another error says better: the branches of a choice, and the right name of a misspelt key. */
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

/** The known key that an unknown one is most like. */
function meant(error: ErrorObject): string | undefined {
  return nearest(String(error.params.additionalProperty), knownKeys(error));
}

function knownKeys({ parentSchema }: ErrorObject): string[] {
  return Object.keys((parentSchema as { properties?: object }).properties ?? {});
}

/** One mistake in one line. The value itself stays out of it: it may be a secret, or hold one. */
function describe(error: ErrorObject, place: Place): string {
  const path = pathOf(error.instancePath);
  const name = path.join('.') || 'the file';
  const at = (message: string, below: Path = []) => `${place([...path, ...below])}: ${name}: ${message}`;
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(error.params.additionalProperty);
      return at(`unknown key \`${key}\`${suggestion(key, knownKeys(error))}`, [key]);
    }
    case 'propertyNames': {
      const key = String(error.params.propertyName);
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
      return at(isAddress(error) ? wrongAddress(String(error.data)) : `must match ${error.schema}`);
    case 'anyOf':
    case 'oneOf':
      return at(choiceOf(error));
    default:
      return at(error.message ?? error.keyword);
  }
}

/** The names that people who write YAML have for the types of JSON Schema. */
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

/** Whether the value has to be the address of something. */
function isAddress({ parentSchema }: ErrorObject): boolean {
  return (parentSchema as { format?: string }).format === 'uri';
}

/** What is wrong with an address; it is not repeated, since it may hold a password. */
function wrongAddress(text: string): string {
  if (/^https?:\/\//i.test(text))
    return /@/.test(text.split(/[/?#]/)[2] ?? '')
      ? 'a URL without user and password is wanted: credentials have keys of their own'
      : 'not a URL';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return 'not an http or https URL';
  return 'write the scheme too: `http://` or `https://`, then the host';
}

/** What there is to choose from: keys, or whatever the description says. */
function choiceOf({ schema, parentSchema }: ErrorObject): string {
  const keys = (schema as { required?: string[] }[]).map((branch) => branch.required?.join(' with '));
  if (keys.every((key) => key !== undefined)) return `needs one of the keys ${keys.join(', ')}, and only one`;
  return `not as described: ${(parentSchema as { description?: string }).description ?? ''}`;
}

/** A JSON pointer as keys. */
export function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The line of a path; where the path ends early, that of its nearest parent. */
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
