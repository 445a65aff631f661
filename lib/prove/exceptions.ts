/** The findings that the proof tolerates, each with a reason: `deviations/exceptions.yaml`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../model/paths.ts';
import { matches } from '../model/pattern.ts';
import type { Finding, FindingKind } from './model.ts';

/** One kind of finding that is tolerated. Patterns may contain `*`; a key that is absent matches anything. */
export interface Exception {
  kind: FindingKind;
  case?: string;
  requirement?: string;
  check?: string;
  reason: string;
}

const KEYS = ['kind', 'case', 'requirement', 'check', 'reason'];

/** Reads the list. Throws an Error that names the first invalid entry. */
export function readExceptions(file = join(packageRoot(), 'deviations', 'exceptions.yaml')): Exception[] {
  if (!existsSync(file)) return [];
  const entries: unknown = parse(readFileSync(file, 'utf8')) ?? [];
  if (!Array.isArray(entries)) throw new Error(`${file}: not a list`);
  return entries.map((entry: Record<string, unknown>, i) => {
    const strange = Object.keys(entry).find((key) => !KEYS.includes(key));
    if (strange !== undefined) throw new Error(`${file}: entry ${i + 1} has an unknown key ${strange}`);
    for (const key of ['kind', 'reason']) {
      if (typeof entry[key] !== 'string') throw new Error(`${file}: entry ${i + 1} has no ${key}`);
    }
    return entry as unknown as Exception;
  });
}

function covers(exception: Exception, finding: Finding): boolean {
  if (exception.kind !== finding.kind) return false;
  for (const key of ['case', 'requirement', 'check'] as const) {
    const pattern = exception[key];
    if (pattern !== undefined && !(finding[key] !== undefined && matches(finding[key], [pattern])))
      return false;
  }
  return true;
}

/**
 * Marks the findings that are tolerated, with the reason of the first exception that covers each. Returns the
 * exceptions that cover nothing.
 */
export function except(findings: Finding[], exceptions: readonly Exception[]): Exception[] {
  const used = new Set<Exception>();
  for (const finding of findings) {
    for (const exception of exceptions) {
      if (!covers(exception, finding)) continue;
      finding.exception ??= exception.reason;
      used.add(exception);
    }
  }
  return exceptions.filter((exception) => !used.has(exception));
}

/** Says in a few words what an exception is about. */
export function describeException({ kind, case: id, requirement, check }: Exception): string {
  return [kind, id, requirement, check].filter((part) => part !== undefined).join(' ');
}
