/** Reads `targets.yaml`: variables filled in, validated, every mistake with file, line and path. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { type RunConfig, type TargetConfig, targetsSchema } from '../../schemas/targets.ts';
import { suggestion } from './nearest.ts';
import type { ResolvedTarget } from './types.ts';
import { UsageError } from './usage-error.ts';

/** A target as the file describes it, and what the file says about how to run it. */
export interface LoadedTarget {
  target: ResolvedTarget;
  run: RunConfig;
}

const addFormats = ((addFormatsModule as { default?: unknown }).default ??
  addFormatsModule) as unknown as (ajv: Ajv2020) => void;

/**
 * Loads one target.
 * @param file path of the YAML file
 * @param name of the target; default: the file's `default`, or its only target
 * @param env where `${VARIABLE}` is looked up
 * @throws UsageError naming file, line and path, and the nearest valid name
 */
export function loadTarget(file: string, name: string | undefined, env: NodeJS.ProcessEnv): LoadedTarget {
  if (!existsSync(file)) throw new UsageError(`${file}: no such file; name one with --config`);
  if (!statSync(file).isFile()) throw new UsageError(`${file}: not a file; name one with --config`);
  const lines = new LineCounter();
  const doc = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines });
  const [broken] = doc.errors;
  if (broken) throw new UsageError(`${file}:${lines.linePos(broken.pos[0]).line}: ${broken.message.split('\n')[0]}`);
  const place = (path: (string | number)[]) => `${file}:${lineOf(doc, lines, path)}`;

  const targets = doc.get('targets');
  const names = isMap(targets) ? targets.items.map((item) => String(isScalar(item.key) ? item.key.value : item.key)) : [];
  const fallback = doc.get('default');
  const chosen = name ?? (typeof fallback === 'string' ? fallback : names.length === 1 ? names[0] : undefined);
  validate(doc, place, chosen);
  if (chosen === undefined) throw new UsageError(`${file}: no \`default\`, so name a target with --target; there are ${names.join(', ')}`);
  if (!names.includes(chosen)) throw new UsageError(`${file}: no target \`${chosen}\`${suggestion(chosen, names)}`);

  const filled = fillVariables(doc, chosen, env, (offset) => `${file}:${lines.linePos(offset).line}`);
  readAsTyped(doc, filled);
  // Once more with the values in place: a variable may hold what is no URL.
  validate(doc, place, chosen);
  const config = (doc.toJS() as { targets: Record<string, TargetConfig> }).targets[chosen]!;
  if (!config.embedded && !config.shipping && !config.agents && !config.caches) {
    throw new UsageError(`${place(['targets', chosen])}: target \`${chosen}\` has none of shipping, agents, caches`);
  }
  const target: ResolvedTarget = {
    name: chosen,
    ...(config.title !== undefined && { title: config.title }),
    embedded: config.embedded ?? false,
    ...(config.shipping && { shipping: { ...config.shipping, baseUrl: trimmed(config.shipping.baseUrl) } }),
    ...(config.agents && { agents: withKey(config.agents, dirname(resolve(file)), place(['targets', chosen, 'agents', 'key'])) }),
    ...(config.caches && { caches: { ...config.caches, baseUrl: trimmed(config.caches.baseUrl) } }),
    hooks: config.hooks ?? {},
  };
  return { target, run: config.run ?? {} };
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '');
}

function withKey(agents: NonNullable<TargetConfig['agents']>, folder: string, place: string) {
  const result = { ...agents, baseUrl: trimmed(agents.baseUrl), authUrl: trimmed(agents.authUrl ?? agents.baseUrl) };
  const { key } = agents;
  if (key === undefined) return result;
  let jwk: unknown = key;
  try {
    if (typeof key === 'string') jwk = JSON.parse(key);
    else if ('file' in key && typeof key.file === 'string') jwk = JSON.parse(readFileSync(resolve(folder, key.file), 'utf8'));
  } catch (error) {
    // The text of a key never goes into a message.
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : 'it is not JSON';
    throw new UsageError(`${place}: the key cannot be read: ${why}`);
  }
  if ((jwk as { kty?: unknown; d?: unknown } | null)?.kty !== 'RSA' || typeof (jwk as { d?: unknown }).d !== 'string') {
    throw new UsageError(`${place}: the key is not a private RSA key as a JWK (\`kty\`: RSA, with \`d\`)`);
  }
  return { ...result, key: jwk as { kty: 'RSA' } };
}

