/** What exists before the first request, such as repositories, limits and tokens. Caches are seeded later. */
import type {
  Category,
  ClassicScope,
  Enterprise,
  Limits,
  Organization,
  Permission,
  Repository,
  State,
  Token,
} from './model.ts';

/** A description of what exists, as plain data. */
export interface World {
  enterprises: readonly { slug: string; limits?: Limits }[];
  organizations: readonly { name: string; enterprise?: string; limits?: Limits }[];
  /** `owner` is the name of an organization, or of an account that is not one. */
  repositories: readonly { owner: string; name: string; private?: boolean; limits?: Limits }[];
  tokens: readonly Token[];
}

/** Names of the default world, by their keys in the configuration of a target. */
export const defaultNames = {
  enterprise: 'acme-enterprise',
  otherEnterprise: 'beta-enterprise',
  organization: 'Acme-Apps',
  otherOrganization: 'Acme-Tools',
  repository: 'Acme-Apps/Payments',
  otherRepository: 'Acme-Apps/Ledger',
  publicRepository: 'Acme-Apps/Web-Shop',
  privateRepository: 'Acme-Apps/Payments',
  /** A repository of the other organization with the same name as `repository`. */
  namesakeRepository: 'Acme-Tools/Payments',
  /** Further repositories of the organization: enough for a second page, even at the largest page size. */
  repositories: Array.from({ length: 104 }, (_, i) => `Acme-Apps/Fleet-${String(i + 1).padStart(3, '0')}`),
} as const;

export const allScopes: readonly ClassicScope[] = [
  'admin:enterprise',
  'admin:organization',
  'read:org',
  'admin:repository',
  'repo',
];

export const allCategories: readonly Category[] = [
  'enterprise/administration',
  'organization/administration',
  'repository/administration',
  'repository/actions',
];

const sameLevel = (a: Category, b: Category): boolean => a.split('/')[0] === b.split('/')[0];

const word = (text: string): string => text.replaceAll(/[^a-z]+/g, '-');

/**
 * Returns the tokens of the default world. Both kinds, classic and fine-grained, have a token that may do
 * everything and one that may do nothing. For every scope and every category there is a token with that
 * alone, and one with all but that. For every category there is also a token with that category at level read
 * and others at level write. Two tokens belong to accounts that may do less than the token says.
 */
function defaultTokens(): Token[] {
  const writes = allCategories.map((category): Permission => `${category}:write`);
  const single = (permission: Permission): Token => ({
    token: `fine-only-${word(permission)}`,
    permissions: [permission],
  });
  return [
    { token: 'classic-full', scopes: allScopes },
    { token: 'classic-none', scopes: [] },
    { token: 'fine-full', permissions: writes },
    { token: 'fine-none', permissions: [] },
    ...allScopes.flatMap((scope): Token[] => [
      { token: `classic-only-${word(scope)}`, scopes: [scope] },
      { token: `classic-without-${word(scope)}`, scopes: allScopes.filter((other) => other !== scope) },
    ]),
    ...allCategories.flatMap((category): Token[] => [
      single(`${category}:read`),
      single(`${category}:write`),
      {
        token: `fine-without-${word(category)}`,
        permissions: writes.filter((permission) => !permission.startsWith(`${category}:`)),
      },
    ]),
    // The category at level read and every other category at level write, except those of the levels above.
    ...allCategories.map(
      (category, i): Token => ({
        token: `fine-read-${word(category)}-write-elsewhere`,
        permissions: [
          `${category}:read`,
          ...allCategories
            .filter((other, j) => other !== category && (j > i || sameLevel(other, category)))
            .map((other): Permission => `${other}:write`),
        ],
      }),
    ),
    { token: 'classic-reader', scopes: allScopes, account: 'reader' },
    { token: 'classic-stranger', scopes: allScopes, account: 'stranger' },
  ];
}

/**
 * Two enterprises with limits, two organizations of the first one, and public and private repositories, some
 * of which have the same name.
 */
export const defaultWorld: World = {
  enterprises: [
    { slug: defaultNames.enterprise, limits: { retention: 90, storage: 200 } },
    { slug: defaultNames.otherEnterprise, limits: { retention: 120, storage: 260 } },
  ],
  organizations: [
    { name: defaultNames.organization, enterprise: defaultNames.enterprise },
    { name: defaultNames.otherOrganization, enterprise: defaultNames.enterprise },
  ],
  repositories: [
    { owner: 'Acme-Apps', name: 'Payments', private: true },
    { owner: 'Acme-Apps', name: 'Ledger', private: true },
    { owner: 'Acme-Apps', name: 'Web-Shop' },
    { owner: 'Acme-Tools', name: 'Payments', private: true },
    { owner: 'Acme-Tools', name: 'Web-Shop' },
    ...defaultNames.repositories.map((fullName) => ({
      owner: 'Acme-Apps',
      name: fullName.slice('Acme-Apps/'.length),
    })),
  ],
  tokens: defaultTokens(),
};

/**
 * Returns `item`. Throws an Error if it is undefined, that is, if a world refers to something that it does
 * not contain.
 */
function named<Item>(item: Item | undefined, name: string): Item {
  if (item === undefined) throw new Error(`the world has no ${name}`);
  return item;
}

/**
 * Returns the state that a service begins with. `now` is in milliseconds since the epoch. Throws an Error
 * where an organization names an enterprise that does not exist.
 */
export function createState(world: World, now: number): State {
  const enterprises = world.enterprises.map(
    ({ slug, limits }): Enterprise => ({ level: 'enterprise', slug, limits: { ...limits } }),
  );
  const organizations = world.organizations.map(({ name, enterprise, limits }): Organization => {
    const parent = enterprises.find(({ slug }) => slug === enterprise);
    return {
      level: 'organization',
      name,
      limits: { ...limits },
      ...(enterprise === undefined ? {} : { enterprise: named(parent, `enterprise ${enterprise}`) }),
    };
  });
  const repositories = world.repositories.map(({ owner, name, limits, private: hidden }): Repository => {
    const organization = organizations.find((candidate) => candidate.name === owner);
    return {
      level: 'repository',
      owner,
      name,
      private: hidden ?? false,
      limits: { ...limits },
      ...(organization && { organization }),
    };
  });
  return {
    enterprises,
    organizations,
    repositories,
    tokens: new Map(world.tokens.map((token) => [token.token, token])),
    caches: [],
    // Every id exceeds 32 bits, as the integers of this API may.
    lastId: 2 ** 33,
    sweptAt: now,
  };
}

/** Returns the configuration for the service with the default world, under the keys of `targets.yaml`. */
export function describeCaches(baseUrl: string) {
  const { repositories, ...names } = defaultNames;
  return {
    baseUrl,
    token: 'classic-full',
    ...names,
    repositories: [...repositories],
    readerToken: 'classic-reader',
    strangerToken: 'classic-stranger',
    // Tokens of restricted accounts are left out, since their scopes do not say all that they may not do.
    tokens: defaultWorld.tokens
      .filter(({ account }) => account === undefined)
      .map(({ token, scopes, permissions }) => ({
        token,
        ...(scopes && { scopes: [...scopes] }),
        ...(permissions && { permissions: [...permissions] }),
      })),
  };
}
