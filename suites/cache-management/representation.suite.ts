/** Sections 4 and 9: media type and version, and what general HTTP standards advise. */

import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { RequestOptions } from '../../services/caches/api/client.ts';
import { type Link, linksOf } from '../../services/caches/api/link-header.ts';
import { MADE_UP } from '../../services/caches/fixtures/access.ts';
import { isServed } from '../../services/caches/judging/served.ts';
import { requireOwnVersion } from '../../services/caches/judging/version.ts';
import { limitId } from '../../services/caches/requirement-ids/limits.ts';
import { KINDS, type Kind, LEVELS } from '../../services/caches/vocabulary.ts';
import { type CacheContext, check, LOOKS_AT_USAGE, onlyLimitsOf } from './suite.ts';

const settingsCheck = check.with({ effects: 'settings' });

const writeCheck = check.with({ effects: 'write' });

/** A request that only reads. */
type Read = (options?: RequestOptions) => Promise<Answer>;

/** Returns requests to the reading endpoints of the configured places. Throws `Skipped` if there are none. */
function readable({ places, api, skip, target }: CacheContext): Read[] {
  const repository = places.find('repository') ?? places.find('readOnlyRepository');
  const organization = places.find('organization');
  const reads: Read[] = [];
  if (repository)
    reads.push(
      (options) => api.list(repository, { per_page: 2 }, options),
      (options) => api.repositoryUsage(repository, options),
    );
  if (organization)
    reads.push(
      (options) => api.organizationUsage(organization, options),
      (options) => api.usageByRepository(organization, { per_page: 2 }, options),
    );
  for (const level of LEVELS) {
    const place = places.find(level);
    if (place) for (const kind of KINDS) reads.push((options) => api.readLimit(place, kind, options));
  }
  return reads.length > 0
    ? reads
    : skip(`set \`targets.${target.name}.caches.repository\` to run this check`);
}

/** Reads everything that can be read, with the media type and version that all requests of the suite send. */
const usual = perRun(
  'caches: usual reads',
  async (context: CacheContext): Promise<{ read: Read; answer: Answer }[]> => {
    const done = [];
    for (const read of readable(context)) done.push({ read, answer: await read() });
    return done;
  },
);

check('CACHE-ACCEPT-RECOMMENDED', async (context) => {
  const { api, expect, block } = context;
  let seen = 0;
  for (const { read, answer } of await usual(context)) {
    if (isServed(answer)) seen += 1;
    // If the answer is refused or not a JSON object with another `Accept` too, the header is not the reason.
    if (isServed(answer) || !isServed(await read({ headers: { accept: 'application/json' } }))) continue;
    expect.accepted(answer, `\`${api.mediaType}\` is the recommended media type`);
    expect.object(answer);
  }
  if (seen === 0) block('nothing could be read at all', 'CACHE-LIST-STATUS');
});

check('CACHE-ACCEPT-ABSENT', async (context) => {
  const { expect, block } = context;
  let seen = 0;
  for (const { read, answer: known } of await usual(context)) {
    if (!isServed(known)) continue;
    seen += 1;
    for (const accept of [undefined, '*/*']) {
      const answer = await read({ headers: { accept } });
      expect.accepted(answer, '`Accept` is recommended and not required');
      expect.object(answer);
    }
  }
  if (seen === 0) block('nothing could be read at all', 'CACHE-LIST-STATUS');
});

settingsCheck('CACHE-ACCEPT-ABSENT', { case: 'set' }, async ({ session, limits, expect, block }) => {
  let seen = 0;
  const tryAll = async (kind: Kind) => {
    for (const level of await limits.levels(kind)) {
      const { place, to } = await limits.spread(level, kind);
      let answer = await limits.set(place, kind, to, { headers: { accept: undefined } });
      if (!answer.ok) {
        // The limits may differ from what the run assumes, so a setting with the header has to work first.
        await limits.refresh(kind);
        const again = await limits.spread(level, kind);
        if (!(await limits.set(place, kind, again.to)).ok) continue;
        answer = await limits.set(place, kind, again.from, { headers: { accept: undefined } });
      }
      seen += 1;
      expect.accepted(answer, '`Accept` is recommended and not required');
    }
  };
  await session.together(KINDS.map((kind) => () => tryAll(kind)));
  if (seen === 0) block('no limit could be set at all');
});

