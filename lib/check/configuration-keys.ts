/** The keys that a configuration may have: names of secrets that a user has begin with one. */
import { targetsSchema } from '../../schemas/targets.ts';
import { allServices } from './services.ts';

let known: { services: number; names: Set<string> } | undefined;

/** Whether a name of a shell variable (`CLIENTSECRET_2`) is that of a key of `targets.yaml`. */
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
