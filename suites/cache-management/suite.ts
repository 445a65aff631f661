/** The cache-management suite: specification 3. */
import type { CheckContext } from '../../lib/check/context.ts';
import { type CheckOptions, defineSuite } from '../../lib/check/suite.ts';
import type { Touches } from '../../lib/check/touches.ts';
import type { Effect } from '../../lib/model/results.ts';
import { CacheApi } from '../../services/caches/api/client.ts';
import { Lists } from '../../services/caches/api/lists.ts';
import { Places } from '../../services/caches/api/places.ts';
import { Access } from '../../services/caches/fixtures/access.ts';
import { ListedRepository } from '../../services/caches/fixtures/listed-repository.ts';
import { Seeds } from '../../services/caches/fixtures/seeds.ts';
import { UsageOverTime } from '../../services/caches/fixtures/usage-over-time.ts';
import { Limits } from '../../services/caches/limits/limits.ts';
import caches from '../../services/caches/service.ts';
import { type Kind, otherKind } from '../../services/caches/vocabulary.ts';

/** What a check of this suite is given besides the context that every check has. */
export interface Fixtures {
  /** The eighteen endpoints. */
  api: CacheApi;
  /** What the configuration names. */
  places: Places;
  /** Limits, put back at the end of the run. */
  limits: Limits;
  lists: Lists;
  /** Caches of the suite's own. */
  seeds: Seeds;
  /** The repository that lists are read from. */
  listedRepository: ListedRepository;
  usage: UsageOverTime;
  /** Tokens with chosen permissions. */
  access: Access;
}

/** What a check of this suite is given. */
export type CacheContext = CheckContext & Fixtures;

export const check = defineSuite<Fixtures>('cache-management', {
  service: caches,
  fixtures: {
    api: (context) => new CacheApi(context),
    places: (context) => new Places(context),
    limits: (context) => new Limits(context),
    lists: (context) => new Lists(context),
    seeds: (context) => new Seeds(context),
    listedRepository: (context) => new ListedRepository(context),
    usage: (context) => new UsageOverTime(context),
    access: (context) => new Access(context),
  },
  touches: touchesOf,
});

/** For a check that sets, and reads, limits of one kind only, whatever its requirements are about. */
export function onlyLimitsOf(kind: Kind): Pick<CheckOptions, 'touches'> {
  return { touches: { [`${kind} limits`]: 'alone', [`${otherKind(kind)} limits`]: undefined } };
}

/**
 * For a check that sets a limit to 0 or less. A server that takes it may remove every cache at once, and with them what
 * other checks made: it comes after them.
 */
export const MAY_REMOVE_CACHES = {
  effects: 'settings',
  phase: 'late',
  touches: { caches: 'change' },
} as const;

/** For checks that let days pass, and in which caches are removed by age and size. */
export const DAYS_PASS = {
  touches: { clock: 'move', 'retention limits': 'alone', 'storage limits': 'alone', caches: 'alone' },
  phase: 'late',
} as const;

/** For a check that only looks at usage figures, and compares no sums with caches that it made: others may look as well. */
export const LOOKS_AT_USAGE = { touches: { caches: 'still', clock: 'move' } } as const;

/**
 * What the checks of a requirement touch: the limits of a kind that they set or read, the caches of the repositories,
 * and for usage figures the clock as well, since figures are refreshed after minutes.
 */
function touchesOf(effects: Effect, requirements: readonly string[]): Touches {
  const about = (pattern: RegExp) => requirements.some((id) => pattern.test(id));
  const use = effects === 'settings' ? 'alone' : 'still';
  const [retention, storage] = [about(/-RETENTION-/), about(/-STORAGE-/)];
  // Requirements about neither kind, or whose checks also read the other limit, touch both.
  const beside = /-SEPARATE-|-SCOPE-|-OWN-KIND|-OTHER-KEY|-FIELD$|-SET-(STATUS|STORES|ANSWER)/;
  const both = effects === 'settings' && (retention === storage || about(beside));
  const limits: Touches = {
    ...((retention || both) && { 'retention limits': use }),
    ...((storage || both) && { 'storage limits': use }),
  };
  if (about(/^CACHE-(REPO-USAGE|ORG-USAGE|BY-REPO|USAGE|SILENCE-USAGE|SILENCE-BY-REPO)-/))
    return { ...limits, caches: 'alone', clock: 'move' };
  // A limit is what it is, however late it is.
  if (effects === 'settings') return { ...limits, clock: undefined };
  // A deletion that goes too far may delete caches of other checks.
  if (about(/-DELETE-|-AFTER-DELETION/)) return { ...limits, caches: 'alone', clock: 'still' };
  return { ...limits, caches: effects === 'write' ? 'change' : 'still', clock: 'still' };
}
