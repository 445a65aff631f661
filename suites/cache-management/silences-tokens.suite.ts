/** What specification 3 leaves open about tokens: it is recorded, and never fails. */
import { anything } from '../../services/caches/api/anything.ts';
import { type Family, MADE_UP } from '../../services/caches/fixtures/access.ts';
import { ROWS, rowOf } from '../../services/caches/judging/access-table.ts';
import type { RowCode } from '../../services/caches/requirement-ids/permissions.ts';
import { type CacheContext, check } from './suite.ts';

/** Returns how reading operations are answered with tokens that lack the permission, in words. */
async function refusals(context: CacheContext, codes: RowCode[]): Promise<string> {
  const { access, skip, target } = context;
  const said: string[] = [];
  for (const row of codes.map((code) => rowOf(code))) {
    for (const family of ['classic', 'fine'] as Family[]) {
      const [token] = access.lacking(row, family);
      const [operation] = row.operations;
      if (!token || !operation || !(await reachable(context, row.code))) continue;
      const { attempts } = await access.attempt(operation, [
        { label: token.label, auth: { token: token.token }, valid: false },
      ]);
      said.push(`${operation.name} with ${token.label}: ${attempts[0]!.answer.status}`);
    }
  }
  return said.length > 0
    ? said.join('; ')
    : skip(`add tokens that lack a permission to \`targets.${target.name}.caches.tokens\``);
}

/** Whether the configuration names the places that the paths of a row need. */
async function reachable({ access }: CacheContext, code: RowCode): Promise<boolean> {
  return access.placeFor(ROWS.find((row) => row.code === code)!.operations[0]!).then(
    () => true,
    () => false,
  );
}

check('CACHE-SILENCE-REFUSED-OR-HIDDEN', { needs: ['caches.tokens'] }, async (context) => {
  context.observe(await refusals(context, ['ENT-GET', 'ORG-GET', 'REPO-RETENTION-GET', 'REPO-STORAGE-GET']));
});

check('CACHE-SILENCE-REFUSAL-UNLISTED', { needs: ['caches.tokens'] }, async (context) => {
  context.observe(await refusals(context, ['ORG-USAGE', 'USAGE', 'LIST']));
});

/** Reads the configured places without a token or with a made-up one, and returns the statuses in words. */
async function attempts({ api, places }: CacheContext, auth: 'none' | { token: string }): Promise<string> {
  const said: string[] = [];
  for (const key of ['enterprise', 'organization', 'repository'] as const) {
    const place = places.find(key);
    if (place)
      said.push(
        `retention limit of the ${key}: ${(await api.readLimit(place, 'retention', { auth })).status}`,
      );
  }
  const [organization, repository] = [places.find('organization'), places.find('privateRepository')];
  if (organization)
    said.push(`organization usage: ${(await api.organizationUsage(organization, { auth })).status}`);
  if (repository) said.push(`list: ${(await api.list(repository, {}, { auth })).status}`);
  return said.join('; ');
}

check('CACHE-SILENCE-MISSING-TOKEN-STATUS', async (context) =>
  context.observe(await attempts(context, 'none')),
);
check('CACHE-SILENCE-INVALID-TOKEN-STATUS', async (context) =>
  context.observe(await attempts(context, MADE_UP)),
);

check(
  'CACHE-SILENCE-INVALID-TOKEN-PUBLIC',
  { needs: ['caches.publicRepository'] },
  async ({ api, places, observe }) => {
    const repository = places.need('publicRepository');
    const [usage, list] = [
      await api.repositoryUsage(repository, { auth: MADE_UP }),
      await api.list(repository, {}, { auth: MADE_UP }),
    ];
    observe(`usage: ${usage.status}; list: ${list.status}`);
  },
);

for (const [id, family, does] of [
  ['CACHE-SILENCE-TOKEN-PUBLIC-LIST', 'classic', 'list'],
  ['CACHE-SILENCE-TOKEN-PUBLIC-USAGE', 'fine', 'usage'],
] as const) {
  check(
    id,
    { needs: ['caches.publicRepository', 'caches.tokens'] },
    async ({ access, api, places, target, observe, skip }) => {
      const [token] = access.lacking(rowOf('LIST'), family);
      if (!token)
        return skip(
          `add a ${family} token that lacks what endpoint 16 requires to \`targets.${target.name}.caches.tokens\``,
        );
      const auth = { token: token.token };
      const repository = places.need('publicRepository');
      const answer =
        does === 'list'
          ? await api.list(repository, {}, { auth })
          : await api.repositoryUsage(repository, { auth });
      observe(`${token.label}: ${answer.status}`);
    },
  );
}

check(
  'CACHE-SILENCE-SCOPE-IMPLIES',
  { needs: ['caches.organization', 'caches.tokens'] },
  async ({ access, api, places, observe }) => {
    const { token } = access.enough(rowOf('ORG-GET'), 'classic');
    const answer = await api.organizationUsage(places.need('organization'), { auth: { token } });
    const said = [`organization usage with admin:organization alone: ${answer.status}`];
    const own = access.tokens('classic').find(({ scopes }) => scopes?.join() === 'admin:repository');
    const repository = places.find('privateRepository');
    if (own && repository) {
      const { status } = await api.list(repository, { per_page: 1 }, { auth: { token: own.token } });
      said.push(`the list of a repository with admin:repository alone: ${status}`);
    }
    observe(said.join('; '));
  },
);

check(
  'CACHE-SILENCE-WRITE-IMPLIES-READ',
  { needs: ['caches.organization', 'caches.tokens'] },
  async ({ access, api, places, observe }) => {
    const { token } = access.enough(rowOf('ORG-GET'), 'fine', 'write');
    const answer = await api.readLimit(places.need('organization'), 'retention', { auth: { token } });
    observe(`reading an organization's limit with level write alone: ${answer.status}`);
  },
);

check('CACHE-SILENCE-LEVEL-IMPLIES', { needs: ['caches.tokens'] }, async (context) => {
  const { access, places, api, observe, skip, target } = context;
  const said: string[] = [];
  for (const [above, level] of [
    ['organization/administration', 'repository'],
    ['enterprise/administration', 'organization'],
  ] as const) {
    const place = places.find(level);
    const own = access
      .tokens('fine')
      .find(({ permissions = [] }) => permissions.length === 1 && permissions[0] === `${above}:write`);
    if (!place || !own) continue;
    const { status } = await api.readLimit(place, 'retention', { auth: { token: own.token } });
    said.push(`reading the retention limit of the ${level} with ${own.label}: ${status}`);
  }
  if (said.length > 0) return observe(said.join('; '));
  skip(
    `add a token with \`permissions: ["organization/administration:write"]\` to \`targets.${target.name}.caches.tokens\``,
  );
});

check('CACHE-SILENCE-TOKEN-SCHEME', async (context) => {
  const answer = await anything(context)({ auth: { header: `token ${context.api.config.token}` } });
  context.observe(`under the scheme \`token\`: ${answer.status}`);
});
