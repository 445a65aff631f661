/**
 * Tells a token that may not set the limits of a level from a target that refuses what it has to permit. Only a
 * run that tried its configuration asks: `--no-preflight` judges the target as if every setting were right.
 */
import { perRun } from '../../../lib/check/per-run.ts';
import { EITHER } from '../../../lib/check/preflight/finding.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import type { Auth, CacheApi } from '../api/client.ts';
import { labelOf, type Place } from '../api/places.ts';
import { limitRow, permits } from '../judging/access-table.ts';
import { KINDS, type Kind } from '../vocabulary.ts';

/** The parts of `Limits` that are needed to try settings. */
interface Settings {
  readonly session: Session;
  readonly api: CacheApi;
  /** Returns the integer in an answer to reading a limit, or undefined if there is none. */
  valueIn(answer: Answer, kind: Kind): number | undefined;
}

/** Sets a limit of the place that is asked about. */
type Set = (kind: Kind, value: number, auth: Auth) => Promise<Answer>;

/** The most other tokens that are asked whether they are refused as well. */
const MOST_OTHERS = 3;

/** Whether an answer says that the caller may not do this: some services answer 404 to hide a place from who lacks access. */
export function isForbidden({ status }: Answer): boolean {
  return [401, 403, 404].includes(status);
}

/**
 * Throws `Blocked` where `caches.token` may set neither limit of a place, to the value that it has, and no other token
 * with the scope or permission for it is refused alike.
 */
export async function requirePermitted(limits: Settings, place: Place, set: Set): Promise<void> {
  if (limits.session.input.unclear === undefined) return;
  if (!(await isForbiddenToFullTokenOnly(limits, place, set))) return;
  const { scope } = limitRow('set', place.level, 'retention').row;
  throw new Blocked(
    `the target refuses \`caches.token\` to set either limit of the ${labelOf(place)}, which \`${scope}\` or the permission in its place opens: look whether the token has it; ${EITHER}`,
  );
}

const isForbiddenToFullTokenOnly = perRun(
  'caches: settings of a place are refused',
  async (limits: Settings, place: Place, set: Set): Promise<boolean> => {
    for (const kind of KINDS) {
      const value = limits.valueIn(await limits.api.readLimit(place, kind), kind);
      const answer = value === undefined ? undefined : await set(kind, value, 'full');
      if (value === undefined || !answer || !isForbidden(answer)) return false;
      // Where even a request without a token is not told to have one, there is no such endpoint.
      if (answer.status === 404 && (await set(kind, value, 'none')).status !== 401) return false;
      for (const token of othersPermitted(limits.api, place, kind))
        if (isForbidden(await set(kind, value, { token }))) return false;
    }
    return true;
  },
  { by: (place) => [labelOf(place)], lasting: true },
);

function othersPermitted({ config }: CacheApi, { level }: Place, kind: Kind): string[] {
  const { row } = limitRow('set', level, kind);
  return (config.tokens ?? [])
    .filter((token) => permits(token, row))
    .slice(0, MOST_OTHERS)
    .map(({ token }) => token);
}
