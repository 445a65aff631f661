/** The figures of a proof, per suite and in total. */
import { serviceOf } from '../check/services.ts';
import type { Catalogue } from '../model/catalogue/types.ts';
import { exercised, type Proven, violated } from './findings.ts';
import type { Finding, FindingKind } from './model.ts';

/** One row of figures. */
export interface Numbers {
  /** Entries of level required, and those of them that some deviation breaks and some check fails on. */
  required: number;
  proven: number;
  /** Entries of level advised, and those of them that some deviation breaks and some check warns of. */
  advised: number;
  advisedProven: number;
  /**
   * Deviations that break an entry of the suite: written by hand, generated, and those that are caught in
   * everything that they break here.
   */
  byHand: number;
  generated: number;
  caught: number;
  survivors: number;
  overBlame: number;
  /** Entries of level silence, and those that some variant fills. */
  silences: number;
  varied: number;
  /** Variants that were written by hand, and generated combinations of them. */
  variants: number;
  combinations: number;
  falseAlarms: number;
  undecided: number;
  trivial: number;
  passes: number;
  /** How many findings are of the other kinds. */
  other: number;
  /** How many of all findings an exception tolerates. */
  excepted: number;
}

/** Returns the figures over the catalogues of some suites; for one suite, whatever concerns that suite. */
export function numbersOf(
  catalogues: readonly Catalogue[],
  proven: readonly Proven[],
  findings: readonly Finding[],
): Numbers {
  const entries = catalogues.flatMap((c) => c.requirements);
  const own = new Set(entries.map((r) => r.id));
  const services = new Set(catalogues.map((c) => serviceOf(c.suite).name));
  const { broken, filled } = exercised(proven);
  const level = (name: string) => entries.filter((r) => r.level === name);
  const deviations = proven.filter(
    ({ facts }) => facts.kind === 'deviation' && facts.breaks.some((id) => own.has(id)),
  );
  const variants = proven.filter(({ facts }) => facts.kind === 'variant' && services.has(facts.service));
  const concerning = findings.filter((f) => concerns(f, own));
  const found = (kind: FindingKind) => concerning.filter((f) => f.kind === kind).length;
  const counted: FindingKind[] = ['survivor', 'over-blame', 'false-alarm', 'undecided', 'pass'];
  return {
    required: level('required').length,
    proven: level('required').filter((r) => broken.has(r.id)).length,
    advised: level('advised').length,
    advisedProven: level('advised').filter((r) => broken.has(r.id)).length,
    byHand: deviations.filter(({ facts }) => facts.origin === 'hand').length,
    generated: deviations.filter(({ facts }) => facts.origin === 'generated').length,
    caught: deviations.filter(({ facts, outcome }) =>
      isCaught(
        facts.breaks.filter((id) => own.has(id)),
        violated(outcome),
      ),
    ).length,
    survivors: found('survivor'),
    overBlame: found('over-blame'),
    silences: level('silence').length,
    varied: level('silence').filter((r) => filled.has(r.id)).length,
    variants: variants.filter(({ facts }) => facts.origin === 'hand').length,
    combinations: variants.filter(({ facts }) => facts.origin === 'generated').length,
    falseAlarms: found('false-alarm'),
    undecided: found('undecided'),
    trivial: proven.filter(({ facts }) => facts.kind === 'trivial' && services.has(facts.service)).length,
    passes: found('pass'),
    other: concerning.filter((f) => !counted.includes(f.kind)).length,
    excepted: concerning.filter((f) => f.exception !== undefined).length,
  };
}

function isCaught(breaks: readonly string[], caught: ReadonlySet<string>): boolean {
  return breaks.every((id) => caught.has(id));
}

function concerns({ requirement, check }: Finding, own: ReadonlySet<string>): boolean {
  if (requirement !== undefined) return own.has(requirement);
  if (check !== undefined) return own.has(check.split('/')[0] as string);
  return true;
}
