/** Reads `targets.yaml`: variables filled in, validated, every mistake with file, line and path. */
import { existsSync, readFileSync } from 'node:fs';
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

  fillVariables(doc, chosen, env, (offset) => `${file}:${lines.linePos(offset).line}`);
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

function fillVariables(doc: Document, target: string, env: NodeJS.ProcessEnv, at: (offset: number) => string): void {
  const node = doc.getIn(['targets', target], true);
  if (!isNode(node)) return;
  visit(node, {
    Scalar(_, scalar) {
      if (typeof scalar.value !== 'string' || !scalar.value.includes('${')) return;
      scalar.value = scalar.value.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g, (_all, key: string, fallback?: string) => {
        const value = env[key] || fallback;
        if (value !== undefined) return value;
        throw new UsageError(`${at(scalar.range?.[0] ?? 0)}: the environment variable ${key} is not set`);
      });
    },
  });
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
    if (error.keyword === 'format' || error.keyword === 'oneOf' || error.keyword === 'anyOf') {
      const inOther = error.instancePath.startsWith('/targets/') && error.instancePath.split('/')[2] !== chosen;
      return !inOther && !(typeof error.data === 'string' && error.data.includes('${'));
    }
    return true;
  });
  if (errors.length === 0) return;
  throw new UsageError(
    errors
      .slice(0, 5)
      .map((error) => describe(error, place))
      .join('\n'),
  );
}

function describe(error: ErrorObject, place: (path: string[]) => string): string {
  const path = error.instancePath.split('/').slice(1).map((p) => p.replaceAll('~1', '/').replaceAll('~0', '~'));
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
