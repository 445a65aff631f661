/**
 * The origins to which the suite may send requests: those that the configuration names, and no other ones,
 * whatever addresses a target hands out.
 */

import type { ResolvedTarget } from '../../../lib/config/types.ts';
import { Skipped } from '../../../lib/model/verdict.ts';

/** Says which URLs may be requested; see the module comment. */
export class Origins {
  readonly #name: string;
  readonly #allowed: Set<string>;

  constructor({ name, agents }: ResolvedTarget) {
    this.#name = name;
    const named = [agents?.baseUrl, agents?.authUrl, ...((agents?.allowedOrigins ?? []) as string[])];
    this.#allowed = new Set(named.flatMap((url) => originOf(url) ?? []));
  }

  /**
   * Returns whether a URL lies on an allowed origin; false for anything that is not an absolute http or https
   * URL.
   */
  allows(url: string): boolean {
    const origin = originOf(url);
    return origin !== undefined && this.#allowed.has(origin);
  }

  /** Throws `Skipped`, naming the key to set, unless a URL lies on an allowed origin. */
  require(url: string): void {
    if (this.allows(url)) return;
    throw new Skipped(
      `the target names ${url}: the suite goes only where the configuration says; to allow it, add ${originOf(url) ?? 'its origin'} to \`targets.${this.#name}.agents.allowedOrigins\``,
    );
  }
}

/** Returns scheme, host and port of an absolute http or https URL; `undefined` for anything else. */
function originOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { protocol, origin } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? origin : undefined;
}
