/** JSON Schema of a baseline of known failures; published as `schemas/baseline.schema.json`, kept equal by a test. */
export const baselineSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'baseline.schema.json',
  title: 'Known failures of a target',
  type: 'object',
  required: ['known'],
  additionalProperties: false,
  properties: {
    known: {
      type: 'array',
      items: {
        anyOf: [
          { type: 'string', minLength: 1 },
          {
            type: 'object',
            required: ['id'],
            additionalProperties: false,
            properties: {
              id: {
                type: 'string',
                minLength: 1,
                description: 'Id of a requirement; `*` stands for anything.',
              },
              reason: { type: 'string', description: 'Why it is tolerated.' },
              link: { type: 'string', description: 'Where it is tracked.' },
              expires: {
                type: 'string',
                pattern: '^\\d{4}-\\d{2}-\\d{2}$',
                description: 'The last day on which it counts, `2027-01-31`.',
              },
            },
          },
        ],
      },
    },
  },
} as const;
