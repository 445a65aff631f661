/** Operations 1 to 6 of section 4. Only the order of the steps is here; every decision is a rule. */

import type { Context, Hono } from 'hono';
import { jsonResponse } from '../kit/response.ts';
import type { AddressBook, AddressEndpoint, AddressTemplate, Env, IssuedToken } from './model.ts';
import { AddressRefusal } from './refusal.ts';

const COLLECTION = '/api/v1/address_templates';

/** The answer to an operation that was carried out. Its status depends on the endpoint alone. */
interface Success {
  body: unknown;
  headers?: Record<string, string>;
}

/**
 * Returns the address book that a request may use. Throws an `AddressRefusal` because of its token, rate or
 * scope.
 */
function enter(request: Request, endpoint: AddressEndpoint, env: Env): AddressBook {
  const { rules, state } = env;
  const token: IssuedToken = rules.authenticate(request, endpoint, env);
  const key = rules.rateKey(token, endpoint);
  let log = state.calls.get(key);
  if (log === undefined) {
    log = [];
    state.calls.set(key, log);
  }
  if (!rules.admitCall(log, env.clock.now(), env)) throw new AddressRefusal('rateExceeded');
  if (!rules.scopeCovers(token, endpoint, env)) throw new AddressRefusal('scopeTooNarrow');
  return rules.bookOf(token, env);
}

/** Throws a refusal that names all problems of a body, if it has any. */
function refuseProblems(problems: string[]): void {
  if (problems.length > 0) throw new AddressRefusal('invalid', problems.join('; '));
}

/** Adds the address endpoints to `app`. */
export function routeAddresses(app: Hono, env: Env): void {
  const { rules } = env;

  /** Returns the handler of one operation. An `AddressRefusal` that is thrown becomes the answer. */
  function serve(endpoint: AddressEndpoint, operate: (c: Context, book: AddressBook) => Promise<Success>) {
    return async (c: Context): Promise<Response> => {
      try {
        const { body, headers } = await operate(c, enter(c.req.raw, endpoint, env));
        return jsonResponse(body, { status: rules.successStatus[endpoint], headers });
      } catch (refusal) {
        if (!(refusal instanceof AddressRefusal)) throw refusal;
        return jsonResponse(rules.addressErrorBody(refusal, endpoint, env), {
          status: rules.addressErrorStatus(refusal, endpoint, env),
          headers: rules.addressErrorHeaders(refusal, env),
        });
      }
    };
  }

  function find(c: Context, book: AddressBook, endpoint: AddressEndpoint): AddressTemplate {
    const template = rules.findTemplate(book, c.req.param('id') ?? '', endpoint, env);
    if (template === undefined) throw new AddressRefusal('notFound');
    return template;
  }

  function answer(template: AddressTemplate, endpoint: AddressEndpoint): Success {
    return { body: rules.templateEnvelope(rules.serialiseTemplate(template, endpoint, env), endpoint) };
  }

  app.get(
    COLLECTION,
    serve('list', async (c, book) => {
      const page = rules.readPage(c.req.query('page'), env);
      const perPage = rules.readPerPage(c.req.query('per_page'), env);
      const all = rules.collection(book);
      const data = rules
        .slicePage(all, page, perPage)
        .map((template) => rules.serialiseTemplate(template, 'list', env));
      const meta = rules.serialiseMeta({ total: all.length, page, perPage }, env);
      return { body: rules.listEnvelope(data, meta) };
    }),
  );

  app.get(
    `${COLLECTION}/:id`,
    serve('read', async (c, book) => answer(find(c, book, 'read'), 'read')),
  );

  app.post(
    COLLECTION,
    serve('create', async (c, book) => {
      const body = rules.parseJson(await c.req.raw.text(), 'create');
      refuseProblems(rules.createProblems(body, env));
      const template = rules.buildTemplate(body, env);
      rules.addTemplate(book, template, env);
      rules.afterSave(book, template, env);
      return { ...answer(template, 'create'), headers: rules.createdHeaders(template, c.req.raw) };
    }),
  );

  app.patch(
    `${COLLECTION}/:id`,
    serve('update', async (c, book) => {
      const text = await c.req.raw.text();
      const current = find(c, book, 'update');
      const body = rules.parseJson(text, 'update');
      refuseProblems(rules.updateProblems(body, current, env));
      const template = rules.patchTemplate(current, body, env);
      rules.replaceTemplate(book, template, env);
      rules.afterSave(book, template, env);
      return answer(template, 'update');
    }),
  );

  app.delete(
    `${COLLECTION}/:id`,
    serve('delete', async (c, book) => {
      const template = find(c, book, 'delete');
      rules.removeTemplate(book, template, env);
      return { body: rules.deleteBody(template) };
    }),
  );

  app.post(
    `${COLLECTION}/:id/verify_by_carriers`,
    serve('verify', async (c, book) => {
      const text = await c.req.raw.text();
      const current = find(c, book, 'verify');
      const body = rules.parseJson(text, 'verify');
      refuseProblems(rules.verifyProblems(body, env));
      const template = rules.startVerification(current, rules.requestedCarriers(body), env);
      rules.replaceTemplate(book, template, env);
      return answer(template, 'verify');
    }),
  );
}
