/** The cache-management suite: specification 3. */
import type { CheckContext } from '../../lib/check/context.ts';
import { defineSuite } from '../../lib/check/suite.ts';
import { Access } from '../support/caches/access.ts';
import { CacheApi } from '../support/caches/client.ts';
import { isAlive } from '../support/caches/life.ts';
import { Limits } from '../support/caches/limits.ts';
import { Lists } from '../support/caches/lists.ts';
import { Places } from '../support/caches/places.ts';
import { Seeds } from '../support/caches/seeds.ts';
import { Shelf } from '../support/caches/shelf.ts';
import { Usage } from '../support/caches/usage.ts';

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
  shelf: Shelf;
  usage: Usage;
  /** Tokens with chosen permissions. */
  access: Access;
}

/** What a check of this suite is given. */
export type CacheContext = CheckContext & Fixtures;

export const check = defineSuite<Fixtures>('cache-management', {
  service: 'caches',
  fixtures: {
    api: (context) => new CacheApi(context),
    places: (context) => new Places(context),
    limits: (context) => new Limits(context),
    lists: (context) => new Lists(context),
    seeds: (context) => new Seeds(context),
    shelf: (context) => new Shelf(context),
    usage: (context) => new Usage(context),
    access: (context) => new Access(context),
  },
  alive: isAlive,
});
