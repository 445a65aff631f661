/**
 * Keeps outcomes from one proof to the next. While nothing changes that the outcome of a case rests on (`Basis`), the
 * case need not run again. Where only checks of some files have changed, it may suffice to run these.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { packageRoot } from '../model/paths.ts';
import { type Basis, bases, type CheckDigests, digestOf } from './basis.ts';
import type { CaseOutcome, ProofCase } from './model.ts';
import { oncePer } from './once-per.ts';

/** Name of the file in the folder of the proof. */
const KEPT = 'kept.json';

/** The outcomes of the published proof, compressed, so that a fresh copy of the repository has them. */
const PUBLISHED = join('deviations', 'outcomes.json.br');

interface Entry {
  key: string;
  /** Digest under which `Outcomes.checks` has the digests of the checks. */
  checks: string;
  outcome: CaseOutcome;
}

/** What a file of outcomes contains. */
interface Outcomes {
  checks: Record<string, CheckDigests>;
  /** By the ids of cases. */
  outcomes: Record<string, Entry>;
}

/** An earlier outcome of a case. */
export interface KnownOutcome {
  outcome: CaseOutcome;
  /** Source files that have changed since, or are new or gone, and on which checks rest: only these may say something else. */
  changed: string[];
}

const nameOf = oncePer((checks: CheckDigests) => digestOf(JSON.stringify(checks)));

/** See the module comment. */
export class Kept {
  readonly #file: string;
  readonly #known: Outcomes;
  /** Read when an outcome is first asked for that the folder does not have. */
  #published: Outcomes | undefined;
  readonly #basisOf: (each: ProofCase) => Basis;

  private constructor(file: string, basisOf: (each: ProofCase) => Basis) {
    this.#file = file;
    this.#known = existsSync(file) ? outcomesIn(readFileSync(file, 'utf8')) : none();
    this.#basisOf = basisOf;
  }

  /**
   * Opens the outcomes that a folder has.
   * @param folder the folder of the proof
   * @param suites names of the suites that are proved
   * @param how whatever else decides about outcomes: the order of checks, which of them run
   */
  static async open(folder: string, suites: readonly string[], how: unknown): Promise<Kept> {
    return new Kept(join(folder, KEPT), await bases(suites, how));
  }

  /** Returns the earlier outcome of a case, unless anything could be different by now. */
  outcomeOf(each: ProofCase): KnownOutcome | undefined {
    const basis = this.#basisOf(each);
    const own = knownIn(this.#known, each, basis);
    if (own?.changed.length === 0) return own;
    this.#published ??= publishedOutcomes();
    const published = knownIn(this.#published, each, basis);
    return published?.changed.length === 0 ? published : (own ?? published);
  }

  /** Writes outcomes into the file, unless it has all of them. Those of other cases stay. */
  write(proven: readonly { facts: ProofCase; outcome: CaseOutcome }[]): void {
    const { checks, outcomes } = this.#known;
    if (proven.every(({ facts, outcome }) => outcomes[facts.id]?.outcome === outcome)) return;
    for (const { facts, outcome } of proven) {
      const { key, checks: digests } = this.#basisOf(facts);
      checks[nameOf(digests)] = digests;
      outcomes[facts.id] = { key, checks: nameOf(digests), outcome };
    }
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(withoutUnused(this.#known)));
  }
}

function knownIn({ checks, outcomes }: Outcomes, { id }: ProofCase, basis: Basis): KnownOutcome | undefined {
  const entry = outcomes[id];
  if (entry?.key !== basis.key) return undefined;
  const before = checks[entry.checks] ?? {};
  const files = new Set([...Object.keys(before), ...Object.keys(basis.checks)]);
  return {
    outcome: entry.outcome,
    changed: [...files].filter((file) => before[file] !== basis.checks[file]),
  };
}

const none = (): Outcomes => ({ checks: {}, outcomes: {} });

/** Reads a file of outcomes. One of an earlier version has none that could be used. */
function outcomesIn(text: string): Outcomes {
  const read = JSON.parse(text) as Partial<Outcomes>;
  return read.checks && read.outcomes ? { checks: read.checks, outcomes: read.outcomes } : none();
}

function withoutUnused({ checks, outcomes }: Outcomes): Outcomes {
  const used = new Set(Object.values(outcomes).map((entry) => entry.checks));
  return { checks: Object.fromEntries(Object.entries(checks).filter(([name]) => used.has(name))), outcomes };
}

function publishedOutcomes(): Outcomes {
  const file = join(packageRoot(), PUBLISHED);
  return existsSync(file) ? outcomesIn(brotliDecompressSync(readFileSync(file)).toString()) : none();
}

/**
 * Publishes the outcomes that are kept in the folder of a whole proof. Their durations are left out, so that
 * the same outcomes are the same file.
 */
export function publishOutcomes(folder: string, proven: readonly { facts: ProofCase }[]): void {
  const kept = outcomesIn(readFileSync(join(folder, KEPT), 'utf8'));
  const published = proven.map(({ facts: { id } }) => {
    const { outcome, ...rest } = kept.outcomes[id] as Entry;
    return [id, { ...rest, outcome: { ...outcome, durationMs: 0 } }] as const;
  });
  const outcomes = Object.fromEntries(published);
  const text = JSON.stringify(withoutUnused({ checks: kept.checks, outcomes }));
  // The window is as large as the format allows: outcomes of similar cases are far from each other.
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  writeFileSync(join(packageRoot(), PUBLISHED), brotliCompressSync(text, { params }));
}
