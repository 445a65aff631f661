/** Section 5: each endpoint accepts tokens with the required permission, and refuses requests without it. */
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { samePlace } from '../../services/caches/api/places.ts';
import { type Asking, type Family, MADE_UP, NO_TOKENS } from '../../services/caches/fixtures/access.ts';
import { type Operation, ROWS, rowOf, statusId } from '../../services/caches/judging/access-table.ts';
import {
  each,
  effectsOf,
  expectRefused,
  expectRefusedAsKnown,
} from '../../services/caches/judging/refused.ts';
import { schemas } from '../../services/caches/judging/schemas.ts';
import { notShown } from '../../services/caches/judging/shown.ts';
import { PERMISSION_IDS, type PermissionIds } from '../../services/caches/requirement-ids/permissions.ts';
import { type CacheContext, check } from './suite.ts';

const settingsCheck = check.with({ effects: 'settings' });

const writeCheck = check.with({ effects: 'write' });

const FAMILIES = [
  ['classic', 'classicLacking'],
  ['fine', 'fineLacking'],
] as const;

/**
 * Whether refusals are only observed, since the specification leaves open which permission is required:
 * endpoint 15 is for anyone with read access.
 */
const isObserved = (code: string, family: Family): boolean => code === 'USAGE' && family === 'fine';

for (const [i, row] of ROWS.entries()) {
  const { code } = row;
  const effects = effectsOf(row);

  const ids: PermissionIds = PERMISSION_IDS[code];

  for (const [family, lacking] of FAMILIES) {
    check(ids[family], { effects, needs: ['caches.tokens'] }, async (context) => {
      const { access, expect } = context;
      const { token, label } = access.enough(row, family);
      await each(context, row, async (operation) => {
        await access.twin(operation);
        const { answer, missing } = await access.open(operation, { token });
        expect.accepted(answer, `${operation.name} was asked for with ${label}, and that is enough`);
        expect.that(
          missing === undefined,
          `${operation.name} with ${label} is answered with ${answer.status}, but ${missing}`,
          { answer },
        );
      });
    });

    if (isObserved(code, family)) continue;
    check(ids[lacking], { effects, needs: ['caches.tokens'] }, async (context) => {
      const { access, skip, target } = context;
      const tokens = access.lacking(row, family);
      const what = family === 'classic' ? row.scope : row.category;
      if (tokens.length === 0)
        skip(
          `add a ${family} token that has nothing to do with ${what} to \`targets.${target.name}.caches.tokens\``,
        );
      await each(context, row, async (operation) => {
        const done = await access.refusals(row, operation, family);
        expectRefused(context, done, operation);
        if (done.attempts.every(({ valid }) => !valid))
          skip('none of the tokens is known to be valid, so their refusal shows nothing');
      });
    });
  }

  // If a row requires write access, a token with read access in the same category must be refused.
  if (ids.fineRead) {
    check(ids.fineRead, { effects, needs: ['caches.tokens'] }, async (context) => {
      const { access, skip } = context;
      const who: Asking[] = [];
      for (const one of access.readOnly(row))
        who.push({ label: one.label, auth: { token: one.token }, valid: await access.valid(one) });
      await each(context, row, async (operation) =>
        expectRefused(context, await access.attempt(operation, who), operation),
      );
      if (who.every(({ valid }) => !valid))
        skip(`${who[0]!.label} is not known to be valid, so its refusal shows nothing`);
    });
  }

  for (const [id, label, auth] of [
    [ids.missing, 'no token', 'none'],
    [ids.invalid, 'a made-up token', MADE_UP],
  ] as const) {
    check(id, { effects }, (context) =>
      each(context, row, async (operation) =>
        expectRefused(
          context,
          await context.access.attempt(operation, [
            { label, auth, valid: false, afterFull: auth === 'none' },
          ]),
          operation,
        ),
      ),
    );
  }

  // Servers usually look for the token in one place for all endpoints, so each row tries one form.
  check(ids.invalid, { effects, case: 'no-token' }, (context) =>
    each(context, row, async (operation) =>
      expectRefused(
        context,
        await context.access.attempt(operation, [NO_TOKENS[i % NO_TOKENS.length]!]),
        operation,
      ),
    ),
  );
}

