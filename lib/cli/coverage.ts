/** Which checks cite which requirement. */
import { knownChecks } from '../run/known-checks.ts';

/** Check ids by requirement id. */
export async function checksByRequirement(): Promise<Map<string, string[]>> {
  const checks = new Map<string, string[]>();
  for (const check of await knownChecks()) {
    for (const id of check.requirements) checks.set(id, [...(checks.get(id) ?? []), check.id]);
  }
  return checks;
}
