/** The reading operations of section 5, and what credentials get when they are asked for. */
import { ask, isAnswer } from '../../../lib/check/preflight/finding.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { type Auth, CacheApi } from '../api/client.ts';
import { type Place, Places } from '../api/places.ts';
import type { CachesConfig } from '../configuration.ts';
import { type Operation, ROWS, type Row } from '../judging/access-table.ts';

/** What a token is expected to get, or gets. */
export type Access = 'served' | 'refused' | undefined;

/** A reading operation, and the row of section 5 that says what it requires. */
export interface Read {
  row: Row;
  operation: Operation;
}

/** See the module comment. Each operation is asked for once with each credentials. */
export class PermittedReads {
  /** The reading operations of the places that are configured. */
  readonly all: readonly Read[];
  readonly #api: CacheApi;
  readonly #places: Places;
  readonly #known = new Map<string, Answer | undefined>();

  constructor(session: Session) {
    this.#api = new CacheApi({ session });
    this.#places = new Places({ session });
    this.all = ROWS.flatMap((row) =>
      row.operations
        .filter(({ does }) => does !== 'set' && !does.startsWith('delete'))
        .map((operation) => ({ row, operation })),
    ).filter(({ operation }) => this.#placeOf(operation) !== undefined);
  }

  get config(): CachesConfig {
    return this.#api.config;
  }

  /** Whether the configured token is served. */
  async isOpen(read: Read): Promise<boolean> {
    return (await this.accessOf('full', 'full', read)) === 'served';
  }

  /** Whether a request without a token is refused. */
  async isGuarded(read: Read): Promise<boolean> {
    return (await this.accessOf('none', 'none', read)) === 'refused';
  }

  /** Returns what credentials get; `key` tells them from others. */
  async accessOf(key: string, auth: Auth, read: Read): Promise<Access> {
    const answer = await this.answerTo(key, auth, read);
    if (answer === undefined) return undefined;
    if (answer.ok) return 'served';
    return [401, 403, 404].includes(answer.status) ? 'refused' : undefined;
  }

  /** Returns the answer to a read with credentials; undefined where there was none. */
  async answerTo(key: string, auth: Auth, { operation }: Read): Promise<Answer | undefined> {
    const name = `${key} ${operation.name}`;
    if (!this.#known.has(name)) {
      const answer = await ask(() => this.#send(operation, auth));
      this.#known.set(name, isAnswer(answer) ? answer : undefined);
    }
    return this.#known.get(name);
  }

  #send(operation: Operation, auth: Auth) {
    const place = this.#placeOf(operation) as Place;
    switch (operation.does) {
      case 'organization-usage':
        return this.#api.organizationUsage(place, { auth });
      case 'usage-by-repository':
        return this.#api.usageByRepository(place, { per_page: 1 }, { auth });
      case 'repository-usage':
        return this.#api.repositoryUsage(place, { auth });
      case 'read':
        return this.#api.readLimit(place, operation.kind, { auth });
      default:
        return this.#api.list(place, { per_page: 1 }, { auth });
    }
  }

  #placeOf(operation: Operation): Place | undefined {
    if ('level' in operation) return this.#places.find(operation.level);
    const isOfOrganization = /^(organization-usage|usage-by-repository)$/.test(operation.does);
    return this.#places.find(isOfOrganization ? 'organization' : 'privateRepository');
  }
}
