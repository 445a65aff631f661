/** Section 4, endpoint 16: the filters `key` and `ref`. */

import type { Known } from '../../services/caches/api/cache.ts';
import type { Names } from '../../services/caches/fixtures/listed-repository-data.ts';
import type { CacheContext } from './suite.ts';
import { check } from './suite.ts';

interface Filter {
  key?: string;
  ref?: string;
}

const say = ({ key, ref }: Filter) =>
  [key && `key ${key}`, ref && `ref ${ref}`].filter(Boolean).join(' and ');

/** Fails unless the filtered list has every cache of `wanted`. */
async function lists(
  { listedRepository, expect }: CacheContext,
  filter: Filter,
  wanted: readonly Known[],
): Promise<void> {
  const { known, pages } = await listedRepository.filtered(filter);
  const missing = wanted.find((cache) => !known.has(cache));
  expect.that(
    missing === undefined,
    `with ${say(filter)} the cache ${missing?.key} of ${missing?.ref} is not listed`,
    {
      answer: pages[0]!.answer,
      at: '/actions_caches',
      expected: `${wanted.length} caches`,
      found: `${wanted.filter((cache) => known.has(cache)).length} of them`,
    },
  );
}

/** Fails if the filtered list has a cache for which `fits` is false. */
async function listsOnly(
  { listedRepository, expect }: CacheContext,
  filter: Filter,
  fits: (cache: Known) => boolean,
): Promise<void> {
  const { known, unrecognised, pages } = await listedRepository.filtered(filter);
  const stray = [...known, ...unrecognised].find((cache) => !fits(cache as Known));
  expect.that(stray === undefined, `with ${say(filter)} the cache ${stray?.key} of ${stray?.ref} is listed`, {
    answer: pages[0]!.answer,
    at: '/actions_caches',
  });
}

/** Throws `Blocked` unless a filter lists exactly what it has to: the twin of checks that rely on it. */
async function twin({ listedRepository, block }: CacheContext, filter: Filter, by: string): Promise<void> {
  if (!(await listedRepository.exactly(filter)))
    block(`with ${say(filter)} alone the list is not what it has to be`, by);
}

/** Returns a key that no other key begins with. */
async function wholeKey({ listedRepository, skip }: CacheContext): Promise<string> {
  const { known, names } = await listedRepository.holding(1);
  const keys = names ? [names.whole] : known.map((cache) => cache.key);
  const key = keys.find((each) => !known.some((other) => other.key !== each && other.key.startsWith(each)));
  return key ?? skip('every key in the repository is the beginning of another one');
}

/** Returns a prefix that several keys share and none equals, and with which not all keys begin. */
async function sharedPrefix({ listedRepository, skip }: CacheContext): Promise<string> {
  const { known, names } = await listedRepository.holding(2);
  if (names) return names.prefix;
  for (const { key } of known) {
    for (let length = key.length - 1; length > 0; length -= 1) {
      const prefix = key.slice(0, length);
      const fitting = new Set(known.map((cache) => cache.key).filter((each) => each.startsWith(prefix)));
      if (fitting.has(prefix)) break;
      if (fitting.size > 1 && known.some((cache) => !cache.key.startsWith(prefix))) return prefix;
    }
  }
  return skip('no two keys in the repository begin alike and otherwise than a third');
}

async function referenceLike(
  { listedRepository, skip }: CacheContext,
  form: RegExp,
  own: 'branch' | 'pull',
): Promise<string> {
  const { known, names } = await listedRepository.holding(1);
  const ref = names ? names[own] : known.find((cache) => form.test(cache.ref))?.ref;
  return ref ?? skip(`the repository has no cache of a ${own === 'pull' ? 'pull request' : 'branch'}`);
}

const aBranch = (context: CacheContext) => referenceLike(context, /^refs\/heads\/./, 'branch');
const aPull = (context: CacheContext) => referenceLike(context, /^refs\/pull\/\d+\/merge$/, 'pull');

check('CACHE-LIST-KEY-WHOLE', async (context) => {
  const key = await wholeKey(context);
  await lists(context, { key }, await context.listedRepository.expected({ key }));
});

check('CACHE-LIST-KEY-PREFIX', async (context) => {
  const key = await sharedPrefix(context);
  await lists(context, { key }, await context.listedRepository.expected({ key }));
});

check('CACHE-LIST-KEY-NOT-SUBSTRING', async (context) => {
  const key = await sharedPrefix(context);
  await listsOnly(context, { key }, (cache) => String(cache.key).toLowerCase().startsWith(key.toLowerCase()));
  const [known] = await context.listedRepository.expected({ key });
  if (!(await context.listedRepository.filtered({ key })).known.has(known!))
    context.block('with key nothing is listed that begins with it', 'CACHE-LIST-KEY-PREFIX');
});

/**
 * Prefixes of one and two characters, which few keys begin with: some search indexes contain no terms that
 * short.
 */
