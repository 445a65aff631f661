/** Signs that a target implements the service: a server with one answer for all cannot show them. */
import type { CheckContext } from '../../../lib/check/context.ts';
import { Blocked, Skipped } from '../../../lib/model/verdict.ts';
import { Lists } from '../api/lists.ts';
import { Places } from '../api/places.ts';
import { ListedRepository } from '../fixtures/listed-repository.ts';
import { Seeds } from '../fixtures/seeds.ts';
import { Limits } from '../limits/limits.ts';
import { KINDS } from '../vocabulary.ts';

type Sign = (context: CheckContext) => Promise<boolean>;

/** Whether a cache that was made is listed in its repository, and not in one that does not exist. */
const seededCacheAppears: Sign = async (context) => {
  if (!new Seeds(context).possible) return false;
  const listedRepository = new ListedRepository(context);
  const { names, repository } = await listedRepository.own();
  const holds = async (place: typeof repository) => {
    const answer = await listedRepository.lists.api.list(place, { key: names.nested });
    return (
      listedRepository.lists.pageIn(answer)?.entries.some((entry) => entry.key === names.nested) ?? false
    );
  };
  return (await holds(repository)) && !(await holds(listedRepository.places.unknown('repository')));
};

/** Whether a limit that is set to one less than it was, and then back, reads as each of these values. */
const limitFollows: Sign = async (context) => {
  if (!context.session.options.effects.includes('settings')) return false;
  const limits = new Limits(context);
  // The lowest level is used: no level below could conflict, and lowering exceeds none above.
  const place =
    limits.places.find('repository') ??
    limits.places.find('organization') ??
    limits.places.need('enterprise');
  const present = await limits.inForce(place, 'retention');
  for (const value of [present - 1, present]) {
    await limits.set(place, 'retention', value);
    if ((await limits.inForce(place, 'retention')) !== value) return false;
  }
  return true;
};

/**
 * Whether requests that differ in one parameter are answered differently, each as it has to be: two page
 * sizes, or an existing and an unknown place, and a valid and an invalid token.
 */
const readsDiffer: Sign = async (context) => {
  const repository = new Places(context).find('readOnlyRepository');
  if (repository) {
    const lists = new Lists(context);
    const [one, two] = [
      await lists.page(repository, { per_page: 1 }),
      await lists.page(repository, { per_page: 2 }),
    ];
    if (one.entries.length === 1 && two.entries.length === 2) return true;
  }
  const limits = new Limits(context);
  const place = (['enterprise', 'organization', 'repository'] as const)
    .map((key) => limits.places.find(key))
    .find(Boolean);
  if (!place) return false;
  for (const kind of KINDS) {
    await limits.inForce(place, kind);
    if ((await limits.api.readLimit(limits.places.unknown(place.level), kind)).ok) return false;
  }
  return !(await limits.api.readLimit(place, 'retention', { auth: { token: 'not-a-token' } })).ok;
};

/** Throws `Blocked` unless the target shows a sign of life that the configuration permits to look for. */
export async function requireSignOfLife(context: CheckContext): Promise<void> {
  let why = '';
  for (const sign of [seededCacheAppears, limitFollows, readsDiffer]) {
    try {
      if (await sign(context)) return;
    } catch (error) {
      if (!(error instanceof Blocked || error instanceof Skipped)) throw error;
      why = `: ${error.message}`;
    }
  }
  throw new Blocked(
    `the target shows no sign that it understands what it is asked, so that a pass would mean nothing${why}`,
  );
}
