/** Caches whose sizes are more than 31 and more than 32 bits can say, as a list shows them. */
import type { CheckContext } from '../../../lib/check/context.ts';
import { Skipped } from '../../../lib/check/verdict.ts';
import { foundIn } from './found.ts';
import { Lists, type Page } from './lists.ts';
import { Places } from './places.ts';
import { LARGE, roomFor } from './room.ts';
import { type Seeded, Seeds } from './seeds.ts';

/** More than 2^31 bytes, and more than what is left of LARGE in 32 bits. */
export const MEDIUM = 2_500_000_003;

/** See the module comment. */
export interface LargeListed {
  medium: Seeded;
  large: Seeded;
  /** The first page with the largest first. */
  sorted: Page;
  /** Pages that show both, where any do. */
  pages: readonly Page[];
}

/** Makes both, lists them and removes them again. Throws `Skipped` where there is no room. */
export function largeListed(context: CheckContext): Promise<LargeListed> {
  const { session } = context;
  return session.once('caches: large caches', async () => {
    const [places, seeds, lists] = [new Places(context), new Seeds(context), new Lists(context)];
    const repository = places.find('otherRepository') ?? places.need('repository');
    if (!(await roomFor(LARGE + MEDIUM, repository, session)))
      throw new Skipped('the storage limit leaves no room for caches of more than 2^32 bytes');
    const mark = await seeds.markFor('large caches');
    const made = await seeds.make([
      { repository, key: `${mark}-sorted-medium`, size: MEDIUM },
      { repository, key: `${mark}-sorted-large`, size: LARGE },
    ]);
    const sorted = await lists.page(repository, { sort: 'size_in_bytes', direction: 'desc', per_page: 100 });
    const pages = foundIn([sorted], made).known.length === 2 ? [sorted] : await lists.walk(repository);
    await seeds.remove(made);
    return { medium: made[0]!, large: made[1]!, sorted, pages };
  });
}
