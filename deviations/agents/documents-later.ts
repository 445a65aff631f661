/** Metadata documents that change once somebody has registered (section 2). */
import type { AgentRules, JsonObject } from '../../reference/agents/index.ts';
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

export const laterDocumentDeviations: AgentDeviation[] = [
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
