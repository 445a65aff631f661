import type { AgentsConfig } from '../configuration.ts';

/**
 * Returns the headers of a request: the configured ones, then the given ones, which take precedence. A
 * configured `Authorization` is left out, since the calls of this service carry a key there, or deliberately
 * nothing.
 */
export function headersFor(config: AgentsConfig, own: Record<string, string> = {}): Record<string, string> {
  const given = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const configured = Object.entries((config.headers ?? {}) as Record<string, string>).filter(
    ([name]) => name.toLowerCase() !== 'authorization' && !given.has(name.toLowerCase()),
  );
  return { ...Object.fromEntries(configured), ...own };
}
