/**
 * Section 4, path parameters: the names of organizations, owners and repositories are case-insensitive, also
 * when the cap of a limit is looked up (section 1).
 */

import { isDeepStrictEqual } from 'node:util';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { inOtherCase, labelOf, type Place } from '../../services/caches/api/places.ts';
import type { UsagePage } from '../../services/caches/api/usage.ts';
import { documentedPart } from '../../services/caches/judging/documented-members.ts';
import { setUnusually } from '../../services/caches/judging/unusual-setting.ts';
import { HIERARCHY_IDS } from '../../services/caches/requirement-ids/hierarchy.ts';
import { CASE_IDS } from '../../services/caches/requirement-ids/names.ts';
import { KINDS, type Level } from '../../services/caches/vocabulary.ts';
import { type CacheContext, check } from './suite.ts';

const settingsCheck = check.with({ effects: 'settings' });

const writeCheck = check.with({ effects: 'write' });

/** Names of a path to write in another case: code in requirement ids, level, and the name's index. */
const NAMES = [
  ['ORG', 'organization', 0],
  ['OWNER', 'repository', 0],
  ['REPO', 'repository', 1],
] as const;

/**
 * Returns a place and, as `other`, the same place with one name in the other case. Throws `Skipped` if that
 * name has no letters.
 */
function turned({ places, skip }: CacheContext, level: Level, index: number): { place: Place; other: Place } {
  const place = places.need(level);
  const name = inOtherCase(place.names[index]!) ?? skip(`the name ${place.names[index]} has no letters`);
  return { place, other: { level, names: place.names.with(index, name) } };
}

/** Fails unless the other spelling is accepted. Throws `Blocked` if the configured one is not. */
function requireAlike({ expect }: CacheContext, other: Place, known: Answer, answer: Answer): void {
  requireOk(known);
  expect.accepted(answer, `${labelOf(other)} is the same name in another case`);
}

/**
 * Fails unless both spellings get the same answer. If they do not, reads the configured spelling once more,
 * and throws `Undecided` if its answer has changed: figures may be refreshed at any time, and a list may
 * change between two requests.
 *
 * @param read sends the request for a place
 * @param part returns the part of an answer that is compared
 * @param what describes that part in messages
 */
async function sameAnswer(
  context: CacheContext,
  { place, other }: { place: Place; other: Place },
  read: (place: Place) => Promise<Answer>,
  part: (answer: Answer) => unknown,
  what: string,
): Promise<void> {
  const { expect, undecided, session } = context;
  const [known, answer] = (await session.together([() => read(place), () => read(other)])) as [
    Answer,
    Answer,
  ];
  requireAlike(context, other, known, answer);
  if (!isDeepStrictEqual(part(answer), part(known))) {
    const again = await read(place);
    if (again.ok && !isDeepStrictEqual(part(again), part(known)))
      undecided(`the answer for ${labelOf(place)} changed meanwhile`);
  }
  expect.equal(part(answer), part(known), what, { answer });
}

