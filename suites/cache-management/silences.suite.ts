/** What specification 3 leaves open about lists, names and versions: it is recorded, and never fails. */
import type { Answer } from '../../lib/http/answer.ts';
import { anything } from '../../services/caches/api/anything.ts';
import type { Entry } from '../../services/caches/api/cache.ts';
import { type CacheContext, check, LOOKS_AT_USAGE } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

/** Returns the status of an answer and how many entries its list has, in words. */
function outcome({ lists, usage }: CacheContext, answer: Answer): string {
  const length = lists.pageIn(answer)?.entries.length ?? usage.pageIn(answer)?.items.length;
  return `${answer.status}${length === undefined ? '' : ` with ${length}`}`;
}

/** Sends queries to the list and, if there is an organization, to usage by repository. */
async function paged(context: CacheContext, queries: Record<string, string | number>[]): Promise<string> {
  const { listedRepository, api, places } = context;
  const { repository } = await listedRepository.content();
  const organization = places.find('organization');
  const said: string[] = [];
  for (const query of queries) {
    const name = Object.entries(query)
      .map(([key, value]) => `${key}=${value}`)
      .join('&');
    said.push(`list ${name}: ${outcome(context, await api.list(repository, query))}`);
    if (organization)
      said.push(
        `by repository ${name}: ${outcome(context, await api.usageByRepository(organization, query))}`,
      );
  }
  return said.join('; ');
}

check('CACHE-SILENCE-PER-PAGE-ABOVE-MAX', async (context) => {
  context.observe(await paged(context, [{ per_page: 101 }, { per_page: 1000 }]));
});

check('CACHE-SILENCE-PER-PAGE-INVALID', async (context) => {
  context.observe(await paged(context, [{ per_page: 0 }, { per_page: -1 }, { per_page: 'ten' }]));
});

check('CACHE-SILENCE-PAGE-INVALID', async (context) => {
  context.observe(await paged(context, [{ page: 0 }, { page: -1 }, { page: 'two' }]));
});

check('CACHE-SILENCE-PAGE-PAST-END', async (context) => {
  const { listedRepository, lists, api } = context;
  const { repository } = await listedRepository.content();
  const pages = await listedRepository.pages();
  const past = lists.pageIn(await api.list(repository, { per_page: 100, page: 9999 }));
  const [id] = past?.entries.map((entry) => entry.id) ?? [];
  const which = pages.findIndex(({ entries }) => entries.some((entry) => entry.id === id));
  // If the list repeats a page, a client that reads until a page is empty would never stop.
  const again =
    past?.entries.length && which !== -1 ? `; the list repeats page ${which + 1} of ${pages.length}` : '';
  context.observe(`${await paged(context, [{ page: 9999 }])}${again}`);
});

check('CACHE-SILENCE-LIST-SORT-INVALID', async (context) => {
  const { listedRepository, api } = context;
  const { repository } = await listedRepository.content();
  const sort = await api.list(repository, { sort: 'name' });
  const direction = await api.list(repository, { direction: 'up' });
  context.observe(`sort=name: ${outcome(context, sort)}; direction=up: ${outcome(context, direction)}`);
});

writeCheck('CACHE-SILENCE-LIST-TIES', async ({ listedRepository, seeds, lists, places, observe }) => {
  await listedRepository.own();
  const repository = places.forChanges();
  const key = `${seeds.mark}-tie`;
  const made = await seeds.make(
    ['a', 'b', 'c'].map((rest) => ({ repository, key: `${key}-${rest}`, size: 12_345 })),
  );
  const order = async (direction: string) => {
    const { entries } = await lists.page(repository, { key, sort: 'size_in_bytes', direction });
    return entries.map(({ id }) => made.findIndex((cache) => cache.id === id) + 1).join(' ');
  };
  observe(
    `caches of equal size, numbered in order of creation: asc ${await order('asc')}; desc ${await order('desc')}`,
  );
});

