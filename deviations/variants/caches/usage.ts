/** Usage figures: unused repositories, the order of repositories, lag. */
import type { CacheVariant } from './kit.ts';

export const usageVariants: CacheVariant[] = [
  {
    id: 'unused-repositories-listed',
    fills: ['CACHE-SILENCE-BY-REPO-UNUSED'],
    sentence: 'lists repositories without caches in usage by repository',
    rules: () => ({ listsFigures: () => true }),
  },
  ...(['size', 'name', 'newest'] as const).map(
    (order): CacheVariant => ({
      id: `by-repository-order-${order}`,
      fills: ['CACHE-SILENCE-BY-REPO-ORDER'],
      sentence: `orders usage by repository by ${order}`,
      rules: (original) => ({
        repositoriesOf: (organization, operation, env) => {
          const found = original.repositoriesOf(organization, operation, env);
          if (order === 'newest') return found.reverse();
          if (order === 'name')
            return found.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
          const { figures } = env.rules.currentSnapshot(env);
          const size = (each: (typeof found)[number]) => figures.get(each)?.sizeInBytes ?? 0;
          return found.sort((a, b) => size(b) - size(a) || (a.name < b.name ? -1 : 1));
        },
      }),
    }),
  ),
  {
    id: 'figures-at-once',
    fills: ['CACHE-SILENCE-USAGE-LAG'],
    sentence: 'computes figures when they are asked for',
    rules: () => ({
      repositoryFigures: (repository, _operation, env) =>
        env.rules.figuresOf(env.rules.activeCaches(repository, env)),
    }),
  },
  {
    id: 'figures-after-ten-minutes',
    fills: ['CACHE-SILENCE-USAGE-LAG'],
    sentence: 'refreshes usage figures every ten minutes',
    rules: () => ({ refreshInterval: 10 * 60_000 }),
  },
];