writeCheck(
  'CACHE-ACCEPT-ABSENT',
  { case: 'delete', touches: { caches: 'alone' } },
  async ({ api, places, seeds, expect }) => {
    const repository = places.forChanges();
    const made = await seeds.make(
      ['a', 'b', 'c', 'd'].map((rest) => ({ repository, key: `${seeds.mark}-accept-${rest}` })),
    );
    const [key, id, otherKey, otherId] = made.map(({ key, id }) => ({ key, id }));
    const headers = { accept: undefined };
    for (const [twin, remove] of [
      [
        await api.deleteByKey(repository, { key: otherKey!.key }),
        () => api.deleteByKey(repository, { key: key!.key }, { headers }),
      ],
      [await api.deleteById(repository, otherId!.id), () => api.deleteById(repository, id!.id, { headers })],
    ] as const) {
      requireOk(twin, 'CACHE-DELETE-ID-STATUS');
      expect.accepted(await remove(), '`Accept` is recommended and not required');
    }
  },
);

check('CACHE-VERSION-HEADER', async (context) => {
  const { api, expect, block } = context;
  let seen = 0;
  for (const { read, answer } of await usual(context)) {
    const without = answer.ok ? answer : await read({ headers: { [api.versionHeader]: undefined } });
    if (answer.ok) {
      seen += 1;
    } else if (without.ok) {
      requireOwnVersion(api);
      expect.accepted(answer, 'the version is that of the examples');
    }
  }
  if (seen === 0) block('nothing could be read at all', 'CACHE-LIST-STATUS');
});

check('CACHE-ADVISED-CONTENT-TYPE', async (context) => {
  for (const { answer } of await usual(context)) {
    if (!answer.ok || answer.json === undefined) continue;
    const type = answer.header('content-type').join(', ');
    context.expect.that(
      /^application\/([\w.+-]+\+)?json\b/i.test(type),
      `a JSON body is sent as ${type || 'nothing'}`,
      { answer, at: 'header:Content-Type' },
    );
  }
});

settingsCheck(
  'CACHE-ADVISED-PUT-IDEMPOTENT',
  onlyLimitsOf('retention'),
  async ({ limits, places, expect }) => {
    const level = [...LEVELS].reverse().find((each) => places.find(each)) ?? 'repository';
    const { place, to } = await limits.spread(level, 'retention');
    const first = await limits.set(place, 'retention', to);
    requireOk(first, limitId(level, 'retention', 'SET-STATUS'));
    await limits.expectStored(place, 'retention', to);
    const second = await limits.set(place, 'retention', to);
    expect.equal(second.status, first.status, 'the status of the same setting once more', {
      answer: second,
      at: 'status',
    });
    expect.equal(await limits.inForce(place, 'retention'), to, 'the limit after it was set twice', {
      answer: second,
    });
  },
);

settingsCheck(
  'CACHE-ADVISED-CONTENT-TYPE-PARAMETERS',
  onlyLimitsOf('retention'),
  async ({ limits, expect, skip, target }) => {
    const [level] = (await limits.levels('retention')).slice(-1);
    if (!level)
      return skip(`set \`targets.${target.name}.caches.repository\`, \`organization\` or \`enterprise\``);
    const { place, from, to } = await limits.spread(level, 'retention');
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const answer = await limits.set(place, 'retention', to, { headers });
    if (!answer.ok) {
      const twin = await limits.set(place, 'retention', from);
      requireOk(twin, limitId(level, 'retention', 'SET-STATUS'));
    }
    expect.accepted(answer, 'a parameter does not make it another media type');
  },
);

