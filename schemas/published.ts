/**
 * The schemas as they are published: JSON files that refer to each other, `schemas/<service>/<name>.json`.
 */
import { agentSchemas } from './agents/index.ts';
import { cacheSchemas } from './caches/index.ts';
import { shippingSchemas } from './shipping/index.ts';

/** The beginning of the published `$id`s. It only identifies: nothing is served there. */
const BASE = 'https://api-conformance.invalid/schemas';

const SETS = {
  agents: agentSchemas,
  caches: cacheSchemas,
  shipping: shippingSchemas,
};

/** Returns the sets of schemas; those of a set refer to each other. */
export function schemaSets() {
  return Object.values(SETS);
}

/**
 * Returns every schema by its path below `schemas/`. In the code their `$id` is a bare name; here it is a
 * URL.
 */
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

/** Returns the schema with `$ref: 'Name'` replaced by `Name.json`; references within a schema stay. */
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
