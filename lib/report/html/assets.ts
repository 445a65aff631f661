/**
 * The page's style sheet, script and templates, which are files beside the sources and part of the package.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../model/paths.ts';

const known = new Map<string, string>();

/** Returns the text of an asset of the page, such as `report.css`. */
export function asset(name: string): string {
  let text = known.get(name);
  if (text === undefined) {
    text = readFileSync(join(packageRoot(), 'lib/report/html', name), 'utf8');
    known.set(name, text);
  }
  return text;
}
