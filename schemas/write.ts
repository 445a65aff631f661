/** The script of `npm run schemas`: writes the published schemas. It runs in the root of the package. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { publishedSchemas } from './published.ts';

for (const [path, schema] of publishedSchemas()) {
  const file = join('schemas', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
}
