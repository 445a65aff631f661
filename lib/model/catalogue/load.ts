/** Reads the requirement catalogues and checks that they are consistent (DESIGN section 4). */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { tokensOf } from '../json-pointer.ts';
import { type Family, isFamily, placeholderProblems, requirementOf } from './family.ts';
import { CatalogueError, type CatalogueProblem, describe } from './problems.ts';
import { catalogueSchema, requirementSchema } from './schema.ts';
import { addQuotations } from './specification.ts';
import type { Catalogue, Requirement } from './types.ts';

export { CatalogueError, type CatalogueProblem } from './problems.ts';

const ajv = new Ajv2020({ allErrors: true });
const validateFile = ajv.compile<CatalogueFile>(catalogueSchema);
const validateRequirement = ajv.compile<Requirement>(requirementSchema);

/**
 * The contents of one catalogue file. One file of a suite has the head (`suite`, `title`, `spec`); any file
 * may have requirements.
 */
type CatalogueFile = Partial<Omit<Catalogue, 'requirements'>> & { requirements?: (Requirement | Family)[] };

/** A parsed file, with what is needed to find the line of an entry. */
interface Source {
  file: string;
  document: Document;
  lines: LineCounter;
}

type Path = (string | number)[];

/** A requirement and where it is written. */
interface Located {
  requirement: Requirement;
  source: Source;
  path: Path;
}

/** A suite's catalogue while it is being read: the contents of its files so far. */
interface Draft {
  head: Partial<Omit<Catalogue, 'requirements'>>;
  headSource?: Source;
  entries: Located[];
}

/**
 * Returns all catalogues below `root`, in the order of the suites' names. A suite's catalogue is its file
 * `suites/<suite>/requirements.yaml`, or the files in its folder `suites/<suite>/requirements/`, of which one
 * (`suite.yaml`) states `suite`, `title` and `spec`. Each member of a family becomes a requirement.
 *
 * @param root directory that holds `suites/`
 * @throws CatalogueError with file, line and id of every mistake: YAML that does not parse, an entry that
 *   does not fit the schema, a suite whose name differs from that of its folder, an id that is used twice (in
 *   one suite or in two), an id that does not begin with the suite's prefix, a schema property that two
 *   entries are about
 */
export function loadCatalogues(root: string): Catalogue[] {
  const folder = join(root, 'suites');
  const problems: CatalogueProblem[] = [];
  const drafts: Draft[] = [];
  for (const suite of readdirSync(folder).sort()) {
    const files = filesOf(join(folder, suite));
    if (files.length === 0) continue;
    const draft: Draft = { head: {}, entries: [] };
    for (const file of files) read(file, draft, problems);
    checkHead(draft, suite, files[0]!, problems);
    drafts.push(draft);
  }
  for (const { entries } of drafts) requirePrefix(entries, problems);
  requireUnique(drafts, problems);
  if (problems.length > 0) throw new CatalogueError(problems);
  return drafts.map(({ head, entries }) => {
    const requirements = entries.map(({ requirement }) => requirement);
    const own = addQuotations(join(folder, head.suite!), requirements);
    if (own.problems.length > 0) throw new CatalogueError(own.problems);
    return { ...(head as Omit<Catalogue, 'requirements'>), sections: own.sections, requirements };
  });
}

function filesOf(suite: string): string[] {
  const single = join(suite, 'requirements.yaml');
  if (existsSync(single)) return [single];
  const folder = join(suite, 'requirements');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => join(folder, name));
}

/** Adds the contents of a file to `draft`, and the mistakes in it to `problems`. */
function read(file: string, draft: Draft, problems: CatalogueProblem[]): void {
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines });
  const source: Source = { file, document, lines };
  for (const error of document.errors) {
    problems.push({ file, line: lines.linePos(error.pos[0]).line, message: firstLine(error.message) });
  }
  if (document.errors.length > 0) return;
  const value: unknown = document.toJS() ?? {};
  if (!validateFile(value)) {
    problems.push(...described(source, [], validateFile.errors ?? []));
    return;
  }
  const { requirements = [], ...head } = value;
  if (Object.keys(head).length > 0) {
    Object.assign(draft.head, head);
    draft.headSource = source;
  }
  for (const [i, entry] of requirements.entries()) {
    const path = ['requirements', i];
    if (isFamily(entry)) addFamily(entry, source, path, draft, problems);
    else draft.entries.push({ requirement: entry, source, path });
  }
}

