/** JSON Schema 2020-12 of `suites/<suite>/requirements.yaml`; the type beside it is `Catalogue` in types.ts. */

const text = { type: 'string', minLength: 1 } as const;

/** An entry of this level must have `required` and has no use for `forbidden`. */
function level(name: string, required: readonly string[], forbidden: readonly string[]): object {
  return {
    if: { required: ['level'], properties: { level: { const: name } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required, properties: Object.fromEntries(forbidden.map((key) => [key, false])) },
  };
}

export const catalogueSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'Catalogue',
  title: 'Requirement catalogue of one suite',
  type: 'object',
  required: ['suite', 'title', 'spec', 'requirements'],
  additionalProperties: false,
  properties: {
    suite: {
      type: 'string',
      pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
      description: 'Name of the suite and of its folder.',
    },
    title: { ...text, description: 'What a report calls the suite.' },
    spec: { ...text, description: 'The specification: its file name without the ending.' },
    requirements: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['id', 'section', 'level', 'title', 'statement'],
        additionalProperties: false,
        properties: {
          id: {
            type: 'string',
            pattern: '^[A-Z][A-Z0-9]*(-[A-Z0-9]+)+$',
            description: 'Upper case, words joined by hyphens, the first one common to the suite.',
          },
          section: { ...text, description: 'Where the specification says it.' },
          level: { enum: ['required', 'advised', 'silence', 'untestable'] },
          basis: { enum: ['stated', 'derived'], description: 'Why it is required.' },
          title: {
            ...text,
            maxLength: 90,
            not: { pattern: '\\b[Ss][Hh][Oo][Uu][Ll][Dd]\\b' },
            description: 'A few words, "X does Y".',
          },
          statement: {
            ...text,
            description: 'In our own words; for a silence, the question it leaves open.',
          },
          severity: { enum: ['critical', 'major', 'minor'] },
          field: {
            type: 'string',
            pattern: '^[A-Za-z][A-Za-z0-9]*/[^/]+$',
            description: 'The property it is about: name of the schema, slash, name of the property.',
          },
          standard: { ...text, description: 'The general standard that advises it, with section.' },
          cause: { ...text, description: 'How a server usually comes to break it.' },
          reason: { ...text, description: 'Why it is not tested.' },
        },
        allOf: [
          level('required', ['basis', 'severity', 'cause'], ['standard']),
          level('advised', ['standard', 'severity', 'cause'], ['basis']),
          level('silence', [], ['basis', 'severity', 'cause', 'standard', 'field', 'reason']),
          level('untestable', ['reason'], ['basis', 'severity', 'cause', 'standard', 'field']),
        ],
      },
    },
  },
} as const;
