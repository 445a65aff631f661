/** Which levels above a setting is compared with (section 1, hierarchy rule; section 8). */
import type { CacheRules, Env, LimitChange, LimitKind, Scope } from '../../reference/caches/index.ts';
import { type Capped, everyCapped, hierarchyId, limitOf, parent } from './hierarchy-kit.ts';
import { breaking, type CacheDeviation, type Changed, KINDS, kindCode } from './kit.ts';

/**
 * Compares settings of one level and kind with another cap. Whatever is accepted is in force unchanged, even
 * above the cap.
 */
const capping =
  (
    { level, kind }: Pick<Capped, 'level' | 'kind'>,
    cap: (change: LimitChange, env: Env, original: CacheRules) => number,
  ) =>
  (original: CacheRules): Changed => ({
    limitInForce: (scope, asked, env) =>
      scope.level === level && asked === kind && scope.limits[kind] !== undefined
        ? scope.limits[kind]
        : original.limitInForce(scope, asked, env),
    admitLimit: (change, operation, env) => {
      if (change.scope.level !== level || change.kind !== kind) {
        return original.admitLimit(change, operation, env);
      }
      return change.value > cap(change, env, original) ? undefined : change.value;
    },
  });

/** Compares settings with the highest limit that the level above has ever had. */
const remembering =
  (capped: Capped) =>
  (original: CacheRules): Changed => {
    const { kind } = capped;
    const seen = new Map<Scope, number>();
    const highest = (scope: Scope, env: Env): number => {
      const now = limitOf(scope, kind, env);
      const found = Math.max(seen.get(scope) ?? now, now);
      seen.set(scope, found);
      return found;
    };
    return {
      ...capping(capped, ({ scope }, env) => {
        const above = parent(scope, env);
        if (above === undefined) return Number.POSITIVE_INFINITY;
        return Math.min(highest(above, env), limitOf(parent(above, env), kind, env));
      })(original),
      storeLimit: (change, operation, env) => {
        if (change.kind === kind) highest(change.scope, env);
        original.storeLimit(change, operation, env);
        if (change.kind === kind) highest(change.scope, env);
      },
    };
  };

const nextLevel: CacheDeviation[] = everyCapped((capped) => {
  const { level, kind, above, name, limit } = capped;
  const own = hierarchyId(kind, level === 'organization' ? 'ORG-ENT' : 'REPO-ORG');
  const both = [own, `${own}-LOWERED`];
  // Where an organization may exceed the cap, so may the repositories below it.
  const repository = [hierarchyId(kind, 'REPO-ENT'), hierarchyId(kind, 'REPO-ENT-LOWERED')];
  return [
    breaking(
      `${name}-unlimited`,
      level === 'organization' ? both : [...both, ...repository],
      `does not cap ${limit}`,
      capping(capped, () => Number.POSITIVE_INFINITY),
      repository,
    ),
    breaking(
      `${name}-cap-as-text`,
      hierarchyId(kind, level === 'organization' ? 'ORG-ENT' : 'REPO-ENT'),
      `compares ${limit} with that of the ${above} as text`,
      (original) => ({
        ...capping(capped, ({ scope, value }, env) => {
          const cap = original.capOf(scope, kind, env);
          return String(value) < String(cap) ? Math.max(value, cap) : cap;
        })(original),
        limitRange: { ...original.limitRange, [kind]: [1, 1_000_000] },
      }),
      level === 'organization' ? repository : [],
    ),
    breaking(
      `${name}-one-too-many`,
      level === 'organization' ? own : [own, hierarchyId(kind, 'REPO-ENT')],
      `accepts one more for ${limit} than the ${above} allows`,
      capping(capped, ({ scope }, env, original) => original.capOf(scope, kind, env) + 1),
      [`${own}-LOWERED`, ...repository],
    ),
    breaking(
      `${name}-held-against-the-highest`,
      level === 'organization' ? `${own}-LOWERED` : [`${own}-LOWERED`, own],
      `compares ${limit} with the highest value that the ${above} has ever had`,
      remembering(capped),
      // The organization has been higher than it is, so the repository may exceed the enterprise through it.
      // The enterprise itself never exceeds what it had before the run.
      [hierarchyId(kind, 'REPO-ENT-LOWERED')],
    ),
  ];
});

/** Compares settings of repositories with a cap that is computed from their organization. */
const ofRepository = (
  kind: LimitKind,
  cap: (organization: Scope | undefined, env: Env, usual: () => number) => number,
) =>
  capping({ level: 'repository', kind }, ({ scope }, env, original) =>
    cap(parent(scope, env), env, () => original.capOf(scope, kind, env)),
  );