check('CACHE-PERM-USAGE-FINE-LACKING', { needs: ['caches.tokens'] }, async (context) => {
  const { access, observe, skip } = context;
  const row = rowOf('USAGE');
  const [operation] = row.operations;
  if (access.lacking(row, 'fine').length === 0) return skip('there is no fine-grained token without Actions');
  const { attempts } = await access.refusals(row, operation!, 'fine');
  observe(attempts.map(({ label, answer }) => `${label}: ${answer.status}`).join('; '));
});

/** Further lists that are read where a list is open to anybody. */
const FURTHER_LISTS = [
  { per_page: 1, page: 2 },
  { key: 'c', ref: 'refs/heads/main', sort: 'created_at', direction: 'asc' },
];

const READ_FREELY: [id: string, operation: Operation['does']][] = [
  ['CACHE-ANON-USAGE-PUBLIC', 'repository-usage'],
  ['CACHE-ANON-LIST-PUBLIC', 'list'],
];

for (const [id, does] of READ_FREELY) {
  const needs = ['caches.publicRepository'];
  check(id, { needs, touches: { caches: 'change' } }, async ({ api, places, seeds, expect }) => {
    const repository = places.need('publicRepository');
    // Of an empty list it cannot be told whether it shows everything.
    if (seeds.possible) await seeds.make([{ repository, key: `${seeds.mark}-open-to-all` }]);
    const read = (auth: 'full' | 'none', query = {}) =>
      does === 'list' ? api.list(repository, query, { auth }) : api.repositoryUsage(repository, { auth });
    const twin = await read('full');
    requireOk(twin, statusId({ name: does, does } as Operation));
    const answer = await read('none');
    expect.accepted(answer, 'the repository is public');
    if (twin.status === 200) expect.status(answer, 200);
    const missing = await notShown({ name: does, does } as Operation, answer, {
      again: () => read('none'),
      withFull: () => read('full'),
    });
    const what = `without a token it is answered with ${answer.status}, but ${missing}`;
    expect.that(missing === undefined, what, { answer });
    if (does !== 'list') return;
    for (const query of FURTHER_LISTS) {
      const further = await read('none', query);
      // A page that is refused even with the full token is not judged.
      if (!further.ok && (await read('full', query)).ok)
        expect.accepted(further, 'the repository is public, and so is every page of its list');
    }
  });
}

settingsCheck(
  'CACHE-ANON-LIMITS-PUBLIC',
  { needs: ['caches.publicRepository'] },
  async ({ limits, places, expect }) => {
    const repository = places.need('publicRepository');
    for (const kind of ['retention', 'storage'] as const) {
      const before = await limits.inForce(repository, kind);
      expect.refused(await limits.api.readLimit(repository, kind, { auth: 'none' }), 'no token was sent');
      const answer = await limits.set(repository, kind, Math.max(1, before - 1), { auth: 'none' });
      const after = await limits.inForce(repository, kind);
      expect.refused(answer, 'no token was sent');
      expect.equal(after, before, `the ${kind} limit after a setting without a token was refused`, {
        answer,
      });
    }
  },
);

writeCheck(
  'CACHE-ANON-DELETE-PUBLIC',
  { needs: ['caches.publicRepository'] },
  async ({ api, places, seeds, lists, expect }) => {
    const repository = places.need('publicRepository');
    const made = await seeds.make(
      ['a', 'b', 'c'].map((rest) => ({ repository, key: `${seeds.mark}-public-${rest}` })),
    );
    const [byKey, byId, twin] = made;
    const known = await api.deleteById(repository, twin!.id);
    requireOk(known, 'CACHE-DELETE-ID-STATUS');
    const answers = [
      await api.deleteByKey(repository, { key: byKey!.key }, { auth: 'none' }),
      await api.deleteByKey(repository, { key: byKey!.key, ref: byKey!.ref }, { auth: 'none' }),
      await api.deleteById(repository, byId!.id, { auth: 'none' }),
    ];
    for (const answer of answers) expect.refused(answer, 'no token was sent');
    const { here, answer } = await lists.present(repository, [byKey!, byId!]);
    expect.that(here.size === 2, 'a cache is gone although its deletion without a token was refused', {
      answer,
    });
  },
);