check('CACHE-SILENCE-LIST-KEY-EXACT-AND-PREFIX', async ({ listedRepository, observe }) => {
  const { names } = await listedRepository.own();
  const { known, unrecognised } = await listedRepository.filtered({ key: names.nested });
  const listed = [...known, ...(unrecognised as Entry[])].map(
    ({ key }) => String(key).slice(names.nested.length) || 'the key itself',
  );
  observe(
    `a key that another one begins with lists ${listed.length > 0 ? listed.map((rest) => (rest.startsWith('-') ? 'the longer one' : rest)).join(' and ') : 'nothing'}`,
  );
});

check('CACHE-SILENCE-LIST-KEY-EMPTY', async (context) => {
  const { repository, known } = await context.listedRepository.content();
  const answer = await context.api.list(repository, { key: '', per_page: 100 });
  context.observe(`an empty key: ${outcome(context, answer)} of ${known.length}`);
});

check('CACHE-SILENCE-LIST-REF-SHORT', async (context) => {
  const { repository, names, known } = await context.listedRepository.content();
  const branch = names?.branch ?? known.find(({ ref }) => ref.startsWith('refs/heads/'))?.ref;
  if (branch === undefined) return context.skip('the repository has no cache of a branch');
  const answer = await context.api.list(repository, { ref: branch.slice('refs/heads/'.length) });
  context.observe(`a branch name without refs/heads/: ${outcome(context, answer)}`);
});

check(
  'CACHE-SILENCE-BY-REPO-UNUSED',
  { needs: ['caches.organization'], ...LOOKS_AT_USAGE },
  async (context) => {
    const { usage, places } = context;
    const pages = await usage.walk(places.need('organization'));
    const unused = pages.flatMap(({ items }) => items.filter(({ count }) => count === 0)).length;
    context.observe(
      unused > 0 ? `repositories listed with zeros: ${unused}` : 'no repository is listed with zeros',
    );
  },
);

check(
  'CACHE-SILENCE-BY-REPO-ORDER',
  { needs: ['caches.organization'], ...LOOKS_AT_USAGE },
  async ({ usage, places, observe, skip }) => {
    if (places.manyRepositories().length > 0) await usage.manyRepositories();
    const items = (await usage.walk(places.need('organization'))).flatMap((page) => page.items);
    if (items.length < 3) return skip('fewer than three repositories are listed');
    const ordered = (value: (item: (typeof items)[number]) => string | number, sign: number) =>
      items.every(
        (item, i) =>
          i === 0 ||
          (value(items[i - 1]!) <= value(item) ? 1 : -1) === sign ||
          value(items[i - 1]!) === value(item),
      );
    const orders: [string, boolean][] = [
      ['by name', ordered(({ name }) => name, 1)],
      ['by size, largest first', ordered(({ size }) => Number(size), -1)],
      ['by size, smallest first', ordered(({ size }) => Number(size), 1)],
    ];
    observe(orders.find(([, holds]) => holds)?.[0] ?? 'neither by name nor by size');
  },
);

writeCheck('CACHE-SILENCE-USAGE-LAG', async ({ usage, observe }) => {
  const { begin, atOnce, created } = await usage.timeline();
  if (begin.reading.few.count === created.reading.few.count) return observe('the figures never changed');
  observe(
    atOnce.count === begin.reading.few.count
      ? 'a new cache is not in the figures at once'
      : 'a new cache is in the figures at once',
  );
});

writeCheck('CACHE-SILENCE-DELETE-KEY-NONE', async ({ api, seeds, places, observe }) => {
  const repository = places.forChanges();
  // Where the suite cannot make caches, the configuration does not allow it to delete any.
  const [cache] = await seeds.make([{ repository, key: `${seeds.mark}-none-but` }]);
  const key = await api.deleteByKey(repository, { key: `${seeds.mark}-nobody` });
  const ref = await api.deleteByKey(repository, { key: cache!.key, ref: 'refs/heads/nobody' });
  observe(`a key that no cache has: ${key.status}; a ref that no cache with the key has: ${ref.status}`);
});