check('CACHE-ADVISED-WWW-AUTHENTICATE', async (context) => {
  let seen = 0;
  for (const read of readable(context)) {
    const answer = await read({ auth: MADE_UP });
    if (answer.status !== 401) continue;
    seen += 1;
    context.expect.that(answer.header('www-authenticate').length > 0, 'the 401 has no WWW-Authenticate', {
      answer,
      at: 'header:WWW-Authenticate',
    });
  }
  if (seen === 0) context.skip('the target answers no made-up token with 401');
});

check('CACHE-ADVISED-SCHEME-CASE', async (context) => {
  const [read] = readable(context);
  const usual = await read!();
  if (!usual.ok) context.block(`with \`Bearer\` it is answered with ${usual.status}`);
  context.expect.accepted(
    await read!({ auth: { header: `bearer ${context.api.config.token}` } }),
    'schemes are case-insensitive',
  );
});

/** The two paged endpoints. */
const PAGED = {
  list: async ({ listedRepository, api }: CacheContext) => {
    const { repository, names } = await listedRepository.holding(5);
    const key = names?.bulk;
    return (page: number) =>
      api.list(repository, { ...(key && { key }), per_page: 2, page, sort: 'created_at', direction: 'asc' });
  },
  'by-repository': async ({ usage, places, api }: CacheContext) => {
    const organization = places.need('organization');
    if (usage.places.manyRepositories().length > 0) await usage.manyRepositories();
    return (page: number) => api.usageByRepository(organization, { per_page: 2, page });
  },
};

const target = (links: readonly Link[], relation: string) =>
  links.find(({ rel }) => rel.split(/\s+/).includes(relation))?.target;

for (const [name, paged] of Object.entries(PAGED)) {
  check('CACHE-ADVISED-LINK', { case: name, ...LOOKS_AT_USAGE }, async (context) => {
    const { api, expect, block, skip } = context;
    const page = await paged(context);
    const first = await page(1);
    if (first.ok && Number(first.at('/total_count')) <= 2) skip('the list has no second page');
    const second = await page(2);
    const refused = [first, second].find(({ ok }) => !ok);
    if (refused) block(`a page is answered with ${refused.status}`);
    const [value] = first.header('link');
    if (value === undefined) return skip('the target sends no `Link`');
    const links = linksOf(value);
    const where = { answer: first, at: 'header:Link' };
    if (!links) return expect.fail(`the Link is not well-formed: ${value}`, where);
    const next = target(links, 'next');
    if (next === undefined) return expect.fail('the first of several pages has no `next`', where);
    const url = new URL(next, first.exchange.request.url);
    if (url.origin !== new URL(api.config.baseUrl).origin)
      return expect.fail(`\`next\` leads to ${url.origin}`, where);
    const answer = await follow(context, url, first);
    const what = 'the page that `next` leads to';
    expect.equal(answer.json, second.json, what, { answer, expected: 'page 2' });
    const total = first.at('/total_count');
    if (typeof total !== 'number') return;
    const last = await page(Math.ceil(total / 2));
    const end = linksOf(last.header('link')[0] ?? '') ?? [];
    const isEnd = target(end, 'next') === undefined;
    expect.that(isEnd, 'the last page has a `next`', { answer: last, at: 'header:Link' });
  });
}

/** Requests `url` with the headers of an earlier request. */
function follow({ http }: CacheContext, url: URL, before: Answer): Promise<Answer> {
  const headers = Object.fromEntries(before.exchange.request.headers);
  return http.send({ method: 'GET', url: url.href, purpose: 'follow `next`', headers });
}

check('CACHE-SILENCE-LINK', LOOKS_AT_USAGE, async (context) => {
  const said: string[] = [];
  for (const [name, paged] of Object.entries(PAGED)) {
    if (name === 'by-repository' && !context.places.find('organization')) continue;
    const answer = await (await paged(context))(2);
    const links = linksOf(answer.header('link')[0] ?? '') ?? [];
    said.push(`${name}: ${links.length > 0 ? links.map(({ rel }) => rel).join(', ') : 'none'}`);
  }
  context.observe(said.join('; '));
});
