/** Mistakes in a catalogue, reported so that their place in the file can be found. */
import type { ErrorObject } from 'ajv/dist/2020.js';

/** One mistake in a catalogue file. */
export interface CatalogueProblem {
  /** Path of the file as it was opened. */
  file: string;
  /** Line in the file, from 1. */
  line: number;
  /** Id of the entry at fault, where it has one. */
  id?: string;
  message: string;
}

/** Thrown when catalogues contain mistakes; the message has one line for each. */
export class CatalogueError extends Error {
  override name = 'CatalogueError';
  readonly problems: readonly CatalogueProblem[];

  constructor(problems: readonly CatalogueProblem[]) {
    super(problems.map(inOneLine).join('\n'));
    this.problems = problems;
  }
}

function inOneLine({ file, line, id, message }: CatalogueProblem): string {
  return `${file}:${line}: ${id === undefined ? '' : `${id}: `}${message}`;
}

/**
 * Returns a short message for a validation error, or `undefined` for an error that only repeats others. `key`
 * is returned when the message is about a member of the value that the error points to.
 */
export function describe(error: ErrorObject): { key?: string; message: string } | undefined {
  const name = error.instancePath.split('/').at(-1) ?? '';
  const at = name === '' || /^\d+$/.test(name) ? '' : `\`${name}\` `;
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'if':
      return undefined;
    case 'required':
      return { message: `lacks \`${params.missingProperty}\`` };
    case 'additionalProperties': {
      const key = String(params.additionalProperty);
      return { key, message: `unknown key \`${key}\`` };
    }
    case 'false schema':
      return { message: `${at}has no place in an entry of this level` };
    case 'not':
      return { message: `${at}says "should"; say what is the case: "X does Y"` };
    case 'enum':
      return { message: `${at}is not one of ${(params.allowedValues as string[]).join(', ')}` };
    case 'maxLength':
      return { message: `${at}is longer than ${params.limit} characters` };
    default:
      return { message: `${at}${error.message ?? error.keyword}` };
  }
}
