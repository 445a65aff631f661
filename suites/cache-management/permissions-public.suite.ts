/**
 * Section 5, endpoints 11 to 14, 17 and 18: anyone may read a public repository's usage and caches, but
 * nothing more.
 */
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { Seeded } from '../../services/caches/api/cache.ts';
import { inOtherCase, labelOf, type Place } from '../../services/caches/api/places.ts';
import type { AccessAttempt, ChosenToken, Family } from '../../services/caches/fixtures/access.ts';
import { rowOf } from '../../services/caches/judging/access-table.ts';
import { foundIn } from '../../services/caches/judging/found-entries.ts';
import { CASE_IDS } from '../../services/caches/requirement-ids/names.ts';
import { PERMISSION_IDS } from '../../services/caches/requirement-ids/permissions.ts';
import { KINDS, type Kind } from '../../services/caches/vocabulary.ts';
import { type CacheContext, check, onlyLimitsOf } from './suite.ts';

const NEEDS = { needs: ['caches.publicRepository', 'caches.tokens'], case: 'public' };

const FAMILIES = [
  ['classic', 'classicLacking'],
  ['fine', 'fineLacking'],
] as const;

/**
 * Returns the token that is most similar to what a row requires, and the one that is least similar, of those
 * that lack it. Throws `Skipped` if there is none.
 */
function lacking({ access, skip, target }: CacheContext, code: RowCode, family: Family): ChosenToken[] {
  const tokens = access.lacking(rowOf(code), family);
  if (tokens.length === 0)
    skip(`add a ${family} token without what it requires to \`targets.${target.name}.caches.tokens\``);
  return tokens.length > 2 ? [tokens[0]!, tokens.at(-1)!] : tokens;
}

type RowCode = 'REPO-RETENTION-GET' | 'REPO-STORAGE-GET' | 'REPO-SET' | 'DELETE';

/**
 * Fails if one of these attempts was accepted. Throws `Skipped` if no token is known to be valid, since a
 * target may refuse an invalid token for that reason.
 */
async function allRefused(
  { access, expect, skip }: CacheContext,
  tokens: readonly ChosenToken[],
  attempts: readonly Pick<AccessAttempt, 'label' | 'answer'>[],
  what: string,
): Promise<void> {
  for (const { label, answer } of attempts)
    expect.refused(answer, `${what} of a public repository was asked for with ${label}`);
  for (const token of tokens) if (await access.valid(token)) return;
  skip('none of the tokens is known to be valid, so their refusal shows nothing');
}

const reads = [
  ['REPO-RETENTION-GET', 'retention'],
  ['REPO-STORAGE-GET', 'storage'],
] as const;

for (const [family, ids] of FAMILIES) {
  for (const [code, kind] of reads) {
    check(PERMISSION_IDS[code][ids], NEEDS, async (context) => {
      const { limits, places } = context;
      const tokens = lacking(context, code, family);
      const repository = places.need('publicRepository');
      await limits.inForce(repository, kind);
      const attempts = [];
      for (const { label, token } of tokens)
        attempts.push({ label, answer: await limits.api.readLimit(repository, kind, { auth: { token } }) });
      await allRefused(context, tokens, attempts, `the ${kind} limit`);
    });
  }

  for (const kind of KINDS) {
    const options = { ...NEEDS, case: `public-${kind}`, effects: 'settings' as const, ...onlyLimitsOf(kind) };
    check(PERMISSION_IDS['REPO-SET'][ids], options, (context) => setting(context, kind, family));
  }

  check(PERMISSION_IDS.DELETE[ids], { ...NEEDS, effects: 'write' }, (context) =>
    deleting(context, lacking(context, 'DELETE', family)),
  );
}

check(PERMISSION_IDS.DELETE.fineRead, { ...NEEDS, effects: 'write' }, (context) =>
  deleting(context, context.access.readOnly(rowOf('DELETE')).slice(0, 1)),
);

/** Fails unless setting a limit is refused and does not change it. */
async function setting(context: CacheContext, kind: Kind, family: Family): Promise<void> {
  const { limits, places, expect, skip } = context;
  const tokens = lacking(context, 'REPO-SET', family);
  const repository = places.need('publicRepository');
  // The limit of the repository may exceed a level above that was lowered, so the lowest of all is used.
  const inForce = [await limits.inForce(repository, kind)];
  for (const level of await limits.levels(kind)) {
    if (level !== 'repository') inForce.push(await limits.known(places.need(level), kind));
  }
  const most = Math.min(...inForce);
  if (most < 2) skip(`the ${kind} limit of the public repository is too low to be tried lower`);
  if (!(await limits.lower(repository, kind, most - 1)).ok)
    skip(`a ${kind} limit of ${most - 1} is refused, which may be below the permitted minimum`);
  await limits.expectStored(repository, kind, most - 1);
  const attempts = [];
  for (const { label, token } of tokens)
    attempts.push({ label, answer: await limits.set(repository, kind, most, { auth: { token } }) });
  const after = await limits.inForce(repository, kind);
  await allRefused(context, tokens, attempts, `setting the ${kind} limit`);
  const what = `the ${kind} limit after its setting with ${attempts[0]!.label} was refused`;
  expect.equal(after, most - 1, what, { answer: attempts[0]!.answer });
}

