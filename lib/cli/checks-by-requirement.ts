/** Finds which checks cite which requirement. */
import { knownChecks } from '../run/known-checks.ts';

/** Returns the ids of checks by the id of each requirement. */
export async function checksByRequirement(): Promise<Map<string, string[]>> {
  const checks = new Map<string, string[]>();
  for (const check of await knownChecks()) {
    for (const id of check.requirements) checks.set(id, [...(checks.get(id) ?? []), check.id]);
  }
  return checks;
}
