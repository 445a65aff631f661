/**
 * Our schemas against the OpenAPI description that the original vendor publishes of the same operations.
 * Every difference is listed with the reason why the specification is followed instead.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { type Endpoint, endpoints, type Operation } from '../../reference/caches/index.ts';
import { cacheSchemas } from '../../schemas/caches/index.ts';

interface Schema {
  $id?: string;
  $ref?: string;
  type?: string;
  format?: string;
  pattern?: string;
  minimum?: number;
  required?: readonly string[];
  items?: Schema;
  properties?: Record<string, Schema>;
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: { type: string; default?: unknown; enum?: string[] };
}
type Content = Record<string, { schema: Schema }>;
interface OpenApiOperation {
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { content: Content };
  responses: Record<string, { $ref?: string; headers?: Record<string, unknown>; content?: Content }>;
}
interface Document {
  paths: Record<string, Record<string, OpenApiOperation>>;
}

const file = createRequire(import.meta.url).resolve('@octokit/openapi/generated/api.github.com.json');
const description = JSON.parse(readFileSync(file, 'utf8')) as Document;

/** What a reference within the description points at. */
function resolve<Value extends object>(value: Value | { $ref: string }): Value {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as Value;
  const parts = value.$ref.slice('#/'.length).split('/');
  return parts.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], description) as Value;
}

/** The answer and the body that each operation has in our reading. */
const answers: Partial<Record<Operation, string>> = {
  'organization-usage': 'OrganizationUsage',
  'usage-by-repository': 'OrganizationUsageByRepository',
  'repository-usage': 'RepositoryUsage',
  list: 'CacheList',
  'delete-by-key': 'CacheList',
};
const bodies: Partial<Record<Operation, string>> = {};
for (const level of ['enterprise', 'organization', 'repository'] as const) {
  answers[`read-${level}-retention`] = 'RetentionLimit';
  answers[`read-${level}-storage`] = 'StorageLimit';
  bodies[`set-${level}-retention`] = 'SetRetentionLimit';
  bodies[`set-${level}-storage`] = 'SetStorageLimit';
}

function ours(id: string): Schema {
  const found = (cacheSchemas as readonly Schema[]).find((schema) => schema.$id === id);
  if (found === undefined) throw new Error(`no schema ${id}`);
  return found;
}

/** Differences between our schema and theirs, one line each, walking both. */
function differences(mine: Schema, theirs: Schema, at: string): string[] {
  const left = mine.$ref === undefined ? mine : ours(mine.$ref);
  const right = resolve(theirs);
  const name = left.$id ?? at;
  const found: string[] = [];
  if (left.type !== right.type) found.push(`${name}: type ${left.type}, theirs ${right.type}`);
  if (left.format !== right.format) found.push(`${name}: format ${left.format}, theirs ${right.format}`);
  if (left.pattern !== right.pattern) found.push(`${name}: pattern, theirs ${right.pattern ?? 'none'}`);
  if (left.minimum !== right.minimum) {
    found.push(`${name}: minimum ${left.minimum}, theirs ${right.minimum ?? 'none'}`);
  }
  const names = new Set([...Object.keys(left.properties ?? {}), ...Object.keys(right.properties ?? {})]);
  for (const property of names) {
    const [a, b] = [left.properties?.[property], right.properties?.[property]];
    if (a === undefined || b === undefined) {
      found.push(`${name}/${property}: only ${a === undefined ? 'theirs' : 'ours'}`);
      continue;
    }
    const [needed, theirsNeeded] = [left, right].map(
      (schema) => schema.required?.includes(property) ?? false,
    );
    if (needed !== theirsNeeded) {
      found.push(`${name}/${property}: required ${needed}, theirs ${theirsNeeded}`);
    }
    found.push(...differences(a, b, `${name}/${property}`));
  }
  if (left.items && right.items) found.push(...differences(left.items, right.items, `${name}[]`));
  else if (left.items || right.items) found.push(`${name}: items only ${left.items ? 'ours' : 'theirs'}`);
  return found;
}

