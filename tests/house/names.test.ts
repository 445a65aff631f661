/** `lib` knows no service and no suite by name: what belongs to one is in its descriptor. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allServices, serviceOf } from '../../lib/check/services.ts';
import { allCatalogues } from '../../lib/model/catalogue/registry.ts';
import { packageRoot } from '../../lib/model/paths.ts';

const suites = [...allCatalogues().keys()];
const services = allServices();

/** Returns the files of `lib`, by their path below the root of the package. */
function filesOfLib(): string[] {
  return readdirSync(join(packageRoot(), 'lib'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('no file of lib names a service or a suite', () => {
  const names = [...services.map(({ name }) => name), ...suites];
  expect(names.length).toBeGreaterThan(5);
  const named = new RegExp(`\\b(${names.join('|')})\\b`, 'i');
  const lines = filesOfLib().flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, i) => (named.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
  );
  expect(lines).toEqual([]);
});

test('every suite belongs to one service, and every service to suites that there are', () => {
  expect(services.flatMap((service) => service.suites).sort()).toEqual([...suites].sort());
  for (const suite of suites) expect(serviceOf(suite).suites).toContain(suite);
});
