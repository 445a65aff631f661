/** Metadata documents that change later: after the first registration, or after an hour (section 2). */
import type { AgentRules, JsonObject } from '../../reference/agents/index.ts';
import { withBody } from '../kit/answers.ts';
import type { AgentDeviation, Changed } from './kit.ts';

type Document = 'resourceMetadata' | 'agentAuth';

/** Changes members of a document after the first registration. */
const later =
  (document: Document, change: JsonObject) =>
  (original: AgentRules): Changed => {
    let registered = false;
    return {
      provision: async (state, claims) => {
        await original.provision(state, claims);
        registered = true;
      },
      [document]: (...given: Parameters<AgentRules[Document]>) => {
        const make = original[document] as (...args: Parameters<AgentRules[Document]>) => JsonObject;
        return { ...make(...given), ...(registered && change) };
      },
    };
  };

const HOUR_MS = 3_600_000;

/** Changes the answers at a path once an hour has passed since the first request. */
const afterAnHour =
  (path: string, change: (answer: Response) => Response | Promise<Response>): AgentDeviation['wrap'] =>
  (next, clock) => {
    let since: number | undefined;
    return async (request) => {
      since ??= clock.now();
      const answer = await next(request);
      const isLate = clock.now() - since > HOUR_MS;
      return isLate && new URL(request.url).pathname === path ? change(answer) : answer;
    };
  };

const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';

/** Changes the answer to a call without a key once an hour has passed. */
const shutAfterAnHour = (answer: () => Response): AgentDeviation['wrap'] =>
  afterAnHour('/v2/scrape', (usual) => (usual.status === 401 ? answer() : usual));

const changedAfterAnHour = (path: string, change: (body: JsonObject) => JsonObject): AgentDeviation['wrap'] =>
  afterAnHour(path, async (answer) => withBody(answer, (body) => change(body as JsonObject)));

export const laterDocumentDeviations: AgentDeviation[] = [
  {
    id: 'scopes-empty-after-an-hour',
    breaks: ['AGENT-PRM-SCOPES-GLOBAL'],
    sentence: 'lists no scopes once the document is loaded anew, after an hour',
    wrap: changedAfterAnHour(RESOURCE, (body) => ({ ...body, scopes_supported: [] })),
  },
  {
    id: 'register-uri-after-an-hour',
    breaks: ['AGENT-ASM-REGISTER-URI-LEADS'],
    entails: ['AGENT-PRM-AGENT-AUTH-SAME'],
    sentence:
      'names a registration endpoint that is not there once the document is loaded anew, after an hour',
    wrap: changedAfterAnHour(SERVER, (body) => {
      const agent_auth = body.agent_auth as { register_uri: string };
      return { ...body, agent_auth: { ...agent_auth, register_uri: `${agent_auth.register_uri}/v2` } };
    }),
  },
  {
    id: 'resource-name-after-an-hour',
    breaks: ['AGENT-PRM-RESOURCE-NAME'],
    sentence: 'has null as its name once the document is loaded anew, after an hour',
    wrap: changedAfterAnHour(RESOURCE, (body) => ({ ...body, resource_name: null })),
  },
  {
    id: 'resource-after-an-hour',
    breaks: ['AGENT-REG-STATUS'],
    sentence:
      'names another resource once the document is loaded anew, and goes on to expect the first as audience',
    wrap: changedAfterAnHour(RESOURCE, (body) => ({ ...body, resource: `${String(body.resource)}/v2` })),
  },
  {
    id: 'resource-metadata-gone-after-an-hour',
    breaks: ['AGENT-PRM-STATUS'],
    sentence: 'answers 404 for its metadata once what was cached has expired',
    wrap: afterAnHour(RESOURCE, () => new Response('', { status: 404 })),
  },
  {
    id: 'server-metadata-empty-after-an-hour',
    breaks: ['AGENT-ASM-STATUS'],
    sentence: 'answers 204 for the server metadata once what was cached has expired',
    wrap: afterAnHour(SERVER, () => new Response(null, { status: 204 })),
  },
  {
    id: 'events-after-an-hour',
    breaks: ['AGENT-ASM-EVENTS'],
    sentence: 'leaves events_supported out once the document is loaded anew, after an hour',
    wrap: changedAfterAnHour(SERVER, ({ agent_auth: block, ...body }) => {
      const { events_supported: _, ...rest } = block as JsonObject;
      return { ...body, agent_auth: rest };
    }),
  },
  {
    id: 'no-key-403-after-an-hour',
    breaks: ['AGENT-CHALLENGE-STATUS'],
    sentence: 'answers calls without a key with 403 from the second hour on',
    wrap: shutAfterAnHour(() => new Response(null, { status: 403 })),
  },
  {
    id: 'challenge-missing-after-an-hour',
    breaks: ['AGENT-CHALLENGE-HEADER'],
    sentence: 'leaves the challenge out from the second hour on',
    wrap: shutAfterAnHour(() => new Response(null, { status: 401 })),
  },
  {
    id: 'challenge-bare-after-an-hour',
    breaks: ['AGENT-CHALLENGE-RESOURCE-METADATA'],
    sentence: 'no longer names the metadata in the challenge from the second hour on',
    wrap: shutAfterAnHour(
      () => new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer' } }),
    ),
  },
  {
    id: 'events-after-registration',
    breaks: ['AGENT-ASM-EVENTS'],
    sentence: 'lists events once a registration has been made',
    rules: later('agentAuth', { events_supported: ['registration.created'] }),
  },
  {
    id: 'skill-after-registration',
    breaks: ['AGENT-ASM-SKILL'],
    sentence: 'names the skill by its path once a registration has been made',
    rules: later('agentAuth', { skill: '/auth.md' }),
  },
  {
    id: 'identity-types-after-registration',
    breaks: ['AGENT-ASM-IDENTITY-TYPES-ONLY'],
    sentence: 'offers a further method once a registration has been made',
    rules: later('agentAuth', { identity_types_supported: ['identity_assertion', 'refresh'] }),
  },
  {
    id: 'bearer-methods-after-registration',
    breaks: ['AGENT-PRM-BEARER-HEADER-ONLY'],
    sentence: 'advertises a further bearer method once a registration has been made',
    rules: later('resourceMetadata', { bearer_methods_supported: ['header', 'body'] }),
  },
  {
    id: 'servers-after-registration',
    breaks: ['AGENT-PRM-AUTHORIZATION-SERVERS'],
    sentence: 'lists authorization servers by host name once a registration has been made',
    rules: later('resourceMetadata', { authorization_servers: ['auth.example'] }),
  },
];
