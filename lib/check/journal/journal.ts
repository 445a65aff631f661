/**
 * Records what the run makes or changes on the target. It is on disk before the request is sent (DESIGN
 * section 7), so that an interrupted run can be cleaned up later with `conform clean`. Each run has one file.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Undecided } from '../../model/verdict.ts';
import { headerIn, type JournalEntry, type JournalHeader, type Line, lineIn } from './format.ts';

export type { JournalEntry, JournalHeader } from './format.ts';

/** The path of a run's journal, and its first line; plain data. */
export interface JournalPlace {
  file: string;
  header: JournalHeader;
}

/** Options of a new entry. */
export interface Opening {
  /** The role of the account that makes it. */
  account: string;
  /**
   * False where an entry that is open already covers it, so that this one need not survive a power failure;
   * it survives the end of the process in any case.
   */
  sync?: boolean;
}

/** Writes a journal file, which is created with the first entry. Without a place it only counts. */
export class Journal {
  readonly #place: JournalPlace | undefined;
  readonly #mark: string;
  readonly #redact: (detail: Record<string, unknown>) => Record<string, unknown>;
  /** How many notes each open entry has. */
  readonly #open = new Map<number, number>();
  #n = 0;
  #fd: number | undefined;
  #problem: string | undefined;

  /** @param redact takes secrets out of what is written: a target may put them into ids and names */
  constructor(
    place: JournalPlace | undefined,
    redact: (detail: Record<string, unknown>) => Record<string, unknown> = (detail) => detail,
  ) {
    this.#place = place;
    this.#redact = redact;
    this.#mark = place?.header.mark ?? '';
  }

  /** About how many requests it takes to undo what is open: one for each entry, and for each further thing noted in it. */
  get pending(): number {
    let sum = 0;
    for (const notes of this.#open.values()) sum += Math.max(1, notes);
    return sum;
  }

  /**
   * Records what is about to be made or changed.
   * @returns the number to close the entry with
   * @throws Undecided when it cannot be written: then the request must not be sent
   */
  open(kind: string, detail: Record<string, unknown>, { account, sync = true }: Opening): number {
    this.#require(() => this.#start());
    const n = this.#n + 1;
    const line: Line = { do: 'open', n, kind, account, mark: this.#mark, detail: this.#redact(detail) };
    this.#require(() => this.#write(line, sync));
    this.#n = n;
    this.#open.set(n, 0);
    return n;
  }

  /**
   * Adds to an entry what is known only afterwards, such as the id that the target gave.
   * @param sync it is about something that is yet to be sent
   * @throws Undecided when it cannot be written and `sync` is set
   */
  note(n: number, detail: Record<string, unknown>, sync = false): void {
    const write = () => this.#write({ do: 'note', n, detail: this.#redact(detail) }, sync);
    if (sync) this.#require(write);
    else this.#attempt(write);
    this.#open.set(n, (this.#open.get(n) ?? 0) + 1);
  }

  /** Records that nothing of an entry is left to undo. */
  done(n: number): void {
    this.#attempt(() => this.#write({ do: 'done', n }, false));
    this.#open.delete(n);
  }

  /**
   * Closes the file.
   * @returns a sentence about what could not be written to it, if there was anything
   */
  close(): string[] {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    return this.#problem === undefined ? [] : [this.#problem];
  }

  /** Does something with the file, and returns the error of the system, such as a full disk. */
  #attempt(work: () => void): Error | undefined {
    try {
      work();
      return undefined;
    } catch (error) {
      const { message } = error as Error;
      this.#problem ??= `the journal could not be written (${message}), so it does not tell everything that the run made: ${this.#place?.file}`;
      return error as Error;
    }
  }

  #require(work: () => void): void {
    const error = this.#attempt(work);
    if (error)
      throw new Undecided(
        `nothing is made or changed that the journal cannot tell of: it could not be written (${error.message})`,
      );
  }

  /** Synchronous on purpose: the line has to be on disk before the request leaves. */
  #write(line: Line, sync: boolean): void {
    this.#start();
    if (this.#fd === undefined) return;
    append(this.#fd, `${JSON.stringify(line)}\n`);
    if (sync) fsyncSync(this.#fd);
  }

  /** Creates the file, or continues one: after its last number, and without a last line that was cut off. */
  #start(): void {
    if (!this.#place || this.#fd !== undefined) return;
    const { file, header } = this.#place;
    const fd = openSync(file, 'a+', 0o600);
    const text = readFileSync(file, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    try {
      if (whole !== text) ftruncateSync(fd, Buffer.byteLength(whole));
      if (whole === '') {
        append(fd, `${JSON.stringify(header)}\n`);
        syncFolder(dirname(file));
      }
    } catch (error) {
      closeSync(fd);
      if (whole === '') rmSync(file, { force: true });
      throw error;
    }
    this.#fd = fd;
    for (const line of whole.split('\n').slice(1))
      this.#n = Math.max(this.#n, (line && lineIn(line, header)?.n) || 0);
  }
}

/** Writes all of a text at the end of a file, or nothing: a disk may become full in the middle of a line. */
function append(fd: number, text: string): void {
  const { size } = fstatSync(fd);
  try {
    writeFileSync(fd, text);
  } catch (error) {
    ftruncateSync(fd, size);
    throw error;
  }
}

/** Writes a folder to disk. Without this, a new file in it may be gone after a power failure. */
function syncFolder(folder: string): void {
  let fd: number | undefined;
  try {
    fd = openSync(folder, 'r');
    fsyncSync(fd);
  } catch {
    // Not every system can open a folder.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** The contents of a journal file. */
export interface Recorded {
  file: string;
  /** `undefined` when the first line is not a header: then nobody knows where the entries belong. */
  header: JournalHeader | undefined;
  /** What is still to be undone, newest first. */
  open: JournalEntry[];
  /** How many lines could not be read, or do not fit the header or the lines before them. */
  damaged: number;
}

/**
 * Reads a journal. A last line that was cut off is no damage: what it announced was not sent, and an entry
 * that it closed is only examined again.
 *
 * @returns `undefined` when there is nothing in the file, or no file
 */
export function readJournal(file: string): Recorded | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const [first, ...rest] = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
  if (first === undefined) return undefined;
  const header = headerIn(first);
  if (!header) return { file, header, open: [], damaged: rest.length + 1 };
  const entries = new Map<number, JournalEntry>();
  const opened = new Set<number>();
  let damaged = 0;
  for (const each of rest) {
    const line = lineIn(each, header);
    // A line about an entry that was never opened, or one that opens it a second time, shows that lines are
    // missing.
    if (!line || opened.has(line.n) === (line.do === 'open')) damaged += 1;
    else if (line.do === 'done') entries.delete(line.n);
    else if (line.do === 'note') Object.assign(entries.get(line.n)?.detail ?? {}, line.detail);
    else {
      opened.add(line.n);
      entries.set(line.n, entryIn(line));
    }
  }
  return { file, header, open: [...entries.values()].reverse(), damaged };
}

function entryIn({ n, kind, account, mark, detail }: JournalEntry): JournalEntry {
  return { n, kind, account, mark, detail: { ...detail } };
}
