/** Users who are taken for one another, or for several, because of what an assertion says besides `sub` (section 4). */
import { createHash } from 'node:crypto';
import {
  type AgentDeviation,
  assertionIn,
  bearerOf,
  isRegistration,
  unverified,
  withUnknownKey,
} from './kit.ts';

const TWO_IDS = 'AGENT-USERS-TWO-IDS';

/** Looks users up by something other than `sub` alone. */
const by = (
  id: string,
  breaks: string,
  sentence: string,
  userKey: (claims: Record<string, unknown>) => string,
): AgentDeviation => ({ id, breaks: [breaks], sentence, rules: () => ({ userKey }) });

/** Returns what a text in a form stands for (`application/x-www-form-urlencoded`). */
const decoded = (text: string): string =>
  new URLSearchParams(`t=${text.replaceAll('&', '%26')}`).get('t') ?? '';

export const mistakenUserDeviations: AgentDeviation[] = [
  by('users-behind-the-bar', TWO_IDS, 'looks users up by what stands behind the last bar of sub', ({ sub }) =>
    String(String(sub).split('|').at(-1)),
  ),
  by('users-of-each-name', TWO_IDS, 'looks users up by what stands before the @ of email', ({ email }) =>
    String(String(email).split('@')[0]),
  ),
  by('users-by-joined-claims', TWO_IDS, 'looks users up by sub and email, joined without a sign', (claims) =>
    [claims.sub, claims.email].join(''),
  ),
  by(
    'users-by-decoded-sub',
    TWO_IDS,
    'takes percent signs and plus signs in sub for encoded ones',
    ({ sub }) => decoded(String(sub)),
  ),
  by('users-by-one-byte', TWO_IDS, 'looks users up by one byte of a hash of sub', ({ sub }) =>
    createHash('sha256').update(String(sub)).digest('hex').slice(0, 2),
  ),
  by('users-by-actor', TWO_IDS, 'takes the sub of act, where there is one, for the user', ({ sub, act }) =>
    String((act as { sub?: unknown } | undefined)?.sub ?? sub),
  ),
  by(
    'users-of-each-client',
    'AGENT-USER-SAME-ID',
    'takes a user who comes by another client_id for another user',
    ({ sub, client_id }) => `${String(sub)} ${String(client_id ?? '')}`,
  ),
  {
    id: 'key-lost-when-two-are-issued-at-once',
    breaks: ['AGENT-KEY-OPENS'],
    sentence: 'loses the first of two keys that a known user is issued at the same time',
    wrap: (next) => {
      const known = new Set<unknown>();
      const underWay = new Map<unknown, number>();
      const lost = new Set<string>();
      return async (request) => {
        const key = bearerOf(request);
        if (key !== undefined && lost.has(key)) return next(withUnknownKey(request));
        if (!isRegistration(request)) return next(request);
        const sub = unverified(assertionIn(await request.clone().text()))?.sub;
        const isKnown = known.has(sub);
        underWay.set(sub, (underWay.get(sub) ?? 0) + 1);
        const answer = await next(request);
        const others = (underWay.get(sub) ?? 0) - 1;
        underWay.set(sub, others);
        if (!answer.ok) return answer;
        known.add(sub);
        const { api_key } = (await answer.clone().json()) as { api_key: string };
        if (isKnown && others > 0) lost.add(api_key);
        return answer;
      };
    },
  },
];
