/** Conditions under which figures that were read before and after a change can be compared. */
import type { CheckContext } from '../../../lib/check/context.ts';
import type { Code, Reading } from '../fixtures/figures-of-deletion.ts';
import type { UsageOverTime } from '../fixtures/usage-over-time.ts';

/** Throws `Blocked` if the figures are of an organization that cannot be read. */
export async function requireReadable({ usage }: { usage: UsageOverTime }, code: Code): Promise<void> {
  const { withoutOrganization } = await usage.timeline();
  if (code !== 'REPO-USAGE' && withoutOrganization) throw withoutOrganization;
}

/** Throws `Undecided` if somebody else changed caches of the organization meanwhile. */
export function requireUndisturbed({ undecided }: CheckContext, from: Reading, to: Reading): void {
  if (from.others !== to.others) undecided('figures of other repositories changed meanwhile');
}
