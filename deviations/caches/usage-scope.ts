/**
 * Figures about the wrong caches, and figures that do not agree (sections 1 and 2; endpoints 9, 10 and 15).
 */
import type { Env, Figures, Repository } from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation } from './kit.ts';
import { AGREES, figuring, gathering } from './usage-kit.ts';

/** Returns the sum of the figures of all repositories for which `fits` holds. */
function sumOver(env: Env, fits: (repository: Repository) => boolean): Figures {
  const { figures } = env.rules.currentSnapshot(env);
  let [sizeInBytes, count] = [0, 0];
  for (const [repository, each] of figures) {
    if (!fits(repository)) continue;
    sizeInBytes += each.sizeInBytes;
    count += each.count;
  }
  return { sizeInBytes, count };
}

const repositories: CacheDeviation[] = (
  [
    ['owner', 'of the owner', (each, { owner }) => each.owner === owner],
    ['namesakes', 'of that name', (each, { name }) => each.name === name],
  ] as [string, string, (each: Repository, asked: Repository) => boolean][]
).map(([id, which, fits]) =>
  breaking(
    `repo-usage-of-${id}`,
    'CACHE-REPO-USAGE-SCOPE',
    `gives the figures of all repositories ${which}`,
    figuring('repository-usage', (_right, asked, env) => sumOver(env, (each) => fits(each, asked))),
  ),
);

const names: CacheDeviation[] = (
  [
    ['constant', 'reports the same full name for every repository', () => 'Acme-Apps/Payments'],
    ['owner', 'gives the name of the owner twice', ({ owner }) => `${owner}/${owner}`],
    ['turned', 'puts the owner after the name', ({ owner, name }) => `${name}/${owner}`],
  ] as [string, string, (repository: Repository) => string][]
).map(([id, sentence, name]) =>
  breaking(
    `repo-usage-full-name-${id}`,
    'CACHE-REPO-USAGE-FULL-NAME',
    `${sentence} in repository usage`,
    (original) => ({
      serialiseRepositoryUsage: (repository, figures, env) => ({
        ...original.serialiseRepositoryUsage(repository, figures, env),
        full_name: name(repository),
      }),
    }),
  ),
);

/** Further requirements that fail where repositories are missing or superfluous. */
const LISTED = ['CACHE-BY-REPO-*', ...AGREES];

const organizations: CacheDeviation[] = [
  breaking(
    'org-usage-of-enterprise',
    'CACHE-ORG-USAGE-SCOPE',
    'gives the figures of all organizations of the enterprise',
    gathering('organization-usage', (_right, { enterprise }, { state }) =>
      state.repositories.filter((each) => each.organization?.enterprise === enterprise),
    ),
    AGREES,
  ),
  breaking(
    'by-repo-of-enterprise',
    'CACHE-BY-REPO-SCOPE',
    'lists the repositories of all organizations',
    gathering('usage-by-repository', (_right, _organization, { state }) => [...state.repositories]),
    AGREES,
  ),
  breaking(
    'by-repo-public-only',
    'CACHE-BY-REPO-COMPLETE',
    'leaves private repositories out of usage by repository',
    gathering('usage-by-repository', (right) => right.filter((each) => !each.private)),
    LISTED,
  ),
  breaking(
    'by-repo-private-only',
    'CACHE-BY-REPO-COMPLETE',
    'leaves public repositories out of usage by repository',
    gathering('usage-by-repository', (right) => right.filter((each) => each.private)),
    LISTED,
  ),
  breaking(
    'org-usage-private-only',
    AGREES,
    'leaves public repositories out of the figures of an organization',
    gathering('organization-usage', (right) => right.filter((each) => each.private)),
    ['CACHE-ORG-USAGE-*'],
  ),
  breaking(
    'by-repo-two-or-more',
    'CACHE-BY-REPO-COMPLETE',
    'lists repositories with more than twenty caches',
    () => ({ listsFigures: ({ count }) => count > 20 }),
    LISTED,
  ),
  breaking(
    'by-repo-first-twice',
    ['CACHE-BY-REPO-COMPLETE', 'CACHE-BY-REPO-PAGE'],
    'lists the first repository twice',
    gathering('usage-by-repository', (right) => [...right.slice(0, 1), ...right]),
    LISTED,
  ),
];

const agreement: CacheDeviation[] = (
  [
    ['usage-disagrees', 'adds one cache of one byte to the figures of an organization', 1, 1],
    [
      'usage-disagrees-by-deleted',
      'reports the figures of an organization as they were before the last page of its repositories',
      4096,
      0,
    ],
  ] as const
).map(([id, sentence, bytes, caches]) =>
  breaking(id, 'CACHE-USAGE-AGREES', sentence, (original) => ({
    organizationFigures: (organization, env) => {
      const { sizeInBytes, count } = original.organizationFigures(organization, env);
      return { sizeInBytes: sizeInBytes + bytes, count: count + caches };
    },
  })),
);

export const usageScopeDeviations: CacheDeviation[] = [
  ...repositories,
  ...names,
  ...organizations,
  ...agreement,
];
