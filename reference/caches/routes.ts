/** The eighteen endpoints of section 4. Only the order of the steps is here; every decision is a rule. */

import type { Context, Hono } from 'hono';
import { publicUrlOf } from '../kit/mount.ts';
import { textResponse } from '../kit/response.ts';
import type { Env, Figures, Organization, Repository, Scope } from './model.ts';
import { endpoints, type Level, type LimitKind, type LimitOperation, type Operation } from './operations.ts';
import { Refusal } from './refusal.ts';

/** The answer to an operation that was carried out. */
interface Served {
  /** Absent where the status is 204. */
  body?: unknown;
  headers?: Record<string, string>;
}

type Work<Named extends Scope> = (c: Context, named: Named) => Promise<Served>;

/** Returns what the path names. Throws a `Refusal` because of the version, the token or the permission. */
function enter(c: Context, operation: Operation, env: Env): Scope {
  const { rules } = env;
  if (!rules.acceptsVersion(c.req.header('x-service-api-version'))) throw new Refusal('version');
  const value = rules.presentedToken(c.req.header('authorization'), operation);
  const token = value === undefined ? undefined : rules.findToken(value, operation, env);
  const scope = rules.locate(c.req.param(), operation, env);
  if (token === undefined) {
    // A token that is sent but unknown is refused even where no token is needed (silence).
    if (value === undefined && scope && rules.opensToAnyone(operation, scope)) return scope;
    throw new Refusal('unauthenticated');
  }
  if (!scope || !rules.accountSees(token, scope)) throw new Refusal('unknown');
  if (!rules.permits(token, operation, scope, env)) throw new Refusal('forbidden');
  return scope;
}

function enforceLimits(env: Env): void {
  const { rules, state, clock } = env;
  if (clock.now() - state.sweptAt < rules.sweepInterval) return;
  rules.sweep(env);
  state.sweptAt = clock.now();
}

/** Adds all endpoints to `app`. */
export function routeCaches(app: Hono, env: Env): void {
  const { rules } = env;

  function refused(refusal: Refusal, operation: Operation): Response {
    const status = rules.refusalStatus(refusal.reason, operation);
    return textResponse(JSON.stringify(rules.refusalBody(refusal, status)), {
      status,
      headers: { 'content-type': rules.contentType, ...rules.refusalHeaders(refusal) },
    });
  }

  /** Serves one operation; a `Refusal` that is thrown becomes the answer. `Named` is what its path names. */
  function serve<Named extends Scope>(operation: Operation, work: Work<Named>): void {
    const { method, path } = endpoints[operation];
    app.on(method, path, async (c) => {
      try {
        enforceLimits(env);
        const { body, headers = {} } = await work(c, enter(c, operation, env) as Named);
        const status = rules.successStatus[operation];
        if (body === undefined) return textResponse(null, { status, headers });
        return textResponse(JSON.stringify(body), {
          status,
          headers: { 'content-type': rules.contentType, ...headers },
        });
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        return refused(refusal, operation);
      }
    });
  }

  function serveLimit(level: Level, kind: LimitKind): void {
    serve(`read-${level}-${kind}`, async (_c, scope) => ({
      body: rules.serialiseLimit[kind](rules.limitInForce(scope, kind, env)),
    }));
    const setting: LimitOperation = `set-${level}-${kind}`;
    serve(setting, async (c, scope) => {
      const value = rules.requestedLimit(await c.req.text(), kind, setting, env);
      if (value === undefined) throw new Refusal('malformed');
      const admitted = rules.admitLimit({ scope, kind, value }, setting, env);
      if (admitted === undefined) throw new Refusal('above-parent');
      rules.storeLimit({ scope, kind, value: admitted }, setting, env);
      return {};
    });
  }

  function link(
    c: Context,
    operation: 'list' | 'usage-by-repository',
    total: number,
  ): Record<string, string> {
    const header = rules.linkHeader({
      url: publicUrlOf(c.req.raw),
      page: rules.readPage(c.req.query('page'), operation),
      perPage: rules.readPerPage(c.req.query('per_page'), operation, env),
      total,
    });
    return header === undefined ? {} : { link: header };
  }

  for (const level of ['enterprise', 'organization', 'repository'] as const) {
    serveLimit(level, 'retention');
    serveLimit(level, 'storage');
  }

  serve<Organization>('organization-usage', async (_c, organization) => ({
    body: rules.serialiseOrganizationUsage(rules.organizationFigures(organization, env)),
  }));

  serve<Organization>('usage-by-repository', async (c, organization) => {
    const operation = 'usage-by-repository';
    const figures = new Map<Repository, Figures>();
    const figuresOf = (repository: Repository): Figures => {
      const known = figures.get(repository) ?? rules.repositoryFigures(repository, operation, env);
      figures.set(repository, known);
      return known;
    };
    const listed = rules
      .repositoriesOf(organization, operation, env)
      .filter((repository) => rules.listsFigures(figuresOf(repository)));
    const page = rules.readPage(c.req.query('page'), operation);
    const perPage = rules.readPerPage(c.req.query('per_page'), operation, env);
    const repositories = rules.slicePage(listed, page, perPage, operation);
    const usages = repositories.map((each) => rules.serialiseListedUsage(each, figuresOf(each), env));
    const total = rules.countRepositories(listed, repositories);
    return {
      body: rules.serialiseUsageByRepository(usages, total),
      headers: link(c, operation, listed.length),
    };
  });

  serve<Repository>('repository-usage', async (_c, repository) => ({
    body: rules.serialiseRepositoryUsage(
      repository,
      rules.repositoryFigures(repository, 'repository-usage', env),
      env,
    ),
  }));

  serve<Repository>('list', async (c, repository) => {
    const { items, total } = rules.arrangeCaches(rules.cachesOf(repository, env), c.req.query(), env);
    const entries = items.map((cache) => rules.serialiseEntry(cache, env));
    return { body: rules.serialiseList(entries, total), headers: link(c, 'list', total) };
  });

  serve<Repository>('delete-by-key', async (c, repository) => {
    const query = c.req.query();
    if (!rules.hasKey(query)) throw new Refusal('key-missing');
    const doomed = rules.cachesToDelete(repository, query, env);
    rules.removeCaches(doomed, 'delete-by-key', env);
    const entries = rules
      .reportDeleted(doomed, repository, env)
      .map((cache) => rules.serialiseEntry(cache, env));
    return { body: rules.serialiseList(entries, rules.countDeleted(doomed, repository, env)) };
  });

  serve<Repository>('delete-by-id', async (c, repository) => {
    const cache = rules.cacheById(repository, c.req.param('cache_id') ?? '', env);
    if (cache === undefined) throw new Refusal('unknown');
    rules.removeCaches([cache], 'delete-by-id', env);
    return {};
  });
}
