/** Endpoints 9, 10 and 15: nothing to count, deletions by key, another organization, and later pages. */
import { fieldRequirements } from '../../lib/model/catalogue/registry.ts';
import { isCount } from '../../services/caches/api/lists.ts';
import { foldedName, fullNameOf, labelOf, type Place } from '../../services/caches/api/places.ts';
import { type Figures, type Sum, sumOf } from '../../services/caches/api/usage.ts';
import { manyRepositoriesOf } from '../../services/caches/fixtures/many-repositories.ts';
import type { Seeded } from '../../services/caches/fixtures/seeds.ts';
import { cameLate, numbersOf, plus } from '../../services/caches/fixtures/usage-timeline.ts';
import { documentedPart } from '../../services/caches/judging/documented-members.ts';
import { schemas } from '../../services/caches/judging/schemas.ts';
import { served } from '../../services/caches/judging/served.ts';
import { type CacheContext, check } from './suite.ts';

const WRITE = { effects: 'write' } as const;

check(
  'CACHE-BY-REPO-PER-PAGE-DEFAULT',
  { case: 'second-page', needs: ['caches.organization'] },
  async (context) => {
    const { usage, expect, block } = context;
    const { organization } = await manyRepositoriesOf(usage, 61);
    const asked = await usage.page(organization, { per_page: 30, page: 2 });
    if (asked.items.length !== 30)
      block('with per_page 30 a page has not 30 items', 'CACHE-BY-REPO-PER-PAGE');
    const { answer } = await usage.page(organization, { page: 2 });
    expect.equal(documentedPart(answer), documentedPart(asked.answer), 'the second page without per_page', {
      answer,
      expected: 'the same as with per_page 30',
    });
  },
);

check('CACHE-BY-REPO-PAGE', { case: 'default-size', needs: ['caches.organization'] }, async (context) => {
  const { usage, expect, block } = context;
  const { organization, pages, count } = await manyRepositoriesOf(usage, 61);
  if (!usage.inFull(pages)) block('there are items without a full name', 'CACHE-BY-REPO-FULL-NAME-FIELD');
  const left = new Set(pages.flatMap(({ items }) => items.map(({ name }) => name)));
  const all = new Set(left);
  for (let page = 1; page <= Math.ceil(count / 30); page += 1) {
    const { answer, items } = await usage.page(organization, { page });
    if (page === 1 && items.length !== 30) block('a page has not 30 items', 'CACHE-BY-REPO-PER-PAGE-DEFAULT');
    const where = { answer, at: '/repository_cache_usages' };
    const again = items.find(({ name }) => all.has(name) && !left.delete(name));
    expect.that(
      again === undefined,
      `page ${page} has ${again?.name}, which was on it or on an earlier page`,
      where,
    );
    if (page * 30 < count) continue;
    const [missing] = left;
    expect.that(missing === undefined, `no page has ${missing}`, where);
  }
});

for (const what of ['size', 'count'] as const) {
  check(`CACHE-BY-REPO-${what.toUpperCase()}`, { ...WRITE, case: 'later-pages' }, async (context) => {
    const { usage, seeds, expect, block, skip } = context;
    const { organization, wanted } = await manyRepositoriesOf(usage, 31);
    if (!wanted) return skip('needs caches of its own in `caches.repositories`');
    const timeline = await usage.timeline();
    if (cameLate(timeline, 'BY-REPO')) block('the figures come too late', 'CACHE-BY-REPO-AFTER-CREATION');
    const pages = await context.session.once('caches: usage in pages of 30', () =>
      usage.walk(organization, 30),
    );
    if (pages.length < 2) block('there is one page only', 'CACHE-BY-REPO-PAGE');
    let seen = 0;
    for (const { answer, items } of pages.slice(1)) {
      for (const [i, item] of items.entries()) {
        const place = usage.places.manyRepositories().find((each) => foldedName(each) === item.name);
        const own = place ? (await seeds.ownIn(place)).filter(({ key }) => key.includes('-fleet-')) : [];
        // With more caches than the suite's own one nothing is known of the sum.
        if (own.length !== 1 || !isCount(item[what]) || (isCount(item.count) && item.count > 1)) continue;
        seen += 1;
        expect.equal(item[what], sumOf(own)[what], `the ${what} of ${item.name}`, {
          answer,
          at: `/repository_cache_usages/${i}`,
        });
      }
    }
    if (seen === 0) skip('no repository on a later page has a cache of the suite alone');
  });
}

/** A repository without a cache. Throws `Skipped` when there is none. */
async function unused({ places, lists, seeds, skip }: CacheContext): Promise<Place> {
  // What other checks have made in the public one is theirs no longer: they are done.
  const open = places.find('publicRepository');
  if (open && seeds.possible) await seeds.remove(await seeds.ownIn(open));
  for (const key of ['publicRepository', 'namesakeRepository', 'otherRepository', 'repository'] as const) {
    const place = places.find(key);
    if (place && (await lists.everything(place)).length === 0) return place;
  }
  return skip('every repository that is configured has caches');
}