/** Fails unless deletions by key and by id are refused and the caches are still there. */
async function deleting(context: CacheContext, tokens: readonly ChosenToken[]): Promise<void> {
  const { api, lists, seeds, places, expect } = context;
  const repository = places.need('publicRepository');
  const key = `${await seeds.markFor('public deletion')}-public-lacking-`;
  const [twin, other, ...made] = await seeds.make(
    Array.from({ length: 2 * tokens.length + 2 }, (_, i) => ({ repository, key: `${key}${i}` })),
  );
  requireOk(await api.deleteById(repository, twin!.id), 'CACHE-DELETE-ID-STATUS');
  requireOk(await api.deleteByKey(repository, { key: other!.key }), 'CACHE-DELETE-KEY-STATUS');
  const attempts: { label: string; cache: Seeded; answer: Answer }[] = [];
  for (const [i, { label, token }] of tokens.entries()) {
    const [byKey, byId] = [made[2 * i]!, made[2 * i + 1]!];
    const tell = (cache: Seeded, answer: Answer) => attempts.push({ label, cache, answer });
    const options = { auth: { token } };
    const { key, ref } = byKey;
    tell(byKey, await api.deleteByKey(repository, { key }, options));
    tell(byKey, await api.deleteByKey(repository, { key, ref }, options));
    tell(byId, await api.deleteById(repository, byId.id, options));
  }
  const { here } = await lists.present(repository, made);
  await allRefused(context, tokens, attempts, 'deleting a cache');
  const gone = attempts.find(({ cache }) => !here.has(cache));
  const what = `a cache is gone although its deletion with ${gone?.label} was refused`;
  expect.that(gone === undefined, what, { answer: (gone ?? attempts[0]!).answer });
}

/** What anyone may read of a public repository, and the requirement about its name in another case. */
const OPEN = [
  ['CACHE-ANON-USAGE-PUBLIC', CASE_IDS.REPO.USAGE, 'repositoryUsage'],
  ['CACHE-ANON-LIST-PUBLIC', CASE_IDS.REPO.LIST, 'list'],
] as const;

for (const [id, caseId, read] of OPEN) {
  check(id, { needs: ['caches.publicRepository'], case: 'name-in-other-case' }, async (context) => {
    const { api, places, expect, skip } = context;
    const asked = (place: Place, auth: 'full' | 'none') =>
      read === 'list' ? api.list(place, {}, { auth }) : api.repositoryUsage(place, { auth });
    const repository = places.need('publicRepository');
    const names = repository.names.map((name) => inOtherCase(name) ?? name);
    if (names.join() === repository.names.join()) skip('its name has no letters');
    const other = { ...repository, names };
    requireOk(await asked(repository, 'none'), id);
    requireOk(await asked(other, 'full'), caseId);
    const why = `${labelOf(other)} is the name of a public repository in another case`;
    expect.accepted(await asked(other, 'none'), why);
  });
}

/** Makes two caches with different keys and references. `what` is what for, by which their names are told apart. */
async function twoUnlike({ seeds }: CacheContext, repository: Place, what: string) {
  const mark = `${await seeds.markFor(what)}-anyone`;
  const made = await seeds.make(
    ['one', 'other'].map((rest) => ({
      repository,
      key: `${mark}-${rest}`,
      ref: `refs/heads/${mark}-${rest}`,
    })),
  );
  return made as [Seeded, Seeded];
}

for (const [only, all, filter] of [
  ['CACHE-LIST-KEY-NOT-SUBSTRING', 'CACHE-LIST-KEY-WHOLE', 'key'],
  ['CACHE-LIST-REF-EXACT', 'CACHE-LIST-REF-BRANCH', 'ref'],
] as const) {
  // A wrong server may serve those who send no token by another query.
  const options = { needs: ['caches.publicRepository'], case: 'anonymous', effects: 'write' as const };
  check([only, all], options, async (context) => {
    const { api, lists, places, expect, block } = context;
    const repository = places.need('publicRepository');
    const made = await twoUnlike(context, repository, `list by ${filter} of the public repository`);
    const [asked, other] = made;
    const query = { [filter]: asked[filter] };
    const shown = async (auth: 'full' | 'none', by: object = query) => {
      const answer = await api.list(repository, { ...by, per_page: 100 }, { auth });
      requireOk(answer, auth === 'full' ? 'CACHE-LIST-STATUS' : 'CACHE-ANON-LIST-PUBLIC');
      const { known } = foundIn([lists.expectPage(answer)], made);
      return { answer, known };
    };
    const twin = await shown('full');
    if (!twin.known.includes(asked)) block(`with ${filter} its cache is not listed`, all);
    if (twin.known.includes(other)) block(`with ${filter} another cache is listed, to anyone`, only);
    const { answer, known } = await shown('none');
    if (!known.includes(asked) && !(await shown('none', {})).known.includes(asked))
      block('without a token the cache is not listed at all', 'CACHE-ANON-LIST-PUBLIC');
    const where = { answer, at: '/actions_caches' };
    const what = `with ${filter} ${asked[filter]} and without a token the cache`;
    expect.soft(only, (it) =>
      it.that(!known.includes(other), `${what} ${other.key} of ${other.ref} is listed`, where),
    );
    expect.soft(all, (it) =>
      it.that(known.includes(asked), `${what} ${asked.key} of ${asked.ref} is not listed`, where),
    );
  });
}
