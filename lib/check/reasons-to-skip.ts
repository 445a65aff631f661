/** Why a check of a chosen suite is left out of a run. */
import type { Effect } from '../model/results.ts';
import type { Session } from './session.ts';

/**
 * Returns why a check does not run on a target: keys that are not set, or an effect that is not allowed.
 * @param service the name of the service that the check is about
 */
export function reasonToSkip(
  session: Session,
  service: string,
  options: { needs?: string[]; effects?: Effect },
): string | undefined {
  const { name } = session.target;
  const effects = options.effects ?? 'read';
  // All missing keys are named together: a user who learns of one at a time needs as many runs.
  const missing = [service, ...(options.needs ?? [])].filter(
    (key) => configured(session.target, key) === undefined,
  );
  const reasons: string[] = [];
  if (missing.length > 0)
    reasons.push(`set ${missing.map((key) => `\`targets.${name}.${key}\``).join(' and ')} to run this check`);
  if (!session.options.effects.includes(effects))
    reasons.push(
      `effects \`${effects}\` are off for this run; allow them with --effects ${[...session.options.effects, effects].join(',')}`,
    );
  return reasons.length > 0 ? reasons.join('; ') : undefined;
}

/**
 * Returns why a check is left out of a run with a budget.
 * @param id of the check; left out where it need not be among the chosen ones
 */
export function whyUnpaid(
  { options: { paid }, requests }: Session,
  id: string | undefined,
): string | undefined {
  if (paid === undefined) return undefined;
  if (id !== undefined && !paid.checks.includes(id))
    return `not among the checks that ${paid.budget} requests pay for; allow more with --budget`;
  if (requests <= paid.left) return undefined;
  return `the ${paid.budget} requests of this run are used up; allow more with --budget`;
}

/** Returns the value of a key of a target's configuration, as `needs` names it; undefined if it is not set. */
export function configured(target: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], target);
}
