/** What the services contribute to undoing what a run made, and how they identify a target. */
import type { ServiceCleanup } from '../check/cleanup.ts';
import { FORMAT, type JournalHeader, markOfRun, type ServiceIdentity } from '../check/journal/format.ts';
import type { JournalPlace } from '../check/journal/journal.ts';
import { thisProcess } from '../check/journal/process.ts';
import type { StateFolder } from '../check/journal/state-folder.ts';
import { allServices } from '../check/services.ts';
import type { ResolvedTarget } from '../config/types.ts';

/** The cleanup of each service, by the service's name. */
export type Cleanups = ReadonlyMap<string, ServiceCleanup>;

/** The `cleanup` of every service that has one. */
export async function loadCleanups(): Promise<Cleanups> {
  const cleanups = new Map<string, ServiceCleanup>();
  for (const service of allServices()) {
    const cleanup = await service.cleanup?.();
    if (cleanup) cleanups.set(service.name, cleanup);
  }
  return cleanups;
}

/** The address and accounts that identify a target, by service. */
export type Identity = Record<string, ServiceIdentity>;

/** Returns the identity of a target for each of the services that it has. */
export function identityOf(target: ResolvedTarget, cleanups: Cleanups, state: StateFolder): Identity {
  const identity: Identity = {};
  for (const [service, cleanup] of cleanups) {
    const own = cleanup.identify(target, state.digest);
    if (own) identity[service] = { ...own, baseUrl: own.baseUrl.replace(/\/+$/, '') };
  }
  return identity;
}

/** Returns where the journal of a run against a target is kept, and the header that it begins with. */
export function placeFor(
  run: string,
  target: ResolvedTarget,
  identity: Identity,
  state: StateFolder,
): JournalPlace {
  const header: JournalHeader = {
    format: FORMAT,
    run,
    at: new Date().toISOString(),
    target: target.name,
    owner: thisProcess(),
    mark: markOfRun(run),
    services: identity,
  };
  return { file: state.journalOf(run), header };
}

/**
 * Returns the role that the account of a journal entry has in the present configuration; `undefined` where
 * the entry belongs to another target.
 *
 * @param made the identity that the journal recorded
 * @param configured the identity by the present configuration
 * @param renewed whether the user says that a token that differs is a newer one of the same account
 */
export function roleFor(
  { service, account }: { service: string; account: string },
  made: Identity,
  configured: Identity,
  renewed: boolean,
): string | undefined {
  const [then, now] = [made[service], configured[service]];
  if (!then || !now || then.baseUrl !== now.baseUrl) return undefined;
  const role = Object.keys(now.accounts).find((key) => now.accounts[key] === then.accounts[account]);
  return role ?? (renewed && account === 'token' && account in now.accounts ? account : undefined);
}
