/** The reference is good enough for the original vendor's own client, changed in its base URL only. */
import { Octokit } from '@octokit/core';
import {
  legacyRestEndpointMethods,
  type RestEndpointMethodTypes,
} from '@octokit/plugin-rest-endpoint-methods';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CachesService, createCaches, defaultNames } from '../../reference/caches/index.ts';
import { manualClock } from '../../reference/kit/clock.ts';
import { type Listening, listen } from '../../reference/kit/listen.ts';
import { mount } from '../../reference/kit/mount.ts';
import { caches, FULL, MINUTE, NOW } from './caches-client.ts';

const Client = Octokit.plugin(legacyRestEndpointMethods);
const enterprise = defaultNames.enterprise;
const org = defaultNames.organization;
const owner = org;
const repo = 'Payments';
const clock = manualClock(NOW);

let service: CachesService;
let server: Listening;
let octokit: InstanceType<typeof Client>;

beforeAll(async () => {
  service = createCaches({ clock });
  server = await listen(mount({ '/caches': service.handle }));
  octokit = new Client({ auth: FULL, baseUrl: `${server.url}/caches` });
});
afterAll(() => server.close());

type Answer<Method extends keyof RestEndpointMethodTypes['actions']> =
  RestEndpointMethodTypes['actions'][Method]['response'];

/** The address of the next page, as a client finds it. */
function nextOf(link: string | undefined): string | undefined {
  return /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1];
}

describe('octokit', () => {
  test('sets and reads the limits of all three levels', async () => {
    const { actions } = octokit;
    const days = { max_cache_retention_days: 14 };
    const gigabytes = { max_cache_size_gb: 15 };
    const settings = [
      await actions.setActionsCacheRetentionLimitForEnterprise({ enterprise, ...days }),
      await actions.setActionsCacheStorageLimitForEnterprise({ enterprise, ...gigabytes }),
      await actions.setActionsCacheRetentionLimitForOrganization({ org, ...days }),
      await actions.setActionsCacheStorageLimitForOrganization({ org, ...gigabytes }),
      await actions.setActionsCacheRetentionLimitForRepository({ owner, repo, ...days }),
      await actions.setActionsCacheStorageLimitForRepository({ owner, repo, ...gigabytes }),
    ];
    expect(settings.map(({ status }) => status)).toEqual(settings.map(() => 204));
    const retention = [
      await actions.getActionsCacheRetentionLimitForEnterprise({ enterprise }),
      await actions.getActionsCacheRetentionLimitForOrganization({ org }),
      await actions.getActionsCacheRetentionLimitForRepository({ owner, repo }),
    ];
    expect(retention.map(({ data }) => data)).toEqual([days, days, days]);
    const storage = [
      await actions.getActionsCacheStorageLimitForEnterprise({ enterprise }),
      await actions.getActionsCacheStorageLimitForOrganization({ org }),
      await actions.getActionsCacheStorageLimitForRepository({ owner, repo }),
    ];
    expect(storage.map(({ data }) => data)).toEqual([gigabytes, gigabytes, gigabytes]);
  });

  test('raises what is refused as its own error', async () => {
    const tooMuch = octokit.actions.setActionsCacheRetentionLimitForRepository({
      owner,
      repo,
      max_cache_retention_days: 15,
    });
    await expect(tooMuch).rejects.toMatchObject({ status: 400 });
    const nobody = new Client({ baseUrl: `${server.url}/caches` });
    await expect(nobody.actions.getActionsCacheList({ owner, repo })).rejects.toMatchObject({ status: 401 });
  });

  test('lists caches page by page along Link, with its filters kept', async () => {
    service.seed(caches(65));
    const keys: string[] = [];
    let answer = await octokit.actions.getActionsCacheList({
      owner: owner.toUpperCase(),
      repo,
      key: 'key-',
      sort: 'last_accessed_at',
      direction: 'desc',
    });
    expect(answer.data.total_count).toBe(65);
    keys.push(...answer.data.actions_caches.map(({ key = '' }) => key));
    for (let url = nextOf(answer.headers.link); url !== undefined; url = nextOf(answer.headers.link)) {
      expect(url).toContain('/caches/repos/');
      answer = (await octokit.request(`GET ${url}`)) as Answer<'getActionsCacheList'>;
      keys.push(...answer.data.actions_caches.map(({ key = '' }) => key));
    }
    expect(keys).toEqual(caches(65).map(({ key }) => key));
  });

  test('reads usage, of the repository, of the organization and by repository', async () => {
    service.seed([...caches(1, { repository: 'Acme-Apps/Ledger' })]);
    clock.advance(5 * MINUTE);
    const { data: mine } = await octokit.actions.getActionsCacheUsage({ owner, repo });
    expect(mine).toEqual({
      full_name: `${org}/Payments`,
      active_caches_size_in_bytes: 65_000,
      active_caches_count: 65,
    });
    const { data: all } = await octokit.actions.getActionsCacheUsageForOrg({ org });
    expect(all).toEqual({ total_active_caches_size_in_bytes: 66_000, total_active_caches_count: 66 });

    const first = await octokit.actions.getActionsCacheUsageByRepoForOrg({ org, per_page: 1 });
    const next = (await octokit.request(
      `GET ${nextOf(first.headers.link)}`,
    )) as Answer<'getActionsCacheUsageByRepoForOrg'>;
    expect(first.data.total_count).toBe(2);
    expect([first, next].map(({ data }) => data.repository_cache_usages[0]?.full_name)).toEqual([
      `${org}/Payments`,
      `${org}/Ledger`,
    ]);
    expect(nextOf(next.headers.link)).toBeUndefined();
  });

  test('deletes by key and by id', async () => {
    const { data: deleted } = await octokit.actions.deleteActionsCacheByKey({ owner, repo, key: 'key-1' });
    expect(deleted).toMatchObject({ total_count: 1, actions_caches: [{ key: 'key-1' }] });
    const listed = await octokit.actions.getActionsCacheList({ owner, repo });
    const cache_id = listed.data.actions_caches[0]?.id ?? 0;
    const gone = await octokit.actions.deleteActionsCacheById({ owner, repo, cache_id });
    expect(gone.status).toBe(204);
    expect((await octokit.actions.getActionsCacheList({ owner, repo })).data.total_count).toBe(63);
  });
});
