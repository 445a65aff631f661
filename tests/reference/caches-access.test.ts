import { describe, expect, test } from 'vitest';
import {
  allCategories,
  allScopes,
  cacheRules,
  defaultWorld,
  endpoints,
  type Operation,
} from '../../reference/caches/index.ts';
import { cache, cachesClient, FULL, type Json } from './caches-client.ts';

const operations = Object.keys(endpoints) as Operation[];
const names: Record<string, string> = { enterprise: 'acme-enterprise', org: 'Acme-Apps', owner: 'Acme-Apps' };
const changing = (operation: Operation) => endpoints[operation].method !== 'GET';

/** A request to one operation, on a private repository unless told otherwise. */
function requestOf(operation: Operation, id: number, repo = 'Payments') {
  const { method, path } = endpoints[operation];
  const values: Record<string, string> = { ...names, repo, cache_id: String(id) };
  const filled = path.replaceAll(/:(\w+)/g, (_, name) => values[name] ?? '');
  const property = /retention/.test(path) ? 'max_cache_retention_days' : 'max_cache_size_gb';
  return {
    method,
    path: operation === 'delete-by-key' ? `${filled}?key=npm-linux` : filled,
    body: method === 'PUT' ? { [property]: 5 } : undefined,
  };
}

/** Sends one operation as `token`; tells whether it was served, and whether anything changed. */
async function attempt(operation: Operation, token: string | null, repo = 'Payments') {
  const client = cachesClient();
  const [seeded] = client.seed([cache({ repository: `Acme-Apps/${repo}` })]);
  const { method, path, body } = requestOf(operation, seeded?.id ?? 0, repo);
  const reading = method === 'PUT' ? path : `/repos/Acme-Apps/${repo}/actions/caches`;
  const before = await client.get(reading);
  const answer = await client.send(method, path, { token, body });
  const after = await client.get(reading);
  return {
    ...answer,
    served: answer.status < 300,
    changed: JSON.stringify(before.body) !== JSON.stringify(after.body),
  };
}

test('the table has every row once', () => {
  const numbers = operations.map((operation) => endpoints[operation].number);
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 18 }, (_, i) => i + 1));
});

describe.each(operations)('%s', (operation) => {
  const { scope, category, access } = cacheRules.needs[operation];

  test('is served to the scope of its row and no other', async () => {
    const served: string[] = [];
    for (const each of allScopes) {
      const token = `classic-only-${each.replaceAll(':', '-')}`;
      const { status, served: ok, changed } = await attempt(operation, token);
      if (ok) served.push(each);
      else expect([status, changed]).toEqual([403, false]);
      expect(changed).toBe(ok && changing(operation));
    }
    expect(served).toEqual([scope]);
    const without = await attempt(operation, `classic-without-${scope.replaceAll(':', '-')}`);
    expect([without.status, without.changed]).toEqual([403, false]);
    expect((await attempt(operation, 'classic-none')).status).toBe(403);
  });

  test('is served to the permission of its row and no other', async () => {
    const served: string[] = [];
    for (const each of allCategories) {
      for (const level of ['read', 'write']) {
        const token = `fine-only-${each.replace('/', '-')}-${level}`;
        const { served: ok, changed } = await attempt(operation, token);
        if (ok) served.push(`${each}:${level}`);
        expect(changed).toBe(ok && changing(operation));
      }
    }
    expect(served).toEqual(
      access === 'read' ? [`${category}:read`, `${category}:write`] : [`${category}:write`],
    );
    expect((await attempt(operation, 'fine-full')).served).toBe(true);
    expect((await attempt(operation, `fine-without-${category.replace('/', '-')}`)).status).toBe(403);
  });

  test.each([null, 'made-up', ''])('is refused to the token %j, with a challenge', async (token) => {
    const { status, headers, changed } = await attempt(operation, token);
    expect([status, changed, headers.get('www-authenticate')]).toEqual([401, false, 'Bearer']);
  });

  test('is refused to an account without the access, whatever its token says', async () => {
    const reads = operation === 'repository-usage' || operation === 'list';
    expect((await attempt(operation, 'classic-reader')).served).toBe(reads);
    expect((await attempt(operation, 'classic-stranger')).served).toBe(false);
  });
});

describe('public repository', () => {
  test.each(['repository-usage', 'list'] as const)('%s needs no token', async (operation) => {
    for (const token of [null, 'classic-none', 'classic-stranger']) {
      expect((await attempt(operation, token, 'Web-Shop')).status).toBe(200);
    }
    expect((await attempt(operation, 'made-up', 'Web-Shop')).status).toBe(401);
  });

  test.each(['delete-by-key', 'delete-by-id', 'read-repository-retention'] as const)(
    '%s needs one',
    async (operation) => {
      expect((await attempt(operation, null, 'Web-Shop')).status).toBe(401);
      expect((await attempt(operation, 'classic-none', 'Web-Shop')).status).toBe(403);
    },
  );
});

describe('headers', () => {
  const path = '/enterprises/acme-enterprise/actions/cache/retention-limit';

  test.each([
    [{ 'x-service-api-version': '2026-03-10' }, 200],
    [{ 'x-service-api-version': '1999-01-01' }, 400],
    [{ accept: 'application/vnd.service+json' }, 200],
    [{ accept: 'text/html' }, 200],
    [{ authorization: `bearer ${FULL}` }, 200],
    [{ authorization: `token ${FULL}` }, 200],
    [{ authorization: `Basic ${FULL}` }, 401],
  ])('%j answers %i', async (headers, status) => {
    const client = cachesClient();
    const answer = await client.send('GET', path, { headers });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('application/json');
  });
});

test('every token of the default world has a value of its own', () => {
  const values = defaultWorld.tokens.map(({ token }) => token);
  expect(new Set(values).size).toBe(values.length);
});

test('an unknown path answers 404 in JSON', async () => {
  const { status, body }: Json = await cachesClient().get('/orgs/Acme-Apps/actions/cache/retention-limit');
  expect([status, body]).toEqual([404, { message: 'there is no such endpoint' }]);
});
