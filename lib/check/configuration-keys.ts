/**
 * Knows the keys that a configuration may have. A secret that is labelled with one of them is one that the
 * user has; others were issued or made during a run.
 */
import { targetsSchema } from '../../schemas/targets.ts';
import { allServices } from './services.ts';

let known: { services: number; names: Set<string> } | undefined;

/** Returns whether a shell variable, such as `CLIENTSECRET_2`, is named after a key of `targets.yaml`. */
export function isConfigurationKey(variable: string): boolean {
  const services = allServices();
  if (known?.services !== services.length) {
    const text = JSON.stringify([targetsSchema([]), services.map(({ schema }) => schema)]);
    const names = [...text.matchAll(/"(\w+)":/g)].map((match) => plain(match[1]!));
    known = { services: services.length, names: new Set([...names, 'D', 'AUTHORIZATION', 'URLPASSWORD']) };
  }
  return known.names.has(plain(variable.replace(/_\d+$/, '')));
}

const plain = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, '');
