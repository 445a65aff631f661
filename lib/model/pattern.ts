/**
 * Returns whether a check id matches one of the patterns; an empty list matches every id. `*` stands for any
 * characters, and case is ignored. A pattern also matches the cases of a requirement: `ADDR-CREATE-STATUS`
 * covers `ADDR-CREATE-STATUS/minimal`.
 */
export function matches(id: string, patterns: readonly string[]): boolean {
  if (patterns.length === 0) return true;
  return patterns.some((pattern) => {
    const source = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${source.join('.*')}(/.*)?$`, 'i').test(id);
  });
}
