/**
 * The page's style sheet, script and templates, as files beside the sources.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const known = new Map<string, string>();

/**
 * The text of an asset of the page, `report.css`.
 * Compiled code finds the assets beside itself, or in the sources that it was compiled from.
 */
export function asset(name: string): string {
  let text = known.get(name);
  if (text === undefined) {
    const here = fileURLToPath(new URL(name, import.meta.url));
    const source = here.replace(/([\\/])dist\1lib\1/, '$1lib$1');
    text = readFileSync(existsSync(here) ? here : source, 'utf8');
    known.set(name, text);
  }
  return text;
}