for (const [code, level, index] of NAMES) {
  const needs = [`caches.${level}`];
  for (const kind of KINDS) {
    settingsCheck(
      CASE_IDS[code][kind === 'retention' ? 'RETENTION-GET' : 'STORAGE-GET'],
      { needs },
      async (context) => {
        const { limits, api, expect } = context;
        const { place, other } = turned(context, level, index);
        const { from, to } = await limits.spread(level, kind);
        // Read once more after a change, since a wrong server may cache answers by the spelling of the path.
        for (const value of [from, to]) {
          await limits.arrange(kind, [[place, value]]);
          const answer = await api.readLimit(other, kind);
          expect.accepted(answer, `${labelOf(other)} is the same name in another case`);
          const found = await limits.expectValue(answer, place, kind);
          // If the limit is another one with the configured spelling too, the case is not the reason.
          if (found !== value) await limits.expectStored(place, kind, value);
          expect.equal(
            found,
            value,
            `the limit, which ${value === to ? `was ${from} and ` : ''}is ${value}, read in another case`,
            { answer },
          );
        }
      },
    );

    check(
      CASE_IDS[code][kind === 'retention' ? 'RETENTION-GET' : 'STORAGE-GET'],
      { needs, case: 'read-only' },
      async (context) => {
        const names = turned(context, level, index);
        const read = (place: Place) => context.api.readLimit(place, kind);
        const value = (answer: Answer) => context.limits.valueIn(answer, kind);
        await sameAnswer(context, names, read, value, 'the limit read in another case');
      },
    );

    settingsCheck(
      CASE_IDS[code][kind === 'retention' ? 'RETENTION-SET' : 'STORAGE-SET'],
      { needs },
      async (context) => {
        const { limits, expect } = context;
        const { place, other } = turned(context, level, index);
        const { from, to } = await limits.spread(level, kind);
        // If the setting fails with the configured spelling too, the case is not the reason.
        const { answer, after } = await setUnusually(limits, { place, kind, from, to }, () =>
          limits.set(other, kind, to, {}, place),
        );
        expect.accepted(answer, `${labelOf(other)} is the same name in another case`);
        expect.equal(after, to, `the limit, which was ${from} and was set to ${to} in another case,`, {
          answer,
        });
      },
    );
  }
}

/** The level above each level. */
const ABOVE = { organization: 'enterprise', repository: 'organization' } as const;

// A wrong server may look up the cap of a limit by the spelling of the path, and find none.
for (const [code, level, index] of NAMES) {
  for (const kind of KINDS) {
    const id = HIERARCHY_IDS[kind][level === 'organization' ? 'ORG-ENT' : 'REPO-ORG'];
    const needs = [`caches.${level}`, `caches.${ABOVE[level]}`];
    settingsCheck(id, { needs, case: `${code.toLowerCase()}-in-other-case` }, async (context) => {
      const { limits, places, expect, block } = context;
      const { place, other } = turned(context, level, index);
      const { from } = await limits.spread(level, kind);
      const above = places.need(ABOVE[level]);
      const cap = await limits.known(above, kind);
      const answer = await limits.set(other, kind, cap + 1, {}, place);
      const after = await limits.inForce(place, kind);
      if (after > cap) {
        await limits.arrange(kind, [[place, from]]);
        if ((await limits.attempt(place, kind, cap + 1)).after > cap)
          block('the limit is not capped by its name as configured either', id);
      }
      const what = `set to ${cap + 1} as ${labelOf(other)} (${answer.status}), the limit reads ${after}, above the ${cap} of the ${labelOf(above)}`;
      expect.that(after <= cap, what, { answer, expected: `at most ${cap}`, found: String(after) });
    });
  }
}

const organizationUsage = async (context: CacheContext): Promise<void> => {
  const names = turned(context, 'organization', 0);
  const read = (place: Place) => context.api.organizationUsage(place);
  await sameAnswer(context, names, read, documentedPart, 'the usage in another case');
};

check('CACHE-CASE-ORG-USAGE', organizationUsage);

/**
 * Returns what a page of usage by repository tells apart from the figures themselves, which a target may hold
 * for some minutes, and by the spelling of the path. If there are further pages, it is open which repositories are on
 * this one.
 */
const outlineOf = (page: UsagePage | undefined) =>
  page && {
    total: page.total,
    length: page.items.length,
    names: page.items.length === page.total ? page.items.map(({ name }) => name).sort() : [],
    bytes: page.items.some(({ size }) => Number(size) > 0),
    caches: page.items.some(({ count }) => Number(count) > 0),
  };

const byRepository = async (context: CacheContext): Promise<void> => {
  const names = turned(context, 'organization', 0);
  const read = (place: Place) => context.api.usageByRepository(place, { per_page: 100 });
  const what = 'total_count, the repositories and whether they have caches, in another case,';
  await sameAnswer(context, names, read, (answer) => outlineOf(context.usage.pageIn(answer)), what);
};

