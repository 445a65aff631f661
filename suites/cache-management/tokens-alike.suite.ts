/** Section 5: the beginning of a token is no token, and a name in another case is no way round having one. */
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { inOtherCase, type Place } from '../../services/caches/api/places.ts';
import { ROWS } from '../../services/caches/judging/access-table.ts';
import { type CacheContext, check } from './suite.ts';

for (const { code, operations } of ROWS) {
  const reads = operations.filter(({ does }) => does !== 'set' && !does.startsWith('delete'));
  if (reads.length === 0) continue;
  check(`CACHE-AUTH-${code}-INVALID`, { case: 'half' }, async ({ access, api, expect, skip }) => {
    const { token } = api.config;
    const half = token.slice(0, Math.floor(token.length / 2));
    if (half.length < 4) return skip('the token is too short to be cut');
    for (const operation of reads) {
      const { attempts } = await access.attempt(operation, [
        { label: 'half of a token', auth: { token: half }, valid: false },
      ]);
      for (const { answer } of attempts)
        expect.refused(answer, `${operation.name} was asked for with the first half of the token`);
    }
  });
}

/** Reading something that is closed without a token. */
type Read = (api: CacheContext['api'], place: Place, auth: 'full' | 'none') => Promise<Answer>;

const CLOSED: [code: string, read: Read][] = [
  ['LIST', (api, place, auth) => api.list(place, { per_page: 1 }, { auth })],
  ['USAGE', (api, place, auth) => api.repositoryUsage(place, { auth })],
  ['REPO-RETENTION-GET', (api, place, auth) => api.readLimit(place, 'retention', { auth })],
  ['REPO-STORAGE-GET', (api, place, auth) => api.readLimit(place, 'storage', { auth })],
];

for (const [code, read] of CLOSED) {
  check(`CACHE-AUTH-${code}-MISSING`, { case: 'other-case' }, async ({ access, api, expect, skip }) => {
    const { level, names } = await access.private();
    const turned = names.map((name) => inOtherCase(name) ?? name);
    if (turned.join() === names.join()) return skip('the names of the repository have no letters');
    const place: Place = { level, names: turned };
    const twin = await read(api, place, 'full');
    requireOk(twin, 'CACHE-CASE-REPO-LIST');
    expect.refused(
      await read(api, place, 'none'),
      'the repository is private, in whatever case its name is written',
    );
  });
}
