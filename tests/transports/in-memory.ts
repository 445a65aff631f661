/** The reference in memory, as a wire: reads may lag behind writes, and other clients may use it, too. */
import { handlerTransport } from '../../lib/http/handler-transport.ts';
import type { Transport } from '../../lib/http/transport.ts';
import { type Env as CachesEnv, cacheRules } from '../../reference/caches/index.ts';
import { createReference, describeReference, type Handler, type Trust } from '../../reference/index.ts';
import { type Env as ShippingEnv, shippingRules } from '../../reference/shipping/index.ts';
import { ATTRIBUTES } from '../lib/address.ts';

const URL = 'http://reference.test';

/** How the reference behaves. */
export interface InMemory {
  trust: Trust;
  /** Reads show the state of this many milliseconds of real time ago. */
  lagMs?: number;
  /** That time begins with the first read after the change, so that a slow machine sees the lag, too. */
  lagsOnceRead?: boolean;
  /** How many requests with a new access token are refused, as if it were not known yet. */
  tokensRefused?: number;
  /** Called with each request before it is carried out; it may send requests of its own. */
  meanwhile?: (request: Request, send: Handler) => Promise<void>;
}

/** Returns the configuration of a target that is this reference. */
export const describeInMemory = (trust: Trust) => describeReference(URL, trust);

/** Opens this wire. It is an export, so that this module can be named in `RunInput.transport`. */
export async function openTransport({
  trust,
  lagMs = 0,
  lagsOnceRead = false,
  tokensRefused = 0,
  meanwhile,
}: InMemory): Promise<Transport> {
  const past = new Past(lagMs, lagsOnceRead);
  const { handle, clock } = createReference({
    issuer: trust.issuer,
    jwks: trust.jwks,
    publicUrl: URL,
    rules: {
      shipping: { ...past.shippingRules, ...refusingAtFirst(tokensRefused) },
      caches: past.cacheRules,
    },
  });
  const lagging: Handler = (request) => past.serve(request, handle);
  return handlerTransport(
    async (request) => {
      await meanwhile?.(request, handle);
      return lagging(request);
    },
    (seconds) => {
      clock.advance(seconds * 1_000);
      return clock.now();
    },
  );
}

/** Refuses this many requests with each access token before the first one that is admitted. */
function refusingAtFirst(times: number): Pick<typeof shippingRules, 'tokenIsActive'> {
  const uses = new Map<string, number>();
  return {
    tokenIsActive: (token, where, env) => {
      const nth = (uses.get(token.value) ?? 0) + 1;
      uses.set(token.value, nth);
      return nth > times && shippingRules.tokenIsActive(token, where, env);
    },
  };
}

/** The earlier states that lagging reads still show. */
class Past {
  readonly #lagMs: number;
  readonly #onceRead: boolean;
  #shipping: ShippingEnv | undefined;
  #caches: CachesEnv | undefined;
  /** The state before each change, the oldest first; `at` is when its lag began. */
  readonly #before: {
    at: number | undefined;
    books: ShippingEnv['state']['books'];
    caches: CachesEnv['state'] | undefined;
  }[] = [];
  /** Requests are served one after the other, since a read replaces the state while it lasts. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(lagMs: number, onceRead: boolean) {
    this.#lagMs = lagMs;
    this.#onceRead = onceRead;
  }

  readonly shippingRules = {
    bookOf: (...[token, env]: Parameters<typeof shippingRules.bookOf>) => {
      this.#shipping = env;
      return shippingRules.bookOf(token, env);
    },
  };

  readonly cacheRules = {
    findToken: (...[value, operation, env]: Parameters<typeof cacheRules.findToken>) => {
      this.#caches = env;
      return cacheRules.findToken(value, operation, env);
    },
  };

  serve(request: Request, handle: Handler): Promise<Response> {
    if (this.#lagMs === 0) return handle(request);
    const served = this.#turn.then(() =>
      request.method === 'GET' ? this.#read(request, handle) : this.#write(request, handle),
    );
    this.#turn = served.catch(() => {});
    return served;
  }

  #write(request: Request, handle: Handler): Promise<Response> {
    const isClock = request.url.endsWith('/hooks/clock');
    if (!isClock)
      this.#before.push({
        at: this.#onceRead ? undefined : performance.now(),
        books: structuredClone(this.#shipping?.state.books ?? new Map()),
        caches: structuredClone(this.#caches?.state),
      });
    return handle(request);
  }

  async #read(request: Request, handle: Handler): Promise<Response> {
    const now = performance.now();
    for (const each of this.#before) each.at ??= now;
    while (this.#before[0] && this.#before[0].at! <= now - this.#lagMs) this.#before.shift();
    const [shown] = this.#before;
    if (!shown) return handle(request);
    const [shipping, caches] = [this.#shipping?.state, this.#caches?.state];
    if (this.#shipping && shipping)
      this.#shipping.state = { ...shipping, books: structuredClone(shown.books) };
    if (this.#caches && shown.caches) this.#caches.state = structuredClone(shown.caches);
    try {
      return await handle(request);
    } finally {
      if (this.#shipping && shipping) this.#shipping.state = shipping;
      if (this.#caches && caches) this.#caches.state = caches;
    }
  }
}

/**
 * Returns a hook that acts as another user, who adds, changes or removes things of their own with each
 * `every`-th request of the suite.
 */
