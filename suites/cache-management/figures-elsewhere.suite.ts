/**
 * Section 4, endpoints 9, 10 and 15: figures of repositories without caches, after deletions by key, of
 * another organization, and on later pages.
 */

import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import { isCount } from '../../services/caches/api/lists.ts';
import { foldedName, fullNameOf, isOf, labelOf, type Place } from '../../services/caches/api/places.ts';
import { type Figures, sumOf } from '../../services/caches/api/usage.ts';
import { CODES, figuresOfDeletion, sumAt } from '../../services/caches/fixtures/figures-of-deletion.ts';
import { manyRepositoriesOf } from '../../services/caches/fixtures/many-repositories.ts';
import { cameLate, type UsageTimeline } from '../../services/caches/fixtures/usage-timeline.ts';
import { documentedPart } from '../../services/caches/judging/documented-members.ts';
import { requireReadable, requireUndisturbed } from '../../services/caches/judging/figures-around.ts';
import { schemas } from '../../services/caches/judging/schemas.ts';
import { served } from '../../services/caches/judging/served.ts';
import { same } from '../../services/caches/judging/usage.ts';
import { fieldIds } from '../../services/caches/requirement-ids/fields.ts';
import { USAGE_IDS } from '../../services/caches/requirement-ids/usage.ts';
import { type CacheContext, check, LOOKS_AT_USAGE } from './suite.ts';

const WRITE = { effects: 'write' } as const;

check(
  'CACHE-BY-REPO-PER-PAGE-DEFAULT',
  { case: 'second-page', needs: ['caches.organization'], ...LOOKS_AT_USAGE },
  async (context) => {
    const { usage, expect, block } = context;
    const { organization } = await manyRepositoriesOf(usage, 61);
    const asked = await usage.page(organization, { per_page: 30, page: 2 });
    if (asked.items.length !== 30)
      block('with per_page 30 a page does not have 30 items', 'CACHE-BY-REPO-PER-PAGE');
    const { answer } = await usage.page(organization, { page: 2 });
    expect.equal(documentedPart(answer), documentedPart(asked.answer), 'the second page without per_page', {
      answer,
      expected: 'the same as with per_page 30',
    });
  },
);

check(
  'CACHE-BY-REPO-PAGE',
  { case: 'default-size', needs: ['caches.organization'], ...LOOKS_AT_USAGE },
  async (context) => {
    const { usage, expect, block } = context;
    const { organization, pages, count } = await manyRepositoriesOf(usage, 61);
    if (!usage.inFull(pages)) block('there are items without a full name', 'CACHE-BY-REPO-FULL-NAME-FIELD');
    const left = new Set(pages.flatMap(({ items }) => items.map(({ name }) => name)));
    const all = new Set(left);
    for (let page = 1; page <= Math.ceil(count / 30); page += 1) {
      const { answer, items } = await usage.page(organization, { page });
      if (page === 1 && items.length !== 30)
        block('a page does not have 30 items', 'CACHE-BY-REPO-PER-PAGE-DEFAULT');
      const where = { answer, at: '/repository_cache_usages' };
      const again = items.find(({ name }) => all.has(name) && !left.delete(name));
      expect.that(
        again === undefined,
        `page ${page} has ${again?.name}, which was on it or on an earlier page`,
        where,
      );
      if (page * 30 < count || left.size === 0) continue;
      // Repositories whose caches other checks have removed meanwhile need no longer be listed.
      const walked = await usage.walk(organization);
      const now = new Set(walked.flatMap((each) => each.items.map(({ name }) => name)));
      const missing = [...left].find((name) => now.has(name));
      expect.that(missing === undefined, `no page has ${missing}`, where);
    }
  },
);

for (const what of ['size', 'count'] as const) {
  check(
    what === 'size' ? 'CACHE-BY-REPO-SIZE' : 'CACHE-BY-REPO-COUNT',
    { ...WRITE, case: 'later-pages' },
    async (context) => {
      const { usage, seeds, expect, block, skip } = context;
      const { organization, wanted } = await manyRepositoriesOf(usage, 31);
      if (!wanted) return skip('needs caches of its own in `caches.repositories`');
      requireRefreshed(context, await usage.timeline());
      const pages = await pagesOf30(context, organization);
      if (pages.length < 2) block('there is one page only', 'CACHE-BY-REPO-PAGE');
      let seen = 0;
      for (const { answer, items } of pages.slice(1)) {
        for (const [i, item] of items.entries()) {
          const place = usage.places.manyRepositories().find((each) => foldedName(each) === item.name);
          const all = place ? await seeds.ownIn(place) : [];
          const own = all.filter(({ key }) => key.includes('-many-repositories-'));
          // If there are more caches than the suite's own, the sum is not known.
          if (own.length === 0 || !isCount(item[what])) continue;
          if (isCount(item.count) && item.count > own.length) continue;
          seen += 1;
          const where = { answer, at: `/repository_cache_usages/${i}` };
          expect.equal(item[what], sumOf(own)[what], `the ${what} of ${item.name}`, where);
        }
      }
      if (seen === 0) skip('no repository on a later page has a cache of the suite alone');
    },
  );
}

