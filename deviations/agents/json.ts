/** The body of a registration that is no JSON object (sections 4 and 7). */
import type { AgentRules, JsonObject } from '../../reference/agents/index.ts';
import type { AgentDeviation } from './kit.ts';

const reading =
  (read: (text: string) => unknown) =>
  (original: AgentRules): Partial<AgentRules> => ({
    readBody: async (request) => {
      const text = await request.clone().text();
      let body: unknown;
      try {
        body = read(text);
      } catch {
        return original.readBody(request);
      }
      return (body ?? {}) as JsonObject;
    },
  });

export const jsonDeviations: AgentDeviation[] = [
  {
    id: 'json-mended',
    breaks: ['AGENT-REQ-MALFORMED-JSON'],
    sentence: 'mends JSON that breaks off',
    rules: reading((text) => {
      try {
        return JSON.parse(text);
      } catch {
        return JSON.parse(`${text}}`);
      }
    }),
  },
  {
    id: 'json-last-comma',
    breaks: ['AGENT-REQ-MALFORMED-JSON'],
    sentence: 'takes JSON with a comma behind the last member',
    rules: reading((text) => JSON.parse(text.replace(/,(\s*[}\]])/g, '$1'))),
  },
  {
    id: 'json-single-quotes',
    breaks: ['AGENT-REQ-MALFORMED-JSON'],
    sentence: 'takes JSON with single quotes',
    rules: reading((text) => JSON.parse(text.replaceAll("'", '"'))),
  },
  {
    id: 'array-unwrapped',
    breaks: ['AGENT-REQ-NOT-OBJECT'],
    sentence: 'takes a registration in an array',
    rules: reading((text) => [JSON.parse(text)].flat()[0]),
  },
  {
    id: 'text-parsed-twice',
    breaks: ['AGENT-REQ-NOT-OBJECT'],
    sentence: 'takes a registration that is JSON within a JSON text',
    rules: reading((text) => {
      const body: unknown = JSON.parse(text);
      return typeof body === 'string' ? JSON.parse(body) : body;
    }),
  },
];
