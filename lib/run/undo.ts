/**
 * Undoes what journals say that runs made: right after the run, before the next one, or with `conform clean`.
 */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Undoer } from '../check/cleanup.ts';
import { ForeignThing } from '../check/journal/foreign-thing.ts';
import { type JournalEntry, type JournalHeader, serviceOf } from '../check/journal/format.ts';
import { Journal, type Recorded, readJournal } from '../check/journal/journal.ts';
import { lock, TakenError } from '../check/journal/lock.ts';
import { type ProcessMark, stateOf } from '../check/journal/process.ts';
import type { StateFolder } from '../check/journal/state-folder.ts';
import { within } from '../check/open-transport.ts';
import { CLEANING_LIMIT_MS, Session } from '../check/session.ts';
import type { ResolvedTarget, RunOptions } from '../config/types.ts';
import { messageOf } from '../model/message-of.ts';
import { UsageError } from '../model/usage-error.ts';
import { type Cleanups, type Identity, identityOf, roleFor } from './cleanups.ts';
import type { SettingsLocks } from './settings-lock.ts';

/** The outcome of undoing. */
export interface Undone {
  /** How many entries were undone completely. */
  undone: number;
  /** What is left or in doubt, a sentence each. */
  left: string[];
  /** What is left because undoing it takes an effect that is off, a sentence each. */
  withheld: string[];
  /** What stays because nothing can take it back, a sentence each. */
  stays: string[];
  /** Journals that belong to another target, or that must not be touched, a sentence each. */
  others: string[];
  /** Whether something was found that the run did not make. Then nothing further is undone. */
  stopped: boolean;
}

/** What undoing works with. */
export interface Undoing {
  target: ResolvedTarget;
  options: RunOptions;
  cleanups: Cleanups;
  state: StateFolder;
  /**
   * The locks on settings that this process holds. Settings that another process has locked are not undone.
   */
  locks: SettingsLocks;
  /**
   * Whether the user says that a token that differs from the recorded one is a newer one of the same account.
   */
  renewedToken?: boolean;
  /** Only the journal of the run with this id is undone, which the user says is over. */
  onlyRun?: string;
  /** The id of the run that is under way. Its preflight may have begun its journal, which is left alone. */
  ownRun?: string;
  /** The time in milliseconds after which the rest is left as it is; see `CLEANING_LIMIT_MS`. */
  limitMs?: number;
}

/**
 * Undoes what earlier runs left on a target. Runs that are
 * still under way, and those of other targets, are passed over.
 */
export async function undoEarlier(undoing: Undoing): Promise<Undone> {
  const sum = nothing();
  for (const file of undoing.state.journals()) {
    let journal: Recorded | undefined;
    try {
      journal = readJournal(file);
    } catch (error) {
      sum.left.push(`a journal cannot be read (${(error as Error).message})`);
    }
    if (!journal || (undoing.onlyRun !== undefined && journal.header?.run !== undoing.onlyRun)) continue;
    const { header } = journal;
    if (header !== undefined && header.run === undoing.ownRun) continue;
    if (!header) {
      const kept = undoing.state.keepDamaged(file);
      sum.left.push(
        `a journal has no header that can be read, so nobody knows where it belongs: kept as ${kept}`,
      );
      continue;
    }
    const state = stateOf(header.owner);
    const of = `run ${header.run} of target ${header.target}`;
    if (state === 'running') sum.others.push(`${of} goes on (process ${header.owner.pid})`);
    else if (state === 'unknown' && undoing.onlyRun === undefined)
      sum.others.push(
        `${of} was on host ${header.owner.host}; if it is over, conform clean --run ${header.run}`,
      );
    else add(sum, await alone(journal, undoing));
    if (sum.stopped) break;
  }
  return sum;
}

/**
 * Undoes what a run itself left, right after it; where the run put everything back, there is nothing to do.
 */
export async function undoOwn(file: string, undoing: Undoing): Promise<Undone> {
  const journal = readJournal(file);
  return journal?.header ? undoJournal(journal, undoing, false) : nothing();
}

function nothing(): Undone {
  return { undone: 0, left: [], withheld: [], stays: [], others: [], stopped: false };
}

function add(sum: Undone, more: Undone): void {
  sum.undone += more.undone;
  sum.stopped ||= more.stopped;
  for (const key of ['left', 'withheld', 'stays', 'others'] as const) sum[key].push(...more[key]);
}

