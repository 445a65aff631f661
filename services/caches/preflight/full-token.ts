/**
 * Tries whether `caches.token` has every scope or permission of section 5. Where it is refused everything that
 * one of them opens to read, either it lacks that or the target refuses what it has to permit. Another token with
 * the same scope or permission that is refused as well shows the fault, and the checks tell it.
 */
import { EITHER, type PreflightFinding, refused, unclear } from '../../../lib/check/preflight/finding.ts';
import { permits } from '../judging/access-table.ts';
import { closedTo, type Scope } from '../vocabulary.ts';
import type { PermittedReads, Read } from './permitted-reads.ts';

/** How many endpoints have to refuse the token: a single one shows a lapse of the target. */
const FEWEST_READS = 2;
/** The most other tokens that are asked whether they are treated in the same way. */
const MOST_OTHERS = 6;

/** A scope that `caches.token` seems to lack. */
export interface Closed {
  scope: Scope;
  finding: PreflightFinding;
}

/**
 * Returns the scopes that `caches.token` seems to lack. Where it is refused something, places that are not tried may
 * show that it lacks their scopes.
 * @param isRefused whether it is refused a place
 */
export async function closedScopes(reads: PermittedReads, isRefused: boolean): Promise<Closed[]> {
  const closed = await whollyClosed(reads, reads.all);
  if (closed.length === 0 && (isRefused || (await isForbiddenAny(reads))))
    closed.push(...(await whollyClosed(reads, reads.untried)));
  return closed.length > 0 ? [...closed, ...(await partlyClosed(reads, closed))] : [];
}

/** Returns the scopes of which the token is refused every read. */
async function whollyClosed(reads: PermittedReads, among: readonly Read[]): Promise<Closed[]> {
  const closed: Closed[] = [];
  for (const scope of new Set(among.map(({ row }) => row.scope))) {
    const opened = among.filter(({ row }) => row.scope === scope);
    if (opened.length < FEWEST_READS || !(await isForbidden(reads, opened))) continue;
    if (!(await isSharedByOthers(reads, opened[0]!))) closed.push({ scope, finding: told(scope, opened) });
  }
  return closed;
}

/** Whether the token is refused the first read of a scope. */
async function isForbiddenAny(reads: PermittedReads): Promise<boolean> {
  for (const scope of new Set(reads.all.map(({ row }) => row.scope)))
    if (await isForbidden(reads, [reads.all.find(({ row }) => row.scope === scope)!])) return true;
  return false;
}

/**
 * Returns the further scopes of which the token is refused a single read: a permission may open only part of what a
 * scope opens. That counts only of a token that lacks other things for certain.
 */
async function partlyClosed(reads: PermittedReads, closed: readonly Closed[]): Promise<Closed[]> {
  const known = new Set(['repo', ...closed.map(({ scope }) => scope)]);
  const partly = new Map<Scope, Closed>();
  for (const read of reads.all) {
    const { scope } = read.row;
    if (known.has(scope) || !(await isForbidden(reads, [read])) || (await isSharedByOthers(reads, read)))
      continue;
    known.add(scope);
    partly.set(scope, { scope, finding: told(scope, [read]) });
  }
  return [...partly.values()];
}

/** Whether each of these reads is refused with 401 or 403: 404 may mean that there is no such place. */
async function isForbidden(reads: PermittedReads, opened: readonly Read[]): Promise<boolean> {
  for (const read of opened) {
    const answer = await reads.answerTo('full', read);
    if (answer?.status !== 401 && answer?.status !== 403) return false;
  }
  return true;
}

async function isSharedByOthers(reads: PermittedReads, read: Read): Promise<boolean> {
  const { tokens = [] } = reads.whole;
  const having = tokens.filter((token) => permits(token, read.row));
  for (const { token } of having.slice(0, MOST_OTHERS))
    if ((await reads.accessOf({ token }, read)) === 'refused') return true;
  return false;
}

function told(scope: Scope, opened: readonly Read[]): PreflightFinding {
  const names = opened.map(({ operation }) => operation.name).join(' and ');
  const message = `the target refuses \`caches.token\` ${names}, which \`${scope}\` or the permission in its place opens: look whether the token has it`;
  // Nearly every check lists caches, and what is made could not be found again.
  if (scope === 'repo') return refused(['caches.token'], `${message}; ${EITHER}`);
  return { ...unclear(['caches.token'], message), blocks: [closedTo(scope)] };
}
