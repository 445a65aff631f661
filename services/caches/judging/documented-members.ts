import type { Answer } from '../../../lib/http/answer.ts';

/** Members of the answers of endpoints 9, 10, 15 and 16 that the specification names (section 2). */
const DOCUMENTED = new Set([
  'total_count',
  'actions_caches',
  'repository_cache_usages',
  'total_active_caches_size_in_bytes',
  'total_active_caches_count',
  'full_name',
  'active_caches_size_in_bytes',
  'active_caches_count',
  'id',
  'ref',
  'key',
  'version',
  'created_at',
  'size_in_bytes',
]);

/**
 * Returns the documented members of an answer, for comparing two answers: a service may add members that
 * differ from answer to answer. `last_accessed_at` is left out, since it may change between two requests.
 */
export function documentedPart(answer: Answer): unknown {
  return documented(answer.json);
}

function documented(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(documented);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([name]) => DOCUMENTED.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, documented(inner)]));
}
