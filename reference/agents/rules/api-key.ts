/** Rules of the API key and of the scrape call (specification 2, sections 4 and 5). */
import type { JsonObject, KeyStore, Registration } from '../types.ts';

export const apiKeyRules = {
  /**
   * Returns the key that a call presents, or undefined. Only the `Authorization` header with the scheme
   * Bearer counts (in any case, RFC 9110 11.1).
   */
  presentedKey: (request: Request): string | undefined | Promise<string | undefined> =>
    /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(request.headers.get('authorization') ?? '')?.[1],

  /** Returns the registration that a key was issued for. */
  findKey: (keys: KeyStore, key: string): Registration | undefined => keys.get(key),

  /** Whether a key is still valid. Keys do not expire. `now` is in milliseconds since the epoch. */
  isLive: (_registration: Registration, _now: number): boolean => true,

  /** Status of the answer to a call without a valid key. */
  refusedStatus: 401,

  /** Body of the answer to a call without a valid key. */
  refusedBody: (): JsonObject => ({ error: 'unauthorized', error_description: 'A key is needed.' }),

  /** Returns the answer to an authenticated scrape call. The specification does not show its payload. */
  scrape: async (request: Request): Promise<{ status: number; body: JsonObject }> => {
    let url: unknown;
    try {
      ({ url } = JSON.parse(await request.text()));
    } catch {
      return { status: 400, body: { success: false, error: 'The body is no JSON object.' } };
    }
    return { status: 200, body: { success: true, data: { url: url ?? null, markdown: '# Example' } } };
  },
};
