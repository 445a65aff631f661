/** Finds, in the outcomes of the cases, what is wrong with the suites. */
import type { Requirement } from '../model/catalogue/types.ts';
import { matches } from '../model/pattern.ts';
import type { CaseOutcome, CheckOutcome, Finding, FindingKind, ProofCase } from './model.ts';
import { oncePer } from './once-per.ts';
import { isHidden, rootless } from './roots.ts';

/** A case with its outcome. */
export interface Proven {
  facts: ProofCase;
  outcome: CaseOutcome;
}

/** Requirements of the suites that ran, by id. */
export type Requirements = ReadonlyMap<string, Requirement>;

/** How the reason of a check begins that broke down; `judge` writes it. */
const MISTAKE = 'a mistake in the suite itself';

/** Returns the requirements that checks failed in a case, or warned of where they are advised. */
export const violated = oncePer(({ notable }: CaseOutcome): ReadonlySet<string> => {
  const ids = new Set<string>();
  for (const { verdicts } of notable) {
    for (const [id, verdict] of Object.entries(verdicts)) {
      if (verdict === 'failed' || verdict === 'warned') ids.add(id);
    }
  }
  return ids;
});

/** Returns everything that one case shows to be wrong with the suites. */
export function findingsOf({ facts, outcome }: Proven, requirements: Requirements): Finding[] {
  const mistakes = outcome.notable
    .filter(({ reason }) => reason.startsWith(MISTAKE))
    .map(({ check, reason }): Finding => ({ kind: 'mistake', case: facts.id, check, message: reason }));
  return [...mistakes, ...judged(facts, outcome, requirements)];
}

function judged(facts: ProofCase, outcome: CaseOutcome, requirements: Requirements): Finding[] {
  const isKnown = (id: string) => requirements.has(id);
  switch (facts.kind) {
    case 'reference':
      return [...alarms(facts, outcome), ...skips(facts, outcome)];
    case 'variant':
      return alarms(facts, outcome);
    case 'deviation':
      return [
        ...survivors(facts, outcome, requirements),
        ...overBlame(facts, outcome),
        ...rootless(facts, outcome, isKnown),
      ];
    case 'pair':
      return [...unseenPair(facts, outcome, requirements), ...rootless(facts, outcome, isKnown)];
    case 'trivial':
      return outcome.passed
        .filter((id) => requirements.get(id)?.level === 'required')
        .map((requirement) => ({
          kind: 'pass',
          case: facts.id,
          requirement,
          message: `passes on a server that ${facts.sentence}`,
        }));
  }
}

/** Turns each verdict of certain kinds into a finding. */
function eachVerdict(
  facts: ProofCase,
  notable: readonly CheckOutcome[],
  kinds: Partial<Record<string, FindingKind>>,
): Finding[] {
  return notable.flatMap(({ check, verdicts, reason }) =>
    Object.entries(verdicts).flatMap(([requirement, verdict]): Finding[] => {
      const kind = kinds[verdict];
      if (kind === undefined) return [];
      return [{ kind, case: facts.id, requirement, check, message: `${verdict}: ${reason}` }];
    }),
  );
}

function alarms(facts: ProofCase, { notable }: CaseOutcome): Finding[] {
  const undecided = notable.filter(({ reason }) => !reason.startsWith(MISTAKE));
  return [
    ...eachVerdict(facts, notable, { failed: 'false-alarm' }),
    ...eachVerdict(facts, undecided, { blocked: 'undecided', errored: 'undecided' }),
  ];
}

/**
 * Of two faults together, both have to be seen, or one has to be the root of the other: then the checks of
 * the other are blocked by what failed. A pair that breaks anything required must not be conformant.
 */
function unseenPair(facts: ProofCase, outcome: CaseOutcome, requirements: Requirements): Finding[] {
  const seen = violated(outcome);
  const own = facts.breaks.filter((id) => requirements.has(id));
  const isRequired = own.some((id) => requirements.get(id)?.level === 'required');
  // Where suites were left out, a fault that only they would see may block the checks of these suites.
  if (own.length < facts.breaks.length) return [];
  if (isRequired && !outcome.notable.some(({ verdict }) => verdict === 'failed')) {
    return [{ kind: 'survivor', case: facts.id, message: 'two faults together, and nothing fails' }];
  }
  return (facts.parts ?? [])
    .map((breaks) => breaks.filter((id) => requirements.has(id)))
    .filter((breaks) => breaks.length > 0 && !breaks.some((id) => seen.has(id) || isHidden(id, outcome)))
    .map(([requirement]) => ({
      kind: 'survivor',
      case: facts.id,
      ...(requirement !== undefined && { requirement }),
      message:
        'no check fails for what one of the two breaks, and none is blocked by what the other one does',
    }));
}

function skips(facts: ProofCase, { skipped }: CaseOutcome): Finding[] {
  return skipped.map((check) => ({
    kind: 'undecided',
    case: facts.id,
    check,
    message: 'skipped, although the reference offers everything',
  }));
}

function survivors(facts: ProofCase, outcome: CaseOutcome, requirements: Requirements): Finding[] {
  const caught = violated(outcome);
  return facts.breaks
    .filter((id) => requirements.has(id) && !caught.has(id))
    .map((requirement) => ({
      kind: 'survivor',
      case: facts.id,
      requirement,
      message: `no check fails on an implementation that ${facts.sentence}`,
    }));
}

function overBlame(facts: ProofCase, { notable }: CaseOutcome): Finding[] {
  const meant = [...facts.breaks, ...facts.entails];
  return eachVerdict(facts, notable, { failed: 'over-blame' }).filter(
    ({ requirement }) => !matches(requirement as string, meant),
  );
}

/**
 * Returns the requirements that a deviation breaks and a
 * check fails on, and the silences that a variant fills.
 */
export function exercised(proven: readonly Proven[]): { broken: Set<string>; filled: Set<string> } {
  const broken = new Set<string>();
  const filled = new Set<string>();
  for (const { facts, outcome } of proven) {
    const caught = violated(outcome);
    for (const id of facts.breaks) if (caught.has(id)) broken.add(id);
    for (const id of facts.fills) filled.add(id);
  }
  return { broken, filled };
}

/** Returns what is missing overall: requirements that no deviation breaks, silences that no variant fills. */
export function gaps(proven: readonly Proven[], requirements: Requirements): Finding[] {
  const { broken, filled } = exercised(proven);
  const findings: Finding[] = [];
  for (const { id, level, reason } of requirements.values()) {
    // A reason says why the catalogue has no check for a required entry.
    if (level === 'required' && reason === undefined && !broken.has(id)) {
      findings.push({ kind: 'unproven', requirement: id, message: 'no deviation makes a check fail on it' });
    }
    if (level === 'silence' && !filled.has(id)) {
      findings.push({ kind: 'unvaried', requirement: id, message: 'no variant fills this silence' });
    }
  }
  return findings;
}
