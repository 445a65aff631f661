/** Rules of the API key and of the scrape call (specification 2, sections 4 and 5). */
import type { JsonObject, KeyStore, Registration } from '../types.ts';

export const apiKeyRules = {
  /**
   * The key that a call presents: in `Authorization` with the scheme Bearer (any case, RFC 9110 11.1),
   * and nowhere else. Undefined when there is none.
   */
  presentedKey: (request: Request): string | undefined | Promise<string | undefined> =>
    /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(request.headers.get('authorization') ?? '')?.[1],

  /** The registration of a key. */
  findKey: (keys: KeyStore, key: string): Registration | undefined => keys.get(key),

  /** Whether a key is still good: it does not expire. `now` in milliseconds since the epoch. */
  isLive: (_registration: Registration, _now: number): boolean => true,

  /** Status of a call without a good key. */
  refusedStatus: 401,

  /** Body of a call without a good key. */
  refusedBody: (): JsonObject => ({ error: 'unauthorized', error_description: 'A key is needed.' }),

  /** The answer to an authenticated scrape call; its payload is not shown. */
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
