/** Fills in `${VARIABLE}` and `${VARIABLE:-default}` in `targets.yaml`. */
import { type Document, isNode, isPair, isScalar, type Node, visit } from 'yaml';
import type { TargetPart } from '../../schemas/targets.ts';
import { tokensOf } from '../model/json-pointer.ts';
import { UsageError } from '../model/usage-error.ts';
import { errorsOf } from './validate.ts';

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** A variable as shells take it, and this file does not. */
const WITHOUT_BRACES = /^\$[A-Z][A-Z0-9_]{2,}$/;

/**
 * Requires that every `${` in a target begins a variable. The command of a hook may have others, which are its shell's.
 * @throws UsageError for the first that does not
 */
function requireVariables(node: Node, at: (offset: number) => string): void {
  visit(node, {
    Pair: (_, { key }) => (isScalar(key) && key.value === 'command' ? visit.SKIP : undefined),
    Scalar(_, { value, range }) {
      if (typeof value !== 'string') return;
      const isBroken = value.replaceAll(VARIABLE, '').includes('${');
      if (!isBroken && !WITHOUT_BRACES.test(value)) return;
      throw new UsageError(
        `${at(range?.[0] ?? 0)}: what begins with \`$\` is no variable: write \`\${NAME}\` or \`\${NAME:-default}\`, the name of letters, digits and underscores`,
      );
    },
  });
}

/** A key of a target that was removed because the variables in its value are not set. */
export interface LeftOut {
  /** Below the target: `<service>.token`. */
  key: string;
  variables: string[];
}

/**
 * Replaces the variables in one target by their values; an empty variable counts as one that is not set. A
 * key whose value becomes empty is removed: with `${TOKEN:-}` a file says that a value may be absent. Where
 * the schema wants a number or a boolean, the text of a variable is converted to one.
 *
 * @param at returns `file:line` of an offset in the file
 * @returns the keys that were removed
 * @throws UsageError naming the variables that are not set
 */
export function fillVariables(
  doc: Document,
  target: string,
  env: NodeJS.ProcessEnv,
  parts: readonly TargetPart[],
  at: (offset: number) => string,
): LeftOut[] {
  const node = doc.getIn(['targets', target], true);
  if (!isNode(node)) return [];
  requireVariables(node, at);
  const filled = new Set<unknown>();
  const unset = new Map<unknown, string[]>();
  const left: LeftOut[] = [];
  const missing = new Map<string, string>();
  visit(node, {
    Scalar(_, scalar) {
      if (typeof scalar.value !== 'string' || !scalar.value.includes('${')) return;
      filled.add(scalar);
      scalar.value = scalar.value.replaceAll(VARIABLE, (_all, name: string, fallback?: string) => {
        const value = env[name] || fallback;
        if (value === '') unset.set(scalar, [...(unset.get(scalar) ?? []), name]);
        if (value !== undefined) return value;
        missing.set(name, missing.get(name) ?? at(scalar.range?.[0] ?? 0));
        return '';
      });
    },
  });
  const [first] = missing.values();
  if (first !== undefined) {
    const names = [...missing.keys()].join(', ');
    throw new UsageError(
      `${first}: the environment ${missing.size > 1 ? 'variables' : 'variable'} ${names} ${missing.size > 1 ? 'are' : 'is'} not set`,
    );
  }
  visit(node, {
    Pair: (_, pair, path) => {
      const { value } = pair;
      if (!filled.has(value) || !isScalar(value) || value.value !== '') return undefined;
      const keys = [...path.filter(isPair), pair].map(({ key }) => String(isScalar(key) ? key.value : key));
      left.push({ key: keys.join('.'), variables: unset.get(value) ?? [] });
      return visit.REMOVE;
    },
  });
  readAsTyped(doc, parts, filled);
  return left;
}

function readAsTyped(doc: Document, parts: readonly TargetPart[], filled: Set<unknown>): void {
  for (const { keyword, params, instancePath } of errorsOf(doc, parts)) {
    const node = doc.getIn(tokensOf(instancePath), true);
    if (keyword !== 'type' || !isScalar(node) || !filled.has(node)) continue;
    const text = String(node.value).trim();
    if (params.type === 'boolean' && /^(true|false)$/.test(text)) node.value = text === 'true';
    if (['number', 'integer'].includes(params.type) && /^-?\d+(\.\d+)?$/.test(text))
      node.value = Number(text);
  }
}
