/** What the agent reference publishes of itself. */
import { describe, expect, test } from 'vitest';
import { Validator } from '../../lib/check/validator.ts';
import { createAgents } from '../../reference/agents/index.ts';
import { agentSchemas } from '../../schemas/agents/index.ts';
import { base, resource, service } from './agents-idp.ts';

const validator = new Validator(agentSchemas);

describe('discovery', () => {
  test('an unauthenticated call is challenged with the address of the metadata', async () => {
    const { scrape, get } = service();
    for (const answer of [await scrape({}), await get('/'), await get('/v1/anything')]) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource"`,
      );
    }
  });

  test('both documents fit their schemas and lead to each other', async () => {
    const { get } = service();
    const answer = await get('/.well-known/oauth-protected-resource');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    const protectedResource = (await answer.json()) as Record<string, string>;
    expect(validator.check('ProtectedResourceMetadata', protectedResource)).toEqual([]);
    expect(protectedResource.resource).toBe(resource);
    expect(protectedResource.agent_auth_uri).toBe(`${base}/.well-known/oauth-authorization-server`);

    const server = (await (await get('/.well-known/oauth-authorization-server')).json()) as {
      agent_auth: Record<string, unknown>;
    };
    expect(validator.check('AuthorizationServerMetadata', server)).toEqual([]);
    expect(server.agent_auth).toMatchObject({
      register_uri: `${base}/agent/auth`,
      identity_types_supported: ['identity_assertion'],
      events_supported: [],
    });
    expect((await get('/auth.md')).status).toBe(200);
    expect((await get('/logo.svg')).status).toBe(200);
  });

  test('a public URL that is known late is asked for with every request', async () => {
    let port = 1;
    const { clock } = service();
    const { handle } = createAgents({
      clock,
      issuer: 'https://idp.example',
      jwks: { keys: [] },
      publicUrl: () => `http://127.0.0.1:${port}/agents`,
    });
    const read = async () =>
      (await handle(new Request('http://a.example/.well-known/oauth-protected-resource'))).json();
    expect(await read()).toMatchObject({ resource: 'http://127.0.0.1:1/agents/v2' });
    port = 2;
    expect(await read()).toMatchObject({ resource: 'http://127.0.0.1:2/agents/v2' });
  });

  test.each([
    ['/agent/auth', 'GET', 'POST'],
    ['/.well-known/oauth-protected-resource', 'POST', 'GET, HEAD'],
    ['/.well-known/oauth-authorization-server', 'DELETE', 'GET, HEAD'],
  ])('%s refuses %s', async (path, method, allow) => {
    const answer = await service().get(path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
  });
});
