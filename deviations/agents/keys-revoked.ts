/** Keys that agents can revoke (section 5.4), or that are used up by calls. */
import type { Handler } from '../../reference/kit/service.ts';
import { type AgentDeviation, bearerOf, withUnknownKey } from './kit.ts';

const REVOKE = '/agent/revoke';

/** Revokes the keys that `revoked` finds in requests of agents, and answers these requests with success. */
const revoking =
  (revoked: (request: Request) => Promise<unknown> | unknown): ((next: Handler) => Handler) =>
  (next) => {
    const ended = new Set<unknown>();
    return async (request) => {
      const key = await revoked(request);
      if (typeof key === 'string') {
        ended.add(key);
        return new Response(null, { status: 200 });
      }
      return next(ended.has(bearerOf(request)) ? withUnknownKey(request) : request);
    };
  };

const isAt = ({ url }: Request, path: string): boolean => new URL(url).pathname === path;

export const revokedKeyDeviations: AgentDeviation[] = [
  {
    id: 'keys-revoked-at-the-endpoint-for-tokens',
    breaks: ['AGENT-NO-REVOCATION'],
    sentence: 'revokes keys, too, at the revocation endpoint of its authorization server',
    rules: (original) => ({
      serverMetadata: (urls, block) => ({
        ...original.serverMetadata(urls, block),
        revocation_endpoint: `${urls.base}${REVOKE}`,
      }),
    }),
    wrap: revoking(async (request) =>
      isAt(request, REVOKE) ? new URLSearchParams(await request.clone().text()).get('token') : undefined,
    ),
  },
  {
    id: 'keys-revoked-below-registration',
    breaks: ['AGENT-NO-REVOCATION'],
    sentence: 'has a revocation endpoint that no document names',
    wrap: revoking(async (request) =>
      isAt(request, '/agent/auth/revoke')
        ? ((await request.clone().json()) as { api_key?: string }).api_key
        : undefined,
    ),
  },
  {
    id: 'keys-revoked-by-delete',
    breaks: ['AGENT-NO-REVOCATION'],
    sentence: 'deletes a registration when asked to with its key',
    wrap: revoking((request) =>
      request.method === 'DELETE' && isAt(request, '/agent/auth') ? bearerOf(request) : undefined,
    ),
  },
  {
    id: 'keys-for-twenty-calls',
    breaks: ['AGENT-KEY-STAYS'],
    sentence: 'accepts a key twenty times',
    rules: (original) => {
      const calls = new Map<string, number>();
      return {
        findKey: (keys, key) => {
          calls.set(key, (calls.get(key) ?? 0) + 1);
          return (calls.get(key) as number) > 20 ? undefined : original.findKey(keys, key);
        },
      };
    },
  },
];
