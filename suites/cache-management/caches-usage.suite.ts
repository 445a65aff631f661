/** Section 2 and section 4, endpoints 9, 10 and 15: single answers, and figures compared with the list. */

import type { Answer } from '../../lib/http/answer.ts';
import { Blocked, Skipped } from '../../lib/model/verdict.ts';
import { isCount, secondPageOf } from '../../services/caches/api/lists.ts';
import { foldedName } from '../../services/caches/api/places.ts';
import { sumOf } from '../../services/caches/api/usage.ts';
import { usageOfOther } from '../../services/caches/fixtures/before-caches.ts';
import { cameLate } from '../../services/caches/fixtures/usage-timeline.ts';
import { usageWithCache } from '../../services/caches/fixtures/usage-with-cache.ts';
import { schemas } from '../../services/caches/judging/schemas.ts';
import { served } from '../../services/caches/judging/served.ts';
import { late, requireOwnFiguresOnly, same } from '../../services/caches/judging/usage.ts';
import { notForItsVersion } from '../../services/caches/judging/version.ts';
import { fieldIds } from '../../services/caches/requirement-ids/fields.ts';
import { check, LOOKS_AT_USAGE } from './suite.ts';

const notRead = ({ status }: Answer): string =>
  `the usage of \`caches.otherOrganization\` is answered with ${status}`;

check('CACHE-REPO-USAGE-STATUS', LOOKS_AT_USAGE, async ({ places, api, expect }) => {
  const repository = places.find('repository') ?? places.need('readOnlyRepository');
  const answer = await api.repositoryUsage(repository);
  await notForItsVersion(api, answer, (options) => api.repositoryUsage(repository, options));
  expect.status(answer, 200);
  expect.object(answer);
});

check(
  fieldIds('RepositoryUsage'),
  { case: 'repository', ...LOOKS_AT_USAGE },
  async ({ places, api, expect }) => {
    const answer = await api.repositoryUsage(places.find('repository') ?? places.need('readOnlyRepository'));
    expect.fields(served(answer, 'CACHE-REPO-USAGE-STATUS'), schemas, 'RepositoryUsage');
  },
);

check('CACHE-ORG-USAGE-STATUS', LOOKS_AT_USAGE, async ({ places, api, expect }) => {
  const organization = places.need('organization');
  const answer = await api.organizationUsage(organization);
  await notForItsVersion(api, answer, (options) => api.organizationUsage(organization, options));
  expect.status(answer, 200);
  expect.object(answer);
});

check(
  fieldIds('OrganizationUsage'),
  { case: 'organization', ...LOOKS_AT_USAGE },
  async ({ places, api, expect }) => {
    const answer = await api.organizationUsage(places.need('organization'));
    expect.fields(served(answer, 'CACHE-ORG-USAGE-STATUS'), schemas, 'OrganizationUsage');
  },
);

// They come early, so that the figures that they read are refreshed before other checks look at them.
const otherCheck = check.with({ phase: 'foundation', needs: ['caches.otherOrganization'] });
const OTHER = { case: 'other-organization' };

otherCheck(
  fieldIds('OrganizationUsage', 'OrganizationUsageByRepository'),
  { ...OTHER, ...LOOKS_AT_USAGE },
  async (context) => {
    const { total, list } = await usageOfOther(context);
    const unread = [total, list].find(({ ok }) => !ok);
    if (unread) return context.skip(notRead(unread));
    context.expect.fields(total, schemas, 'OrganizationUsage');
    context.expect.fields(list, schemas, 'OrganizationUsageByRepository');
  },
);

for (const [id, which] of [
  ['CACHE-ORG-USAGE-STATUS', 'total'],
  ['CACHE-BY-REPO-STATUS', 'list'],
] as const) {
  otherCheck(id, { ...OTHER, effects: 'write' }, async (context) => {
    const { expect, skip } = context;
    const answer = (await usageOfOther(context))[which];
    const later = answer.ok ? answer : (await usageWithCache(context))?.[which];
    if (!later?.ok) return skip(notRead(answer));
    expect.that(
      answer.ok,
      `${answer.exchange.purpose}: answered with ${answer.status} while the organization had no caches of this run, and with ${later.status} once it had one`,
      { answer, at: 'status', expected: '200', found: String(answer.status) },
    );
    expect.status(answer, 200);
  });
}

