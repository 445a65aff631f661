/** Reference implementation of specification 2: agent registration for API keys. */

import { Hono } from 'hono';
import type { JSONWebKeySet } from 'jose';
import { jsonResponse } from '../kit/response.ts';
import type { Service, ServiceOptions } from '../kit/service.ts';
import { register } from './registration.ts';
import { type AgentRules, agentRules } from './rules/index.ts';
import type { JsonObject, Refusal, Urls } from './types.ts';

export { type AgentRules, agentRules } from './rules/index.ts';
export type * from './types.ts';
export { Fault } from './types.ts';

/** Options of `createAgents`. */
export interface AgentsOptions extends ServiceOptions<AgentRules> {
  /** The one identity provider that is trusted: the `iss` that assertions must carry. */
  issuer: string;
  /** Its public keys. */
  jwks: JSONWebKeySet;
  /** Base URL of the service, prefix included. A function where it is known only once a port is open. */
  publicUrl: string | (() => string);
}

const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1"/></svg>';

/**
 * Creates the service without a socket: the metadata documents, registration, and the API that requires a
 * key, all under one base URL. Its state is its own: two services share nothing.
 */
export function createAgents(options: AgentsOptions): Service {
  const { clock, issuer, jwks, publicUrl } = options;
  const rules: AgentRules = { ...agentRules, ...options.rules };
  const { paths } = rules;
  const state = { keys: new Map(), users: new Map(), replays: new Map() };

  const urls = (): Urls =>
    rules.urls((typeof publicUrl === 'string' ? publicUrl : publicUrl()).replace(/\/+$/, ''), paths);

  const refuse = (refusal: Refusal): Response => {
    const headers = { 'www-authenticate': rules.challenge(urls(), refusal) };
    return json(rules.refusedBody(), rules.refusedStatus, headers);
  };

  /** Calls `answer` if the request presents a valid key, and refuses the request otherwise. */
  const guarded = async (request: Request, answer: () => Promise<Response>): Promise<Response> => {
    // The request is cloned because the rule may read its body, which the call itself still needs.
    const key = await rules.presentedKey(request.clone());
    if (key === undefined) return refuse('no-key');
    const registration = rules.findKey(state.keys, key);
    if (!registration || !rules.isLive(registration, clock.now())) return refuse('unknown-key');
    return answer();
  };

  const app = new Hono();
  const metadata = (path: string, document: (urls: Urls) => JsonObject) => {
    app.get(path, () => json(document(urls()), 200));
    app.all(path, () => notAllowed('GET, HEAD'));
  };
  metadata(paths.resourceMetadata, (at) =>
    rules.resourceMetadata(at, rules.scopesSupported, rules.bearerMethods),
  );
  metadata(paths.serverMetadata, (at) => rules.serverMetadata(at, rules.agentAuth(at)));

  app.post(paths.register, async (c) => {
    const context = { rules, state, clock, issuer, jwks };
    const { body, status, headers } = await register(c.req.raw, urls(), context);
    return json(body, status, headers);
  });
  app.all(paths.register, () => notAllowed('POST'));

  app.get(paths.skill, (c) => c.text(skill(urls()), 200, { 'content-type': 'text/markdown; charset=utf-8' }));
  app.get(paths.logo, (c) => c.body(logo, 200, { 'content-type': 'image/svg+xml' }));

  app.post(paths.scrape, (c) =>
    guarded(c.req.raw, async () => {
      const { status, body } = await rules.scrape(c.req.raw);
      return json(body, status);
    }),
  );
  // The key comes first: a caller without one cannot find out which other paths exist.
  app.all('*', (c) => guarded(c.req.raw, async () => json({ error: 'not_found' }, 404)));

  return { handle: async (request) => app.fetch(request) };
}

function json(body: JsonObject, status: number, headers: Record<string, string> = {}): Response {
  return jsonResponse(body, { status, headers });
}

function notAllowed(allow: string): Response {
  return json({ error: 'method_not_allowed' }, 405, { allow });
}

function skill(urls: Urls): string {
  return [
    '# Registration for agents',
    '',
    `1. Read ${urls.resourceMetadata} and the document that its \`agent_auth_uri\` names.`,
    `2. POST an identity assertion for the audience ${urls.resource} to ${urls.register}.`,
    '3. Call the API with `Authorization: Bearer <api_key>`.',
    '',
  ].join('\n');
}
