/**
 * What the run made or changed on the target, on disk before the request is sent (DESIGN section 7),
 * so that an interrupted run can be cleaned up later with `conform clean`.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Something to be undone: `kind` says how, `detail` what. Never holds a secret. */
export interface JournalEntry {
  n: number;
  kind: string;
  detail: Record<string, unknown>;
}

type Line =
  | ({ do: 'open' } & JournalEntry)
  | { do: 'note'; n: number; detail: Record<string, unknown> }
  | { do: 'done'; n: number };

/** Append-only file of lines; without a file it only counts. */
export class Journal {
  readonly #file: string | undefined;
  readonly #redact: <T>(detail: T) => T;
  #n = 0;
  #started = false;

  /** @param redact takes the secrets out of what a target may have put into an id or a name */
  constructor(file: string | undefined, redact: <T>(detail: T) => T = (detail) => detail) {
    this.#file = file;
    this.#redact = redact;
  }

  /** Notes what is about to be made or changed. Returns the number to close it with. */
  open(kind: string, detail: Record<string, unknown>): number {
    this.#start();
    this.#n += 1;
    this.#write({ do: 'open', n: this.#n, kind, detail: this.#redact(detail) });
    return this.#n;
  }

  /** Adds what is known only afterwards, such as the id that the target gave. */
  note(n: number, detail: Record<string, unknown>): void {
    this.#write({ do: 'note', n, detail: this.#redact(detail) });
  }

  /** Notes that nothing is left to undo. */
  done(n: number): void {
    this.#write({ do: 'done', n });
  }

  close(): void {}

  #write(line: Line): void {
    if (!this.#file) return;
    this.#start();
    // Synchronous on purpose: the line has to be on disk before the request leaves.
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  /** Goes on where the file ends: with its numbers, and on a line of its own where the last one was cut short. */
  #start(): void {
    if (!this.#file || this.#started) return;
    this.#started = true;
    mkdirSync(dirname(this.#file), { recursive: true });
    if (!existsSync(this.#file)) return;
    const text = readFileSync(this.#file, 'utf8');
    if (text !== '' && !text.endsWith('\n')) appendFileSync(this.#file, '\n');
    this.#n = text.split('\n').reduce((most, line) => Math.max(most, parse(line)?.n ?? 0), 0);
  }
}

/** What a journal says is still to be undone, newest first. A last line cut short is ignored. */
export function openEntries(file: string): JournalEntry[] {
  if (!existsSync(file)) return [];
  const entries = new Map<number, JournalEntry>();
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    const line = parse(text);
    if (!line) continue;
    if (line.do === 'open') entries.set(line.n, { n: line.n, kind: line.kind, detail: line.detail });
    else if (line.do === 'done') entries.delete(line.n);
    else Object.assign(entries.get(line.n)?.detail ?? {}, line.detail);
  }
  return [...entries.values()].reverse();
}

function parse(text: string): Line | undefined {
  try {
    return text ? (JSON.parse(text) as Line) : undefined;
  } catch {
    return undefined;
  }
}