writeCheck('CACHE-SILENCE-DELETE-ID-NONE', async ({ api, seeds, places, observe }) => {
  const repository = places.forChanges();
  const [cache] = await seeds.make([{ repository, key: `${seeds.mark}-twice` }]);
  const statuses = [];
  for (const id of [cache!.id, cache!.id, String(BigInt(cache!.id) + 987_654_321n)])
    statuses.push((await api.deleteById(repository, id)).status);
  observe(`first deletion: ${statuses[0]}; second: ${statuses[1]}; an id that never existed: ${statuses[2]}`);
});

writeCheck(
  'CACHE-SILENCE-DELETE-ID-OTHER-REPO',
  { needs: ['caches.repository', 'caches.otherRepository'] },
  async ({ api, seeds, places, lists, observe }) => {
    const [cache] = await seeds.make([
      { repository: places.need('otherRepository'), key: `${seeds.mark}-elsewhere` },
    ]);
    const repository = places.need('repository');
    if ((await lists.everything(repository)).some(({ id }) => String(id) === String(cache!.id)))
      return observe('both repositories have a cache with the same id');
    observe(`the id of another repository's cache: ${(await api.deleteById(repository, cache!.id)).status}`);
  },
);

writeCheck('CACHE-SILENCE-DELETE-ID-TEXT', async ({ api, seeds, places, observe }) => {
  const repository = places.forChanges();
  if (!seeds.possible) await seeds.make([]);
  observe(`an id that is a word: ${(await api.deleteById(repository, 'not-a-number')).status}`);
});

check('CACHE-SILENCE-ERROR-BODY', async ({ api, places, observe }) => {
  const answer = await api.readLimit(places.unknown('repository'), 'retention');
  observe(answer.text === '' ? `${answer.status} without a body` : `${answer.status} ${answer.beginning()}`);
});

check('CACHE-SILENCE-UNKNOWN-UNLISTED', async ({ api, places, observe }) => {
  const [organization, repository] = [places.unknown('organization'), places.unknown('repository')];
  observe(
    [
      `organization usage: ${(await api.organizationUsage(organization)).status}`,
      `by repository: ${(await api.usageByRepository(organization)).status}`,
      `repository usage: ${(await api.repositoryUsage(repository)).status}`,
      `list: ${(await api.list(repository)).status}`,
    ].join('; '),
  );
});

check('CACHE-SILENCE-ACCEPT-OTHER', async (context) => {
  const read = anything(context);
  const [json, html] = [
    await read({ headers: { accept: 'application/json' } }),
    await read({ headers: { accept: 'text/html' } }),
  ];
  context.observe(
    `application/json: ${json.status}; text/html: ${html.status} as ${html.header('content-type')[0] ?? 'nothing'}`,
  );
});

check('CACHE-SILENCE-VERSION-ABSENT', async (context) => {
  const answer = await anything(context)({ headers: { [context.api.versionHeader]: undefined } });
  context.observe(`without the version header: ${answer.status}`);
});

check('CACHE-SILENCE-VERSION-UNKNOWN', async (context) => {
  const { versionHeader } = context.api;
  const read = anything(context);
  const [date, word] = [
    await read({ headers: { [versionHeader]: '1999-01-01' } }),
    await read({ headers: { [versionHeader]: 'newest' } }),
  ];
  context.observe(`another date: ${date.status}; not a date: ${word.status}`);
});

check('CACHE-SILENCE-RATE-LIMIT', async (context) => {
  const { headers } = await anything(context)({});
  const about = headers.filter(([name]) => /rate-?limit|retry-after/i.test(name)).map(([name]) => name);
  context.observe(about.length > 0 ? `headers ${about.join(', ')}` : 'no header about rate limits');
});
