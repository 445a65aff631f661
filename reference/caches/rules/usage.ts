/** Usage figures, which lag behind the caches (section 2; endpoints 9, 10 and 15). */
import type {
  OrganizationUsage,
  OrganizationUsageByRepository,
  RepositoryCacheUsage,
  RepositoryUsage,
} from '../../../schemas/caches/index.ts';
import type { Cache, Env, Figures, Organization, Repository, Snapshot } from '../model.ts';
import type { Operation } from '../operations.ts';

export const usageRules = {
  /** How long figures are reported before they are computed anew, in milliseconds. */
  refreshInterval: 5 * 60_000,

  /** Returns the caches of a repository that count as active. */
  activeCaches(repository: Repository, env: Env): Cache[] {
    return env.rules.cachesOf(repository, env);
  },

  figuresOf(caches: Cache[]): Figures {
    return {
      sizeInBytes: caches.reduce((sum, cache) => sum + cache.sizeInBytes, 0),
      count: caches.length,
    };
  },

  takeSnapshot(env: Env): Snapshot {
    const { rules, state, clock } = env;
    const figures = new Map<Repository, Figures>();
    for (const repository of state.repositories) {
      figures.set(repository, rules.figuresOf(rules.activeCaches(repository, env)));
    }
    return { takenAt: clock.now(), figures };
  },

  /** Returns the snapshot to answer from: the last one or, if that is too old, a new one. */
  currentSnapshot(env: Env): Snapshot {
    const { rules, state, clock } = env;
    if (state.snapshot === undefined || clock.now() - state.snapshot.takenAt >= rules.refreshInterval) {
      state.snapshot = rules.takeSnapshot(env);
    }
    return state.snapshot;
  },

  /** Returns the figures of one repository as the endpoint of the operation reports them. */
  repositoryFigures(repository: Repository, _operation: Operation, env: Env): Figures {
    return env.rules.currentSnapshot(env).figures.get(repository) ?? { sizeInBytes: 0, count: 0 };
  },

  /** Returns the repositories of an organization, in the order of creation (silence). */
  repositoriesOf(organization: Organization, _operation: Operation, env: Env): Repository[] {
    return env.state.repositories.filter((repository) => repository.organization === organization);
  },

  organizationFigures(organization: Organization, env: Env): Figures {
    const { rules } = env;
    const all = rules
      .repositoriesOf(organization, 'organization-usage', env)
      .map((repository) => rules.repositoryFigures(repository, 'organization-usage', env));
    return {
      sizeInBytes: all.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0),
      count: all.reduce((sum, { count }) => sum + count, 0),
    };
  },

  /** Whether usage by repository lists a repository with these figures; not if it has no caches (silence). */
  listsFigures({ count }: Figures): boolean {
    return count > 0;
  },

  /** Returns `total_count` of usage by repository, which counts the repositories on all pages. */
  countRepositories(listed: Repository[], _page: Repository[]): number {
    return listed.length;
  },

  fullName({ owner, name }: Repository): string {
    return `${owner}/${name}`;
  },

  serialiseOrganizationUsage({ sizeInBytes, count }: Figures): OrganizationUsage {
    return { total_active_caches_size_in_bytes: sizeInBytes, total_active_caches_count: count };
  },

  serialiseRepositoryUsage(
    repository: Repository,
    { sizeInBytes, count }: Figures,
    env: Env,
  ): RepositoryUsage {
    return {
      full_name: env.rules.fullName(repository),
      active_caches_size_in_bytes: sizeInBytes,
      active_caches_count: count,
    };
  },

  /** Returns one entry of usage by repository. */
  serialiseListedUsage(
    repository: Repository,
    { sizeInBytes, count }: Figures,
    env: Env,
  ): RepositoryCacheUsage {
    return {
      full_name: env.rules.fullName(repository),
      active_caches_size_in_bytes: sizeInBytes,
      active_caches_count: count,
    };
  },

  serialiseUsageByRepository(usages: RepositoryCacheUsage[], total: number): OrganizationUsageByRepository {
    return { total_count: total, repository_cache_usages: usages };
  },
};