/** Returns the lowest limit of all enterprises. */
const lowestEnterprise = (kind: LimitKind, env: Env): number =>
  Math.min(...env.state.enterprises.map((each) => limitOf(each, kind, env)));

const enterprises: CacheDeviation[] = KINDS.map((kind) =>
  breaking(
    `organization-${kind}-under-every-enterprise`,
    hierarchyId(kind, 'OTHER-ENT'),
    `caps the ${kind} limit of an organization by every enterprise`,
    (original) => ({
      admitLimit: (change, operation, env) =>
        change.scope.level === 'organization' &&
        change.kind === kind &&
        change.value > lowestEnterprise(kind, env)
          ? undefined
          : original.admitLimit(change, operation, env),
    }),
  ),
);

const repositories: CacheDeviation[] = KINDS.flatMap((kind) => [
  breaking(
    `repository-${kind}-held-against-the-enterprise-only`,
    [hierarchyId(kind, 'REPO-ORG'), hierarchyId(kind, 'REPO-ORG-LOWERED')],
    `compares the ${kind} limit of a repository only with that of its enterprise`,
    ofRepository(kind, (organization, env) =>
      organization ? limitOf(parent(organization, env), kind, env) : Number.POSITIVE_INFINITY,
    ),
  ),
  breaking(
    `repository-${kind}-under-an-unset-organization`,
    hierarchyId(kind, 'REPO-ENT'),
    `does not cap the ${kind} limit of a repository where its organization has set none`,
    ofRepository(kind, (organization, _env, usual) =>
      organization && organization.limits[kind] === undefined ? Number.POSITIVE_INFINITY : usual(),
    ),
  ),
  breaking(
    `repository-${kind}-held-against-the-organization-as-set`,
    hierarchyId(kind, 'REPO-ENT-LOWERED'),
    `compares the ${kind} limit of a repository with what its organization has set, even where the enterprise has less`,
    ofRepository(kind, (organization, env) => organization?.limits[kind] ?? limitOf(organization, kind, env)),
  ),
]);

/**
 * Shows the enterprise's limit for a repository that has set none, but still caps its settings by the
 * organization.
 */
const unset: CacheDeviation[] = KINDS.map((kind) =>
  breaking(
    `unset-${kind}-of-the-enterprise`,
    hierarchyId(kind, 'UNSET'),
    `reads the ${kind} limit of the enterprise where a repository has set none, even where its organization has less`,
    (original) => ({
      limitInForce: (scope, asked, env) => {
        const isUnset = scope.level === 'repository' && asked === kind && scope.limits[kind] === undefined;
        const organization = isUnset ? parent(scope, env) : undefined;
        const above = organization && parent(organization, env);
        return above ? limitOf(above, kind, env) : original.limitInForce(scope, asked, env);
      },
    }),
    // The limit that is shown for such a repository is neither the one that is enforced nor the right one.
    [
      `CACHE-SCOPE-${kindCode(kind)}-*`,
      `CACHE-${kindCode(kind)}-INHERITED-APPLIES`,
      hierarchyId(kind, 'BELOW-LOWERED'),
    ],
  ),
);

/** Leaves one level's limit as it was set when a level above is lowered; settings are capped as usual. */
const left: CacheDeviation[] = everyCapped(({ level, kind, name, limit }) =>
  breaking(
    `${name}-left-above-a-lowered-one`,
    hierarchyId(kind, 'BELOW-LOWERED'),
    `leaves ${limit} as it was set when a level above is lowered`,
    (original) => ({
      limitInForce: (scope, asked, env) =>
        (scope.level === level && asked === kind ? scope.limits[kind] : undefined) ??
        original.limitInForce(scope, asked, env),
      capOf: (scope, asked, env) => {
        const above = parent(scope, env);
        return Math.min(limitOf(above, asked, env), limitOf(above && parent(above, env), asked, env));
      },
    }),
  ),
);

/** What is in force above a cap stays so where the level above is lowered. */
const leftToo = (each: CacheDeviation): CacheDeviation => {
  const kind = KINDS.find((one) => each.breaks[0]?.startsWith(hierarchyId(one, ''))) ?? 'retention';
  return { ...each, entails: [...(each.entails ?? []), hierarchyId(kind, 'BELOW-LOWERED')] };
};

export const hierarchyCapDeviations: CacheDeviation[] = [
  ...left,
  ...nextLevel.map(leftToo),
  ...enterprises,
  ...repositories.map(leftToo),
  ...unset,
];
