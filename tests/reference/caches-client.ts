/** A small client for the tests of the cache reference: through the handler, on a clock that stands still. */
import { type CachesOptions, createCaches, type SeedCache } from '../../reference/caches/index.ts';
import { manualClock } from '../../reference/kit/clock.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by the tests
export type Json = any;

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed; undefined where there was none. */
  body: Json;
}

export const NOW = Date.UTC(2030, 0, 15, 12);
export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
export const FULL = 'classic-full';

/** A seed with everything filled in that a test does not care about. */
export function cache(values: Partial<SeedCache> & { repository?: string } = {}): SeedCache {
  const { repository = 'Acme-Apps/Payments', ...rest } = values;
  const [owner = '', repo = ''] = repository.split('/');
  return {
    owner,
    repo,
    key: 'npm-linux',
    ref: 'refs/heads/main',
    size_in_bytes: 1000,
    created_at: new Date(NOW - DAY).toISOString(),
    last_accessed_at: new Date(NOW - 60 * MINUTE).toISOString(),
    ...rest,
  };
}

/** `count` caches with keys of their own, each a minute older than the one before. */
export function caches(count: number, values: Parameters<typeof cache>[0] = {}): SeedCache[] {
  return Array.from({ length: count }, (_, i) =>
    cache({
      key: `key-${i + 1}`,
      last_accessed_at: new Date(NOW - (i + 1) * MINUTE).toISOString(),
      ...values,
    }),
  );
}

/** A service of its own and a client for it. */
export function cachesClient(options: Partial<CachesOptions> = {}) {
  const clock = options.clock ?? manualClock(NOW);
  const service = createCaches({ ...options, clock });

  /** One request as `token` (null: without any); a body that is no text is sent as JSON. */
  async function send(
    method: string,
    path: string,
    { token = FULL as string | null, body = undefined as unknown, headers = {} } = {},
  ): Promise<Answer> {
    const response = await service.handle(
      new Request(`http://caches.example${path}`, {
        method,
        headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  return {
    clock,
    seed: service.seed,
    unseed: service.unseed,
    handle: service.handle,
    send,
    get: (path: string) => send('GET', path),
    put: (path: string, body?: unknown) => send('PUT', path, { body }),
    delete: (path: string) => send('DELETE', path),
    /** Keys of a repository's list, in the order of the answer. */
    async keys(query = '', repository = 'Acme-Apps/Payments'): Promise<string[]> {
      const { body } = await send('GET', `/repos/${repository}/actions/caches${query}`);
      return body.actions_caches.map(({ key }: Json) => key);
    },
  };
}

export const LIST = '/repos/Acme-Apps/Payments/actions/caches';

export const LIMITS = {
  retention: { path: 'retention-limit', property: 'max_cache_retention_days' },
  storage: { path: 'storage-limit', property: 'max_cache_size_gb' },
} as const;
export const ENTERPRISE = '/enterprises/acme-enterprise/actions/cache';
export const ORGANIZATION = '/organizations/Acme-Apps/actions/cache';
export const OTHER_ORGANIZATION = '/organizations/Acme-Tools/actions/cache';
export const REPOSITORY = '/repos/Acme-Apps/Payments/actions/cache';
export const OTHER_REPOSITORY = '/repos/Acme-Apps/Ledger/actions/cache';
export const NAMESAKE = '/repos/Acme-Tools/Payments/actions/cache';