check(fieldRequirements('cache-management', 'RepositoryUsage'), { case: 'unused' }, async (context) => {
  const { answer } = (await ofUnused(context)).figures;
  context.expect.fields(served(answer, 'CACHE-REPO-USAGE-STATUS'), schemas, 'RepositoryUsage');
});

/** The figures of a repository without a cache. */
function ofUnused(context: CacheContext): Promise<{ repository: Place; figures: Figures }> {
  const { session, usage } = context;
  return session.once('caches: usage of an unused repository', async () => {
    const repository = await unused(context);
    const figures = await usage.settle(
      () => usage.ofRepository(repository),
      (each) => each.size === 0 && each.count === 0,
    );
    return { repository, figures };
  });
}

for (const what of ['size', 'count'] as const) {
  check(`CACHE-REPO-USAGE-${what.toUpperCase()}`, { case: 'unused' }, async (context) => {
    const { usage, expect, block } = context;
    const { repository, figures } = await ofUnused(context);
    if (figures[what] !== 0 && cameLate(await usage.timeline(), 'REPO-USAGE'))
      block('the figures come too late', 'CACHE-REPO-USAGE-AFTER-CREATION');
    if (figures[what] !== 0 && (await context.lists.everything(repository)).length > 0)
      context.undecided('caches came meanwhile');
    if (figures[what] !== 0 && context.seeds.possible) {
      const { begin, created } = await usage.timeline();
      if (begin.reading.many[what] !== created.reading.many[what])
        block('the figures are those of other repositories too', 'CACHE-REPO-USAGE-SCOPE');
    }
    if (!isCount(figures[what]))
      block(`the ${what} is no integer`, `CACHE-REPO-USAGE-${what.toUpperCase()}-FIELD`);
    expect.equal(figures[what], 0, `the ${what} of ${fullNameOf(repository)}, which has no caches,`, {
      answer: figures.answer,
      at: '',
    });
  });
}

const CODES = ['REPO-USAGE', 'ORG-USAGE', 'BY-REPO'] as const;
type Code = (typeof CODES)[number];

/** Figures of the three sources at one time; absent where nothing is configured, or nothing listed. */
interface Reading {
  figures: Partial<Record<Code, Figures>>;
  /** What usage by repository says of all other repositories, as text. */
  others: string;
}

/** Three caches of one key came, two of them with one reference, and were deleted by key. */
interface Deletion {
  made: Seeded[];
  start: Reading;
  before: Reading;
  /** Absent where the figures before were wrong already. */
  after: Reading | undefined;
}

function deletion(context: CacheContext): Promise<Deletion> {
  const { session, usage, seeds, api, lists, places, block } = context;
  return session.once('caches: figures after a deletion by key', async () => {
    const organization = places.find('organization');
    const repository = places.find('otherRepository') ?? places.need('repository');
    const read = async (): Promise<Reading> => {
      const figures: Reading['figures'] = { 'REPO-USAGE': await usage.ofRepository(repository) };
      if (!organization) return { figures, others: '' };
      figures['ORG-USAGE'] = await usage.ofOrganization(organization);
      const pages = await usage.walk(organization);
      const [own] = usage.itemsOf(repository, pages);
      if (own) figures['BY-REPO'] = own;
      const others = pages.flatMap(({ items }) => items.filter(({ name }) => name !== own?.name));
      return { figures, others: others.map(({ name, size, count }) => `${name} ${size} ${count}`).join() };
    };
    // The story has shown that figures come, and that they go with deletions by id.
    const timeline = await usage.timeline();
    if (CODES.some((code) => cameLate(timeline, code)))
      block('the figures come too late', 'CACHE-REPO-USAGE-AFTER-CREATION');
    await usage.rest();
    const start = await read();
    const held = (await lists.everything(repository)).length;
    const key = `${await seeds.markFor('figures after a deletion by key')}-counted`;
    const order = { repository, key, ref: 'refs/heads/main' };
    const made = await seeds.make([
      { ...order, size: 3_001 },
      { ...order, size: 6_007 },
      { ...order, ref: 'refs/heads/develop', size: 12_011 },
    ]);
    const changed = ({ figures }: Reading, by: Sum) =>
      CODES.every((code) => {
        const wanted = plus(sumAt(start, code), by);
        const found = sumAt({ figures, others: '' }, code);
        return (
          (code !== 'REPO-USAGE' && !organization) ||
          (found.size === wanted.size && found.count === wanted.count)
        );
      });
    const before = await usage.settle(read, (reading) => changed(reading, sumOf(made)));
    if (!changed(before, sumOf(made))) return { made, start, before, after: undefined };
    const answers = [
      await api.deleteByKey(repository, { key, ref: 'refs/heads/develop' }),
      await api.deleteByKey(repository, { key }),
    ];
    const { here } = await lists.present(repository, made);
    if (answers.some(({ ok }) => !ok) || here.size > 0)
      block('caches cannot be deleted by key', 'CACHE-DELETE-KEY-ALL');
    if ((await lists.everything(repository)).length !== held)
      block('a deletion by key deletes others too', 'CACHE-DELETE-KEY-OTHERS');
    const after = await usage.settle(read, (reading) => changed(reading, { size: 0, count: 0 }));
    return { made, start, before, after };
  });
}

