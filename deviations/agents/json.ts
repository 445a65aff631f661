/** Registrations whose body is not a JSON object (sections 4 and 7). */
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
    sentence: 'repairs truncated JSON',
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
    sentence: 'accepts JSON with a trailing comma',
    rules: reading((text) => JSON.parse(text.replace(/,(\s*[}\]])/g, '$1'))),
  },
  {
    id: 'json-read-until-it-ends',
    breaks: ['AGENT-REQ-MALFORMED-JSON'],
    sentence: 'reads the first JSON object of a body and no further, unless another one follows',
    rules: reading((text) => JSON.parse(text.replace(/\}\s*\w[^{}]*$/, '}'))),
  },
  {
    id: 'json-single-quotes',
    breaks: ['AGENT-REQ-MALFORMED-JSON'],
    sentence: 'accepts JSON with single quotes',
    rules: reading((text) => JSON.parse(text.replaceAll("'", '"'))),
  },
  {
    id: 'array-unwrapped',
    breaks: ['AGENT-REQ-NOT-OBJECT'],
    sentence: 'accepts a registration inside an array',
    rules: reading((text) => [JSON.parse(text)].flat()[0]),
  },
  {
    id: 'text-parsed-twice',
    breaks: ['AGENT-REQ-NOT-OBJECT'],
    sentence: 'accepts a registration that is JSON inside a JSON string',
    rules: reading((text) => {
      const body: unknown = JSON.parse(text);
      return typeof body === 'string' ? JSON.parse(body) : body;
    }),
  },
];