/** Throws `Blocked` where the figures by repository come late, or never change. */
function requireRefreshed({ usage, block }: CacheContext, timeline: UsageTimeline): void {
  const id = 'CACHE-BY-REPO-AFTER-CREATION';
  if (cameLate(timeline, 'BY-REPO')) block('the figures are refreshed too late', id);
  const [before, after] = [timeline.begin, timeline.created].map(
    ({ reading }) => usage.itemsOf(timeline.fewRepository, reading.pages ?? [])[0],
  );
  if (before && after && same(before, after)) block('the figures never change', id);
}

/** Returns a repository without caches. Throws `Skipped` if there is none. */
async function unused({ places, lists, seeds, skip }: CacheContext): Promise<Place> {
  // Checks that made caches in the public repository have ended by now, so their caches can be removed.
  const open = places.find('publicRepository');
  if (open && seeds.possible) await seeds.remove(await seeds.ownIn(open));
  for (const key of ['publicRepository', 'namesakeRepository', 'otherRepository', 'repository'] as const) {
    const place = places.find(key);
    if (place && (await lists.everything(place)).length === 0) return place;
  }
  return skip('every repository that is configured has caches');
}

check('CACHE-REPO-USAGE-STATUS', { case: 'unused' }, async (context) => {
  // Its list was read, which the same permissions allow.
  context.expect.status((await ofUnused(context)).answer, 200);
});

check(fieldIds('RepositoryUsage'), { case: 'unused' }, async (context) => {
  const { answer } = await ofUnused(context);
  context.expect.fields(served(answer, 'CACHE-REPO-USAGE-STATUS'), schemas, 'RepositoryUsage');
});

/** Reads usage by repository of an organization in pages of 30. */
const pagesOf30 = perRun(
  'caches: usage in pages of 30',
  async ({ usage }: CacheContext, organization: Place) => usage.walk(organization, 30),
  { by: () => [] },
);

/** Reads the figures of a repository without caches. */
const ofUnused = perRun(
  'caches: usage of an unused repository',
  async (context: CacheContext): Promise<Figures & { repository: Place }> => {
    const { usage } = context;
    const repository = await unused(context);
    const figures = await usage.settle(
      async () => usage.repositoryFiguresIn(await usage.api.repositoryUsage(repository)),
      ({ answer, size, count }) => !answer.ok || (size === 0 && count === 0),
    );
    return { repository, ...figures };
  },
);

for (const what of ['size', 'count'] as const) {
  check(
    what === 'size' ? 'CACHE-REPO-USAGE-SIZE' : 'CACHE-REPO-USAGE-COUNT',
    { case: 'unused' },
    async (context) => {
      const { usage, expect, block } = context;
      const { repository, ...figures } = await ofUnused(context);
      requireOk(figures.answer, 'CACHE-REPO-USAGE-STATUS');
      if (figures[what] !== 0 && cameLate(await usage.timeline(), 'REPO-USAGE'))
        block('the figures are refreshed too late', 'CACHE-REPO-USAGE-AFTER-CREATION');
      if (figures[what] !== 0 && (await context.lists.everything(repository)).length > 0)
        context.undecided('caches were created in it meanwhile');
      if (figures[what] !== 0 && context.seeds.possible) {
        const { begin, created } = await usage.timeline();
        if (begin.reading.many[what] !== created.reading.many[what])
          block('the figures include those of other repositories', 'CACHE-REPO-USAGE-SCOPE');
      }
      if (!isCount(figures[what]))
        block(
          `the ${what} is not an integer`,
          what === 'size' ? 'CACHE-REPO-USAGE-SIZE-FIELD' : 'CACHE-REPO-USAGE-COUNT-FIELD',
        );
      expect.equal(figures[what], 0, `the ${what} of ${fullNameOf(repository)}, which has no caches,`, {
        answer: figures.answer,
        at: '',
      });
      // A server that always answers 0 passes everything up to here.
      if (!context.seeds.possible)
        context.skip(`without \`hooks.seed\`, the ${what} is only known to be 0 where there are no caches`);
    },
  );
}

