/**
 * Keeps outcomes from one proof to the next. The outcome of a case depends on the files of the checks of its
 * service, of the reference and of the case itself. While none of them changes, the outcome would be the same,
 * and the case need not run again.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { serviceOf } from '../check/services.ts';
import { allCatalogues } from '../model/catalogue/registry.ts';
import { codeFile, codeRoots, moduleFile, packageRoot } from '../model/paths.ts';
import { suiteFiles } from '../run/suite-files.ts';
import { Imports } from './imports.ts';
import { fieldRequirements, loadProofModule, transportModule } from './load.ts';
import type { CaseOutcome, ProofCase } from './model.ts';
import { oncePer } from './once-per.ts';

/** Name of the file in the folder of the proof. */
const KEPT = 'kept.json';

/** The outcomes of the published proof, compressed, so that a fresh copy of the repository has them. */
const PUBLISHED = join('deviations', 'outcomes.json.br');

const NONE: readonly string[] = [];

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Entry {
  key: string;
  outcome: CaseOutcome;
}

/** See the module comment. */
export class Kept {
  readonly #file: string;
  readonly #known: Record<string, Entry>;
  /** Read when an outcome is first asked for that the folder does not have. */
  #published: Record<string, Entry> | undefined;
  readonly #keyOf: (each: ProofCase) => string;

  private constructor(file: string, keyOf: (each: ProofCase) => string) {
    this.#file = file;
    this.#known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Entry>) : {};
    this.#keyOf = keyOf;
  }

  /**
   * Opens the outcomes that a folder has.
   * @param folder the folder of the proof
   * @param suites names of the suites that are proved
   * @param how whatever else decides about outcomes: the order of checks, which of them run
   */
  static async open(folder: string, suites: readonly string[], how: unknown): Promise<Kept> {
    const imports = new Imports();
    const ownFiles = new Map<string, string[]>();
    for (const root of codeRoots()) {
      const files = await (await loadProofModule(root))?.filesOf?.(fieldRequirements());
      for (const [id, own] of files ?? []) ownFiles.set(id, own);
    }
    const own = new Set([...ownFiles.values()].flat());
    const basisOf = (service: string): string => {
      const tested = suites.filter((suite) => serviceOf(suite).name === service);
      const files = [
        ...entryFiles(service, tested).flatMap((file) => [...imports.below(file)]),
        join(packageRoot(), 'package-lock.json'),
      ].filter((file) => !own.has(file) && existsSync(file));
      return JSON.stringify([imports.digest(files), tested.map((suite) => allCatalogues().get(suite))]);
    };
    const services = new Set(suites.map((suite) => serviceOf(suite).name));
    const bases = new Map([...services].map((service) => [service, digestOf(basisOf(service))]));
    // Cases of one file share the list of their files.
    const ofCase = oncePer((files: readonly string[]) =>
      imports.digest(files.flatMap((file) => [...imports.below(file)])),
    );
    const keyOf = oncePer((each: ProofCase) => {
      const basis = bases.get(each.service);
      const files = ofCase(ownFiles.get(each.id) ?? NONE);
      return digestOf(JSON.stringify([process.version, suites, how, each, basis, files]));
    });
    return new Kept(join(folder, KEPT), keyOf);
  }

  /** Returns the earlier outcome of a case, if it would be the same now. */
  outcomeOf(each: ProofCase): CaseOutcome | undefined {
    const key = this.#keyOf(each);
    const known = this.#known[each.id];
    if (known?.key === key) return known.outcome;
    this.#published ??= publishedOutcomes();
    const published = this.#published[each.id];
    return published?.key === key ? published.outcome : undefined;
  }

  /** Writes outcomes into the file, unless it has all of them. Those of other cases stay. */
  write(proven: readonly { facts: ProofCase; outcome: CaseOutcome }[]): void {
    if (proven.every(({ facts, outcome }) => this.#known[facts.id]?.outcome === outcome)) return;
    for (const { facts, outcome } of proven) this.#known[facts.id] = { key: this.#keyOf(facts), outcome };
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(this.#known));
  }
}

function publishedOutcomes(): Record<string, Entry> {
  const file = join(packageRoot(), PUBLISHED);
  if (!existsSync(file)) return {};
  return JSON.parse(brotliDecompressSync(readFileSync(file)).toString()) as Record<string, Entry>;
}

/**
 * Publishes the outcomes that are kept in the folder of a whole proof. Their durations are left out, so that
 * the same outcomes are the same file.
 */
export function publishOutcomes(folder: string, proven: readonly { facts: ProofCase }[]): void {
  const kept = JSON.parse(readFileSync(join(folder, KEPT), 'utf8')) as Record<string, Entry>;
  const published = proven.map(({ facts: { id } }) => {
    const { key, outcome } = kept[id] as Entry;
    return [id, { key, outcome: { ...outcome, durationMs: 0 } }] as const;
  });
  const text = JSON.stringify(Object.fromEntries(published));
  // The window is as large as the format allows: outcomes of similar cases are far from each other.
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  writeFileSync(join(packageRoot(), PUBLISHED), brotliCompressSync(text, { params }));
}

/**
 * Returns the files from which everything is imported that decides about outcomes of one service.
 * @param suites names of the suites about the service that are proved
 */
export function entryFiles(service: string, suites: readonly string[]): string[] {
  const found = suiteFiles();
  return [
    codeFile('lib/prove/cases-thread'),
    ...suites.flatMap((suite) => found.get(suite) ?? []),
    ...codeRoots().flatMap((root) => [
      ...[moduleFile(root, `services/${service}/service`) ?? []].flat(),
      ...(moduleFile(root, 'deviations/index') === undefined ? [] : [transportModule(root)]),
    ]),
  ];
}