/** Figures as numbers; those of a repository that is not listed are zeros. */
function sumAt({ figures }: Reading, code: Code): Sum {
  const found = figures[code];
  return found || code !== 'BY-REPO' ? numbersOf(found) : { size: 0, count: 0 };
}

/** Throws `Undecided` where others were at work in the organization meanwhile. */
function undisturbed({ undecided }: CacheContext, from: Reading, to: Reading): void {
  if (from.others !== to.others) undecided('figures of other repositories changed meanwhile');
}

for (const code of CODES) {
  const needs = code === 'REPO-USAGE' ? [] : ['caches.organization'];

  check(`CACHE-${code}-COUNT`, { ...WRITE, needs, case: 'same-key-and-ref' }, async (context) => {
    const { expect, block } = context;
    const { made, start, before } = await deletion(context);
    const figures = before.figures[code] ?? block('the repository is not listed', 'CACHE-BY-REPO-COMPLETE');
    if (!isCount(figures.count)) block('the count is no integer', `CACHE-${code}-COUNT-FIELD`);
    if (figures.count === sumAt(start, code).count)
      block('the figures do not change', `CACHE-${code}-AFTER-CREATION`);
    undisturbed(context, start, before);
    const wanted = sumAt(start, code).count + made.length;
    expect.equal(
      figures.count,
      wanted,
      'the count after caches came, two of them with one key and reference,',
      {
        answer: figures.answer,
        at: '',
      },
    );
  });

  check(`CACHE-${code}-AFTER-DELETION`, { ...WRITE, needs, case: 'by-key' }, async (context) => {
    const { expect, block } = context;
    const { start, before, after } = await deletion(context);
    if (!after) return block('the figures are wrong before the deletion', `CACHE-${code}-SIZE`);
    undisturbed(context, before, after);
    const { answer } = after.figures[code] ?? before.figures[code]!;
    for (const what of ['size', 'count'] as const)
      expect.equal(
        sumAt(after, code)[what],
        sumAt(start, code)[what],
        `the ${what} after caches were deleted by key`,
        {
          answer,
          at: '',
        },
      );
  });
}

check(
  ['CACHE-ORG-USAGE-SCOPE', 'CACHE-BY-REPO-COMPLETE', 'CACHE-BY-REPO-SCOPE'],
  { ...WRITE, case: 'other-organization', needs: ['caches.otherOrganization', 'caches.namesakeRepository'] },
  async (context) => {
    const { usage, places, seeds, lists, expect, block, skip } = context;
    const [other, namesake] = [places.need('otherOrganization'), places.need('namesakeRepository')];
    const owner = other.names[0]!.toLowerCase();
    if (namesake.names[0]!.toLowerCase() !== owner)
      return skip('the namesake is not of the other organization');
    const timeline = await usage.timeline();
    if (CODES.some((code) => cameLate(timeline, code)))
      block('the figures come too late', 'CACHE-REPO-USAGE-AFTER-CREATION');
    const { here } = await lists.present(namesake, await seeds.ownIn(namesake));
    if (here.size === 0) return skip('the namesake has no caches of the suite');
    const figures = await usage.settle(
      () => usage.ofOrganization(other),
      (each) => isCount(each.count) && each.count >= here.size,
    );
    if (!isCount(figures.count)) block('the count is no integer', 'CACHE-ORG-USAGE-COUNT-FIELD');
    const pages = await usage.walk(other);
    if (!usage.inFull(pages)) block('there are items without a full name', 'CACHE-BY-REPO-FULL-NAME-FIELD');
    const where = { answer: pages[0]!.answer, at: '/repository_cache_usages' };
    expect.soft('CACHE-ORG-USAGE-SCOPE', (it) =>
      it.that(
        Number(figures.count) >= here.size,
        `the ${labelOf(other)} has ${figures.count} caches, and ${fullNameOf(namesake)} alone has ${here.size}`,
        { answer: figures.answer, at: '' },
      ),
    );
    expect.soft('CACHE-BY-REPO-COMPLETE', (it) =>
      it.that(
        usage.itemsOf(namesake, pages).length === 1,
        `${fullNameOf(namesake)} is not listed, which has caches`,
        where,
      ),
    );
    const alien = pages.flatMap(({ items }) => items).find(({ name }) => !name.startsWith(`${owner}/`));
    expect.soft('CACHE-BY-REPO-SCOPE', (it) =>
      it.that(alien === undefined, `${alien?.name} is listed, which is not of ${owner}`, where),
    );
  },
);