/**
 * Puts the values of variables in place. A key whose value comes out empty is taken away: `${TOKEN:-}` is how a
 * file says that something may be absent. Gives the places that were filled.
 */
function fillVariables(doc: Document, target: string, env: NodeJS.ProcessEnv, at: (offset: number) => string): Set<unknown> {
  const filled = new Set<unknown>();
  const node = doc.getIn(['targets', target], true);
  if (!isNode(node)) return filled;
  visit(node, {
    Scalar(_, scalar) {
      if (typeof scalar.value !== 'string' || !scalar.value.includes('${')) return;
      filled.add(scalar);
      scalar.value = scalar.value.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g, (_all, key: string, fallback?: string) => {
        const value = env[key] || fallback;
        if (value !== undefined) return value;
        throw new UsageError(`${at(scalar.range?.[0] ?? 0)}: the environment variable ${key} is not set`);
      });
    },
  });
  visit(node, {
    Pair: (_, { value }) => (filled.has(value) && isScalar(value) && value.value === '' ? visit.REMOVE : undefined),
  });
  return filled;
}

/** Variables hold text; where the schema wants a number or a boolean, a text that is one is read as one. */
function readAsTyped(doc: Document, filled: Set<unknown>): void {
  const valid = validator();
  if (valid(doc.toJS())) return;
  for (const { keyword, params, instancePath } of valid.errors ?? []) {
    const node = doc.getIn(pathOf(instancePath), true);
    if (keyword !== 'type' || !isScalar(node) || !filled.has(node)) continue;
    const text = String(node.value).trim();
    if (params.type === 'boolean' && /^(true|false)$/.test(text)) node.value = text === 'true';
    if ((params.type === 'number' || params.type === 'integer') && /^-?\d+(\.\d+)?$/.test(text)) node.value = Number(text);
  }
}

function pathOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map((p) => p.replaceAll('~1', '/').replaceAll('~0', '~'));
}

let compiled: ValidateFunction | undefined;

function validator(): ValidateFunction {
  if (!compiled) {
    const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
    addFormats(ajv);
    compiled = ajv.compile(targetsSchema);
  }
  return compiled;
}

/** Values with `${…}` are judged once they are filled in, and those of other targets not at all. */
function validate(doc: Document, place: (path: string[]) => string, chosen: string | undefined): void {
  const valid = validator();
  if (valid(doc.toJS())) return;
  const errors = (valid.errors ?? []).filter((error) => {
    if (typeof error.data === 'string' && error.data.includes('${')) return false;
    // Said by `propertyNames` already.
    if (error.propertyName !== undefined) return false;
    if (!['format', 'pattern', 'oneOf', 'anyOf'].includes(error.keyword)) return true;
    return !(error.instancePath.startsWith('/targets/') && error.instancePath.split('/')[2] !== chosen);
  });
  if (errors.length === 0) return;
  const messages = new Set(errors.map((error) => describe(error, place)));
  throw new UsageError([...messages].slice(0, 5).join('\n'));
}

function describe(error: ErrorObject, place: (path: string[]) => string): string {
  const path = pathOf(error.instancePath);
  const name = path.join('.') || 'the file';
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params.additionalProperty);
    const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {});
    return `${place([...path, key])}: ${name}: unknown key \`${key}\`${suggestion(key, known)}`;
  }
  if (error.keyword === 'required') return `${place(path)}: ${name}: the key \`${error.params.missingProperty}\` is missing`;
  if (error.keyword === 'enum') {
    const allowed = error.params.allowedValues as string[];
    return `${place(path)}: ${name}: not a valid value${suggestion(String(error.data), allowed.map(String))}`;
  }
  if (error.keyword === 'propertyNames') {
    const key = String(error.params.propertyName);
    return `${place([...path, key])}: ${name}: the name \`${key}\` may only have letters, digits, dots, hyphens and underscores`;
  }
  // The value itself stays out of the message: an address may hold a password.
  if (error.keyword === 'format' || error.keyword === 'pattern') return `${place(path)}: ${name}: not an http or https URL`;
  return `${place(path)}: ${name}: ${error.message}`;
}

/** The line of a path; where the path ends early, that of its nearest parent. */
function lineOf(doc: Document, lines: LineCounter, path: (string | number)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = doc.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    const pair = isMap(parent) ? parent.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
    const node = pair?.key ?? doc.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
