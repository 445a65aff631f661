/** The eighteen endpoints of specification 3 (section 4), with credentials, version and media type. */
import type { CheckContext } from '../../../lib/check/context.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Body } from '../../../lib/http/body.ts';
import type { CachesConfig } from '../configuration.ts';
import { closedTo, type Kind, LIMIT_SCOPE, PROPERTY } from '../vocabulary.ts';
import { labelOf, type Place, pathOf, segmentsOf } from './places.ts';
import { deleting } from './unanswered-deletions.ts';

/**
 * The credentials of a request: `full` sends the configured token (the default), `none` no `Authorization`
 * header; otherwise another token, or a complete header value.
 */
export type Auth = 'full' | 'none' | { token: string } | { header: string };

/** What can be changed about a request. */
export interface RequestOptions {
  auth?: Auth;
  /** These override the headers that every request carries; `undefined` removes one. */
  headers?: Record<string, string | undefined>;
  purpose?: string;
}

/** A query; a parameter that is undefined is left out. */
export type Query = Record<string, string | number | undefined>;

export const DEFAULTS = {
  version: '2026-03-10',
  versionHeader: 'X-Service-Api-Version',
  mediaType: 'application/vnd.service+json',
};

/** Requests to the cache management service. */
export class CacheApi {
  readonly #session: Session;

  constructor(context: Pick<CheckContext, 'session'>) {
    this.#session = context.session;
  }

  /** The configuration of the service. It is present whenever a suite of this service runs. */
  get config(): CachesConfig {
    return this.#session.target.caches as CachesConfig;
  }

  /** The name of the header that selects the version (section 9). */
  get versionHeader(): string {
    return this.config.versionHeader ?? DEFAULTS.versionHeader;
  }

  /** The recommended media type (section 4). */
  get mediaType(): string {
    return this.config.mediaType ?? DEFAULTS.mediaType;
  }

  /** Reads a limit (endpoints 1, 3, 5, 7, 11 and 13). */
  async readLimit(place: Place, kind: Kind, options: RequestOptions = {}): Promise<Answer> {
    this.#requireOpen(closedTo(LIMIT_SCOPE[place.level]), options);
    const purpose = `read the ${kind} limit of the ${labelOf(place)}`;
    return this.send('GET', `${pathOf(place)}/actions/cache/${kind}-limit`, { purpose, ...options });
  }

  /**
   * Sets a limit with exactly this body (endpoints 2, 4, 6, 8, 12 and 14). Checks call `Limits` instead,
   * which notes the previous value so that it can be restored.
   */
  putLimit(place: Place, kind: Kind, body: Body | undefined, options: RequestOptions = {}): Promise<Answer> {
    const purpose = `set the ${kind} limit of the ${labelOf(place)}`;
    return this.send('PUT', `${pathOf(place)}/actions/cache/${kind}-limit`, { purpose, ...options }, body);
  }

  /** Reads the usage of an organization (endpoint 9). */
  async organizationUsage(organization: Place, options: RequestOptions = {}): Promise<Answer> {
    this.#requireOpen(closedTo('read:org'), options);
    const path = `/orgs${segmentsOf(organization)}/actions/cache/usage`;
    return this.send('GET', path, { purpose: 'read the usage of the organization', ...options });
  }

  /** Reads a page of the organization's usage by repository (endpoint 10). */
  async usageByRepository(
    organization: Place,
    query: Query = {},
    options: RequestOptions = {},
  ): Promise<Answer> {
    this.#requireOpen(closedTo('read:org'), options);
    const path = `/orgs${segmentsOf(organization)}/actions/cache/usage-by-repository`;
    return this.send('GET', path + search(query), { purpose: 'read the usage by repository', ...options });
  }

  /** Reads the usage of a repository (endpoint 15). */
  repositoryUsage(repository: Place, options: RequestOptions = {}): Promise<Answer> {
    const purpose = `read the usage of the ${labelOf(repository)}`;
    return this.send('GET', `${pathOf(repository)}/actions/cache/usage`, { purpose, ...options });
  }

  /** Reads a page of the cache list of a repository (endpoint 16). */
  list(repository: Place, query: Query = {}, options: RequestOptions = {}): Promise<Answer> {
    const purpose = `list the caches of the ${labelOf(repository)}`;
    return this.send('GET', `${pathOf(repository)}/actions/caches${search(query)}`, { purpose, ...options });
  }

  /** Deletes caches by key (endpoint 17). */
  async deleteByKey(repository: Place, query: Query, options: RequestOptions = {}): Promise<Answer> {
    this.#requireOpen(closedTo('repo', 'delete'), options);
    const purpose = `delete caches of the ${labelOf(repository)} by key`;
    const path = `${pathOf(repository)}/actions/caches${search(query)}`;
    const named = { repository, key: query.key as string | undefined, ref: query.ref as string | undefined };
    return this.#changing(() =>
      deleting(this.#session, named, () => this.send('DELETE', path, { purpose, ...options })),
    );
  }

  /** Deletes one cache by id (endpoint 18). */
  async deleteById(repository: Place, id: number | string, options: RequestOptions = {}): Promise<Answer> {
    this.#requireOpen(closedTo('repo', 'delete'), options);
    const purpose = `delete a cache of the ${labelOf(repository)} by id`;
    const path = `${pathOf(repository)}/actions/caches/${encodeURIComponent(id)}`;
    return this.#changing(() =>
      deleting(this.#session, { repository, id }, () => this.send('DELETE', path, { purpose, ...options })),
    );
  }

  /** Throws `Blocked` where `caches.token` is to be sent, and seems to lack the scope. */
  #requireOpen(closed: string, { auth = 'full' }: RequestOptions): void {
    if (auth === 'full') this.#session.requireClear([closed]);
  }

  /** Does something that may remove caches, but not while a list is being read page by page. */
  #changing<T>(work: () => Promise<T>): Promise<T> {
    return this.#session.lockOf(CACHES).change(work);
  }

  /** Sends one request; `path` comes after the base URL. */
  send(
    method: string,
    path: string,
    options: RequestOptions & { purpose: string },
    body?: Body,
  ): Promise<Answer> {
    const { config } = this;
    return this.#session.http.send({
      method,
      url: config.baseUrl + path,
      purpose: options.purpose,
      headers: {
        accept: this.mediaType,
        [this.versionHeader]: config.version ?? DEFAULTS.version,
        ...(config.headers as Record<string, string> | undefined),
        ...this.#credentials(options.auth ?? 'full'),
        ...options.headers,
      },
      ...(body && { body }),
    });
  }

  #credentials(auth: Auth): Record<string, string> {
    if (auth === 'none') return {};
    if (auth === 'full') return { authorization: `Bearer ${this.config.token}` };
    return { authorization: 'token' in auth ? `Bearer ${auth.token}` : auth.header };
  }
}

/** The name of the session's lock that keeps changes of the set of caches and the reading of lists apart. */
export const CACHES = 'caches: caches';

/** Returns the request body that sets a limit to `value`. */
export function settingOf(kind: Kind, value: unknown): Body {
  return { json: { [PROPERTY[kind]]: value } };
}

/**
 * Returns the query string, with every reserved character percent-encoded. Spaces become `%20`: a plus sign
 * means a space in HTML forms only, so a conforming server need not decode it.
 */
function search(query: Query): string {
  const parts = Object.entries(query)
    .filter((entry): entry is [string, string | number] => entry[1] !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}
