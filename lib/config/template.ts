/**
 * Makes a commented `targets.yaml` from the schemas of the services. It contains every key. Keys that are
 * required, or whose values are given, are written as they are; all others are commented out. Secrets are
 * taken from environment variables.
 */
import { stringify } from 'yaml';
import { targetsSchema } from '../../schemas/targets.ts';
import { UsageError } from '../model/usage-error.ts';
import { suggestion } from './nearest.ts';
import { SECRET_KEY } from './secrets.ts';
import type { ServiceConfiguration } from './service.ts';

/** What the file is made from. */
export interface TemplateInput {
  /** Name of the target. */
  name: string;
  /** The services of the target. */
  services: readonly ServiceConfiguration[];
  /** Values by path below the target: `<service>.baseUrl`. */
  values: Readonly<Record<string, string>>;
}

/** The parts of JSON Schema that the configuration uses. */
interface Schema {
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  additionalProperties?: unknown;
  format?: string;
}

/**
 * Returns the text of the file, and the environment variables that it takes values from.
 * @throws UsageError for a value whose path is not in the schemas
 */
export function templateOf({ name, services, values }: TemplateInput): { text: string; variables: string[] } {
  const whole = targetsSchema(services) as { properties: { targets: { additionalProperties: Schema } } };
  const target = whole.properties.targets.additionalProperties;
  const writer = new Writer(values);
  for (const [key, schema] of Object.entries(target.properties ?? {})) {
    // The embedded reference needs no configuration file.
    if (key === 'embedded') continue;
    const isService = services.some((service) => service.name === key);
    writer.write(key, schema, { path: key, indent: 4, live: isService || writer.isGiven(key) });
  }
  const unknown = Object.keys(values).find((path) => !writer.paths.has(path));
  if (unknown !== undefined)
    throw new UsageError(`--set ${unknown}: there is no such key${suggestion(unknown, [...writer.paths])}`);
  const text = [
    '# What each key unlocks: docs/targets.md. A key that stands here as a comment may be left out.',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what the file says
    '# ${VARIABLE} is taken from the environment, ${VARIABLE:-} may be unset; keep secrets there.',
    `default: ${name}`,
    'targets:',
    `  ${name}:`,
    ...writer.lines,
    '',
  ].join('\n');
  return { text, variables: [...writer.variables] };
}

/** Where a key is written, and how. */
interface At {
  path: string;
  indent: number;
  /** False where the key is commented out. */
  live: boolean;
}

class Writer {
  readonly lines: string[] = [];
  readonly variables = new Set<string>();
  /** The paths of all values that the file has, as comments too. */
  readonly paths = new Set<string>();
  readonly #values: Readonly<Record<string, string>>;

  constructor(values: Readonly<Record<string, string>>) {
    this.#values = values;
  }

  /** Returns whether a value is given for a path, or for one below it. */
  isGiven(path: string): boolean {
    return Object.keys(this.#values).some((key) => key === path || key.startsWith(`${path}.`));
  }

  write(key: string, schema: Schema, at: At): void {
    const { description } = schema;
    if (description !== undefined) this.#comment(at, description);
    const inner = schema.properties;
    if (inner && schema.anyOf === undefined && this.#values[at.path] === undefined) {
      this.#line(at, `${key}:`);
      for (const [name, each] of Object.entries(inner)) {
        const path = `${at.path}.${name}`;
        const live = at.live && (schema.required?.includes(name) === true || this.isGiven(path));
        this.write(name, each, { path, indent: at.indent + 2, live });
      }
      return;
    }
    this.#line(at, `${key}: ${this.#valueOf(key, schema, at)}`);
  }

  #valueOf(key: string, schema: Schema, { path, live }: At): string {
    const given = this.#values[path];
    this.paths.add(path);
    for (const [, variable] of given?.matchAll(/\$\{(\w+)\}/g) ?? []) this.variables.add(variable!);
    if (given !== undefined) return scalar(given, schema);
    const isText = schema.type === 'string' || schema.anyOf !== undefined;
    if (isText && (live || SECRET_KEY.test(key)) && schema.format === undefined) {
      const variable = path
        .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
        .replaceAll(/\W+/g, '_')
        .toUpperCase();
      if (live) this.variables.add(variable);
      return `\${${variable}}`;
    }
    return example(schema);
  }

  #line({ indent, live }: At, text: string): void {
    this.lines.push(`${' '.repeat(indent)}${live ? '' : '# '}${text}`);
  }

  /**
   * The description of a key that is commented out begins with two `#`: when a user removes one from each
   * line, the key takes effect and the description is still a comment.
   */
  #comment({ indent, live }: At, text: string): void {
    this.lines.push(`${' '.repeat(indent)}${live ? '#' : '# #'} ${text.replaceAll(/\s+/g, ' ')}`);
  }
}

/** Returns a given value as YAML, in the type that the schema requires. */
function scalar(text: string, { type }: Schema): string {
  if (type === 'array') return flow(text.split(',').map((each) => each.trim()));
  if (type === 'string') return flow(text);
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text;
  if ((type === 'number' || type === 'integer') && /^-?\d+(\.\d+)?$/.test(text)) return text;
  return flow(text);
}

/** Returns an example of a value that the schema allows. */
function example(schema: Schema): string {
  if (schema.enum) return String(schema.enum[0]);
  const type = [schema.type ?? 'object'].flat()[0];
  if (type === 'string') return schema.format === 'uri' ? 'https://api.example.com' : '"…"';
  if (type === 'boolean') return 'true';
  if (type === 'number' || type === 'integer') return '1';
  if (type !== 'array') return '{}';
  const { items = {} } = schema;
  if (!items.properties) return `[${example(items)}]`;
  const members = Object.entries(items.properties).map(([name, each]) => `${name}: ${example(each)}`);
  return `[{ ${members.join(', ')} }]`;
}

function flow(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
}
