/** Who may do what: the endpoints as tokens with chosen permissions see them (section 5). */
import type { CheckContext } from '../../../lib/check/context.ts';
import type { Session } from '../../../lib/check/session.ts';
import { Blocked, Skipped } from '../../../lib/check/verdict.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { type Operation, permissionsLack, queriesOf, ROWS, type Row, scopesLack } from './access-table.ts';
import { type Auth, CacheApi } from './client.ts';
import { Limits } from './limits.ts';
import { Lists } from './lists.ts';
import { markOf, type Place, Places } from './places.ts';
import { type Seeded, Seeds } from './seeds.ts';
import { LEVELS, limitId } from './words.ts';

/** Classic tokens have scopes, fine-grained ones permissions. */
export type Family = 'classic' | 'fine';

/** A token of the configuration; `label` says what it has, never what it is. */
export interface ChosenToken {
  label: string;
  token: string;
  scopes?: readonly string[];
  permissions?: readonly string[];
}

/** One request with a token or without one. */
export interface Knock {
  label: string;
  answer: Answer;
  /** Whether the token is known to be valid: shown by something else that it opens. */
  valid: boolean;
}

/** What came of requests that ought to be refused, and whether they changed something. */
export interface Knocks {
  knocks: Knock[];
  /** A sentence: what is not as it was. */
  changed: string | undefined;
}

/** A token that nobody was given. */
export const MADE_UP = { token: 'conformance-never-issued-0123456789' };

/** Few of many tokens say enough. */
const MOST_TOKENS = 3;

/** See the module comment. */
export class Access {
  readonly #session: Session;
  readonly #context: CheckContext;
  readonly api: CacheApi;
  readonly places: Places;

  constructor(context: CheckContext) {
    this.#context = context;
    this.#session = context.session;
    this.api = new CacheApi(context);
    this.places = new Places(context);
  }

  /** The tokens of one family. */
  tokens(family: Family): ChosenToken[] {
    return (this.api.config.tokens ?? []).flatMap(({ token, scopes, permissions }): ChosenToken[] => {
      const held = family === 'classic' ? scopes : permissions;
      if (!held) return [];
      const label = `a ${family === 'classic' ? 'classic' : 'fine-grained'} token with ${held.length > 0 ? held.join(', ') : 'nothing'}`;
      return [{ label, token, ...(scopes && { scopes }), ...(permissions && { permissions }) }];
    });
  }

  /** The token that has just what a row asks for. Throws `Skipped` when there is none. */
  enough(row: Row, family: Family, access = row.access): ChosenToken {
    const wanted = family === 'classic' ? row.scope : `${row.category}:${access}`;
    const found = this.tokens(family).find((each) => {
      const held = each.scopes ?? each.permissions ?? [];
      return held.length === 1 && held[0]!.toLowerCase() === wanted;
    });
    if (found) return found;
    const key = family === 'classic' ? 'scopes' : 'permissions';
    throw new Skipped(
      `add a token with \`${key}: ["${wanted}"]\` to \`targets.${this.#session.target.name}.caches.tokens\``,
    );
  }

  /** Tokens that plainly lack what a row asks for, those with least first. */
  lacking(row: Row, family: Family): ChosenToken[] {
    const found = this.tokens(family).filter(({ scopes, permissions }) =>
      family === 'classic' ? scopesLack(scopes!, row) : permissionsLack(permissions!, row),
    );
    const held = ({ scopes, permissions }: ChosenToken) => (scopes ?? permissions ?? []).length;
    return found.sort((a, b) => held(a) - held(b)).slice(0, MOST_TOKENS);
  }

  /** Whether a token opens something that it ought to; asked once for each. */
  valid(token: ChosenToken): Promise<boolean> {
    return this.#session.once(`caches: valid ${token.token}`, async () => {
      const auth: Auth = { token: token.token };
      for (const operation of readsOf(token)) {
        const place = this.#placeOf(operation);
        if (place && (await this.#read(operation, place, auth)).ok) return true;
      }
      const open = this.places.find('publicRepository');
      if (open && (await this.api.repositoryUsage(open, { auth })).ok) return true;
      // Where it opens nothing, it may still be told from one that was never issued.
      const place = LEVELS.map((level) => this.places.find(level)).find((each) => each !== undefined);
      if (!place) return false;
      const refused = await this.api.readLimit(place, 'retention', { auth });
      const unknown = await this.api.readLimit(place, 'retention', { auth: MADE_UP });
      return refused.status !== unknown.status;
    });
  }

