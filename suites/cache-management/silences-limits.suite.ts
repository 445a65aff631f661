/**
 * What specification 3 leaves open about the values of limits: it is recorded, and never fails. These checks
 * run after the rules of the hierarchy, since they may set the enterprise higher than it was before the run.
 */
import { KINDS, type Kind, LEVELS, type Level, PROPERTY } from '../../services/caches/vocabulary.ts';
import { type CacheContext, check, MAY_REMOVE_CACHES } from './suite.ts';

const settings = { effects: 'settings' as const };

/** The silences about values for which a server may remove all caches. */
const AT_MOST_ZERO = ['CACHE-SILENCE-LIMIT-ZERO', 'CACHE-SILENCE-LIMIT-NEGATIVE'];

/** Returns the lowest configured level. */
const lowest = ({ places }: CacheContext): Level =>
  [...LEVELS].reverse().find((level) => places.find(level)) ?? 'repository';

/** Sets a value that may be invalid, restores the old value, and returns the result in words. */
async function accepted(
  context: CacheContext,
  level: Level,
  kind: Kind,
  body: (value: number) => Record<string, unknown>,
): Promise<string> {
  const { limits } = context;
  const { place, from, to } = await limits.spread(level, kind);
  const answer = await limits.put(place, kind, { json: body(to) });
  const read = await limits.api.readLimit(place, kind);
  const now = limits.valueIn(read, kind);
  if (now !== undefined) await limits.expectValue(read, place, kind);
  if (now !== from) await limits.set(place, kind, from);
  return answer.ok
    ? `accepted with ${answer.status}, reads ${JSON.stringify(read.at(`/${PROPERTY[kind]}`))}`
    : `refused with ${answer.status}`;
}

const VALUES: [
  id: string,
  level: Level | undefined,
  body: (kind: Kind, value: number) => Record<string, unknown>,
][] = [
  ['CACHE-SILENCE-LIMIT-ZERO', undefined, (kind) => ({ [PROPERTY[kind]]: 0 })],
  ['CACHE-SILENCE-LIMIT-NEGATIVE', undefined, (kind) => ({ [PROPERTY[kind]]: -1 })],
  ['CACHE-SILENCE-LIMIT-LARGE', 'enterprise', (kind) => ({ [PROPERTY[kind]]: 1_000_000 })],
  [
    'CACHE-SILENCE-LIMIT-EXTRA-KEYS',
    undefined,
    (kind, value) => ({ [PROPERTY[kind]]: value, unknown: true }),
  ],
];

for (const [id, level, body] of VALUES) {
  const options = AT_MOST_ZERO.includes(id) ? MAY_REMOVE_CACHES : settings;
  check(id, { ...options, ...(level && { needs: [`caches.${level}`] }) }, async (context) => {
    const said = await context.session.together(
      KINDS.map((kind) => async () => {
        const what = await accepted(context, level ?? lowest(context), kind, (value) => body(kind, value));
        return `${kind}: ${what}`;
      }),
    );
    context.observe(said.join('; '));
  });
}
