/** The services that there are: found by where their descriptors stand, `services/<name>/service.ts`. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeRoot } from '../model/paths.ts';
import type { Service } from './service.ts';

/** The descriptors below `root`, in the order of their folders' names. Throws for one that is not named like its folder. */
async function loadServices(root: string): Promise<Service[]> {
  const folder = join(root, 'services');
  if (!existsSync(folder)) return [];
  const services: Service[] = [];
  for (const name of readdirSync(folder).sort()) {
    const file = ['js', 'ts']
      .map((ending) => join(folder, name, `service.${ending}`))
      .find((path) => existsSync(path));
    if (file === undefined) continue;
    const { default: service } = (await import(pathToFileURL(file).href)) as { default: Service };
    if (service?.name !== name) throw new Error(`${file}: its default export is not the service ${name}`);
    services.push(service);
  }
  return services;
}

const services = await loadServices(codeRoot());

/** All services, in the order of their names. */
export function allServices(): readonly Service[] {
  return services;
}

/** The service that a suite is about. Throws when no service names the suite. */
export function serviceOf(suite: string): Service {
  const service = services.find(({ suites }) => suites.includes(suite));
  if (!service) throw new Error(`no service names the suite ${suite} among its own`);
  return service;
}
