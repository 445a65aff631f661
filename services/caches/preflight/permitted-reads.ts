/** The reading operations of section 5, and what credentials get when they are asked for. */
import { isAnswer } from '../../../lib/check/preflight/finding.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Auth } from '../api/client.ts';
import type { Place, Places } from '../api/places.ts';
import type { CachesConfig } from '../configuration.ts';
import { type Operation, ROWS, type Row } from '../judging/access-table.ts';
import type { ReadOnce } from './read-once.ts';

/** What a token is expected to get, or gets. */
export type Access = 'served' | 'refused' | undefined;

/** A reading operation, and the row of section 5 that says what it requires. */
export interface Read {
  row: Row;
  operation: Operation;
}

/** See the module comment. */
export class PermittedReads {
  /** The reading operations of the places that are tried. */
  readonly all: readonly Read[];
  /** Those of places that are configured and not tried. */
  readonly untried: readonly Read[];
  readonly #reads: ReadOnce;

  constructor(reads: ReadOnce) {
    this.#reads = reads;
    const every = ROWS.flatMap((row) =>
      row.operations
        .filter(({ does }) => does !== 'set' && !does.startsWith('delete'))
        .map((operation) => ({ row, operation })),
    ).filter(({ operation }) => this.#placeOf(operation) !== undefined);
    const isTried = ({ operation }: Read) => placeIn(reads.places, operation) !== undefined;
    this.all = every.filter(isTried);
    this.untried = every.filter((read) => !isTried(read));
  }

  get config(): CachesConfig {
    return this.#reads.config;
  }

  /** See `ReadOnce`. */
  get whole(): CachesConfig {
    return this.#reads.whole;
  }

  /** Whether the configured token is served. */
  async isOpen(read: Read): Promise<boolean> {
    return (await this.accessOf('full', read)) === 'served';
  }

  /** Whether a request without a token is refused. */
  async isGuarded(read: Read): Promise<boolean> {
    return (await this.accessOf('none', read)) === 'refused';
  }

  /** Returns what credentials get. */
  async accessOf(auth: Auth, read: Read): Promise<Access> {
    const answer = await this.answerTo(auth, read);
    if (answer === undefined) return undefined;
    if (answer.ok) return 'served';
    return [401, 403, 404].includes(answer.status) ? 'refused' : undefined;
  }

  /** Returns the answer to a read with credentials; undefined where there was none. */
  async answerTo(auth: Auth, { operation }: Read): Promise<Answer | undefined> {
    const answer = await this.#send(operation, auth);
    return isAnswer(answer) ? answer : undefined;
  }

  #send(operation: Operation, auth: Auth) {
    const place = this.#placeOf(operation) as Place;
    switch (operation.does) {
      case 'organization-usage':
        return this.#reads.organizationUsage(place, auth);
      case 'usage-by-repository':
        return this.#reads.usageByRepository(place, auth);
      case 'repository-usage':
        return this.#reads.repositoryUsage(place, auth);
      case 'read':
        return this.#reads.limit(place, operation.kind, auth);
      default:
        return this.#reads.list(place, auth);
    }
  }

  #placeOf(operation: Operation): Place | undefined {
    return placeIn(this.#reads.places, operation) ?? placeIn(this.#reads.wholePlaces, operation);
  }
}

function placeIn(places: Places, operation: Operation): Place | undefined {
  if ('level' in operation) return places.find(operation.level);
  const isOfOrganization = /^(organization-usage|usage-by-repository)$/.test(operation.does);
  return places.find(isOfOrganization ? 'organization' : 'privateRepository');
}