/** Undoes a journal under a lock, so that no other process does the same. */
async function alone({ file }: Recorded, undoing: Undoing): Promise<Undone> {
  let unlock: () => void;
  try {
    unlock = lock(`${file}.lock`, `${file}: another process is undoing this journal`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { ...nothing(), [error instanceof TakenError ? 'others' : 'left']: [error.message] };
  }
  try {
    // Another process may have finished with it in the meantime.
    const journal = readJournal(file);
    return journal?.header ? await undoJournal(journal, undoing, true) : nothing();
  } finally {
    unlock();
  }
}

async function undoJournal(journal: Recorded, undoing: Undoing, later: boolean): Promise<Undone> {
  const header = journal.header!;
  const result = nothing();
  const identity = identityOf(undoing.target, undoing.cleanups, undoing.state);
  const of = (entry: JournalEntry) => ({ service: serviceOf(entry), account: entry.account });
  const role = (entry: JournalEntry) =>
    roleFor(of(entry), header.services, identity, undoing.renewedToken === true);
  const own = journal.open.filter((entry) => role(entry) !== undefined);
  const foreign = journal.open.filter((entry) => role(entry) === undefined);
  if (foreign.length > 0) {
    const hint = foreign.some((entry) => roleFor(of(entry), header.services, identity, true))
      ? '; if only the token of the same account was renewed, conform clean --renewed-token undoes them'
      : '';
    result.others.push(`${whose(journal, foreign.length, identity)}${hint}`);
  }

  const groups = groupsOf(own, undoing.cleanups, (entry) => role(entry)!);
  if (groups.length > 0) await undoGroups(groups, journal, undoing, later, result);
  const rest = readJournal(journal.file);
  if (journal.damaged > 0) {
    const kept = rest && rest.open.length > 0 ? journal.file : undoing.state.keepDamaged(journal.file);
    result.left.push(
      `${journal.damaged} lines of the journal cannot be read, so what they told of may be left: kept as ${kept}`,
    );
  } else if (rest && rest.open.length === 0) rmSync(journal.file, { force: true });
  return result;
}

/** Entries that are undone together: of one kind, made by one account. */
interface Group {
  kind: string;
  account: string;
  undoer: Undoer | undefined;
  entries: JournalEntry[];
}

/** Groups entries, in the order in which the services want their kinds to be undone. */
function groupsOf(
  entries: readonly JournalEntry[],
  cleanups: Cleanups,
  role: (entry: JournalEntry) => string,
): Group[] {
  const undoers = [...cleanups.values()].flatMap((cleanup) => Object.entries(cleanup.undoers));
  const kinds = [...new Set([...undoers.map(([kind]) => kind), ...entries.map(({ kind }) => kind)])];
  const groups: Group[] = [];
  for (const kind of kinds) {
    const same = entries.filter((entry) => entry.kind === kind);
    for (const account of new Set(same.map(role))) {
      const undoer = undoers.find(([name]) => name === kind)?.[1];
      groups.push({ kind, account, undoer, entries: same.filter((entry) => role(entry) === account) });
    }
  }
  return groups;
}

async function undoGroups(
  groups: readonly Group[],
  { file, header }: Recorded,
  undoing: Undoing,
  later: boolean,
  result: Undone,
): Promise<void> {
  const { target, options, locks, limitMs = CLEANING_LIMIT_MS } = undoing;
  const session = await Session.open({ runId: randomUUID(), target, options });
  session.http.beginUndoing();
  const journal = new Journal({ file, header: header! });
  const open = new Set(groups.flatMap(({ entries }) => entries));
  const done = (entry: JournalEntry) => {
    if (!open.delete(entry)) return;
    journal.done(entry.n);
    result.undone += 1;
  };
  const all = async () => {
    for (const { kind, account, undoer, entries } of groups) {
      const problem = refusal(kind, undoer, options);
      if (problem !== undefined) {
        result[undoer ? 'withheld' : 'left'].push(
          `${entries.length} entries of the journal (${kind}): ${problem}`,
        );
        continue;
      }
      const stays = (sentence: string) => void result.stays.push(sentence);
      let free = () => {};
      try {
        const service = serviceOf({ kind });
        if (undoer!.effect === 'settings')
          free = locks.take(service, header!.services[service]!.baseUrl, (mark) =>
            isOver(mark, undoing, header!),
          );
        const context = { session, header: header!, account, later, done, stays };
        const left = await undoer!.undo(entries, context);
        // Entries of two kinds may lead to the same thing, and to the same sentence about it.
        result.left.push(...left.filter((each) => !result.left.includes(each)));
      } catch (error) {
        result.left.push(messageOf(error));
        if (error instanceof ForeignThing) {
          result.stopped = true;
          return;
        }
      } finally {
        free();
      }
    }
  };
  if (!(await within(limitMs, all())))
    result.left.push(`given up after ${Math.round(limitMs / 1000)} s, with ${open.size} entries left`);
  await session.close();
  result.left.push(...journal.close());
}

/** Whether a process is the one whose run the user says is over. */
function isOver(mark: ProcessMark, { onlyRun }: Undoing, { run, owner }: JournalHeader): boolean {
  return run === onlyRun && isDeepStrictEqual({ ...owner, id: '' }, { ...mark, id: '' });
}

/** Returns why entries of a kind are not undone; undefined where they are. */
function refusal(kind: string, undoer: Undoer | undefined, options: RunOptions): string | undefined {
  if (!undoer) return `nothing here knows how to undo \`${kind}\``;
  if (undoer.effect === 'none' || options.effects.includes(undoer.effect)) return undefined;
  return `effects \`${undoer.effect}\` are off; conform clean --effects read,write,settings undoes them`;
}

/** Says whose a journal is, and how that target differs from the configured one. */
function whose({ header, file }: Recorded, count: number, configured: Identity): string {
  const { target, at, services } = header!;
  const places = Object.entries(services).map(([service, { baseUrl, accounts }]) => {
    const now = configured[service];
    if (now?.baseUrl === baseUrl) {
      const differs = Object.values(accounts).some((each) => !Object.values(now.accounts).includes(each));
      return differs ? `${service} at ${baseUrl} with another account` : undefined;
    }
    return `${service} at ${baseUrl}`;
  });
  const where = places.filter((each) => each !== undefined).join(', ');
  const [what, are] = count === 1 ? ['entry', 'is'] : ['entries', 'are'];
  return `${count} ${what} of a run of ${at.slice(0, 19)}Z ${are} another target's (${target}: ${where}) and ${are} left alone: ${file}`;
}
