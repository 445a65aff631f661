import { type HasSession, perRun } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Body } from '../../../lib/http/body.ts';
import type { AgentsConfig } from '../configuration.ts';
import { headersFor } from './headers.ts';

/** What a scrape call does otherwise than the configured one. */
export interface ScrapeCall {
  purpose: string;
  /** Bearer key. */
  key?: string;
  headers?: Record<string, string>;
  query?: Record<string, string>;
  /** Below the base address; default: the configured path, or the documented one. */
  path?: string;
  method?: string;
  body?: Body;
  /**
   * The key is good: the service behind the API may be out of order (502, 503, 504 for good), and the key
   * was accepted all the same.
   */
  good?: boolean;
}

/** The documented path of the scrape call (endpoint 4). */
export const SCRAPE_PATH = '/v2/scrape';

/**
 * A path as a router may read it and a guard in front of it may not: of the first, any reader takes it for the same one
 * (RFC 3986 6.2.2.2).
 */
export function spellingsOf(path: string): Record<string, string> {
  const letter = path.search(/[A-Za-z][^A-Za-z]*$/);
  const encoded = `%${path.charCodeAt(letter).toString(16)}`;
  const other = path.toUpperCase();
  return {
    ...(letter >= 0 && {
      'with a letter percent-encoded': path.slice(0, letter) + encoded + path.slice(letter + 1),
    }),
    ...(other !== path && { 'in capitals': other }),
    'with a slash behind it': `${path}/`,
    'with two slashes in front': `//${path.replace(/^\/+/, '')}`,
    'with a parameter behind it': `${path};conformance=1`,
  };
}

/** JSON body of the configured call. */
export function scrapeBody(config: AgentsConfig): unknown {
  return config.scrape?.body ?? { url: 'https://example.com' };
}

/** Sends the configured scrape call (endpoint 4), changed as told. */
export function scrape(session: Session, call: ScrapeCall): Promise<Answer> {
  const config = session.target.agents as AgentsConfig;
  const method = call.method ?? config.scrape?.method ?? 'POST';
  const path = call.path ?? config.scrape?.path ?? SCRAPE_PATH;
  const url = new URL(
    config.baseUrl.replace(/\/+$/, '') + (path === '' || path.startsWith('/') ? path : `/${path}`),
  );
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value);
  const bodiless = method === 'GET' || method === 'HEAD';
  return session.http.send({
    method,
    url: url.href,
    purpose: call.purpose,
    headers: headersFor(config, {
      ...(call.key !== undefined && { authorization: `Bearer ${call.key}` }),
      ...call.headers,
    }),
    ...(!bodiless && { body: call.body ?? { json: scrapeBody(config) } }),
    ...(call.good === true && { gatewayErrors: 'lasting' as const }),
  });
}

/** The call with a key, made once: what it opens when it is new. */
export const scrapeNewly = perRun(
  'agents: API with a new key',
  async ({ session }: HasSession, key: string): Promise<Answer> =>
    scrape(session, { purpose: 'call the API with a further key', key, good: true }),
);
