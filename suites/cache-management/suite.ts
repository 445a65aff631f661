/** The cache-management suite: specification 3. */
import type { CheckContext } from '../../lib/check/context.ts';
import { defineSuite } from '../../lib/check/suite.ts';
import { CacheApi } from '../../services/caches/api/client.ts';
import { Lists } from '../../services/caches/api/lists.ts';
import { Places } from '../../services/caches/api/places.ts';
import { Usage } from '../../services/caches/api/usage.ts';
import { Access } from '../../services/caches/fixtures/access.ts';
import { ListedRepository } from '../../services/caches/fixtures/listed-repository.ts';
import { Seeds } from '../../services/caches/fixtures/seeds.ts';
import { Limits } from '../../services/caches/limits/limits.ts';
import caches from '../../services/caches/service.ts';

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
  usage: Usage;
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
    usage: (context) => new Usage(context),
    access: (context) => new Access(context),
  },
});