for (const code of CODES) {
  const needs = code === 'REPO-USAGE' ? [] : ['caches.organization'];

  check(USAGE_IDS[code].COUNT, { ...WRITE, needs, case: 'same-key-and-ref' }, async (context) => {
    const { expect, block } = context;
    await requireReadable(context, code);
    const { held, made, start, before } = await figuresOfDeletion(context);
    const figures = before.figures[code] ?? block('the repository is not listed', 'CACHE-BY-REPO-COMPLETE');
    if (!isCount(figures.count)) block('the count is not an integer', USAGE_IDS[code]['COUNT-FIELD']);
    if (figures.count === sumAt(start, code).count)
      block('the figures do not change', USAGE_IDS[code]['AFTER-CREATION']);
    requireUndisturbed(context, start, before);
    const wanted = sumAt(start, code).count + made.length;
    const here = held + made.length;
    const isItemRight = before.figures['BY-REPO']?.count === here;
    const right = code !== 'ORG-USAGE' ? here : isItemRight ? before.counted : undefined;
    if (figures.count !== wanted && figures.count === right)
      block('the count is right now, and was wrong before', USAGE_IDS[code]['AFTER-DELETION']);
    expect.equal(
      figures.count,
      wanted,
      'the count after caches were created, some of them with one key and reference and one of no bytes,',
      {
        answer: figures.answer,
        at: '',
      },
    );
  });

  check(USAGE_IDS[code]['AFTER-DELETION'], { ...WRITE, needs, case: 'by-key' }, async (context) => {
    const { expect, block } = context;
    await requireReadable(context, code);
    const { start, before, after } = await figuresOfDeletion(context);
    if (!after) return block('the figures are wrong before the deletion', USAGE_IDS[code].SIZE);
    requireUndisturbed(context, before, after);
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

/** Returns a count as a number: 0 if there are no figures, and NaN if they have no count. */
const numberOf = (figures: { count: unknown } | undefined): number => (figures ? Number(figures.count) : 0);

/**
 * Returns the other organization, the namesake repository that it owns, and their figures. Throws `Skipped`
 * if the configuration or the caches do not fit, and `Blocked` if the figures are not reliable.
 */
async function otherOrganization(context: CacheContext) {
  const { usage, places, seeds, lists, block, skip } = context;
  const [other, namesake] = [places.need('otherOrganization'), places.need('namesakeRepository')];
  const owner = other.names[0]!.toLowerCase();
  if (!isOf(namesake, other)) skip('`caches.namesakeRepository` is not of the other organization');
  const timeline = await usage.timeline();
  if (CODES.some((code) => cameLate(timeline, code)))
    block('the figures are refreshed too late', 'CACHE-REPO-USAGE-AFTER-CREATION');
  const [before, after] = [timeline.begin.reading, timeline.created.reading];
  if (before.organization && numberOf(before.organization) === numberOf(after.organization))
    block('the figures never change', 'CACHE-ORG-USAGE-AFTER-CREATION');
  const [few] = usage.itemsOf(timeline.fewRepository, after.pages ?? []);
  const [earlier] = usage.itemsOf(timeline.fewRepository, before.pages ?? []);
  if (before.pages && numberOf(earlier) === numberOf(few))
    block('the figures never change', 'CACHE-BY-REPO-AFTER-CREATION');
  const { here } = await lists.present(namesake, await seeds.ownIn(namesake));
  if (here.size === 0) skip('`caches.namesakeRepository` has no caches of the suite');
  const isEnough = (each: Figures) => isCount(each.count) && each.count >= here.size;
  const figures = await usage.settle(() => usage.ofOrganization(other), isEnough);
  if (!isCount(figures.count)) block('the count is not an integer', 'CACHE-ORG-USAGE-COUNT-FIELD');
  const pages = await usage.walk(other);
  if (!usage.inFull(pages)) block('there are items without a full name', 'CACHE-BY-REPO-FULL-NAME-FIELD');
  return { other, namesake, owner, least: here.size, figures, pages };
}

check(
  ['CACHE-ORG-USAGE-SCOPE', 'CACHE-BY-REPO-COMPLETE', 'CACHE-BY-REPO-SCOPE'],
  { ...WRITE, case: 'other-organization', needs: ['caches.otherOrganization', 'caches.namesakeRepository'] },
  async (context) => {
    const { usage, expect } = context;
    const { other, namesake, owner, least, figures, pages } = await otherOrganization(context);
    const [count, name] = [Number(figures.count), fullNameOf(namesake)];
    const few = `the ${labelOf(other)} has ${figures.count} caches, and ${name} alone has ${least}`;
    expect.soft('CACHE-ORG-USAGE-SCOPE', (it) =>
      it.that(count >= least, few, { answer: figures.answer, at: '' }),
    );
    const where = { answer: pages[0]!.answer, at: '/repository_cache_usages' };
    const isListed = usage.itemsOf(namesake, pages).length === 1;
    expect.soft('CACHE-BY-REPO-COMPLETE', (it) =>
      it.that(isListed, `${name}, which has caches, is not listed`, where),
    );
    const foreign = pages.flatMap(({ items }) => items).find((item) => !item.name.startsWith(`${owner}/`));
    expect.soft('CACHE-BY-REPO-SCOPE', (it) =>
      it.that(foreign === undefined, `${foreign?.name}, which is not of ${owner}, is listed`, where),
    );
  },
);