export function busyNeighbour(every: number): NonNullable<InMemory['meanwhile']> {
  let n = 0;
  let step = 0;
  let address: string | undefined;
  return async (request, send) => {
    if (request.url.includes('/hooks/')) return;
    n += 1;
    if (n % every !== 0) return;
    step += 1;
    address = await inTheBook(send, step, address);
    await inTheRepository(send, step);
  };
}

const asJson = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

async function inTheBook(send: Handler, step: number, id: string | undefined): Promise<string | undefined> {
  const { shipping } = describeReference(URL, { issuer: '', key: {} });
  const grant = {
    grant_type: 'client_credentials',
    client_id: shipping.clientId,
    client_secret: shipping.clientSecret,
  };
  const issued = await send(new Request(`${URL}/shipping/api/v1/oauth/token`, asJson(grant)));
  const { access_token: token } = (await issued.json()) as { access_token: string };
  const call = async (method: string, path: string, body?: unknown) => {
    const { headers, ...rest } = asJson(body);
    return send(
      new Request(`${URL}/shipping/api/v1/address_templates${path}`, {
        ...(body !== undefined && rest),
        headers: { ...(headers as Record<string, string>), authorization: `Bearer ${token}` },
        method,
      }),
    );
  };
  const address_template = {
    alias_name: `Somebody else's ${step}`,
    address_type: 'from',
    default: false,
    address_attributes: ATTRIBUTES,
  };
  if (id === undefined) {
    const made = (await (await call('POST', '', { address_template })).json()) as { data: { id: string } };
    return made.data.id;
  }
  if (step % 3 === 2) {
    await call('PATCH', `/${id}`, { address_template: { alias_name: `Changed ${step}` } });
    return id;
  }
  await call('DELETE', `/${id}`);
  return undefined;
}

async function inTheRepository(send: Handler, step: number): Promise<void> {
  const { caches } = describeReference(URL, { issuer: '', key: {} });
  const [owner, repo] = caches.repository.split('/');
  const at = new Date().toISOString();
  if (step % 2 === 1) {
    const cache = {
      owner,
      repo,
      ref: 'refs/heads/main',
      key: `somebody-elses-${step}`,
      version: 'a'.repeat(64),
      created_at: at,
      last_accessed_at: at,
      size_in_bytes: 1_000,
    };
    await send(new Request(`${URL}/hooks/seed`, asJson({ caches: [cache] })));
  } else {
    const path = `/caches/repos/${caches.repository}/actions/caches?key=somebody-elses-${step - 1}`;
    await send(
      new Request(URL + path, { method: 'DELETE', headers: { authorization: `Bearer ${caches.token}` } }),
    );
  }
}
