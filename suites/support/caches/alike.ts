/** Caches whose keys and references are easily taken for each other, in a repository that few others are in. */
import type { CheckContext } from '../../../lib/check/context.ts';
import { Skipped, Undecided } from '../../../lib/check/verdict.ts';
import { type Place, Places } from './places.ts';
import { type Seeded, Seeds } from './seeds.ts';

/** See the module comment. Keys and references, and the caches that have them. */
export interface Alike {
  repository: Place;
  caches: Seeded[];
  /** Two keys of 180 characters that differ in the last one. */
  long: readonly [string, string];
  /** One key under all the references below, and under nothing else. */
  key: string;
  /** References whose characters mean something in a URL. */
  refs: readonly string[];
  /** References that differ in case. */
  cases: readonly [string, string];
  /** Two references of one pull request. */
  pulls: readonly [string, string];
}

/** Makes them; `name` tells the sets apart that different checks use up. */
export function alike(context: CheckContext, name: string): Promise<Alike> {
  const { session } = context;
  return session.once(`caches: alike ${name}`, async () => {
    const [places, seeds] = [new Places(context), new Seeds(context)];
    const repository = places.find('otherRepository') ?? places.need('repository');
    const mark = `${await seeds.markFor(`alike ${name}`)}-${name}`;
    const long = `${mark}-${'l'.repeat(178 - mark.length)}`;
    const branch = (rest: string) => `refs/heads/${mark}/${rest}`;
    const names = {
      long: [`${long}a`, `${long}b`],
      key: `${mark}-same`,
      refs: ['a+b', 'c%2Fd', 'c/d', 'e#7', 'f&g=h', 'ñ-日本'].map(branch),
      cases: [branch('case'), branch('Case')],
      pulls: ['refs/pull/90210/merge', 'refs/pull/90210/head'],
    } as const;
    const orders = [
      ...names.long.map((key) => ({ repository, key })),
      ...[...names.refs, ...names.cases, ...names.pulls].map((ref) => ({
        repository,
        key: names.key,
        ref,
      })),
    ];
    const caches = await seeds.make(orders).catch((error: unknown) => {
      if (error instanceof Undecided) throw new Skipped(`such caches cannot be made: ${error.message}`);
      throw error;
    });
    return { repository, caches, ...names };
  });
}
