/** Finds where a check is written, so that a failure leads to its code. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeRoot, packageRoot } from '../model/paths.ts';
import type { SourcePlace } from '../model/results.ts';

const FRAME = /\(?((?:file:\/\/)?\/[^()]*\.suite\.[jt]s)(?:\?[^:]*)?:(\d+):\d+\)?$/;

/** Name of the file beside the compiled code in which the build writes what is known of each check. */
export const KNOWN_CHECKS = 'checks.json';

/** What the build found of a check: its id, the requirements that it cites, and where it is written. */
export interface BuiltCheck {
  id: string;
  requirements: string[];
  source: SourcePlace;
}

let built: ReadonlyMap<string, BuiltCheck> | undefined;

/** Returns what the build found of the checks of this package, by their ids; empty when the sources run. */
export function builtChecks(): ReadonlyMap<string, BuiltCheck> {
  built ??= readBuiltChecks();
  return built;
}

function readBuiltChecks(): Map<string, BuiltCheck> {
  const file = join(codeRoot(), KNOWN_CHECKS);
  if (!existsSync(file)) return new Map();
  const known = JSON.parse(readFileSync(file, 'utf8')) as (Omit<BuiltCheck, 'source'> &
    Partial<BuiltCheck>)[];
  return new Map(
    known.flatMap(({ id, requirements, source }) => (source ? [[id, { id, requirements, source }]] : [])),
  );
}

/** Returns where the check that is being defined is written: as the build found it, or from the stack. */
export function sourceOf(id: string): SourcePlace | undefined {
  return builtChecks().get(id)?.source ?? sourcePlace();
}

/**
 * Returns the line of the suite file that is running, relative to this package: the `check(…)` that is being
 * executed. `undefined` where stack traces are off, as in the proof.
 */
function sourcePlace(): SourcePlace | undefined {
  for (const frame of new Error('for its stack').stack?.split('\n').slice(1) ?? []) {
    const match = FRAME.exec(frame.trim());
    if (match) return { file: pathOf(match[1]!), line: Number(match[2]) };
  }
  return undefined;
}

function pathOf(place: string): string {
  const path = place.startsWith('file:') ? fileURLToPath(place) : place;
  return relative(packageRoot(), path).replaceAll('\\', '/');
}
