/**
 * The baseline: failures of a target that are known, each with a reason and, better, a date on which it
 * expires. They stay failed in every report and do not decide the exit status. The report names an entry that
 * no longer belongs there, and with `--strict-baseline` such an entry fails the run, so that the list does
 * not outlive the defects.
 */
import { readFileSync, statSync } from 'node:fs';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { parseDocument } from 'yaml';
import { baselineSchema } from '../../schemas/baseline.ts';
import { suggestion } from '../config/nearest.ts';
import { validatorsOf } from '../model/json-schema.ts';
import { matches } from '../model/pattern.ts';
import type { BaselineResult, RequirementResult } from '../model/results.ts';
import { UsageError } from '../model/usage-error.ts';

/** One known failure. */
export interface BaselineEntry {
  /** Id of a requirement, or a pattern; `*` stands for anything. */
  id: string;
  reason?: string;
  /** Where the failure is tracked, such as the address of an issue. */
  link?: string;
  /** The last day on which it counts, such as `2027-01-31`. */
  expires?: string;
}

type Baseline = { known: (string | BaselineEntry)[] };
const validators = validatorsOf([baselineSchema]);

/**
 * What an id looks like. Other text is not shown in messages:
 * if the user named the wrong file, it could be anything.
 */
const ID_PATTERN = /^[A-Z][A-Z0-9*]*([-*][A-Z0-9*]+)*(\/[a-z0-9=._*-]+)?$/i;

/**
 * Reads a baseline.
 * @param ids of all requirements, used to reject misspelt ids, which would otherwise let a run fail with no
 *   explanation
 * @throws UsageError naming the file and what is wrong
 */
export function readBaseline(file: string, ids: readonly string[]): BaselineEntry[] {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`${file}: no such file of known failures`);
  const document = parseDocument(readFileSync(file, 'utf8'));
  const value: unknown = document.errors.length > 0 ? undefined : document.toJS();
  const validate = validators(baselineSchema.$id) as ValidateFunction<Baseline>;
  if (!validate(value)) {
    const [error] = document.errors.length > 0 ? [] : (validate.errors ?? []);
    const where = error ? `: ${error.instancePath || 'the file'} ${error.message}` : '';
    throw new UsageError(
      `${file} is not a baseline: YAML with a list \`known\` of entries with \`id\`, \`reason\`, \`link\` and \`expires\`; \`conform baseline\` writes one${where}`,
    );
  }
  const entries = value.known.map((entry) => (typeof entry === 'string' ? { id: entry } : entry));
  for (const [i, { id }] of entries.entries()) {
    if (ids.some((known) => matches(known, [id]))) continue;
    const what = ID_PATTERN.test(id)
      ? `${id} matches no requirement${suggestion(id.split('/')[0] as string, ids)}`
      : 'matches no requirement';
    throw new UsageError(`${file}: entry ${i + 1}: ${what}`);
  }
  return entries;
}

/**
 * Compares a baseline with what a run found.
 * @param today as `2026-11-22`; entries that expired before it no longer count
 */
export function judgeBaseline(
  entries: readonly BaselineEntry[],
  requirements: readonly RequirementResult[],
  today: string,
): BaselineResult[] {
  return entries.map((entry) => {
    const named = requirements.filter(({ id }) => matches(id, [entry.id]));
    const failed = named.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
    const exercised = named.filter(({ verdict }) => verdict === 'failed' || verdict === 'passed');
    const expired = entry.expires !== undefined && entry.expires < today;
    const state = expired
      ? 'expired'
      : failed.length > 0
        ? 'fails'
        : exercised.length === named.length && named.length > 0
          ? 'holds'
          : 'not-exercised';
    return { ...entry, state, failed };
  });
}

/** The failed requirements that a baseline covers. */
export function coveredBy(baseline: readonly BaselineResult[]): Set<string> {
  return new Set(baseline.filter(({ state }) => state === 'fails').flatMap(({ failed }) => failed));
}