for (const [name, key] of [
  ['one-character', 'i'],
  ['two-characters', 'en'],
] as const) {
  check('CACHE-LIST-KEY-PREFIX', { case: name }, async (context) => {
    const { listedRepository, expect } = context;
    const { repository } = await listedRepository.own();
    const answer = await listedRepository.lists.api.list(repository, { key, per_page: 100 });
    expect.accepted(answer, 'a key may be a prefix, however short it is');
    await lists(context, { key }, await listedRepository.expected({ key }));
  });

  check('CACHE-LIST-KEY-NOT-SUBSTRING', { case: name }, async (context) => {
    const { listedRepository } = context;
    const { repository } = await listedRepository.own();
    if (!(await listedRepository.lists.api.list(repository, { key, per_page: 100 })).ok)
      context.block(`with key ${key} the list is refused`, 'CACHE-LIST-KEY-PREFIX');
    await listsOnly(context, { key }, (cache) => cache.key.toLowerCase().startsWith(key));
  });
}

check('CACHE-LIST-KEY-CASE', async (context) => {
  const { names } = await context.listedRepository.own();
  await twin(context, { key: names.prefix }, 'CACHE-LIST-KEY-NOT-SUBSTRING');
  await listsOnly(
    context,
    { key: names.lower },
    ({ key }) => key.toLowerCase() !== `${names.lower}-letters` || key.startsWith(names.lower),
  );
  const { known } = await context.listedRepository.filtered({ key: names.lower });
  if (known.size === 0)
    context.block('with key nothing is listed that begins with it', 'CACHE-LIST-KEY-PREFIX');
});

/** Throws `Skipped` where the seed hook refused all keys that a check is about. */
function requireTaken({ skip }: CacheContext, { refused }: Names, keys: readonly unknown[]): void {
  if (keys.length === 0) skip(`the seed hook makes no caches with such keys: ${refused.join(' ')}`);
}

/** Fails unless a key with special characters lists its cache, and none with similar keys. */
async function literally(context: CacheContext, key: string, similarKeys: readonly string[]): Promise<void> {
  await lists(context, { key }, await context.listedRepository.expected({ key }));
  await listsOnly(context, { key }, (cache) => !similarKeys.includes(cache.key));
}

check('CACHE-LIST-KEY-LITERAL', async (context) => {
  const { names } = await context.listedRepository.own();
  await twin(context, { key: names.prefix }, 'CACHE-LIST-KEY-PREFIX');
  requireTaken(context, names, names.literals);
  for (const key of names.encoded) await twin(context, { key }, 'CACHE-LIST-KEY-DECODED');
  for (const { key, similarKeys } of names.literals) await literally(context, key, similarKeys);
});

check('CACHE-LIST-KEY-DECODED', async (context) => {
  const { listedRepository } = context;
  const { names } = await listedRepository.own();
  await twin(context, { key: names.prefix }, 'CACHE-LIST-KEY-PREFIX');
  const dot = names.literals.find(({ key }) => key.endsWith('g.h'));
  const exact = dot && (await listedRepository.filtered({ key: dot.key })).known.size === 1;
  // If the server treats keys as patterns, the key with a plus sign may not match itself, so it is left out.
  const keys = names.plus && exact ? [...names.encoded, names.plus] : names.encoded;
  requireTaken(context, names, keys);
  const all = [...names.encoded, ...(names.plus ? [names.plus] : [])];
  for (const key of keys)
    await literally(
      context,
      key,
      all.filter((other) => other !== key),
    );
});

check('CACHE-LIST-REF-BRANCH', async (context) => {
  const ref = await aBranch(context);
  await lists(context, { ref }, await context.listedRepository.expected({ ref }));
});

check('CACHE-LIST-REF-PULL', async (context) => {
  const ref = await aPull(context);
  await lists(context, { ref }, await context.listedRepository.expected({ ref }));
});

for (const [name, reference, by] of [
  ['branch', aBranch, 'CACHE-LIST-REF-BRANCH'],
  ['pull', aPull, 'CACHE-LIST-REF-PULL'],
] as const) {
  check('CACHE-LIST-REF-EXACT', { case: name }, async (context) => {
    const ref = await reference(context);
    await listsOnly(context, { ref }, (cache) => cache.ref.toLowerCase() === ref.toLowerCase());
    const { known } = await context.listedRepository.filtered({ ref });
    if (known.size === 0) context.block('with ref nothing is listed', by);
  });
}

check('CACHE-LIST-REF-CASE', async (context) => {
  const { names } = await context.listedRepository.own();
  await twin(context, { ref: names.branch }, 'CACHE-LIST-REF-EXACT');
  for (const ref of [names.lowerRef, names.upperRef]) {
    await lists(context, { ref }, await context.listedRepository.expected({ ref }));
    await listsOnly(context, { ref }, (cache) => cache.ref === ref);
  }
});

const COMBINED: [name: string, filter: (names: Names) => Required<Filter>][] = [
  ['prefix-and-branch', ({ both, branch }) => ({ key: both, ref: branch })],
  ['whole-and-branch', ({ whole, branch }) => ({ key: whole, ref: branch })],
  ['prefix-and-pull', ({ both, pull }) => ({ key: both, ref: pull })],
];

for (const [name, filterOf] of COMBINED) {
  check('CACHE-LIST-KEY-AND-REF', { case: name }, async (context) => {
    const { names } = await context.listedRepository.own();
    const filter = filterOf(names);
    await twin(context, { key: filter.key }, 'CACHE-LIST-KEY-PREFIX');
    await twin(context, { ref: filter.ref }, 'CACHE-LIST-REF-EXACT');
    await lists(context, filter, await context.listedRepository.expected(filter));
    await listsOnly(context, filter, (cache) => cache.key.startsWith(filter.key) && cache.ref === filter.ref);
  });
}
