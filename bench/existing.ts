/**
 * Addresses and caches that are on the reference before a
 * run begins, as other people's data is on a real target.
 */
import { request } from 'undici';
import type { EmbeddedTarget } from '../lib/run/embedded.ts';

interface Account {
  clientId: string;
  clientSecret: string;
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (response.statusCode >= 300) throw new Error(`${url}: ${response.statusCode}`);
  return response.body.json();
}

/** Creates this number of addresses in the account that runs use, and as many caches in one repository. */
export async function makeExisting({ url, target }: EmbeddedTarget, count: number): Promise<void> {
  const { clientId, clientSecret } = target.shipping as unknown as Account;
  const base = `${url}/shipping/api/v1`;
  const { access_token: token } = (await post(`${base}/oauth/token`, {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })) as { access_token: string };
  for (let n = 0; n < count; n += 1) {
    // The rate limit is two a second, by the reference's clock.
    if (n % 2 === 0) await post(`${url}/hooks/clock`, { advanceSeconds: 1 });
    await post(`${base}/address_templates`, addressBody(n), { authorization: `Bearer ${token}` });
  }
  const time = new Date(Date.now() - 3600_000).toISOString();
  const caches = Array.from({ length: count }, (_, n) => ({
    owner: 'Acme-Apps',
    repo: 'Web-Shop',
    key: `existing-${n}`,
    ref: 'refs/heads/main',
    size_in_bytes: 1024 + n,
    created_at: time,
    last_accessed_at: time,
  }));
  await post(`${url}/hooks/seed`, { caches });
}

function addressBody(n: number): unknown {
  return {
    address_template: {
      alias_name: `Existing ${n}`,
      address_type: 'origin',
      address_attributes: {
        name: `Existing ${n}`,
        street1: 'Calle Uno',
        postal_code: '06000',
        area_level1: 'Ciudad de Mexico',
        area_level2: 'Cuauhtemoc',
        country_code: 'MX',
        phone: '5555555555',
        email: `existing${n}@example.com`,
        reference: 'none',
      },
    },
  };
}
