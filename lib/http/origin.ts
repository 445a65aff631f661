/** Origins by what an address begins with: a run has a few of them and thousands of requests. */
const origins = new Map<string, string>();

/** The origin of an address (RFC 6454). Throws for what is no URL. */
export function originOf(url: string): string {
  const start = url.split('/', 3).join('/');
  const origin = origins.get(start) ?? new URL(url).origin;
  origins.set(start, origin);
  return origin;
}
