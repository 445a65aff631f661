/** Finds addresses in a configuration that cannot be used, and says what is wrong with them, before anything is sent. */
import { url } from '../../schemas/targets.ts';
import { UsageError } from '../model/usage-error.ts';
import type { ServiceConfiguration } from './service.ts';
import { serviceConfig, type TargetConfig } from './types.ts';

/** An address of a target, and the key that it stands at. */
export interface Address {
  /** Below the target. */
  path: string[];
  text: string;
  /** Whether the suite appends paths to it. */
  isBase: boolean;
}

/** What JSON Schema says about keys that may hold addresses. */
interface Schema {
  format?: string;
  properties?: Readonly<Record<string, Schema>>;
}

/** Returns the addresses of the services, hooks and proxy of a target. */
export function addressesOf(config: TargetConfig, services: readonly ServiceConfiguration[]): Address[] {
  const own = services.flatMap(({ name, schema }) => below(serviceConfig(config, name), schema, [name]));
  const hooks = Object.entries(config.hooks ?? {}).flatMap(([name, hook]) =>
    hook?.url === undefined ? [] : [{ path: ['hooks', name, 'url'], text: hook.url, isBase: false }],
  );
  const proxy = config.network?.proxy;
  return [
    ...own,
    ...hooks,
    ...(typeof proxy === 'string' ? [{ path: ['network', 'proxy'], text: proxy, isBase: true }] : []),
  ];
}

function below(value: unknown, { format, properties = {} }: Schema, path: string[]): Address[] {
  if (typeof value === 'string')
    return format === 'uri' ? [{ path, text: value, isBase: /url$/i.test(path.at(-1) ?? '') }] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => below(inner, properties[key] ?? {}, [...path, key]));
}

/**
 * Requires that every address of a target can be used.
 * @param place returns `file:line` of a key below the target, and its path, for messages
 * @throws UsageError with a line for each that cannot
 */
export function requireUsable(
  addresses: readonly Address[],
  place: (path: readonly string[]) => string,
): void {
  const mistakes = addresses.flatMap((address) => {
    const mistake = mistakeIn(address);
    return mistake === undefined ? [] : [`${place(address.path)}: ${mistake}`];
  });
  if (mistakes.length > 0) throw new UsageError(mistakes.join('\n'));
}

/** Returns what is wrong with a base address that a user gives; one with variables is not yet known. */
export function mistakeInBase(text: string): string | undefined {
  if (text.includes('${')) return undefined;
  const isUrl = new RegExp(url.pattern).test(text) && !/\s/.test(text) && URL.canParse(text);
  return isUrl ? mistakeIn({ path: [], text, isBase: true }) : wrongAddress(text);
}

/** Returns what is wrong with an address that the schema allows; `undefined` where nothing is. */
function mistakeIn({ text, isBase }: Address): string | undefined {
  if (!URL.canParse(text)) return wrongAddress(text);
  const host = hostIn(text);
  const [, port] = /:(\d+)$/.exec(host) ?? [];
  if (port !== undefined && Number(port) === 0) return 'there is no port 0';
  if (/\$\w/.test(host)) return UNFILLED;
  if (text.includes('#')) return 'leave out what begins with `#`: it is never sent';
  if (isBase && text.includes('?'))
    return 'leave out what begins with `?`: paths are appended to this address';
  return undefined;
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: what the file says
const UNFILLED = 'write a variable as `${NAME}`, in braces';

/** Says what is wrong with an address that is no URL, without repeating it, since it may hold a password. */
export function wrongAddress(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/^https?:/i.test(text)) return 'not an http or https URL';
  if (/\s/.test(text)) return 'has white space, which no URL has';
  if (!/^https?:\/\//i.test(text)) return 'write the scheme too: `http://` or `https://`, then the host';
  if (!/^https?:/.test(text)) return 'write the scheme in small letters';
  const host = hostIn(text);
  if (host.includes('@'))
    return 'a URL without user and password is wanted: credentials have keys of their own';
  if (host === '') return 'has no host';
  if (/[<>{}…]|\[[a-z-]+\]/i.test(host))
    return 'a placeholder stands at the place of the host: write the host';
  if (/[^\u0021-\u007e]/.test(text))
    return 'not a URL: other letters than those of ASCII are written `xn--…` or `%…`';
  const [, port] = /:(\d+)$/.exec(host) ?? [];
  if (port !== undefined && Number(port) > 65_535) return `there is no port ${port}`;
  return URL.canParse(text) ? 'not a URL' : 'not a URL: no host has this name, or this IP address';
}

/** Names that are reserved for examples (RFC 2606), and names that say that another one is to be written. */
const EXAMPLE = /(^|\.)example\.(com|net|org)$|^(your|change-?me|todo)([-_.]|$)|^(host|hostname|domain)$/i;

/** Returns whether a host name is one of examples. */
export function isExample(host: string): boolean {
  return EXAMPLE.test(host);
}

/** Returns what stands between the scheme of a URL and its path. */
function hostIn(text: string): string {
  return /^https?:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
}
