/** `conform --version`. */
import { allCatalogues } from '../model/catalogue/registry.ts';
import { catalogueVersion } from '../model/catalogue/version.ts';
import { tool } from '../model/tool.ts';

/** Returns a line for the suite, for each catalogue, and for Node. */
export function versions(): string {
  const { name, version } = tool();
  const rows = [
    [name, version],
    ...[...allCatalogues().values()].map((catalogue) => [catalogue.suite, catalogueVersion(catalogue)]),
    ['node', process.versions.node],
  ] as const;
  const width = Math.max(...rows.map(([what]) => what!.length));
  return rows.map(([what, text]) => `${what!.padEnd(width)}  ${text}\n`).join('');
}
