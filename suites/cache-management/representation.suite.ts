/** Sections 4 and 9: media type and version; and what general standards advise. */
import type { Answer } from '../../lib/http/answer.ts';
import { MADE_UP } from '../support/caches/access.ts';
import type { RequestOptions } from '../support/caches/client.ts';
import { type Link, linksOf } from '../support/caches/link.ts';
import type { Place } from '../support/caches/places.ts';
import { LEVELS } from '../support/caches/words.ts';
import { type CacheContext, check } from './suite.ts';

/** Something that can be read, whatever is configured. */
function readable({
  places,
  api,
  skip,
  target,
}: CacheContext): ((options?: RequestOptions) => Promise<Answer>)[] {
  const repository = places.find('repository') ?? places.find('readOnlyRepository');
  const limited = LEVELS.map((level) => places.find(level)).find(
    (place): place is Place => place !== undefined,
  );
  const reads: ((options?: RequestOptions) => Promise<Answer>)[] = [];
  if (repository)
    reads.push(
      (options) => api.list(repository, { per_page: 2 }, options),
      (options) => api.repositoryUsage(repository, options),
    );
  if (limited) reads.push((options) => api.readLimit(limited, 'retention', options));
  return reads.length > 0
    ? reads
    : skip(`set \`targets.${target.name}.caches.repository\` to run this check`);
}

const isObject = ({ json }: Answer) => json !== null && typeof json === 'object' && !Array.isArray(json);

/** A success with a JSON object: what every reading operation gives. */
const isServed = (answer: Answer) => answer.ok && isObject(answer);

check('CACHE-ACCEPT-RECOMMENDED', async (context) => {
  const { api, expect, block } = context;
  let seen = 0;
  for (const read of readable(context)) {
    const answer = await read({ headers: { accept: api.mediaType } });
    if (isServed(answer)) seen += 1;
    // Refused or garbled alike without it, that is not for this header.
    if (isServed(answer) || !isServed(await read({ headers: { accept: 'application/json' } }))) continue;
    expect.accepted(answer, `\`${api.mediaType}\` is the recommended media type`);
    expect.object(answer);
  }
  if (seen === 0) block('nothing could be read at all', 'CACHE-LIST-STATUS');
});

check('CACHE-ACCEPT-ABSENT', async (context) => {
  const { expect, block } = context;
  let seen = 0;
  for (const read of readable(context)) {
    if (!isServed(await read())) continue;
    seen += 1;
    for (const accept of [undefined, '*/*']) {
      const answer = await read({ headers: { accept } });
      expect.accepted(answer, '`Accept` is recommended and not required');
      expect.object(answer);
    }
  }
  if (seen === 0) block('nothing could be read at all', 'CACHE-LIST-STATUS');
});

check('CACHE-VERSION-HEADER', async (context) => {
  const { api, expect, block } = context;
  let seen = 0;
  for (const read of readable(context)) {
    const answer = await read();
    const without = answer.ok ? answer : await read({ headers: { [api.versionHeader]: undefined } });
    if (!answer.ok && without.ok) expect.accepted(answer, 'the version is that of the examples');
    if (answer.ok) seen += 1;
  }
  if (seen === 0) block('nothing could be read at all', 'CACHE-LIST-STATUS');
});

check('CACHE-ADVISED-CONTENT-TYPE', async (context) => {
  for (const read of readable(context)) {
    const answer = await read();
    if (!answer.ok || answer.json === undefined) continue;
    const type = answer.header('content-type').join(', ');
    context.expect.that(
      /^application\/([\w.+-]+\+)?json\b/i.test(type),
      `a JSON body is sent as ${type || 'nothing'}`,
      { answer, at: 'header:Content-Type' },
    );
  }
});

check('CACHE-ADVISED-PUT-IDEMPOTENT', { effects: 'settings' }, async ({ limits, places, expect, block }) => {
  const level = [...LEVELS].reverse().find((each) => places.find(each)) ?? 'repository';
  const { place, to } = await limits.spread(level, 'retention');
  const first = await limits.set(place, 'retention', to);
  const second = await limits.set(place, 'retention', to);
  if (!first.ok) block(`a setting is answered with ${first.status}`);
  expect.equal(second.status, first.status, 'the status of the same setting once more', {
    answer: second,
    at: 'status',
  });
  expect.equal(await limits.inForce(place, 'retention'), to, 'the limit after it was set twice', {
    answer: second,
  });
});

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
    'schemes are read without regard to case',
  );
});

/** The two paged endpoints. */
const PAGED = {
  list: async ({ shelf, api }: CacheContext) => {
    const { repository, names } = await shelf.holding(5);
    const key = names?.bulk;
    return (page: number) =>
      api.list(repository, { ...(key && { key }), per_page: 2, page, sort: 'created_at', direction: 'asc' });
  },
  'by-repository': async ({ usage, places, api }: CacheContext) => {
    const organization = places.need('organization');
    if (usage.places.fleet().length > 0) await usage.fleet();
    return (page: number) => api.usageByRepository(organization, { per_page: 2, page });
  },
};

const target = (links: readonly Link[], relation: string) =>
  links.find(({ rel }) => rel.split(/\s+/).includes(relation))?.target;

for (const [name, paged] of Object.entries(PAGED)) {
  check('CACHE-ADVISED-LINK', { case: name }, async (context) => {
    const { http, api, expect, block, skip } = context;
    const page = await paged(context);
    const [first, second] = [await page(1), await page(2)];
    if (!first.ok || !second.ok) block(`a page is answered with ${first.status}`);
    const [value] = first.header('link');
    if (value === undefined) return skip('the target sends no `Link`');
    const links = linksOf(value);
    if (!links)
      return expect.fail(`the Link is not well-formed: ${value}`, { answer: first, at: 'header:Link' });
    const next = target(links, 'next');
    if (next === undefined)
      return expect.fail('the first of several pages has no `next`', { answer: first, at: 'header:Link' });
    const url = new URL(next, first.exchange.request.url);
    if (url.origin !== new URL(api.config.baseUrl).origin)
      return expect.fail(`\`next\` leads to ${url.origin}`, { answer: first, at: 'header:Link' });
    const followed = await http.send({
      method: 'GET',
      url: url.href,
      purpose: 'follow `next`',
      headers: Object.fromEntries(first.exchange.request.headers),
    });
    expect.equal(followed.json, second.json, 'the page that `next` leads to', {
      answer: followed,
      expected: 'page 2',
    });
    const total = first.at('/total_count');
    if (typeof total !== 'number') return;
    const last = await page(Math.ceil(total / 2));
    const end = linksOf(last.header('link')[0] ?? '') ?? [];
    expect.that(target(end, 'next') === undefined, 'the last page has a `next`', {
      answer: last,
      at: 'header:Link',
    });
  });
}

check('CACHE-SILENCE-LINK', async (context) => {
  const said: string[] = [];
  for (const [name, paged] of Object.entries(PAGED)) {
    if (name === 'by-repository' && !context.places.find('organization')) continue;
    const answer = await (await paged(context))(2);
    const links = linksOf(answer.header('link')[0] ?? '') ?? [];
    said.push(`${name}: ${links.length > 0 ? links.map(({ rel }) => rel).join(', ') : 'none'}`);
  }
  context.observe(said.join('; '));
});
