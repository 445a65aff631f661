/** The JSON files of the resources: fresh, and usable without our code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { packageRoot } from '../../lib/model/paths.ts';
import { publishedSchemas } from '../../schemas/published.ts';

const FOLDER = join(packageRoot(), 'schemas');
const read = (path: string): object => JSON.parse(readFileSync(join(FOLDER, path), 'utf8')) as object;

test('the files are what the code says', () => {
  const files = ['agents', 'caches', 'shipping'].flatMap((folder) =>
    readdirSync(join(FOLDER, folder))
      .filter((name) => name.endsWith('.json'))
      .map((name) => `${folder}/${name}`),
  );
  const published = publishedSchemas();
  expect(files.sort(), 'run npm run schemas').toEqual([...published.keys()].sort());
  for (const [path, schema] of published) expect(read(path), `${path}: run npm run schemas`).toEqual(schema);
});

test('they stand on their own: a validator that is given all of them finds every reference', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const paths = [...publishedSchemas().keys()];
  expect(paths.length).toBeGreaterThan(30);
  for (const path of paths) ajv.addSchema(read(path));
  for (const path of paths) {
    expect(ajv.getSchema(`https://api-conformance.invalid/schemas/${path}`), path).toBeTypeOf('function');
  }
  const validate = ajv.getSchema('https://api-conformance.invalid/schemas/caches/CacheList.json');
  expect(validate?.({ total_count: 'many', actions_caches: [] })).toBe(false);
});
