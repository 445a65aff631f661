/** Finds all services by the paths of their descriptors: `services/<name>/service.ts`. */
import { existsSync, readdirSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ResolvedTarget, serviceConfig } from '../config/types.ts';
import { addCatalogues, allCatalogues } from '../model/catalogue/registry.ts';
import {
  addCodeRoot,
  codeFile,
  codeRoot,
  codeRoots,
  isBuilt,
  moduleFile,
  pluginRoots,
} from '../model/paths.ts';
import type { Service } from './service.ts';

/** A service and the root that it was found below. */
interface Found {
  service: Service;
  root: string;
}

/**
 * Returns the services below `root`, in the order of their folders' names.
 * @throws Error for a descriptor whose name is not that of its folder
 */
async function loadServices(root: string): Promise<Found[]> {
  const folder = join(root, 'services');
  if (!existsSync(folder)) return [];
  const services: Found[] = [];
  for (const name of readdirSync(folder).sort()) {
    const file = moduleFile(join(folder, name), 'service');
    if (file === undefined) continue;
    const { default: service } = (await import(pathToFileURL(file).href)) as { default: Service };
    if (service?.name !== name) throw new Error(`${file}: its default export is not the service ${name}`);
    services.push({ service, root });
  }
  return services;
}

let found = await loadServices(codeRoot());
let services: readonly Service[] = found.map(({ service }) => service);

/**
 * Adds the services and suites below these folders, which are laid out like this package:
 * `services/<name>/service`, `suites/<suite>/` with requirements and `*.suite` files, and, where there are
 * any, `reference/index` and `deviations/index`. A folder that was added before is ignored. This runs code in
 * the folders.
 * @throws Error for a service, suite or requirement that exists already
 */
export async function addPlugins(folders: readonly string[]): Promise<void> {
  for (const root of folders) {
    if (codeRoots().includes(root)) continue;
    // When the sources run, a test runner loads them, and plugins get the same modules anyway.
    if (isBuilt() && pluginRoots().length === 0)
      register(pathToFileURL(codeFile('lib/check/plugin-imports')));
    const more = await loadServices(root);
    for (const { service } of more) {
      if (services.some(({ name }) => name === service.name))
        throw new Error(`${root}: there is a service ${service.name} already`);
    }
    // The YAML parser is loaded only here, since the catalogues of this package are compiled.
    const { loadCatalogues } = await import('../model/catalogue/load.ts');
    addCatalogues(loadCatalogues(root));
    found = [...found, ...more];
    services = found.map(({ service }) => service);
    addCodeRoot(root);
  }
}

/** Returns all services: this package's in the order of their names, then those of plugins. */
export function allServices(): readonly Service[] {
  return services;
}

/**
 * Returns the root that a service was found below.
 * @throws Error when there is no such service
 */
export function rootOf(service: string): string {
  const one = found.find((each) => each.service.name === service);
  if (!one) throw new Error(`no service ${service}`);
  return one.root;
}

/**
 * Returns the service that a suite is about.
 * @throws Error when no service names the suite
 */
export function serviceOf(suite: string): Service {
  const service = services.find(({ suites }) => suites.includes(suite));
  if (!service) throw new Error(`no service names the suite ${suite} among its own`);
  return service;
}

/** Returns the suites that can judge a target: those whose service it configures; if embedded, all. */
export function suitesFor(target: ResolvedTarget): string[] {
  return [...allCatalogues().keys()].filter(
    (suite) => target.embedded || serviceConfig(target, serviceOf(suite).name) !== undefined,
  );
}
