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

/** What a check of this suite receives besides the context that every check has. */
export interface Fixtures {
  /** Requests to the eighteen endpoints. */
  api: CacheApi;
  /** The enterprises, organizations and repositories that the configuration names. */
  places: Places;
  /** Reads and sets limits, which are restored at the end of the run. */
  limits: Limits;
  lists: Lists;
  /** Makes caches of the suite's own. */
  seeds: Seeds;
  /** The repository whose lists are read. */
  listedRepository: ListedRepository;
  usage: UsageOverTime;
  /** Requests with tokens of chosen permissions. */
  access: Access;
}

/** The context of a check of this suite. */
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

/** Options for a check that touches limits of one kind, which its requirements' ids do not show. */
export function onlyLimitsOf(kind: Kind): Pick<CheckOptions, 'touches'> {
  return { touches: { [`${kind} limits`]: 'alone', [`${otherKind(kind)} limits`]: undefined } };
}

/**
 * Options for a check that sets a limit to 0 or less. A server that accepts it may remove every cache at
 * once, including those that other checks made, so the check comes after them.
 */
export const MAY_REMOVE_CACHES = {
  effects: 'settings',
  phase: 'late',
  touches: { caches: 'change' },
} as const;

/** Options for checks that let days pass, so that caches are removed by age and size. */
export const DAYS_PASS = {
  touches: { clock: 'move', 'retention limits': 'alone', 'storage limits': 'alone', caches: 'alone' },
  phase: 'late',
} as const;

/**
 * Options for a check that only reads usage figures, and does not compare them with caches that it made: such
 * checks may run at the same time.
 */
export const LOOKS_AT_USAGE = { touches: { caches: 'still', clock: 'move' } } as const;

/** Requirements about reads that have to be refused. */
const REFUSED_READ =
  /^CACHE-(AUTH|PERM)-.*-(MISSING|INVALID|LACKING|FINE-READ|STRANGER)$|^CACHE-UNKNOWN-|-GET-REFUSAL$/;

/**
 * Returns what the checks of these requirements touch: the kind of limits that they set or read, the caches
 * of the repositories, and for usage figures the clock as well, since figures are refreshed only after
 * minutes.
 */
function touchesOf(effects: Effect, requirements: readonly string[]): Touches {
  const about = (pattern: RegExp) => requirements.some((id) => pattern.test(id));
  // Whether a read is refused depends on nothing that changes.
  if (effects === 'read' && requirements.every((id) => REFUSED_READ.test(id))) return { clock: undefined };
  const use = effects === 'settings' ? 'alone' : 'still';
  const [retention, storage] = [about(/-RETENTION-/), about(/-STORAGE-/)];
  // Requirements about neither kind, or whose checks also read the other limit, touch both kinds.
  const beside = /-SEPARATE-|-SCOPE-|-OWN-KIND|-OTHER-KEY|-FIELD$|-SET-(STATUS|STORES|ANSWER)/;
  const both = effects === 'settings' && (retention === storage || about(beside));
  const limits: Touches = {
    ...((retention || both) && { 'retention limits': use }),
    ...((storage || both) && { 'storage limits': use }),
  };
  if (about(/^CACHE-(REPO-USAGE|ORG-USAGE|BY-REPO|USAGE|SILENCE-USAGE|SILENCE-BY-REPO)-/))
    return { ...limits, caches: 'alone', clock: 'move' };
  // The value of a limit does not depend on the time, so the clock does not matter.
  if (effects === 'settings') return { ...limits, clock: undefined };
  // A wrong server may also delete caches of other checks.
  if (about(/-DELETE-|-AFTER-DELETION/)) return { ...limits, caches: 'alone', clock: 'still' };
  return { ...limits, caches: effects === 'write' ? 'change' : 'still', clock: 'still' };
}
