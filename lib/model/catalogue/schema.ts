/**
 * JSON Schema 2020-12 of the requirement catalogues, published as `schemas/requirements.schema.json` for
 * editors. The TypeScript types that match it are in types.ts and family.ts.
 */

const text = { type: 'string', minLength: 1 } as const;

/** Returns the rule that an entry of this level has the `required` keys and none of the `forbidden` ones. */
function level(name: string, required: readonly string[], forbidden: readonly string[]): object {
  return {
    if: { required: ['level'], properties: { level: { const: name } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required, properties: Object.fromEntries(forbidden.map((key) => [key, false])) },
  };
}

const properties = {
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
} as const;

/** One requirement that is written out in full, and not as a member of a family. */
export const requirementSchema = {
  type: 'object',
  required: ['id', 'section', 'level', 'title', 'statement'],
  additionalProperties: false,
  properties,
  allOf: [
    level('required', ['basis', 'severity', 'cause'], ['standard']),
    level('advised', ['standard', 'severity', 'cause'], ['basis']),
    level('silence', [], ['basis', 'severity', 'cause', 'standard', 'field', 'reason']),
    level('untestable', ['reason'], ['basis', 'severity', 'cause', 'standard', 'field']),
  ],
} as const;

const { id, field: _, ...shared } = properties;

/** Requirements that differ in a few words only; see family.ts. */
const familySchema = {
  type: 'object',
  required: ['title', 'statement', 'members'],
  additionalProperties: false,
  properties: {
    ...shared,
    title: { ...text, description: 'With a `{placeholder}` where the members differ.' },
    members: {
      type: 'array',
      minItems: 2,
      description: 'The id of each, what it does not share, and a text for each placeholder.',
      items: {
        type: 'object',
        required: ['id'],
        properties: { id },
        additionalProperties: { type: 'string' },
      },
    },
  },
} as const;

/** One file: `requirements.yaml` of a suite, or one of the files in its folder `requirements/`. */
export const catalogueSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'Catalogue',
  title: 'Requirements of a suite',
  type: 'object',
  additionalProperties: false,
  properties: {
    suite: {
      type: 'string',
      pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
      description:
        'Name of the suite and of its folder. In one file of the folder only, with `title` and `spec`.',
    },
    title: { ...text, description: 'What a report calls the suite.' },
    version: {
      type: 'string',
      pattern: '^\\d+\\.\\d+\\.\\d+$',
      description: 'Version of what the catalogue demands: 1.0.0. Major where a demand changes or goes.',
    },
    spec: { ...text, description: 'The specification: its file name without the ending.' },
    requirements: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        if: { required: ['members'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: familySchema,
        else: requirementSchema,
      },
    },
  },
} as const;
