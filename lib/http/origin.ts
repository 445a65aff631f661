/** A cache of origins by the beginning of a URL: a run has a few origins and thousands of requests. */
const origins = new Map<string, string>();

/**
 * Returns the origin of a URL (RFC 6454).
 * @throws TypeError for what is not a URL
 */
export function originOf(url: string): string {
  const end = url.indexOf('/', url.indexOf('//') + 2);
  const start = end === -1 ? url : url.slice(0, end);
  const origin = origins.get(start) ?? new URL(url).origin;
  origins.set(start, origin);
  return origin;
}
