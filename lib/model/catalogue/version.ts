/** The version of a catalogue. A report states it, so that a reader knows what was demanded. */
import { createHash } from 'node:crypto';
import type { Catalogue } from './types.ts';

/**
 * Returns the version that the catalogue states, with a digest of what its entries demand:
 * `1.2.0+5f0c0a8b3d21`. Two catalogues with the same digest demand the same; the order, causes and titles of
 * entries do not affect it.
 */
export function catalogueVersion({ version = '0.0.0', requirements }: Catalogue): string {
  const demands = requirements.map(({ id, level, statement }) => [id, level, statement.trim()]);
  demands.sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return `${version}+${createHash('sha256').update(JSON.stringify(demands)).digest('hex').slice(0, 12)}`;
}
