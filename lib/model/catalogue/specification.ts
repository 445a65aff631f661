/** Reads what a suite says of its specification: headings, and the words that requirements are based on. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { LineCounter, parseDocument } from 'yaml';
import { matches } from '../pattern.ts';
import type { CatalogueProblem } from './problems.ts';
import { describe } from './problems.ts';
import type { Requirement } from './types.ts';

const text = { type: 'string', minLength: 1 } as const;

/** JSON Schema 2020-12 of `specification.yaml`, beside the requirements of a suite. */
export const specificationSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'Specification',
  title: 'What a suite says of its specification',
  type: 'object',
  additionalProperties: false,
  properties: {
    sections: {
      type: 'object',
      description: 'Headings by the number of the section.',
      additionalProperties: text,
    },
    quotations: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['section', 'quote', 'of'],
        properties: {
          section: { ...text, description: 'Number of the section where it stands.' },
          quote: { ...text, maxLength: 110, description: 'A few words as they stand there.' },
          of: {
            type: 'array',
            minItems: 1,
            items: text,
            description: 'Ids of required entries; `*` stands for anything.',
          },
        },
      },
    },
  },
} as const;

interface SpecificationFile {
  sections?: Record<string, string>;
  quotations?: { section: string; quote: string; of: string[] }[];
}

const validate = new Ajv2020({ allErrors: true }).compile<SpecificationFile>(specificationSchema);

/**
 * Sets the `quote` of every required entry to the first quotation that names the entry.
 * @param folder of the suite; without a `specification.yaml` in it nothing is done
 * @returns the headings by section, and the mistakes in the file, such as a quotation that belongs to no
 *   requirement
 */
export function addQuotations(
  folder: string,
  requirements: readonly Requirement[],
): { sections: Record<string, string>; problems: CatalogueProblem[] } {
  const file = join(folder, 'specification.yaml');
  if (!existsSync(file)) return { sections: {}, problems: [] };
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines });
  const value: unknown = document.toJS();
  const problem = (message: string, offset = 0): CatalogueProblem => ({
    file,
    line: lines.linePos(offset).line,
    message,
  });
  if (document.errors[0]) {
    const [{ message, pos }] = document.errors;
    return { sections: {}, problems: [problem(message.split('\n', 1)[0]!, pos[0])] };
  }
  if (!validate(value)) {
    const said = (validate.errors ?? []).flatMap((error) => describe(error)?.message ?? []);
    return { sections: {}, problems: said.map((message) => problem(message)) };
  }
  const problems: CatalogueProblem[] = [];
  for (const [i, { section, quote, of }] of (value.quotations ?? []).entries()) {
    const named = requirements.filter(
      (each) => each.level === 'required' && each.quote === undefined && matches(each.id, of),
    );
    for (const each of named) each.quote = { section, text: quote };
    const node = document.getIn(['quotations', i], true) as { range?: [number] } | undefined;
    if (named.length === 0)
      problems.push(problem(`"${quote}" is the quotation of no requirement`, node?.range?.[0]));
  }
  return { sections: value.sections ?? {}, problems };
}
