/** What checks of the hierarchy of limits have in common: the places that they need, and how limits are arranged. */
import { perRun } from '../../lib/check/per-run.ts';
import type { Place } from '../../services/caches/api/places.ts';
import type { Attempt } from '../../services/caches/limits/limits.ts';
import type { Kind } from '../../services/caches/vocabulary.ts';
import type { CacheContext } from './suite.ts';

export const ENTERPRISE = 'caches.enterprise';
export const ORGANIZATION = 'caches.organization';
export const REPOSITORY = 'caches.repository';

/** Returns the options of a check with effects `settings` that needs these keys of the configuration. */
export const settings = (...needs: string[]) => ({ effects: 'settings' as const, needs });

/** Sets the limits of enterprise, organization and repository to the values of `hierarchyFor` by index. */
export async function arrange(
  { limits, places }: CacheContext,
  kind: Kind,
  ...ranks: [number, number, number]
): Promise<void> {
  const { values } = await limits.hierarchyFor(kind);
  const keys = ['enterprise', 'organization', 'repository'] as const;
  const wanted = keys.flatMap((key, i): [Place, number][] => {
    const place = places.find(key);
    return place ? [[place, values[ranks[i]!]!]] : [];
  });
  await limits.arrange(kind, wanted);
}

/** An attempt to set a limit above that of the level above. */
interface Above {
  attempt: Attempt;
  cap: number;
  of: Place;
}

/** Tries to set the organization above its enterprise, which has not been lowered. */
export const organizationAbove = perRun(
  'caches: organization above',
  async (context: CacheContext, kind: Kind): Promise<Above> => {
    const { limits } = context;
    const { enterprise, organization, values } = await limits.hierarchyFor(
      kind,
      'enterprise',
      'organization',
    );
    await arrange(context, kind, 0, 3, 5);
    const attempt = await limits.attempt(organization, kind, values[0] + 1);
    return { attempt, cap: values[0], of: enterprise };
  },
);

/** Tries to set the repository above its organization, but not above the enterprise. */
export const repositoryAbove = perRun(
  'caches: repository above',
  async (context: CacheContext, kind: Kind): Promise<Above> => {
    const { limits } = context;
    const { organization, repository, values } = await limits.hierarchyFor(
      kind,
      'organization',
      'repository',
    );
    await arrange(context, kind, 0, 3, 5);
    const attempt = await limits.attempt(repository, kind, values[3] + 1);
    return { attempt, cap: values[3], of: organization };
  },
);