  /** Sends a reading operation. `place` is what its path names, `query` what is asked for of a list. */
  #read(operation: Operation, place: Place, auth: Auth, query = queriesOf(operation)[0]!): Promise<Answer> {
    switch (operation.does) {
      case 'organization-usage':
        return this.api.organizationUsage(place, { auth });
      case 'usage-by-repository':
        return this.api.usageByRepository(place, query, { auth });
      case 'repository-usage':
        return this.api.repositoryUsage(place, { auth });
      case 'list':
        return this.api.list(place, query, { auth });
      case 'read':
        return this.api.readLimit(place, operation.kind, { auth });
      default:
        throw new Error(`${operation.name} is no reading operation`);
    }
  }

  #placeOf(operation: Operation): Place | undefined {
    if ('level' in operation) return this.places.find(operation.level);
    if (operation.does.startsWith('delete')) return this.places.find('repository');
    const organization = operation.does === 'organization-usage' || operation.does === 'usage-by-repository';
    return this.places.find(organization ? 'organization' : 'privateRepository');
  }

  /** What the path of an operation names. Throws `Skipped` when the configuration does not. */
  async placeFor(operation: Operation): Promise<Place> {
    if ('level' in operation) return this.places.need(operation.level);
    if (operation.does.startsWith('delete')) return this.places.need('repository');
    if (operation.does === 'repository-usage' || operation.does === 'list') return this.private();
    return this.places.need('organization');
  }

  /** A private repository. Throws `Skipped` when none is named, or the one taken in its place seems public. */
  async private(): Promise<Place> {
    const place = this.places.need('privateRepository');
    if (this.api.config.privateRepository !== undefined) return place;
    const open = await this.#session.once(
      'caches: repository is open',
      async () => (await this.api.list(place, {}, { auth: 'none' })).ok,
    );
    if (open)
      throw new Skipped(
        `set \`targets.${this.#session.target.name}.caches.privateRepository\`: the repository seems to be public`,
      );
    return place;
  }

  /** That the operation is open to the full token: the twin of its refusals. Throws `Blocked` when it is not. */
  async twin(operation: Operation): Promise<void> {
    // Setting with the full token is how the levels are brought to where a setting is tried.
    if (operation.does === 'set')
      return void (await new Limits(this.#context).spread(operation.level, operation.kind));
    return this.#session.once(`caches: twin ${operation.name}`, async () => {
      const { answer, missing } = await this.open(operation, 'full');
      if (!answer.ok)
        throw new Blocked(
          `the same request with the full token is answered with ${answer.status}`,
          statusId(operation),
        );
      if (missing)
        throw new Blocked(
          `with the full token it is answered with ${answer.status}, but ${missing}`,
          operation.does === 'delete-by-id' ? 'CACHE-DELETE-ID-GONE' : 'CACHE-DELETE-KEY-ALL',
        );
    });
  }

  /** Does an operation with permission to: the answer, and what of it did not come about. */
  async open(operation: Operation, auth: Auth): Promise<{ answer: Answer; missing: string | undefined }> {
    if (operation.does === 'set') {
      const limits = new Limits(this.#context);
      const { place, to } = await limits.spread(operation.level, operation.kind);
      const answer = await limits.set(place, operation.kind, to, { auth });
      const after = await limits.inForce(place, operation.kind);
      const missing = after === to ? undefined : `the limit was set to ${to} and reads ${after}`;
      // What the full token cannot do either is not for want of permission.
      if (!answer.ok || missing) await limits.expectSettable(place, operation.kind, to);
      return { answer, missing };
    }
    const place = await this.placeFor(operation);
    if (operation.does === 'delete-by-key' || operation.does === 'delete-by-id') {
      const cache = await this.#doomed();
      const answer = await this.#remove(operation.does, place, cache, auth);
      const { here } = await new Lists(this.#context).present(place, [cache]);
      return { answer, missing: here.has(cache) ? 'the cache is still listed' : undefined };
    }
    const answer = await this.#read(operation, place, auth);
    const [, further] = queriesOf(operation);
    if (!answer.ok || auth === 'full' || !further) return { answer, missing: undefined };
    const second = await this.#read(operation, place, auth, further);
    // Where there is no such page nobody can have it.
    const fair = second.ok || (await this.#read(operation, place, 'full', further)).ok;
    return { answer: fair ? second : answer, missing: undefined };
  }

  /** Does an operation as each of these, none of whom may; then looks whether anything changed. */
  async knock(
    operation: Operation,
    who: readonly { label: string; auth: Auth; valid: boolean }[],
  ): Promise<Knocks> {
    await this.twin(operation);
    const knocks: Knock[] = [];
    const note = (each: { label: string; valid: boolean }, answer: Answer) =>
      knocks.push({ label: each.label, valid: each.valid, answer });
    if (operation.does === 'set') {
      const limits = new Limits(this.#context);
      const { level, kind } = operation;
      const attempt = async () => {
        const { place, from, to } = await limits.spread(level, kind);
        knocks.length = 0;
        for (const each of who) note(each, await limits.set(place, kind, to, { auth: each.auth }));
        const after = await limits.inForce(place, kind);
        return after === from ? undefined : `the limit was ${from} and is ${after}`;
      };
      let changed = await attempt();
      if (changed !== undefined) {
        // It may have been changed before, by a setting of something else.
        await limits.refresh(kind);
        changed = await attempt();
      }
      return { knocks, changed };
    }
    const place = await this.placeFor(operation);
    if (operation.does === 'delete-by-key' || operation.does === 'delete-by-id') {
      const caches: Seeded[] = [];
      for (const each of who) {
        const cache = await this.#doomed();
        caches.push(cache);
        note(each, await this.#remove(operation.does, place, cache, each.auth));
      }
      const { here } = await new Lists(this.#context).present(place, caches);
      const gone = caches.findIndex((cache) => !here.has(cache));
      return {
        knocks,
        changed: gone === -1 ? undefined : `the cache that ${who[gone]!.label} was refused to delete is gone`,
      };
    }
    // Each in another way, and the last in all that are left: a page or a filter may be open where the list is not.
    const queries = queriesOf(operation);
    for (const [i, each] of who.entries()) {
      const first = Math.min(i, queries.length - 1);
      for (const query of queries.slice(first, i === who.length - 1 ? undefined : first + 1))
        note(each, await this.#read(operation, place, each.auth, query));
    }
    return { knocks, changed: undefined };
  }

  /** Requests with tokens that lack the permission, once for each operation and family. */
  refusals(row: Row, operation: Operation, family: Family): Promise<Knocks> {
    return this.#session.once(`caches: refusals ${operation.name} ${family}`, async () => {
      const who = [];
      for (const token of this.lacking(row, family)) {
        who.push({ label: token.label, auth: { token: token.token }, valid: await this.valid(token) });
      }
      return this.knock(operation, who);
    });
  }

  #remove(how: 'delete-by-key' | 'delete-by-id', place: Place, cache: Seeded, auth: Auth): Promise<Answer> {
    return how === 'delete-by-key'
      ? this.api.deleteByKey(place, { key: cache.key }, { auth })
      : this.api.deleteById(place, cache.id, { auth });
  }

  /** A cache that nobody needs, with a key of its own. */
  async #doomed(): Promise<Seeded> {
    const pool = await this.#session.once('caches: doomed', async (): Promise<Seeded[]> => []);
    if (pool.length === 0) {
      const repository = this.places.need('repository');
      const begun = await this.#session.once('caches: doomed so far', async () => ({ n: 0 }));
      const orders = Array.from({ length: DOOMED_AT_ONCE }, (_, i) => ({
        repository,
        key: `${markOf(this.#session)}-doomed-${String(begun.n + i).padStart(4, '0')}`,
        size: 2_000 + begun.n + i,
      }));
      begun.n += DOOMED_AT_ONCE;
      pool.push(...(await new Seeds(this.#context).make(orders)));
    }
    return pool.shift()!;
  }
}

/** Seeding is a request: it makes enough for all the refusals of a row. */
const DOOMED_AT_ONCE = 20;

/** Reading operations that the table opens to a token, with all permissions that it has. */
function readsOf({ scopes, permissions }: ChosenToken): Operation[] {
  const open = ROWS.filter(({ scope, category, access }) =>
    scopes
      ? scopes.includes(scope)
      : permissions?.some((p) => p === `${category}:${access}` || p === `${category}:write`),
  );
  return open
    .flatMap(({ operations }) =>
      operations.filter(({ does }) => does !== 'set' && !does.startsWith('delete')),
    )
    .slice(0, 3);
}

/** The requirement about the success of an operation. */
export function statusId(operation: Operation): string {
  if ('level' in operation)
    return limitId(operation.level, operation.kind, operation.does === 'read' ? 'GET-STATUS' : 'SET-STATUS');
  const ids = {
    'organization-usage': 'CACHE-ORG-USAGE-STATUS',
    'usage-by-repository': 'CACHE-BY-REPO-STATUS',
    'repository-usage': 'CACHE-REPO-USAGE-STATUS',
    list: 'CACHE-LIST-STATUS',
    'delete-by-key': 'CACHE-DELETE-KEY-STATUS',
    'delete-by-id': 'CACHE-DELETE-ID-STATUS',
  };
  return ids[operation.does];
}
