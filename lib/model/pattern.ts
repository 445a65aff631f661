/**
 * Returns whether a check id matches one of the patterns; an empty list matches every id. `*` stands for any
 * characters, and case is ignored. A pattern also matches the cases of a requirement: `ADDR-CREATE-STATUS`
 * covers `ADDR-CREATE-STATUS/minimal`.
 */
export function matches(id: string, patterns: readonly string[]): boolean {
  return patterns.length === 0 || patterns.some((pattern) => expressionFor(pattern).test(id));
}

/** A few patterns are compared with thousands of ids. */
const expressions = new Map<string, RegExp>();

function expressionFor(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known) return known;
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('.*')}(/.*)?$`, 'i');
  expressions.set(pattern, expression);
  return expression;
}
