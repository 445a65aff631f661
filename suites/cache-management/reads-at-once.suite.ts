/** Sections 2 and 4: if two places are read at the same time, each answer must be about its own place. */

import { allOf } from '../../lib/check/all-of.ts';
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { Blocked } from '../../lib/model/verdict.ts';
import { labelOf, type Place, type PlaceKey } from '../../services/caches/api/places.ts';
import { limitId } from '../../services/caches/requirement-ids/limits.ts';
import { KINDS, type Kind } from '../../services/caches/vocabulary.ts';
import { type CacheContext, check, onlyLimitsOf } from './suite.ts';

/** What is read of a pair of places, and the part of the answer that distinguishes them, in words. */
interface Subject {
  keys: readonly [PlaceKey, PlaceKey];
  read: (context: CacheContext, place: Place) => Promise<Answer>;
  part: (answer: Answer) => string;
}

const list = (answer: Answer, name: string): Record<string, unknown>[] => {
  const found = answer.at(`/${name}`);
  return Array.isArray(found) ? found : [];
};

const REPOSITORIES = ['repository', 'otherRepository'] as const;
const ORGANIZATIONS = ['organization', 'otherOrganization'] as const;
const SUBJECTS: Record<string, Subject> = {
  'CACHE-REPO-USAGE-SCOPE': {
    keys: REPOSITORIES,
    read: ({ api }, place) => api.repositoryUsage(place),
    part: (answer) =>
      `${answer.at('/active_caches_count')} caches of ${answer.at('/active_caches_size_in_bytes')} bytes`,
  },
  'CACHE-LIST-SCOPE-REPO': {
    keys: REPOSITORIES,
    read: ({ api }, place) => api.list(place, { per_page: 2 }),
    part: (answer) =>
      `the caches ${list(answer, 'actions_caches')
        .map(({ id }) => id)
        .join(' and ')}`,
  },
  'CACHE-ORG-USAGE-SCOPE': {
    keys: ORGANIZATIONS,
    read: ({ api }, place) => api.organizationUsage(place),
    part: (answer) =>
      `${answer.at('/total_active_caches_count')} caches of ${answer.at('/total_active_caches_size_in_bytes')} bytes`,
  },
  'CACHE-BY-REPO-SCOPE': {
    keys: ORGANIZATIONS,
    read: ({ api }, place) => api.usageByRepository(place, { per_page: 1 }),
    part: (answer) =>
      `the repository ${list(answer, 'repository_cache_usages')
        .map(({ full_name: name }) => name)
        .join(' and ')}`,
  },
};

/** Reads all places one by one until each two can be told apart, and then all of them at the same time. */
const readings = perRun('caches: reads at once', async (context: CacheContext) => {
  const wanted = Object.entries(SUBJECTS).flatMap(([id, { keys, read, part }]) => {
    const places = keys.map((key) => context.places.find(key));
    return places.flatMap((place) => (place && places[0] && places[1] ? [{ id, place, read, part }] : []));
  });
  const readAlone = async (): Promise<Answer[]> => {
    const answers: Answer[] = [];
    for (const { place, read } of wanted) answers.push(await read(context, place));
    return answers;
  };
  // Figures may be of a time when both places had no caches yet.
  const areTold = (answers: readonly Answer[]) =>
    wanted.every(
      ({ id, part }, i) => wanted[i + 1]?.id !== id || part(answers[i]!) !== part(answers[i + 1]!),
    );
  const first = await readAlone();
  const alone = areTold(first) ? first : await context.usage.settle(readAlone, areTold);
  const together = await allOf(wanted.map(({ place, read }) => read(context, place)));
  return wanted.map((each, i) => ({ ...each, alone: alone[i]!, together: together[i]! }));
});

