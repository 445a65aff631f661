/** Another client of agent registration, of the same identity provider, with users and keys of its own. */
import type { JWK } from 'jose';
import type { Handler, Trust } from '../../reference/index.ts';
import { fieldsWith } from '../../services/agents/api/registration-endpoint.ts';
import { IdentityProvider } from '../../services/agents/idp/identity-provider.ts';
import { keySigner } from '../../services/agents/idp/signer.ts';
import type { InMemory } from '../transports/in-memory.ts';

const asJson = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/**
 * Returns a hook that makes one request with each `every`-th request of the suite, in turn: it registers a
 * user, uses the key, registers the user again, and replays the assertion.
 *
 * @param answered called with the status of each of these requests
 */
export function busyAgents(
  every: number,
  trust: Trust,
  answered: (status: number) => void = () => {},
): NonNullable<InMemory['meanwhile']> {
  let requests = 0;
  let step = 0;
  let assertion = '';
  let key = '';
  return async (request, send) => {
    if (request.url.includes('/hooks/')) return;
    requests += 1;
    if (requests % every !== 0) return;
    step += 1;
    const { origin } = new URL(request.url);
    if (step % 4 === 2) {
      const call = new Request(`${origin}/agents/v2/scrape`, asJson({ url: 'https://example.com' }));
      call.headers.set('authorization', `Bearer ${key}`);
      return answered((await send(call)).status);
    }
    // The third request registers the same user once more; the fourth replays the same assertion.
    if (step % 4 !== 0) assertion = await mint(send, origin, trust, Math.floor((step - 1) / 4));
    const answer = await send(new Request(`${origin}/agents/agent/auth`, asJson(fieldsWith(assertion))));
    answered(answer.status);
    const told = (await answer.json()) as { api_key?: string };
    key = told.api_key ?? key;
  };
}

async function mint(send: Handler, origin: string, trust: Trust, nth: number): Promise<string> {
  const clock = await send(new Request(`${origin}/hooks/clock`, asJson({ advanceSeconds: 0 })));
  const { now } = (await clock.json()) as { now: string };
  const provider = new IdentityProvider(trust.issuer, keySigner(trust.key as JWK), () => Date.parse(now));
  const subject = { sub: `neighbour-${nth}`, email: `neighbour-${nth}@example.org` };
  const metadata = await send(new Request(`${origin}/agents/.well-known/oauth-protected-resource`));
  const { resource } = (await metadata.json()) as { resource: string };
  return (await provider.mint(subject, resource)).token;
}
