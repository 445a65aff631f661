/** `${VARIABLE}` and `${VARIABLE:-default}` in `targets.yaml`. */
import { type Document, isNode, isScalar, visit } from 'yaml';
import type { TargetPart } from '../../schemas/targets.ts';
import { UsageError } from '../model/usage-error.ts';
import { errorsOf, pathOf } from './validate.ts';

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Puts values in the place of variables, in one target; an empty variable counts as one that is not set. A key
 * whose value comes out empty is taken away: `${TOKEN:-}` is how a file says that something may be absent. Where
 * the schema wants a number or a boolean, the text of a variable is read as one.
 *
 * @param at `file:line` of an offset in the file
 * @throws UsageError naming the variable that is not set
 */
export function fillVariables(
  doc: Document,
  target: string,
  env: NodeJS.ProcessEnv,
  parts: readonly TargetPart[],
  at: (offset: number) => string,
): void {
  const node = doc.getIn(['targets', target], true);
  if (!isNode(node)) return;
  const filled = new Set<unknown>();
  visit(node, {
    Scalar(_, scalar) {
      if (typeof scalar.value !== 'string' || !scalar.value.includes('${')) return;
      filled.add(scalar);
      scalar.value = scalar.value.replaceAll(VARIABLE, (_all, name: string, fallback?: string) => {
        const value = env[name] || fallback;
        if (value !== undefined) return value;
        throw new UsageError(`${at(scalar.range?.[0] ?? 0)}: the environment variable ${name} is not set`);
      });
    },
  });
  visit(node, {
    Pair: (_, { value }) =>
      filled.has(value) && isScalar(value) && value.value === '' ? visit.REMOVE : undefined,
  });
  readAsTyped(doc, parts, filled);
}

function readAsTyped(doc: Document, parts: readonly TargetPart[], filled: Set<unknown>): void {
  for (const { keyword, params, instancePath } of errorsOf(doc, parts)) {
    const node = doc.getIn(pathOf(instancePath), true);
    if (keyword !== 'type' || !isScalar(node) || !filled.has(node)) continue;
    const text = String(node.value).trim();
    if (params.type === 'boolean' && /^(true|false)$/.test(text)) node.value = text === 'true';
    if (['number', 'integer'].includes(params.type) && /^-?\d+(\.\d+)?$/.test(text))
      node.value = Number(text);
  }
}
