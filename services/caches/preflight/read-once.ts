/** The reading requests of the preflight. Nothing changes meanwhile, so each is sent once with each credentials. */
import { ask, type NoAnswer } from '../../../lib/check/preflight/finding.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { type Auth, CacheApi } from '../api/client.ts';
import { type Place, Places } from '../api/places.ts';
import type { CachesConfig } from '../configuration.ts';
import type { Kind } from '../vocabulary.ts';

/** What is answered, or why nothing was. */
export type Read = Promise<Answer | NoAnswer>;

/** Returns the configuration with what is not tried: it shows what others get. */
export function wholeConfig({ input, target }: Session): CachesConfig {
  return (input.whole ?? target).caches as CachesConfig;
}

/** See the module comment. */
export class ReadOnce {
  readonly places: Places;
  /** See `wholeConfig`. */
  readonly whole: CachesConfig;
  /** The places of that. */
  readonly wholePlaces: Places;
  readonly #api: CacheApi;
  readonly #answers = new Map<string, Read>();

  constructor(session: Session) {
    this.places = new Places({ session });
    this.#api = new CacheApi({ session });
    this.whole = wholeConfig(session);
    this.wholePlaces = new Places({ session }, this.whole);
  }

  get config(): CachesConfig {
    return this.#api.config;
  }

  /** Lists the caches of a repository, a single one. */
  list(place: Place, auth: Auth = 'full'): Read {
    return this.#once('list', place, auth, () => this.#api.list(place, { per_page: 1 }, { auth }));
  }

  organizationUsage(place: Place, auth: Auth = 'full'): Read {
    return this.#once('usage', place, auth, () => this.#api.organizationUsage(place, { auth }));
  }

  usageByRepository(place: Place, auth: Auth = 'full'): Read {
    return this.#once('by repository', place, auth, () =>
      this.#api.usageByRepository(place, { per_page: 1 }, { auth }),
    );
  }

  repositoryUsage(place: Place, auth: Auth = 'full'): Read {
    return this.#once('usage', place, auth, () => this.#api.repositoryUsage(place, { auth }));
  }

  limit(place: Place, kind: Kind, auth: Auth = 'full'): Read {
    return this.#once(kind, place, auth, () => this.#api.readLimit(place, kind, { auth }));
  }

  #once(what: string, { level, names }: Place, auth: Auth, send: () => Promise<Answer>): Read {
    const key = JSON.stringify([what, level, names, auth]);
    const known = this.#answers.get(key) ?? ask(send);
    this.#answers.set(key, known);
    return known;
  }
}
