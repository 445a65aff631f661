/** A reference with other people's things, which no run may touch, and whose state can be compared. */
import { onTestFinished } from 'vitest';
import {
  createReference,
  describeReference,
  type Handler,
  listen,
  type Trust,
} from '../../reference/index.ts';
import { ATTRIBUTES } from '../lib/address.ts';

export type Description = ReturnType<typeof describeReference>;
type Json = Record<string, unknown>;

/** See the module comment. */
export interface Living {
  configuration: Description;
  /** Everything that a client can see and change: addresses, caches, limits. */
  state(): Promise<unknown>;
  /** Calls `act` once, before or after the nth request from now is carried out, and waits for it. */
  onRequest(nth: number, after: boolean, act: () => unknown): void;
}

/** Starts such a reference on the loopback interface; it is closed when the test ends. */
export async function livingReference(trust: Trust): Promise<Living> {
  let url = '';
  const { handle } = createReference({ issuer: trust.issuer, jwks: trust.jwks, publicUrl: () => url });
  let watch = { left: 0, after: false, act: (): unknown => undefined };
  const server = await listen(async (request) => {
    watch.left -= 1;
    const { left, after, act } = watch;
    if (left === 0 && !after) await act();
    const response = await handle(request);
    if (left === 0 && after) await act();
    return response;
  });
  onTestFinished(() => server.close());
  url = server.url;
  const configuration = describeReference(url, trust);
  await furnish(handle, configuration);
  return {
    configuration,
    state: () => stateOf(handle, configuration),
    onRequest: (nth, after, act) => {
      watch = { left: nth, after, act };
    },
  };
}

const BASE = 'http://127.0.0.1';

async function send(
  handle: Handler,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Json> {
  const init = { method, headers: { 'content-type': 'application/json', ...headers } };
  const response = await handle(
    new Request(BASE + path, { ...init, ...(body !== undefined && { body: JSON.stringify(body) }) }),
  );
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Json);
}

/** Requests a fresh token each time, since the rate is limited per token. */
async function authorization(handle: Handler, client: { clientId: string; clientSecret: string }) {
  const { clientId: client_id, clientSecret: client_secret } = client;
  const body = { grant_type: 'client_credentials', client_id, client_secret };
  const { access_token } = await send(handle, 'POST', '/shipping/api/v1/oauth/token', {}, body);
  return { authorization: `Bearer ${access_token}` };
}

const ADDRESSES = '/shipping/api/v1/address_templates';

function clientsOf({ shipping }: Description) {
  return [shipping, shipping.secondClient];
}

/** Saves other people's addresses, one of them the default for each client, and caches. */
export async function furnish(handle: Handler, configuration: Description): Promise<void> {
  for (const client of clientsOf(configuration)) {
    for (const alias_name of ['Home', 'Conform office']) {
      const address_template = {
        alias_name,
        address_type: 'from',
        default: alias_name === 'Home',
        address_attributes: ATTRIBUTES,
      };
      await send(handle, 'POST', ADDRESSES, await authorization(handle, client), { address_template });
    }
  }
  const [owner, repo] = configuration.caches.repository.split('/');
  const at = new Date().toISOString();
  const cache = {
    owner,
    repo,
    ref: 'refs/heads/main',
    version: 'a'.repeat(64),
    created_at: at,
    last_accessed_at: at,
  };
  const caches = ['npm-1', 'cf-1'].map((key) => ({ ...cache, key, size_in_bytes: 1_000 }));
  await send(handle, 'POST', '/hooks/seed', {}, { caches });
}

/** Everything that a client can see and change. */
export interface State {
  addresses: unknown;
  lists: Json;
  limits: Json;
}

/** Returns everything that a client can see and change on a reference. */
export async function stateOf(handle: Handler, configuration: Description): Promise<State> {
  const addresses = [];
  for (const client of clientsOf(configuration)) {
    const headers = await authorization(handle, client);
    addresses.push((await send(handle, 'GET', `${ADDRESSES}?per_page=20`, headers)) as unknown);
  }
  const { caches } = configuration;
  const headers = { authorization: `Bearer ${caches.token}` };
  const get = (path: string) => send(handle, 'GET', `/caches${path}`, headers);
  const repositories = [
    caches.repository,
    caches.otherRepository,
    caches.publicRepository,
    caches.privateRepository,
    caches.namesakeRepository,
    ...caches.repositories,
  ].filter((name) => name !== undefined);
  const lists: Json = {};
  for (const name of new Set(repositories))
    lists[name] = await get(`/repos/${name}/actions/caches?per_page=100`);
  const limits: Json = {};
  const places = [
    `/enterprises/${caches.enterprise}`,
    `/organizations/${caches.organization}`,
    `/organizations/${caches.otherOrganization}`,
    ...repositories.slice(0, 5).map((name) => `/repos/${name}`),
  ];
  for (const place of places) {
    for (const kind of ['retention', 'storage'])
      limits[`${place} ${kind}`] = await get(`${place}/actions/cache/${kind}-limit`);
  }
  return { addresses, lists, limits };
}
