/** What exists before the first request: names, limits and tokens. Caches are seeded. */
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

/** The description of a world, plain data. */
export interface World {
  enterprises: readonly { slug: string; limits?: Limits }[];
  organizations: readonly { name: string; enterprise?: string; limits?: Limits }[];
  /** `owner` is the name of an organization, or of an account that is not one. */
  repositories: readonly { owner: string; name: string; private?: boolean; limits?: Limits }[];
  tokens: readonly Token[];
}

/** Names of the default world, as the configuration of a target calls them. */
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
  /** More repositories of the organization: enough for pages of the default and the largest size. */
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
 * The tokens of the default world: one with everything of either kind, one with nothing of either kind,
 * for every scope and permission one that has only this and one that has all but this, for every category one
 * that has it at level read and others at level write, and two whose
 * accounts may do less than the token says.
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
    // The category at level read, and level write of every other category, unless this one is below it.
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

/** Two enterprises with limits, two organizations under the first, public and private repositories, some of the same name. */
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

/** What the world refers to has to be in it. */
function named<Item>(item: Item | undefined, name: string): Item {
  if (item === undefined) throw new Error(`the world has no ${name}`);
  return item;
}

/** The state that a service begins with. `now` in milliseconds. Throws when a parent is not there. */
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
    // Ids exceed 32 bits from the first one on, as integers of this API may.
    lastId: 2 ** 33,
    sweptAt: now,
  };
}

/** What the service with the default world says of itself, with the keys of `targets.yaml`. */
export function describeCaches(baseUrl: string) {
  const { repositories, ...names } = defaultNames;
  return {
    baseUrl,
    token: 'classic-full',
    ...names,
    repositories: [...repositories],
    readerToken: 'classic-reader',
    strangerToken: 'classic-stranger',
    // Tokens whose accounts may do less are left out: their scopes alone do not describe them.
    tokens: defaultWorld.tokens
      .filter(({ account }) => account === undefined)
      .map(({ token, scopes, permissions }) => ({
        token,
        ...(scopes && { scopes: [...scopes] }),
        ...(permissions && { permissions: [...permissions] }),
      })),
  };
}