/** Fails if an answer lacks the usage that the answer with the full token has. */
function showsUsage(expect: CacheContext['expect'], answer: Answer, twin: Answer): void {
  if (!schemas.check('RepositoryUsage', twin.json).length)
    expect.that(!schemas.check('RepositoryUsage', answer.json).length, 'the answer does not show the usage', {
      answer,
    });
}

check(
  'CACHE-PERM-USAGE-PUBLIC-CLASSIC',
  { needs: ['caches.publicRepository', 'caches.tokens'] },
  async ({ access, api, places, target, expect, skip }) => {
    // Preferably a token without any scope, else one whose scopes do not suffice for a private repository.
    const [token] = access
      .tokens('classic')
      .filter(({ scopes }) => !scopes!.some((scope) => scope.toLowerCase() === 'repo'))
      .sort((one, other) => one.scopes!.length - other.scopes!.length);
    if (!token) return skip(`add a token with \`scopes: []\` to \`targets.${target.name}.caches.tokens\``);
    const repository = places.need('publicRepository');
    const twin = await api.repositoryUsage(repository);
    requireOk(twin, 'CACHE-REPO-USAGE-STATUS');
    const answer = await api.repositoryUsage(repository, { auth: { token: token.token } });
    if (!answer.ok && !(await access.valid(token)))
      skip(`${token.label} is not known to be valid, so its refusal shows nothing`);
    expect.accepted(answer, 'the repository is public, and `repo` is only asked for when it is private');
    showsUsage(expect, answer, twin);
  },
);

check('CACHE-PERM-USAGE-READER', { needs: ['caches.readerToken'] }, async ({ access, api, expect }) => {
  const repository = await access.private();
  const twin = await api.repositoryUsage(repository);
  requireOk(twin, 'CACHE-REPO-USAGE-STATUS');
  const answer = await api.repositoryUsage(repository, { auth: { token: api.config.readerToken! } });
  expect.accepted(answer, 'the account may read the repository');
  showsUsage(expect, answer, twin);
});

const strangerOf = async ({ access, api }: CacheContext): Promise<Asking> => {
  const label = 'the token of an account without access';
  const token = api.config.strangerToken!;
  const valid = await access.valid({ key: 'caches.strangerToken', label, token });
  return { label, auth: { token }, valid };
};

const STRANGER = { needs: ['caches.strangerToken'] };

check('CACHE-PERM-LIST-STRANGER', STRANGER, async (context) => {
  const [operation] = rowOf('LIST').operations;
  const who = [await strangerOf(context)];
  expectRefusedAsKnown(context, await context.access.attempt(operation!, who), operation!);
});

const readerOf = async ({ api: { config } }: CacheContext): Promise<Asking> => ({
  label: 'the token of an account that may only read',
  auth: { token: config.readerToken! },
  valid: true,
});

const READER = { needs: ['caches.readerToken'] };

for (const [id, codes, needs, who] of [
  ['CACHE-PERM-DELETE-STRANGER', ['DELETE'], STRANGER, strangerOf],
  ['CACHE-PERM-REPO-GET-STRANGER', ['REPO-RETENTION-GET', 'REPO-STORAGE-GET'], STRANGER, strangerOf],
  ['CACHE-PERM-REPO-SET-STRANGER', ['REPO-SET'], STRANGER, strangerOf],
  ['CACHE-PERM-DELETE-READER', ['DELETE'], READER, readerOf],
  ['CACHE-PERM-REPO-SET-READER', ['REPO-SET'], READER, readerOf],
] as const) {
  const rows = codes.map(rowOf);
  check(id, { ...needs, effects: effectsOf(rows[0]!) }, async (context) => {
    const { access, places, skip } = context;
    // The check makes and deletes caches in `repository` and sets its limits, so that has to be the private one.
    if (!samePlace(await access.private(), places.need('repository')))
      return skip('`caches.privateRepository` is not the repository that caches can be created in');
    const asking = [await who(context)];
    for (const row of rows)
      await each(context, row, async (operation) =>
        expectRefusedAsKnown(context, await access.attempt(operation, asking), operation),
      );
  });
}
