/** What deviations of usage figures (section 1; endpoints 9, 10 and 15) are made of. */
import type {
  Cache,
  CacheRules,
  Env,
  Figures,
  Operation,
  Organization,
  Repository,
} from '../../reference/caches/index.ts';
import type { Changed } from './kit.ts';

/** The three sources of figures, as requirement ids and operations call them. */
export const SOURCES = [
  ['REPO-USAGE', 'repository-usage'],
  ['ORG-USAGE', 'organization-usage'],
  ['BY-REPO', 'usage-by-repository'],
] as const;

/** Wrong figures of one source do not add up with those of the other. */
export const AGREES = ['CACHE-USAGE-AGREES'];

/** Figures of repositories as one endpoint sees them, made from the right ones in another way. */
export const figuring =
  (on: Operation, figures: (right: Figures, repository: Repository, env: Env) => Figures) =>
  (original: CacheRules): Changed => ({
    repositoryFigures: (repository, operation, env) => {
      const right = original.repositoryFigures(repository, operation, env);
      return operation === on ? figures(right, repository, env) : right;
    },
  });

/** What an endpoint makes of the caches of a repository as they were at the last refresh. */
export const summing =
  (on: Operation, sum: (caches: Cache[]) => Figures) =>
  (original: CacheRules): Changed => {
    const seen = new Map<Repository, Figures>();
    return {
      takeSnapshot: (env) => {
        for (const repository of env.state.repositories)
          seen.set(repository, sum(original.activeCaches(repository, env)));
        return original.takeSnapshot(env);
      },
      ...figuring(on, (right, repository) => seen.get(repository) ?? right)(original),
    };
  };

/** Organizations made of other repositories, as one endpoint sees them. */
export const gathering =
  (on: Operation, choose: (right: Repository[], organization: Organization, env: Env) => Repository[]) =>
  (original: CacheRules): Changed => ({
    repositoriesOf: (organization, operation, env) => {
      const right = original.repositoriesOf(organization, operation, env);
      return operation === on ? choose(right, organization, env) : right;
    },
  });