for (const [id, { keys, read, part }] of Object.entries(SUBJECTS)) {
  const needs = keys.map((key) => `caches.${key}`);
  // On a wrong server, concurrent requests of other checks would get wrong answers as well.
  const touches = { caches: 'alone', clock: 'move' } as const;
  check(id, { case: 'at-once', passingFaults: true, needs, touches }, async (context) => {
    const { expect, block, skip, seeds, listedRepository } = context;
    if (seeds.possible) await listedRepository.content();
    const [one, other] = (await readings(context)).filter((each) => each.id === id);
    for (const { alone } of [one!, other!]) requireOk(alone);
    if (part(one!.alone) === part(other!.alone))
      return skip('both places have the same values, so their answers cannot be told apart');
    for (const [own, foreign] of [
      [one!, other!],
      [other!, one!],
    ] as const) {
      if (!own.together.ok || part(own.together) !== part(foreign.alone)) continue;
      // The place may itself have changed to these values meanwhile.
      if (part(await read(context, own.place)) === part(foreign.alone)) continue;
      expect.fail(
        `asked together with the ${labelOf(foreign.place)}, the ${labelOf(own.place)} is answered with ${part(own.together)}, which is the other's; by itself with ${part(own.alone)}`,
        { answer: own.together, at: '' },
      );
    }
    if (!one!.together.ok && !other!.together.ok)
      block(`together they are answered with ${one!.together.status}`);
  });
}

const LIMITED = ['organization', 'otherOrganization', 'repository', 'otherRepository'] as const;

/** Sets the limits of places of two levels to different values, and reads them all at the same time. */
const limitsAtOnce = perRun(
  'caches: limits at once',
  async ({ limits, api, places }: CacheContext, kind: Kind) => {
    const { enterprise, values } = await limits.hierarchyFor(kind);
    const below = LIMITED.flatMap((key, i): [Place, number][] => {
      const place = places.find(key);
      return place ? [[place, values[i + 1]!]] : [];
    });
    await limits.arrange(kind, enterprise ? [[enterprise, values[0]], ...below] : below);
    const answers = await allOf(below.map(([place]) => api.readLimit(place, kind)));
    return below.map(([place, value], i) => ({ place, value, answer: answers[i]! }));
  },
);

for (const kind of KINDS) {
  for (const level of ['organization', 'repository'] as const) {
    const options = {
      case: 'at-once',
      effects: 'settings' as const,
      needs: level === 'organization' ? ORGANIZATIONS : REPOSITORIES,
      ...onlyLimitsOf(kind),
    };
    check(
      limitId(level, kind, 'SET-STORES'),
      { ...options, needs: options.needs.map((key) => `caches.${key}`) },
      async (context) => {
        const { limits, expect, block } = context;
        const read = await limitsAtOnce(context, kind);
        const own = read.filter(({ place }) => place.level === level);
        for (const { place, value, answer } of own) {
          const found = limits.valueIn(answer, kind);
          // An answer without a limit is not another place's; nor is one after the limit has really changed.
          if (found === undefined || found === value) continue;
          if ((await limits.inForce(place, kind)) !== value) continue;
          expect.equal(found, value, `the limit of the ${labelOf(place)}, read together with others,`, {
            answer,
          });
        }
        if (own.every(({ answer }) => !answer.ok)) block('together the limits cannot be read');
      },
    );
  }
}

check(
  'CACHE-AUTH-AT-ONCE',
  { passingFaults: true, needs: ['caches.repository'] },
  async ({ api, places, expect }) => {
    const place = places.need('repository');
    const ask = (auth: 'full' | 'none') => api.readLimit(place, 'retention', { auth });
    const alone = { full: await ask('full'), none: await ask('none') };
    requireOk(alone.full, limitId('repository', 'retention', 'GET-STATUS'));
    if (alone.none.ok)
      throw new Blocked(
        'the limit can be read without a token as well',
        'CACHE-AUTH-REPO-RETENTION-GET-MISSING',
      );
    for (const order of [
      ['full', 'none', 'full', 'none'],
      ['none', 'full', 'none', 'full'],
    ] as const) {
      const answers = await allOf(order.map(ask));
      for (const [i, answer] of answers.entries()) {
        const bare = order[i] === 'none';
        const what = bare ? 'a request without a token' : 'a request with the token';
        expect.that(
          bare ? !answer.ok : answer.status !== 401 && answer.status !== 403,
          `${what} is answered ${answer.status} while others are under way, by itself ${bare ? alone.none.status : alone.full.status}`,
          { answer, at: 'status' },
        );
      }
    }
  },
);