check('CACHE-CASE-ORG-BY-REPO', byRepository);

const LATER = { case: 'with-figures', touches: { caches: 'alone', clock: 'move' } } as const;

/** Does the same where there are figures: since they lag, they are there only after a while. */
const withFigures = (work: (context: CacheContext) => Promise<void>) => async (context: CacheContext) => {
  await context.usage.timeline();
  await work(context);
};

check('CACHE-CASE-ORG-BY-REPO', LATER, withFigures(byRepository));
check('CACHE-CASE-ORG-USAGE', LATER, withFigures(organizationUsage));

for (const [code, level, index] of [NAMES[1], NAMES[2]]) {
  const written = code === 'OWNER' ? 'owner' : 'repository name';

  const usage = async (context: CacheContext): Promise<void> => {
    const names = turned(context, level, index);
    const figures = (each: Answer) =>
      Object.fromEntries(
        ['active_caches_size_in_bytes', 'active_caches_count'].map((field) => [field, each.at(`/${field}`)]),
      );
    const read = (place: Place) => context.api.repositoryUsage(place);
    await sameAnswer(context, names, read, figures, `the usage with the ${written} in another case`);
  };

  check(CASE_IDS[code].USAGE, usage);
  check(CASE_IDS[code].USAGE, LATER, withFigures(usage));

  check(CASE_IDS[code].LIST, async (context) => {
    const names = turned(context, level, index);
    // The repository needs caches, so that an empty list shows that the server found another repository.
    if (context.seeds.possible) await context.listedRepository.content();
    const read = (place: Place) => context.api.list(place, { per_page: 5 });
    await sameAnswer(context, names, read, documentedPart, `the list with the ${written} in another case`);
  });

  for (const how of ['KEY', 'ID'] as const) {
    writeCheck(
      CASE_IDS[code][how === 'KEY' ? 'DELETE-KEY' : 'DELETE-ID'],
      { needs: ['caches.repository'] },
      async (context) => {
        const { api, seeds, lists, expect, block } = context;
        const { place, other } = turned(context, level, index);
        const [cache, twin] = await seeds.make(
          ['a', 'b'].map((rest) => ({
            repository: place,
            key: `${seeds.mark}-spelt-${code}-${how}-${rest}`,
          })),
        );
        const remove = (path: Place, { key, id } = cache!) =>
          how === 'KEY' ? api.deleteByKey(path, { key }) : api.deleteById(path, id);
        const known = await remove(place, twin!);
        const answer = await remove(other);
        const { here, answer: list } = await lists.present(place, [cache!, twin!]);
        if (!known.ok || here.has(twin!))
          block(
            `with the name as configured nothing is deleted either (${known.status})`,
            how === 'KEY' ? 'CACHE-DELETE-KEY-STATUS' : 'CACHE-DELETE-ID-STATUS',
          );
        expect.accepted(answer, `${labelOf(other)} is the same name in another case`);
        expect.that(
          !here.has(cache!),
          `the cache is still there after its deletion with the ${written} in another case (${answer.status})`,
          { answer: list },
        );
      },
    );
  }
}

check('CACHE-SILENCE-ENTERPRISE-CASE', { needs: ['caches.enterprise'] }, async (context) => {
  const { other } = turned(context, 'enterprise', 0);
  const answer = await context.api.readLimit(other, 'retention');
  context.observe(
    answer.ok ? `found in another case, ${answer.status}` : `not found in another case, ${answer.status}`,
  );
});

check('CACHE-SILENCE-REPO-GIT-SUFFIX', { needs: ['caches.repository'] }, async ({ api, places, observe }) => {
  const { level, names } = places.need('repository');
  const [owner = '', name = ''] = names;
  const answer = await api.list({ level, names: [owner, `${name}.git`] }, { per_page: 1 });
  observe(`listing the caches of ${name}.git is answered with ${answer.status}`);
});
