/** Where a check is written: the trail from a failure to its code. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../model/paths.ts';
import type { SourcePlace } from '../model/results.ts';

const FRAME = /\(?((?:file:\/\/)?\/[^()]*\.suite\.[jt]s)(?:\?[^:]*)?:(\d+):\d+\)?$/;

/**
 * The line of the suite file that is running, relative to this package: the `check(…)` whose definition is under way.
 * `undefined` where stack traces are off, as in the proof.
 */
export function sourcePlace(): SourcePlace | undefined {
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