function addFamily(
  family: Family,
  source: Source,
  path: Path,
  draft: Draft,
  problems: CatalogueProblem[],
): void {
  for (const { member, message } of placeholderProblems(family)) {
    problems.push(problem(source, [...path, 'members', member], message));
  }
  for (const [i, member] of family.members.entries()) {
    const at = [...path, 'members', i];
    const requirement = requirementOf(family, member);
    if (!validateRequirement(requirement))
      problems.push(...described(source, at, validateRequirement.errors ?? []));
    draft.entries.push({ requirement, source, path: at });
  }
}

/** Converts validation errors to problems. `at` is the path of the validated value in its file. */
function described(source: Source, at: Path, errors: ErrorObject[]): CatalogueProblem[] {
  return errors.flatMap((error) => {
    const { key, message } = describe(error) ?? {};
    if (message === undefined) return [];
    return [
      problem(source, [...at, ...toPath(error.instancePath), ...(key === undefined ? [] : [key])], message),
    ];
  });
}

function checkHead(draft: Draft, folder: string, file: string, problems: CatalogueProblem[]): void {
  const { head, headSource } = draft;
  // A file that does not parse has no head either, but its syntax errors are reported already.
  if (headSource === undefined && problems.some((each) => each.file === file)) return;
  for (const key of ['suite', 'title', 'spec'] as const) {
    if (head[key] === undefined)
      problems.push({ file: headSource?.file ?? file, line: 1, message: `lacks \`${key}\`` });
  }
  if (headSource !== undefined && head.suite !== undefined && head.suite !== folder)
    problems.push(problem(headSource, ['suite'], `\`suite\` is ${head.suite}, the folder is ${folder}`));
}

/**
 * Reports ids that do not begin with the same word as the first id of the suite. That no other suite uses the
 * word is checked by `requireUnique`.
 */
function requirePrefix(entries: Located[], problems: CatalogueProblem[]): void {
  const [first] = entries;
  if (first === undefined) return;
  const expected = firstWord(first.requirement.id);
  for (const { requirement, source, path } of entries) {
    if (firstWord(requirement.id) === expected) continue;
    problems.push(problem(source, [...path, 'id'], `does not begin with ${expected}- like the others`));
  }
}

/**
 * Reports an id or schema property (`field`) that two entries have, and an id prefix that two suites have.
 */
function requireUnique(drafts: Draft[], problems: CatalogueProblem[]): void {
  const seen = new Map<string, string>();
  const once = (what: string, source: Source, path: Path): void => {
    const before = seen.get(what);
    if (before === undefined) seen.set(what, `${source.file}:${lineOf(source, path)}`);
    else problems.push(problem(source, path, `${what} stands at ${before} already`));
  };
  for (const { entries } of drafts) {
    const [first] = entries;
    if (first) once(`the prefix ${firstWord(first.requirement.id)}-`, first.source, [...first.path, 'id']);
    for (const { requirement, source, path } of entries) {
      once(`the id ${requirement.id}`, source, [...path, 'id']);
      if (requirement.field !== undefined) once(`the field ${requirement.field}`, source, [...path, 'field']);
    }
  }
}

function firstWord(id: string): string {
  return id.slice(0, id.indexOf('-'));
}

function problem(source: Source, path: Path, message: string): CatalogueProblem {
  const depth = path[2] === 'members' ? 4 : 2;
  const id =
    path[0] === 'requirements' && path.length >= depth
      ? source.document.getIn([...path.slice(0, depth), 'id'])
      : undefined;
  return {
    file: source.file,
    line: lineOf(source, path),
    ...(typeof id === 'string' && { id }),
    message,
  };
}

/** Returns the line of the value at `path`, from 1; for a key of a map, the line of the key. */
function lineOf({ document, lines }: Source, path: Path): number {
  const parent = path.length > 0 ? document.getIn(path.slice(0, -1), true) : undefined;
  const pair = isMap(parent)
    ? parent.items.find(({ key }) => (isScalar(key) ? key.value : key) === path.at(-1))
    : undefined;
  const node = pair?.key ?? document.getIn(path, true) ?? document.contents;
  const offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  return lines.linePos(offset).line;
}

/** Converts a JSON pointer to a path of keys and indexes. */
function toPath(pointer: string): Path {
  return tokensOf(pointer).map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]!;
}
