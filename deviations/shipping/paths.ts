/** The paths of the shipping service's endpoints (section 4), and the contents of requests to them. */
import type { AnsweredRequest } from '../types.ts';

const ADDRESSES = '/api/v1/address_templates';
export const COLLECTION = new RegExp(`^${ADDRESSES}$`);
export const ITEM = new RegExp(`^${ADDRESSES}/[^/]+$`);
export const VERIFY = new RegExp(`^${ADDRESSES}/[^/]+/verify_by_carriers$`);
export const TOKEN = /^\/api\/v1\/oauth\/token$/;
export const REVOKE = /^\/api\/v1\/oauth\/revoke$/;
export const INTROSPECT = /^\/api\/v1\/oauth\/introspect$/;

/** Returns one parameter of an OAuth request, from a form or from JSON. */
export function parameterOf(
  { headers, text }: Pick<AnsweredRequest, 'headers' | 'text'>,
  name: string,
): string | undefined {
  if (/json/i.test(headers.get('content-type') ?? '')) {
    try {
      const value = (JSON.parse(text) as Record<string, unknown>)[name];
      return typeof value === 'string' ? value : undefined;
    } catch {
      return undefined;
    }
  }
  return new URLSearchParams(text).get(name) ?? undefined;
}

/** Whether a token request is for the grant type refresh_token. */
export const isRefresh = (request: AnsweredRequest): boolean =>
  parameterOf(request, 'grant_type') === 'refresh_token';

/** Whether a request is for a token and has a body in JSON. */
export const isTokenInJson = ({ url, headers }: AnsweredRequest): boolean =>
  TOKEN.test(url.pathname) && (headers.get('content-type') ?? '').includes('json');
