/** The schemas as others can use them: JSON files that refer to each other, `schemas/<service>/<name>.json`. */
import { agentSchemas } from './agents/index.ts';
import { cacheSchemas } from './caches/index.ts';
import { shippingSchemas } from './shipping/index.ts';

/** Nothing is served there: an identifier. */
const BASE = 'https://api-conformance.invalid/schemas';

const SETS: Record<string, readonly object[]> = {
  agents: agentSchemas,
  caches: cacheSchemas,
  shipping: shippingSchemas,
};

/** Every schema by its path below `schemas/`. Within the code they are named by a bare `$id`; here by address. */
export function publishedSchemas(): Map<string, object> {
  const files = new Map<string, object>();
  for (const [folder, schemas] of Object.entries(SETS)) {
    for (const schema of schemas) {
      const { $id } = schema as { $id: string };
      const path = `${folder}/${$id}.json`;
      files.set(path, { ...(withFileReferences(schema) as object), $id: `${BASE}/${path}` });
    }
  }
  return files;
}

/** The same schema with `$ref: 'Name'` as `Name.json`; references within a schema stay. */
function withFileReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withFileReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string' && !inner.startsWith('#')
        ? [key, inner.replace(/^[^#]+/, '$&.json')]
        : [key, withFileReferences(inner)],
    ),
  );
}
