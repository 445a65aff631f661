/** Locks what only one process at a time may use: a folder of reports, a journal, a service's settings. */
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../../model/usage-error.ts';
import { isProcessMark, type ProcessMark, stateOf, thisProcess } from './process.ts';

/** Thrown when another process has the lock. */
export class TakenError extends UsageError {}

/** Name of the lock in the folder. */
const LOCK_FILE = '.conform.lock';

/**
 * Locks a folder for this process, and creates it if it is missing. See `lock`.
 *
 * @returns a function that releases the lock
 * @throws UsageError when another run has it, or when nothing can be written there
 */
export function lockFolder(folder: string): () => void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UsageError(`${folder}: cannot be made (${(error as Error).message})`);
  }
  return lock(join(folder, LOCK_FILE), `${folder}: another run writes there; name another folder with --out`);
}

/**
 * Creates a lock file, which only one process can have. A lock whose process has ended is taken over.
 *
 * @param taken says what another process has, and what to do; the beginning of the error message
 * @param isOver returns whether the user says that a process is over, since it may have run on another host
 * @returns a function that releases the lock
 * @throws TakenError when another process has it; UsageError when it cannot be created
 */
export function lock(
  file: string,
  taken: string,
  isOver: (mark: ProcessMark) => boolean = () => false,
): () => void {
  const own = `${file}.${randomUUID()}`;
  // The id tells this lock from any other one, even of this process.
  const text = JSON.stringify({ ...thisProcess(), id: randomUUID() });
  try {
    writeFileSync(own, text, { flag: 'wx' });
  } catch (error) {
    throw new UsageError(`${dirname(file)}: cannot be written to (${(error as Error).message})`);
  }
  try {
    for (let tries = 0; !linked(own, file); tries += 1) {
      const holder = holderOf(file);
      const isHeld = holder !== undefined && stateOf(holder.mark) !== 'ended' && !isOver(holder.mark);
      if (tries > 5 || isHeld) throw new TakenError(refusal(file, taken, holder?.mark));
      if (holder !== undefined) takeAway(file, holder.text);
    }
  } finally {
    rmSync(own, { force: true });
  }
  return () => {
    // Another process may have the lock by now, if it took this one for dead.
    if (holderOf(file)?.text === text) rmSync(file, { force: true });
  };
}

function refusal(file: string, taken: string, mark: ProcessMark | undefined): string {
  const where = mark && stateOf(mark) === 'unknown' ? ` on ${mark.host}` : '';
  const who = mark ? ` (process ${mark.pid}${where})` : '';
  return `${taken}${who}. If that process is over, remove ${file}`;
}

/**
 * Creates the lock by linking a file to its name, which fails if the name is taken. This is one step, so that
 * only one process can succeed.
 * @returns whether it succeeded
 */
function linked(own: string, file: string): boolean {
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new UsageError(`${file}: cannot be made (${(error as Error).message})`);
  }
}

/**
 * Returns who holds a lock; `undefined` when it is gone.
 * @throws UsageError for a file that is not the lock of a run
 */
function holderOf(file: string): { text: string; mark: ProcessMark } | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    const mark: unknown = JSON.parse(text);
    if (isProcessMark(mark)) return { text, mark };
  } catch {
    // It is no JSON, so it is not a lock of a run.
  }
  throw new UsageError(`${file}: not the lock of a run; remove it if nothing else needs it`);
}

/** Removes the lock of a process that has ended, unless another process has taken it over meanwhile. */
function takeAway(file: string, text: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  try {
    if (readFileSync(aside, 'utf8') !== text) linked(aside, file);
  } finally {
    rmSync(aside, { force: true });
  }
}