check('CACHE-BY-REPO-STATUS', LOOKS_AT_USAGE, async ({ places, api, expect }) => {
  const organization = places.need('organization');
  const answer = await api.usageByRepository(organization);
  await notForItsVersion(api, answer, (options) => api.usageByRepository(organization, {}, options));
  expect.status(answer, 200);
  expect.object(answer);
});

check(
  fieldIds('OrganizationUsageByRepository', 'RepositoryCacheUsage'),
  { case: 'by-repository' },
  async (context) => {
    const { usage, places, api, expect } = context;
    // Recording the timeline makes caches, so that there is an item to look at. Whether the recording
    // succeeds does not matter here.
    await usage.timeline().catch((error: unknown) => {
      if (!(error instanceof Blocked || error instanceof Skipped)) throw error;
    });
    const organization = places.need('organization');
    const first = await api.usageByRepository(organization);
    expect.fields(served(first, 'CACHE-BY-REPO-STATUS'), schemas, 'OrganizationUsageByRepository');
    const one = await api.usageByRepository(organization, { per_page: 1 });
    expect.fields(served(one, 'CACHE-BY-REPO-STATUS'), schemas, 'OrganizationUsageByRepository');
    const half = secondPageOf(first);
    const second = half && (await api.usageByRepository(organization, half));
    if (second?.ok) expect.fields(second, schemas, 'OrganizationUsageByRepository');
  },
);

check('CACHE-REPO-USAGE-FULL-NAME', LOOKS_AT_USAGE, async ({ places, api, expect, block }) => {
  const repositories = (
    ['repository', 'otherRepository', 'publicRepository', 'readOnlyRepository'] as const
  ).flatMap((key) => places.find(key) ?? []);
  if (repositories.length === 0) places.need('repository');
  for (const repository of repositories) {
    const answer = served(await api.repositoryUsage(repository), 'CACHE-REPO-USAGE-STATUS');
    const name = answer.at('/full_name');
    if (typeof name !== 'string' || !/^[^/]+\/[^/]+$/.test(name))
      return block(
        `answered ${answer.status} without a full_name of owner and repository`,
        'CACHE-REPO-USAGE-FULL-NAME-FIELD',
      );
    expect.equal(name.toLowerCase(), foldedName(repository), 'full_name', {
      answer,
      at: '/full_name',
      found: name,
    });
  }
});

check(['CACHE-REPO-USAGE-SIZE', 'CACHE-REPO-USAGE-COUNT'], { case: 'listed' }, async (context) => {
  const { usage, listedRepository, time, verdicts, expect, block, skip } = context;
  const { repository, names } = await listedRepository.content();
  // The caches may be somebody else's, so the figures are compared with the list.
  const wanted = sumOf(await listedRepository.present());
  const figures = await usage.settle(
    () => usage.ofRepository(repository),
    (each) => each.size === wanted.size && each.count === wanted.count,
  );
  if (figures.size !== wanted.size || figures.count !== wanted.count) {
    if (names) {
      const timeline = await usage.timeline();
      const { begin, created } = timeline;
      if (cameLate(timeline, 'REPO-USAGE')) late('REPO-USAGE');
      requireOwnFiguresOnly(timeline);
      if (same(begin.reading.few, created.reading.few))
        block('the figures never change', 'CACHE-REPO-USAGE-AFTER-CREATION');
    } else if (!time.movable) {
      skip('usage figures lag; set `hooks.clock`, or try again when the repository has been at rest');
    }
  }
  const where = { answer: figures.answer };
  for (const what of ['size', 'count'] as const) {
    const requirement = what === 'size' ? 'CACHE-REPO-USAGE-SIZE' : 'CACHE-REPO-USAGE-COUNT';
    if (!isCount(figures[what])) verdicts.set(requirement, 'blocked');
    else expect.soft(requirement, (it) => it.equal(figures[what], wanted[what], `the ${what}`, where));
  }
});
