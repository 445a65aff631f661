/** Reads the requirement catalogues and sees to it that they hold together (DESIGN section 4). */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { CatalogueError, type CatalogueProblem, describe } from './problems.ts';
import { catalogueSchema } from './schema.ts';
import type { Catalogue } from './types.ts';

export { CatalogueError, type CatalogueProblem } from './problems.ts';

const validate = new Ajv2020({ allErrors: true }).compile<Catalogue>(catalogueSchema);

/** A parsed file with what it takes to find the line of an entry. */
interface Source {
  file: string;
  document: Document;
  lines: LineCounter;
}

type Path = (string | number)[];

/**
 * All catalogues below `root`: every `suites/<suite>/requirements.yaml`, in the order of the suites' names.
 *
 * @param root directory that holds `suites/`
 * @throws CatalogueError naming file, line and id of every mistake: YAML that does not parse, an entry that
 *   does not fit the schema, a suite that is not named like its folder, an id that is used twice (in one suite
 *   or in two), an id whose first word is not the suite's, a schema property that two entries are about
 */
export function loadCatalogues(root: string): Catalogue[] {
  const folder = join(root, 'suites');
  const problems: CatalogueProblem[] = [];
  const loaded: { catalogue: Catalogue; source: Source }[] = [];
  for (const suite of readdirSync(folder).sort()) {
    const file = join(folder, suite, 'requirements.yaml');
    if (!existsSync(file)) continue;
    const lines = new LineCounter();
    const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines });
    const source: Source = { file, document, lines };
    const catalogue = read(source, problems);
    if (catalogue === undefined) continue;
    if (catalogue.suite !== suite) {
      problems.push(problem(source, ['suite'], `\`suite\` is ${catalogue.suite}, the folder is ${suite}`));
    }
    loaded.push({ catalogue, source });
  }
  for (const { catalogue, source } of loaded) prefixes(catalogue, source, problems);
  duplicates(loaded, problems);
  if (problems.length > 0) throw new CatalogueError(problems);
  return loaded.map(({ catalogue }) => catalogue);
}

/** The catalogue in a file, or `undefined` (and what is wrong with it among the problems). */
function read(source: Source, problems: CatalogueProblem[]): Catalogue | undefined {
  const { file, document, lines } = source;
  if (document.errors.length > 0) {
    for (const error of document.errors) {
      problems.push({ file, line: lines.linePos(error.pos[0]).line, message: firstLine(error.message) });
    }
    return undefined;
  }
  const value: unknown = document.toJS();
  if (validate(value)) return value;
  for (const error of validate.errors ?? []) {
    const described = describe(error);
    if (described === undefined) continue;
    const path = toPath(error.instancePath);
    if (described.key !== undefined) path.push(described.key);
    problems.push(problem(source, path, described.message));
  }
  return undefined;
}

/** All ids of a suite begin with the same word, which no other suite's do (`duplicates` sees to that). */
function prefixes(catalogue: Catalogue, source: Source, problems: CatalogueProblem[]): void {
  const expected = prefixOf(catalogue);
  for (const [i, { id }] of catalogue.requirements.entries()) {
    if (firstWord(id) === expected) continue;
    problems.push(
      problem(source, ['requirements', i, 'id'], `does not begin with ${expected}- like the others`),
    );
  }
}

/** Ids and schema properties belong to one entry, prefixes to one suite. */
function duplicates(loaded: { catalogue: Catalogue; source: Source }[], problems: CatalogueProblem[]): void {
  const seen = new Map<string, string>();
  const once = (what: string, source: Source, path: Path): void => {
    const line = lineOf(source, path);
    const before = seen.get(what);
    if (before === undefined) seen.set(what, `${source.file}:${line}`);
    else problems.push(problem(source, path, `${what} stands at ${before} already`));
  };
  for (const { catalogue, source } of loaded) {
    once(`the prefix ${prefixOf(catalogue)}-`, source, ['requirements', 0, 'id']);
    for (const [i, { id, field }] of catalogue.requirements.entries()) {
      once(`the id ${id}`, source, ['requirements', i, 'id']);
      if (field !== undefined) once(`the field ${field}`, source, ['requirements', i, 'field']);
    }
  }
}

function prefixOf(catalogue: Catalogue): string {
  return firstWord(catalogue.requirements[0]!.id);
}

function firstWord(id: string): string {
  return id.slice(0, id.indexOf('-'));
}

function problem(source: Source, path: Path, message: string): CatalogueProblem {
  const id =
    path[0] === 'requirements' && path.length > 1
      ? source.document.getIn([...path.slice(0, 2), 'id'])
      : undefined;
  return {
    file: source.file,
    line: lineOf(source, path),
    ...(typeof id === 'string' && { id }),
    message,
  };
}

/** The line on which the member at `path` begins; for a key with its value, the line of the key. */
function lineOf({ document, lines }: Source, path: Path): number {
  const parent = path.length > 0 ? document.getIn(path.slice(0, -1), true) : undefined;
  const pair = isMap(parent)
    ? parent.items.find(({ key }) => (isScalar(key) ? key.value : key) === path.at(-1))
    : undefined;
  const node = pair?.key ?? document.getIn(path, true) ?? document.contents;
  const offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  return lines.linePos(offset).line;
}

/** A JSON pointer as a path of keys and indexes. */
function toPath(pointer: string): Path {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]!;
}
