/**
 * Whether a check id is meant by one of the patterns; no pattern means all. `*` stands for anything; a
 * pattern without it also means the cases of a requirement: `ADDR-CREATE-STATUS` covers
 * `ADDR-CREATE-STATUS/minimal`.
 */
export function matches(id: string, patterns: readonly string[]): boolean {
  if (patterns.length === 0) return true;
  return patterns.some((pattern) => {
    const source = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${source.join('.*')}(/.*)?$`, 'i').test(id);
  });
}
