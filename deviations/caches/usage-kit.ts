/** Shared parts of the deviations of usage figures (section 1; endpoints 9, 10 and 15). */
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

/** The three endpoints with usage figures: their names in requirement ids, and their operations. */
export const SOURCES = [
  ['REPO-USAGE', 'repository-usage'],
  ['ORG-USAGE', 'organization-usage'],
  ['BY-REPO', 'usage-by-repository'],
] as const;

/**
 * A further requirement that fails where one endpoint is wrong, since its figures must agree with the others.
 */
export const AGREES = ['CACHE-USAGE-AGREES'];

/**
 * Replaces the figures of repositories that one endpoint reports; `figures` gets the correct ones as `right`.
 */
export const figuring =
  (on: Operation, figures: (right: Figures, repository: Repository, env: Env) => Figures) =>
  (original: CacheRules): Changed => ({
    repositoryFigures: (repository, operation, env) => {
      const right = original.repositoryFigures(repository, operation, env);
      return operation === on ? figures(right, repository, env) : right;
    },
  });

/** Replaces how one endpoint sums up the caches of a repository when figures are refreshed. */
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

/** Replaces which repositories of an organization one endpoint sees. */
export const gathering =
  (on: Operation, choose: (right: Repository[], organization: Organization, env: Env) => Repository[]) =>
  (original: CacheRules): Changed => ({
    repositoriesOf: (organization, operation, env) => {
      const right = original.repositoriesOf(organization, operation, env);
      return operation === on ? choose(right, organization, env) : right;
    },
  });
