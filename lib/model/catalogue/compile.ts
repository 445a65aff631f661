/** Build step: the validated catalogues as one JSON file, since reading YAML takes longer than a run. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeRoot, packageRoot } from '../paths.ts';
import { loadCatalogues } from './load.ts';
import { COMPILED } from './registry.ts';

writeFileSync(join(codeRoot(), COMPILED), JSON.stringify(loadCatalogues(packageRoot())));
