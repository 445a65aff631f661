/** `plugins` of a configuration: which folders it names, and when their code may be loaded. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pluginFolders } from '../../lib/config/plugins.ts';
import { UsageError } from '../../lib/model/usage-error.ts';
import { temporaryFolder } from '../lib/conform.ts';

/** Writes a configuration that names these plugins, near a package and a folder that can be found. */
function configuration(plugins: string): { file: string; folder: string } {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules', '@scope', 'notes', 'suites'), { recursive: true });
  mkdirSync(join(folder, 'sub', 'own', 'suites'), { recursive: true });
  mkdirSync(join(folder, 'sub', 'empty'));
  const file = join(folder, 'sub', 'targets.yaml');
  writeFileSync(file, `targets: { a: { embedded: true } }\nplugins: ${plugins}\n`);
  return { file, folder };
}

test('only a file that the user named or trusts loads code', () => {
  const { file } = configuration('[./own]');
  expect(() => pluginFolders({ file, named: false })).toThrow(UsageError);
  expect(() => pluginFolders({ file, named: false })).toThrow(
    `${file}:2: plugins: a configuration that was found in the folder`,
  );
});

test('a path is relative to the file, a name is a package from the folder of the file upwards', () => {
  const { file, folder } = configuration('[./own, "@scope/notes"]');
  expect(pluginFolders({ file, named: true })).toEqual([
    join(folder, 'sub', 'own'),
    join(folder, 'node_modules', '@scope', 'notes'),
  ]);
});

test('a plugin that does not exist is reported with its place', () => {
  const { file } = configuration('[./nowhere]');
  expect(() => pluginFolders({ file, named: true })).toThrow(
    `${file}:2: plugins: there is no folder or package ./nowhere`,
  );
});

test('a folder that is no plugin is reported with its place', () => {
  const { file } = configuration('[./empty]');
  expect(() => pluginFolders({ file, named: true })).toThrow(
    `${file}:2: plugins: ./empty is no plugin: it has neither \`services\` nor \`suites\``,
  );
});

test('a file that names none, or does not exist, loads nothing', () => {
  const { file, folder } = configuration('[]');
  expect(pluginFolders({ file, named: false })).toEqual([]);
  expect(pluginFolders({ file: join(folder, 'none.yaml'), named: false })).toEqual([]);
});
