/**
 * The files in which each case is written, so that after a change only the cases in changed files are proved.
 */
import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ProofCase, ServiceName } from './types.ts';

const SERVICES: readonly ServiceName[] = ['shipping', 'agents', 'caches'];
const HERE = fileURLToPath(import.meta.url);

/** Returns the files in a folder that may hold deviations or variants. */
function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter(
      (name) => extname(name) === extname(HERE) && !name.endsWith('.d.ts') && !name.startsWith('index.'),
    )
    .map((name) => join(folder, name));
}

/** Returns the ids of the deviations and variants in the lists that a module exports. */
async function idsIn(file: string): Promise<string[]> {
  const lists = Object.values((await import(pathToFileURL(file).href)) as object).filter(Array.isArray);
  return lists.flat().flatMap((each: unknown) => {
    const { id, breaks, fills } = (each ?? {}) as { id?: string; breaks?: unknown; fills?: unknown };
    return id !== undefined && (breaks ?? fills) !== undefined ? [id] : [];
  });
}

/**
 * Returns, for each case, the files in which it is written, without those that all cases depend on. A pair
 * has the files of both its deviations, a combination those of all variants, and generated deviations and
 * trivial servers have none.
 */
export async function filesOf(cases: readonly ProofCase[]): Promise<Map<string, string[]>> {
  const written = new Map<string, string[]>();
  const variants = new Map<string, string[]>();
  for (const service of SERVICES) {
    for (const [folder, prefix] of [
      [service, service],
      [join('variants', service), `${service}/variants`],
    ] as const) {
      for (const file of filesIn(join(dirname(HERE), folder))) {
        for (const id of await idsIn(file)) {
          written.set(`${prefix}/${id}`, [file]);
          if (basename(dirname(folder)) === 'variants')
            variants.set(service, [...(variants.get(service) ?? []), file]);
        }
      }
    }
  }
  const files = new Map<string, string[]>();
  for (const { id, of, kind, service } of cases) {
    const own = written.get(id) ?? of?.flatMap((each) => written.get(each) ?? []);
    const combined = kind === 'variant' ? (variants.get(service) ?? []) : [];
    files.set(id, [...new Set(own ?? combined)]);
  }
  return files;
}
