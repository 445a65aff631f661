/** What checks of the hierarchy of limits have in common: the places that they need, and how limits are arranged. */
import { perRun } from '../../lib/check/per-run.ts';
import { Blocked } from '../../lib/model/verdict.ts';
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

/**
 * Arranges the limits with `arrange`, and tries to set one above the limit of a level above. Where they cannot be
 * arranged, that level is taken as it is: a limit that exceeds it is wrong all the same, but a refusal shows nothing.
 */
async function attemptAbove(
  context: CacheContext,
  kind: Kind,
  { place, of, cap, ranks }: { place: Place; of: Place; cap: number; ranks: [number, number, number] },
): Promise<Above> {
  const { limits } = context;
  try {
    await arrange(context, kind, ...ranks);
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
    const now = await limits.inForce(of, kind);
    const attempt = await limits.attempt(place, kind, now + 1);
    if (attempt.answer.ok && attempt.after > now) return { attempt, cap: now, of };
    throw error;
  }
  return { attempt: await limits.attempt(place, kind, cap + 1), cap, of };
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
    const above = { place: organization, of: enterprise, cap: values[0] };
    return attemptAbove(context, kind, { ...above, ranks: [0, 3, 5] });
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
    const above = { place: repository, of: organization, cap: values[3] };
    return attemptAbove(context, kind, { ...above, ranks: [0, 3, 5] });
  },
);
