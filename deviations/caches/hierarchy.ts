/** The hierarchy rule (sections 1 and 8): what caps a setting. */
import type { CacheRules, Env, LimitChange, LimitKind, Scope } from '../../reference/caches/index.ts';
import {
  breaking,
  type CacheDeviation,
  type Changed,
  isBelow,
  KINDS,
  kindCode,
  limitId,
  otherKind,
} from './kit.ts';

type Child = 'organization' | 'repository';

/** What caps settings of one level and kind: undefined for what the original says. */
type Cap = (change: LimitChange, env: Env, original: CacheRules) => number;

/** Settings of one level and kind are held against another cap; what is set is then in force as it is. */
const capped =
  (level: Child, kind: LimitKind, cap: Cap) =>
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

/** What the next level up, or the one above it, has. */
const limitOf = (scope: Scope | undefined, kind: LimitKind, env: Env): number =>
  scope === undefined ? Number.POSITIVE_INFINITY : env.rules.limitInForce(scope, kind, env);

const parent = (scope: Scope, env: Env): Scope | undefined => env.rules.parentOf(scope);

/** The extreme that each limit has been. */
const remembering =
  (
    level: Child,
    kind: LimitKind,
    which: (a: number, b: number) => number,
    of: 'organization' | 'enterprise',
  ) =>
  (original: CacheRules): Changed => {
    const seen = new Map<Scope, number>();
    const extreme = (scope: Scope, env: Env): number => {
      const now = limitOf(scope, kind, env);
      const found = which(seen.get(scope) ?? now, now);
      seen.set(scope, found);
      return found;
    };
    const changed = capped(level, kind, ({ scope }, env) => {
      const next = parent(scope, env);
      if (next === undefined) return Number.POSITIVE_INFINITY;
      const above = parent(next, env);
      if (of === next.level) return Math.min(extreme(next, env), limitOf(above, kind, env));
      return Math.min(
        next.limits[kind] ?? Number.POSITIVE_INFINITY,
        above ? extreme(above, env) : Number.POSITIVE_INFINITY,
      );
    })(original);
    return {
      ...changed,
      storeLimit: (change, operation, env) => {
        if (change.kind === kind) extreme(change.scope, env);
        original.storeLimit(change, operation, env);
        if (change.kind === kind) extreme(change.scope, env);
      },
    };
  };

const children: CacheDeviation[] = KINDS.flatMap((kind) =>
  (['organization', 'repository'] as const).flatMap((level) => {
    const code = level === 'organization' ? 'ORG' : 'REPO';
    const id = (what: string) => `CACHE-HIER-${kindCode(kind)}-${what}`;
    const above = level === 'organization' ? 'enterprise' : 'organization';
    const own = id(level === 'organization' ? 'ORG-ENT' : 'REPO-ORG');
    const name = `${level}-${kind}`;
    const of = `the ${kind} limit of a ${level}`;
    // Settings that are refused without reason are refused to checks of other things, too.
    const settable = [
      limitId(level, kind, 'SET-STATUS'),
      limitId(level, kind, 'SET-STORES'),
      `CACHE-HIER-${kindCode(kind)}-*`,
    ];
    const refusing =
      (refuses: (change: LimitChange, cap: number, env: Env) => boolean) =>
      (original: CacheRules): Changed => ({
        admitLimit: (change, operation, env) =>
          change.scope.level === level &&
          change.kind === kind &&
          refuses(change, env.rules.capOf(change.scope, kind, env), env)
            ? undefined
            : original.admitLimit(change, operation, env),
      });
    const onRefusal =
      (act: (change: LimitChange, cap: number) => void) =>
      (original: CacheRules): Changed => ({
        admitLimit: (change, operation, env) => {
          const admitted = original.admitLimit(change, operation, env);
          if (admitted === undefined && change.scope.level === level && change.kind === kind) {
            act(change, env.rules.capOf(change.scope, kind, env));
          }
          return admitted;
        },
      });
    return [
      breaking(
        `${name}-unlimited`,
        level === 'organization'
          ? [own, `${own}-LOWERED`]
          : [own, `${own}-LOWERED`, id('REPO-ENT'), id('REPO-ENT-LOWERED')],
        `caps ${of} by nothing`,
        capped(level, kind, () => Number.POSITIVE_INFINITY),
        [id('REPO-ENT'), id('REPO-ENT-LOWERED')],
      ),
      breaking(
        `${name}-one-too-many`,
        own,
        `takes one more for ${of} than the ${above} allows`,
        capped(level, kind, ({ scope }, env, original) => original.capOf(scope, kind, env) + 1),
        [`${own}-LOWERED`, id('REPO-ENT'), id('REPO-ENT-LOWERED')],
      ),
      breaking(
        `${name}-held-against-the-highest`,
        `${own}-LOWERED`,
        `holds ${of} against the highest value that the ${above} has had`,
        remembering(level, kind, Math.max, above),
        // A level that has been higher is also one that the next has been held against.
        [own, id('REPO-ENT-LOWERED')],
      ),
      breaking(
        `${name}-held-where-it-was`,
        id('RAISED'),
        `refuses the first raise of ${of} after the ${above} was raised from the same`,
        (original) => {
          const held = new Map<Scope, number>();
          return {
            storeLimit: (change, operation, env) => {
              const { scope } = change;
              const before = env.rules.limitInForce(scope, kind, env);
              original.storeLimit(change, operation, env);
              if (change.kind !== kind) return;
              held.delete(scope);
              if (scope.level !== above || change.value <= before) return;
              for (const child of [...env.state.organizations, ...env.state.repositories]) {
                if (parent(child, env) === scope && child.limits[kind] === before) held.set(child, before);
              }
            },
            // Once only: from then on it knows what the level above has.
            ...refusing(({ scope, value }) => {
              const refused = value > (held.get(scope) ?? value);
              if (refused) held.delete(scope);
              return refused;
            })(original),
          };
        },
        settable,
      ),
      breaking(
        `${name}-equal-refused`,
        id(`${code}-EQUAL`),
        `refuses ${of} where it equals the level above`,
        refusing(({ value }, cap) => value === cap),
      ),
      breaking(
        `${name}-kept-at-the-cap`,
        id(`${code}-LOWER`),
        `does not let ${of} go below the ${above} once that was lowered to the same`,
        (original) => {
          const highest = new Map<Scope, number>();
          return {
            storeLimit: (change, operation, env) => {
              const { scope } = change;
              const now = env.rules.limitInForce(scope, kind, env);
              if (change.kind === kind) highest.set(scope, Math.max(now, highest.get(scope) ?? now));
              original.storeLimit(change, operation, env);
            },
            ...refusing(({ scope, value }, cap, env) => {
              const next = parent(scope, env);
              const lowered = next !== undefined && cap < (highest.get(next) ?? cap);
              return lowered && scope.limits[kind] === cap && value < cap;
            })(original),
          };
        },
        settable,
      ),
      breaking(
        `${name}-refusal-resets`,
        id(`${code}-KEEPS`),
        `forgets ${of} when a setting is refused`,
        onRefusal(({ scope }) => delete scope.limits[kind]),
      ),
      breaking(
        `${name}-refusal-raises`,
        id(`${code}-KEEPS`),
        `raises ${of} to that of the ${above} when it refuses a setting above it`,
        onRefusal(({ scope }, cap) => {
          scope.limits[kind] = cap;
        }),
      ),
      breaking(
        `${name}-refusal-stores`,
        id(`${code}-KEEPS`),
        `stores ${of} before it refuses it, and shows the ${above}'s`,
        onRefusal(({ scope, value }) => {
          scope.limits[kind] = value;
        }),
      ),
      // For the storage of an organization the other limit is the lower one, and even what is arranged is refused.
      ...(level === 'organization' && kind === 'storage'
        ? []
        : [
            breaking(
              `${name}-capped-by-the-other`,
              id('OWN-KIND'),
              `holds ${of} against the other limit of the ${above} where it shares that`,
              refusing(({ scope, value }, _cap, env) => {
                const other = limitOf(parent(scope, env), otherKind(kind), env);
                return scope.limits[otherKind(kind)] === other && value > other;
              }),
              settable,
            ),
          ]),
    ];
  }),
);

