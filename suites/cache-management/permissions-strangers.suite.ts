/** Section 5, endpoint 15: the usage of a private and of a public repository, to an account that is no member. */
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { MADE_UP } from '../../services/caches/fixtures/access.ts';
import { rowOf } from '../../services/caches/judging/access-table.ts';
import { type CacheContext, check } from './suite.ts';

/**
 * Reads the usage of the public repository, which anyone has read access to, with the token of an account that has
 * no other. Returns the answer, and a sentence where its refusal shows nothing: the token may be invalid, or
 * fine-grained and without the permission, which a target may demand for a public repository as well.
 */
const publicUsageOfStranger = perRun(
  'caches: usage of the public repository, to a stranger',
  async ({ access, api, places }: CacheContext): Promise<{ answer: Answer; doubt?: string }> => {
    const open = places.need('publicRepository');
    const answer = await api.repositoryUsage(open, { auth: { token: api.config.strangerToken! } });
    if (answer.ok) return { answer };
    const unknown = await api.repositoryUsage(open, { auth: MADE_UP });
    const doubt = 'the token is refused for a public repository too, so its refusal shows nothing';
    if (unknown.ok || unknown.status === answer.status) return { answer, doubt };
    for (const { token } of access.lacking(rowOf('USAGE'), 'fine'))
      if ((await api.repositoryUsage(open, { auth: { token } })).ok) return { answer };
    return { answer, doubt };
  },
);

check(
  'CACHE-PERM-USAGE-READER',
  { needs: ['caches.strangerToken', 'caches.publicRepository'], case: 'public' },
  async (context) => {
    const { api, places, expect, skip } = context;
    const twin = await api.repositoryUsage(places.need('publicRepository'), { auth: 'none' });
    requireOk(twin, 'CACHE-ANON-USAGE-PUBLIC');
    const { answer, doubt } = await publicUsageOfStranger(context);
    if (doubt) return skip(doubt);
    expect.accepted(
      answer,
      'the repository is public, even a token without the permission reads its usage, and so does who sends none',
    );
  },
);

check('CACHE-PERM-USAGE-STRANGER', { needs: ['caches.strangerToken'] }, async (context) => {
  const { access, api, places, expect, block, skip } = context;
  const repository = await access.private();
  const auth = { token: api.config.strangerToken! };
  const twin = await api.repositoryUsage(repository);
  requireOk(twin, 'CACHE-REPO-USAGE-STATUS');
  const refusal = await api.repositoryUsage(repository, { auth });
  const stranger = { key: 'caches.strangerToken', label: 'a stranger', token: auth.token };
  if (!refusal.ok && !(await access.valid(stranger)))
    return skip('the token is refused as one that was never issued is, so its refusal shows nothing');
  expect.refused(refusal, 'the account may not read the repository');
  if (!places.find('publicRepository')) return;
  const { answer, doubt } = await publicUsageOfStranger(context);
  if (doubt) skip(doubt);
  if (!answer.ok) block('the token is refused for a public repository too', 'CACHE-PERM-USAGE-READER');
});
