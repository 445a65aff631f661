/**
 * Identifiers that differ from a good one in one thing. Each throws `Skipped` where the good one has no such
 * thing.
 */
import { Skipped } from '../../../lib/model/verdict.ts';

/**
 * Returns an identifier with a trailing slash added or removed. An empty path is equivalent to a single slash
 * (RFC 3986 6.2.3), so where there is no path, two slashes are added.
 */
export function otherSlash(good: string): string {
  if (/^https?:\/\/[^/?#]*\/?$/i.test(good)) return `${good.replace(/\/$/, '')}//`;
  return good.endsWith('/') ? good.slice(0, -1) : `${good}/`;
}

/**
 * Returns an identifier with the last letter of its path in the other case. Scheme, host and percent-encoded
 * digits are case-insensitive (RFC 3986 6.2.2.1), so they are left alone. Throws `Skipped` where there is no
 * such letter.
 */
export function otherCase(good: string): string {
  const [, start = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)(\/[^?#]*)/i.exec(good) ?? [];
  const masked = path.replaceAll(/%[0-9a-f]{2}/gi, '%00');
  const at = start.length + masked.search(/[a-z][^a-z]*$/i);
  if (at < start.length) throw new Skipped(`${good} has no path with a letter whose case could be changed`);
  const letter = good[at] as string;
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return good.slice(0, at) + other + good.slice(at + 1);
}

/** Returns a URL of a host below that of another one, or beside it. */
export function subdomain(good: string): string {
  // An IP address has no subdomains, so a neighbouring address is used instead.
  const [, start, last, rest] = /^(https?:\/\/(?:\d+\.){3})(\d+)(.*)$/is.exec(good) ?? [];
  if (start !== undefined) return `${start}${last === '2' ? '3' : '2'}${rest}`;
  const other = good.replace('://', '://conformance.');
  if (other !== good && URL.canParse(other)) return other;
  throw new Skipped(`${good} has no host with a name or an address of four numbers`);
}

/** Returns a URL with another port. */
export function otherPort(good: string): string {
  const [, start, port, rest] = /^(https?:\/\/[^/?#:@[]+)(:\d+)?(.*)$/is.exec(good) ?? [];
  if (start === undefined) throw new Skipped(`${good} has no host with a name or an address of four numbers`);
  return `${start}${port === ':8443' ? ':8444' : ':8443'}${rest}`;
}

/** Returns a URL with a further parameter in its query. */
export function withParameter(good: string): string {
  return `${good}${good.includes('?') ? '&' : '?'}conformance=other`;
}

/** Returns a URL with the other one of http and https. */
export function otherScheme(good: string): string {
  const [, s, rest] = /^http(s?):(.*)$/is.exec(good) ?? [];
  if (rest === undefined) throw new Skipped(`${good} has neither of the schemes http and https`);
  return `${s ? 'http' : 'https'}:${rest}`;
}