const repositories: CacheDeviation[] = KINDS.flatMap((kind) => {
  const id = (what: string) => `CACHE-HIER-${kindCode(kind)}-${what}`;
  return [
    breaking(
      `repository-${kind}-held-against-the-enterprise-only`,
      [id('REPO-ORG'), id('REPO-ORG-LOWERED')],
      `holds the ${kind} limit of a repository against its enterprise alone`,
      capped('repository', kind, ({ scope }, env) => {
        const organization = parent(scope, env);
        return organization ? limitOf(parent(organization, env), kind, env) : Number.POSITIVE_INFINITY;
      }),
    ),
    breaking(
      `repository-${kind}-under-an-unset-organization`,
      id('REPO-ENT'),
      `does not cap the ${kind} limit of a repository where its organization has set none`,
      capped('repository', kind, ({ scope }, env, original) => {
        const organization = parent(scope, env);
        if (organization && organization.limits[kind] === undefined) return Number.POSITIVE_INFINITY;
        return original.capOf(scope, kind, env);
      }),
    ),
    breaking(
      `repository-${kind}-held-against-the-organization-as-set`,
      id('REPO-ENT-LOWERED'),
      `holds the ${kind} limit of a repository against what its organization has set, wherever the enterprise is`,
      capped('repository', kind, ({ scope }, env) => {
        const organization = parent(scope, env);
        return organization?.limits[kind] ?? limitOf(organization, kind, env);
      }),
    ),
  ];
});

const parents: CacheDeviation[] = KINDS.flatMap((kind) =>
  (['enterprise', 'organization'] as const).map((level) =>
    breaking(
      `${level}-${kind}-not-above-children`,
      `CACHE-HIER-${kindCode(kind)}-PARENT-ABOVE`,
      `refuses to raise the ${kind} limit of an ${level} above all that are set below it, short of where it was`,
      (original) => {
        const highest = new Map<Scope, number>();
        return {
          storeLimit: (change, operation, env) => {
            const now = env.rules.limitInForce(change.scope, kind, env);
            if (change.kind === kind)
              highest.set(change.scope, Math.max(now, highest.get(change.scope) ?? now));
            original.storeLimit(change, operation, env);
          },
          admitLimit: (change, operation, env) => {
            const { scope, value } = change;
            const { state } = env;
            if (scope.level !== level || change.kind !== kind)
              return original.admitLimit(change, operation, env);
            const below = [...state.organizations, ...state.repositories]
              .filter((other) => isBelow(other, scope) && other.limits[kind] !== undefined)
              .map((other) => other.limits[kind] as number);
            const now = env.rules.limitInForce(scope, kind, env);
            const raised = value > now && value !== highest.get(scope);
            return raised && below.length > 0 && value > Math.max(...below)
              ? undefined
              : original.admitLimit(change, operation, env);
          },
        };
      },
      [limitId(level, kind, 'SET-STATUS'), `CACHE-HIER-${kindCode(kind)}-*`],
    ),
  ),
);

export const hierarchyDeviations: CacheDeviation[] = [...children, ...repositories, ...parents];