/** An operation as it is described, under the path that it has here. */
function described({ method, path }: Endpoint): OpenApiOperation {
  const operation = description.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not described`);
  return operation;
}

function schemaOf(content: Content | undefined): Schema {
  const schema = content?.['application/json']?.schema;
  if (schema === undefined) throw new Error('no JSON body is described');
  return schema;
}

const operations = Object.entries(endpoints) as [Operation, Endpoint][];
const success = (operation: OpenApiOperation): string =>
  Object.keys(operation.responses).find((status) => status.startsWith('2')) ?? 'none';

/** A property that section 2 shows without calling it optional is always there. */
const PRESENT = 'section 2 lists the property of the resource and calls none optional';
/** Why the specification, as we read it, is followed where the two differ. */
const reasons: Record<string, string> = {
  'RetentionLimit/max_cache_retention_days: required true, theirs false': PRESENT,
  'StorageLimit/max_cache_size_gb: required true, theirs false': PRESENT,
  'SetRetentionLimit/max_cache_retention_days: required true, theirs false':
    'it is the only content of the body in section 4; leaving it out is a silence that no check fails',
  'SetStorageLimit/max_cache_size_gb: required true, theirs false':
    'it is the only content of the body in section 4; leaving it out is a silence that no check fails',
  'CacheEntry/id: required true, theirs false': PRESENT,
  'CacheEntry/ref: required true, theirs false': PRESENT,
  'CacheEntry/key: required true, theirs false': PRESENT,
  'CacheEntry/version: required true, theirs false': PRESENT,
  'CacheEntry/last_accessed_at: required true, theirs false': PRESENT,
  'CacheEntry/created_at: required true, theirs false': PRESENT,
  'CacheEntry/size_in_bytes: required true, theirs false': PRESENT,
  'CacheEntry/ref: pattern, theirs none': 'section 2 says a full Git reference, which begins with refs/',
  'CacheEntry/last_accessed_at: pattern, theirs none': 'section 2 says ISO 8601 in UTC; a pattern asserts it',
  'CacheEntry/last_accessed_at: format undefined, theirs date-time':
    'date-time allows offsets other than UTC, which section 2 does not',
  'CacheEntry/created_at: pattern, theirs none': 'section 2 says ISO 8601 in UTC; a pattern asserts it',
  'CacheEntry/created_at: format undefined, theirs date-time':
    'date-time allows offsets other than UTC, which section 2 does not',
  'RepositoryUsage/full_name: pattern, theirs none': 'section 2 says owner/repository form for the same name',
  'RepositoryCacheUsage/full_name: pattern, theirs none': 'section 2 says owner/repository form',
  ...Object.fromEntries(
    [
      'CacheEntry/size_in_bytes',
      'CacheList/total_count',
      'OrganizationUsage/total_active_caches_size_in_bytes',
      'OrganizationUsage/total_active_caches_count',
      'OrganizationUsageByRepository/total_count',
      'RepositoryUsage/active_caches_size_in_bytes',
      'RepositoryUsage/active_caches_count',
      'RepositoryCacheUsage/active_caches_size_in_bytes',
      'RepositoryCacheUsage/active_caches_count',
    ].map((name) => [`${name}: minimum 0, theirs none`, 'sizes and counts are not below zero']),
  ),
};

describe('the description of the original vendor', () => {
  test.each(operations)('has %s with the success status of section 4', (operation, endpoint) => {
    const status = answers[operation] === undefined ? '204' : '200';
    expect(success(described(endpoint))).toBe(status);
  });

  test('lists the refusals of section 4', () => {
    for (const [, endpoint] of operations) {
      const refusals = Object.keys(described(endpoint).responses).filter((status) => status >= '400');
      const limit = endpoint.path.endsWith('-limit');
      const expected = !limit ? [] : endpoint.method === 'PUT' ? ['400', '403', '404'] : ['403', '404'];
      expect([endpoint.number, refusals.sort()]).toEqual([endpoint.number, expected]);
    }
  });

  test('differs from our schemas only where the specification says otherwise', () => {
    const found = new Set<string>();
    for (const [operation, endpoint] of operations) {
      const theirs = described(endpoint);
      const answer = answers[operation];
      if (answer !== undefined) {
        const content = resolve(theirs.responses['200'] ?? {}).content;
        for (const line of differences(ours(answer), schemaOf(content), answer)) found.add(line);
      }
      const body = bodies[operation];
      if (body !== undefined) {
        for (const line of differences(ours(body), schemaOf(theirs.requestBody?.content), body))
          found.add(line);
      }
    }
    expect([...found].sort()).toEqual(Object.keys(reasons).sort());
  });

  test('has the query parameters of section 4, with their defaults', () => {
    const query = (operation: Operation) =>
      described(endpoints[operation])
        .parameters.map((parameter) => resolve<Parameter>(parameter))
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, required = false, schema }) => [
          name,
          schema.type,
          schema.default,
          required,
          schema.enum,
        ]);
    expect(query('usage-by-repository')).toEqual([
      ['per_page', 'integer', 30, false, undefined],
      ['page', 'integer', 1, false, undefined],
    ]);
    expect(query('list')).toEqual([
      ['per_page', 'integer', 30, false, undefined],
      ['page', 'integer', 1, false, undefined],
      ['ref', 'string', undefined, false, undefined],
      ['key', 'string', undefined, false, undefined],
      ['sort', 'string', 'last_accessed_at', false, ['created_at', 'last_accessed_at', 'size_in_bytes']],
      ['direction', 'string', 'desc', false, ['asc', 'desc']],
    ]);
    expect(query('delete-by-key')).toEqual([
      ['key', 'string', undefined, true, undefined],
      ['ref', 'string', undefined, false, undefined],
    ]);
    for (const [operation, { path }] of operations) {
      if (/usage-by|caches$/.test(path)) continue;
      expect(query(operation)).toEqual([]);
    }
  });

  test('announces Link where this specification is silent: on paged answers and on organization usage', () => {
    const linked = operations.filter(([, endpoint]) => {
      const operation = described(endpoint);
      return 'Link' in (resolve(operation.responses[success(operation)] ?? {}).headers ?? {});
    });
    // Organization usage is one object without pages, so that nothing could be linked to.
    expect(linked.map(([operation]) => operation).sort()).toEqual([
      'list',
      'organization-usage',
      'usage-by-repository',
    ]);
  });
});
