/** The addresses of a target. */
import { allServices } from '../check/services.ts';
import { type ResolvedTarget, serviceConfig } from '../config/types.ts';

/** The addresses of a target's services, by their keys. */
export function urlsOf(target: ResolvedTarget): Record<string, string> {
  const urls = allServices().map(({ name, urls }) => {
    const config = serviceConfig(target, name);
    return config === undefined ? {} : urls(config);
  });
  return Object.assign({}, ...urls) as Record<string, string>;
}
