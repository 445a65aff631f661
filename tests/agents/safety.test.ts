/** The suite sends requests only to the configured origins, whatever URLs the target returns. */
import { expect, test } from 'vitest';
import type { Handler } from '../../reference/index.ts';
import { type Received, registrations, run, serve, stranger } from './run.ts';

/** Replaces the service's own origin by another one in one member of the metadata, or in the challenge. */
function naming(
  member: 'resource_metadata' | 'agent_auth_uri' | 'register_uri' | 'skill' | 'resource_logo_uri',
  foreign: string,
) {
  return (next: Handler): Handler =>
    async (request) => {
      const answer = await next(request);
      const text = await answer.text();
      const headers = new Headers(answer.headers);
      const moved = (value: string) =>
        value.replace(new RegExp(`(${member}"?[=:] ?"?)http://[^/"]+`), `$1${foreign}`);
      const challenge = headers.get('www-authenticate');
      if (challenge !== null) headers.set('www-authenticate', moved(challenge));
      return new Response(moved(text), { status: answer.status, headers });
    };
}

/** Redirects some requests to another origin with 307, which keeps body and method. */
function redirecting(which: (request: Request) => boolean, foreign: string) {
  return (next: Handler): Handler =>
    async (request) =>
      which(request)
        ? new Response(null, {
            status: 307,
            headers: { location: `${foreign}${new URL(request.url).pathname}` },
          })
        : next(request);
}

/** Returns the requests that carried a credential. */
function credentialsIn(received: Received[]): Received[] {
  return received.filter(
    ({ headers, body }) =>
      headers.authorization !== undefined || /eyJ|key_/.test(body + JSON.stringify(headers)),
  );
}

const METADATA: [member: Parameters<typeof naming>[0], check: string][] = [
  ['resource_metadata', 'AGENT-CHALLENGE-URL-LEADS'],
  ['agent_auth_uri', 'AGENT-PRM-AGENT-AUTH-LEADS'],
  ['register_uri', 'AGENT-ASM-REGISTER-URI-LEADS'],
];

test.each(METADATA)(
  '%s on another origin is not followed, and the reason names the key to set',
  async (member, check) => {
    const other = await stranger();
    const target = await serve({ filter: naming(member, other.url) });
    const ran = await run(
      { agents: target.agents },
      { prefixes: [check, 'AGENT-REG-', 'AGENT-KEY-OPENS', 'AGENT-AUD-OTHER'] },
    );
    expect(other.received).toEqual([]);
    expect(ran.of(check).verdict).toBe('skipped');
    expect(ran.of(check).reason).toContain('targets.tested.agents.allowedOrigins');
    expect(ran.of(check).reason).toContain(other.url);
    // The documented path is used instead, so that the other checks can still run.
    expect(ran.of('AGENT-REG-STATUS').verdict).toBe('passed');
    expect(ran.of('AGENT-AUD-OTHER').verdict).toBe('passed');
    expect(ran.origins).toEqual(new Set([target.url]));
  },
);

test.each(['skill', 'resource_logo_uri'] as const)(
  '%s on another origin is not requested',
  async (member) => {
    const other = await stranger();
    const target = await serve({ filter: naming(member, other.url) });
    const ran = await run(
      { agents: target.agents },
      { prefixes: ['AGENT-PRM-LOGO-SERVED', 'AGENT-ASM-SKILL-SERVED'] },
    );
    expect(other.received).toEqual([]);
    expect(ran.results.map(({ verdict }) => verdict)).toEqual(['observed', 'observed']);
  },
);

test('an allowed origin is followed, without any credential where the metadata is read', async () => {
  const other = await stranger();
  const target = await serve({ filter: naming('resource_metadata', other.url) });
  const agents = {
    ...target.agents,
    allowedOrigins: [`${other.url}/`],
    headers: { Authorization: 'Bearer gateway' },
  };
  const ran = await run({ agents }, { prefixes: ['AGENT-CHALLENGE-'] });
  expect(other.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /agents/.well-known/oauth-protected-resource',
  ]);
  expect(credentialsIn(other.received)).toEqual([]);
  expect(ran.of('AGENT-CHALLENGE-URL-LEADS').verdict).toBe('failed');
});

const REDIRECTS: [what: string, which: (request: Request) => boolean][] = [
  ['a registration', ({ method, url }) => method === 'POST' && url.endsWith('/agent/auth')],
  [
    'a scrape call with a key',
    ({ headers, url }) => url.includes('/v2/scrape') && headers.has('authorization'),
  ],
  ['the metadata', ({ url }) => url.includes('/.well-known/')],
  ['everything', () => true],
];

test.each(REDIRECTS)('a redirect of %s to another origin is not followed', async (_what, which) => {
  const other = await stranger();
  const target = await serve({ filter: redirecting(which, other.url) });
  const ran = await run({ agents: target.agents });
  expect(other.received).toEqual([]);
  expect(ran.origins).toEqual(new Set([target.url]));
});

test('assertions go to the registration endpoint, keys to the API, and neither anywhere else', async () => {
  const target = await serve();
  await run({ agents: target.agents });
  const withAssertion = target.received.filter(({ path, body }) => /eyJ/.test(body + path));
  expect(new Set(withAssertion.map(({ path }) => path))).toEqual(new Set(['/agent/auth']));
  const withKey = target.received.filter((each) => /key_[0-9A-Za-z]{16}/.test(JSON.stringify(each)));
  expect(withKey.length).toBeGreaterThan(5);
  expect(new Set(withKey.map(({ path }) => path.split('?')[0]))).toEqual(
    new Set(['/v2/scrape', '/v1/scrape', '/v2/conformance-unknown']),
  );
});

test('a configured Authorization header is never sent in place of a key', async () => {
  const target = await serve();
  const agents = { ...target.agents, headers: { authorization: 'Bearer gateway', 'x-gateway': 'open' } };
  const ran = await run(
    { agents },
    { prefixes: ['AGENT-CHALLENGE-STATUS', 'AGENT-REG-STATUS', 'AGENT-KEY-OPENS'] },
  );
  expect(ran.having('passed')).toHaveLength(15);
  expect(target.received.every(({ headers }) => headers['x-gateway'] === 'open')).toBe(true);
  expect(target.received.filter(({ headers }) => headers.authorization === 'Bearer gateway')).toEqual([]);
  expect(registrations(target.received).every(({ headers }) => headers.authorization === undefined)).toBe(
    true,
  );
});

test('without permission to write, nothing is registered', async () => {
  const target = await serve();
  const ran = await run({ agents: target.agents }, { effects: ['read'] });
  expect(registrations(target.received)).toEqual([]);
  expect(ran.of('AGENT-PRM-STATUS').verdict).toBe('passed');
  expect(ran.of('AGENT-REG-STATUS').reason).toContain('--effects');
});
