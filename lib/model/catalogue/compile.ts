/** This build step writes the validated catalogues to one JSON file: parsing YAML takes longer than a run. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeRoot, packageRoot } from '../paths.ts';
import { loadCatalogues } from './load.ts';
import { COMPILED } from './registry.ts';

writeFileSync(join(codeRoot(), COMPILED), JSON.stringify(loadCatalogues(packageRoot())));
