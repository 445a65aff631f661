/** Bodies and assertions that are parsed too kindly: what is no JSON, no JWS, or another member (section 4). */
import type { AgentDeviation } from './kit.ts';

export const requestParsingDeviations: AgentDeviation[] = [
  {
    id: 'parts-behind-the-third-ignored',
    breaks: ['AGENT-ASSERTION-NOT-JWT'],
    sentence: 'reads the first three parts of an assertion and ignores what follows them',
    rules: (original) => ({
      readBody: async (request) => {
        const body = await original.readBody(request);
        const { assertion } = body;
        return typeof assertion === 'string' && assertion.startsWith('eyJ')
          ? { ...body, assertion: assertion.split('.').slice(0, 3).join('.') }
          : body;
      },
    }),
  },
  ...(
    [
      [
        'what-follows-the-json-ignored',
        'AGENT-REQ-MALFORMED-JSON',
        'reads the first JSON value of a body and ignores what follows it',
        (text) => text.replace(/^(\{.*\}) \{\}$/s, '$1'),
      ],
      [
        'names-of-members-without-case',
        'AGENT-REQ-TYPE-REQUIRED',
        'matches the names of members without regard to case',
        (text) => text.replace('"TYPE":', '"type":'),
      ],
    ] as [id: string, requirement: string, sentence: string, read: (text: string) => string][]
  ).map(
    ([id, requirement, sentence, read]): AgentDeviation => ({
      id,
      breaks: [requirement],
      sentence,
      rules: (original) => ({
        readBody: async (request) => {
          const text = read(await request.clone().text());
          return original.readBody(Object.assign(Object.create(request), { text: async () => text }));
        },
      }),
    }),
  ),
];
