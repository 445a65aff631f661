/** Where the suite may send anything: the origins that the configuration names, whatever a target hands out. */

import type { ResolvedTarget } from '../../../lib/config/types.ts';
import { Skipped } from '../../../lib/model/verdict.ts';

export class Origins {
  readonly #name: string;
  readonly #allowed: Set<string>;

  constructor({ name, agents }: ResolvedTarget) {
    this.#name = name;
    const named = [agents?.baseUrl, agents?.authUrl, ...((agents?.allowedOrigins ?? []) as string[])];
    this.#allowed = new Set(named.flatMap((url) => originOf(url) ?? []));
  }

  /** Whether a URL lies on a named origin; false for what is no http or https URL. */
  allows(url: string): boolean {
    const origin = originOf(url);
    return origin !== undefined && this.#allowed.has(origin);
  }

  /** Throws `Skipped`, naming the key to set, unless a URL lies on a named origin. */
  require(url: string): void {
    if (this.allows(url)) return;
    throw new Skipped(
      `the target names ${url}: the suite goes only where the configuration says; to allow it, add ${originOf(url) ?? 'its origin'} to \`targets.${this.#name}.agents.allowedOrigins\``,
    );
  }
}

/** Scheme, host and port of an absolute http or https URL. */
function originOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { protocol, origin } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? origin : undefined;
}
