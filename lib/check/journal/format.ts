/** The format of a journal file: a header, then a line for everything that happens to an entry. */
import { createHash } from 'node:crypto';
import { isJsonObject } from '../../model/json.ts';
import { isProcessMark, type ProcessMark } from './process.ts';

export const FORMAT = 'api-conformance journal 2';

/** Identifies a service of a target: where it is, and which accounts are used there. Holds no secret. */
export interface ServiceIdentity {
  baseUrl: string;
  /** The accounts by role: the client id, or the keyed digest of a token (`StateFolder.digest`). */
  accounts: Record<string, string>;
}

/** The first line. */
export interface JournalHeader {
  format: typeof FORMAT;
  /** Id of the run. */
  run: string;
  /** When it began, ISO 8601. */
  at: string;
  /** Name of the target in the configuration, for human readers only. */
  target: string;
  owner: ProcessMark;
  /** The mark that everything carries which the run makes. */
  mark: string;
  services: Record<string, ServiceIdentity>;
}

/** Something to be undone: `kind` says how, and `detail` what. It never holds a secret. */
export interface JournalEntry {
  n: number;
  /** The name of the service, a dot, and the kind of thing. */
  kind: string;
  /** The role of the account that made it. */
  account: string;
  /** The mark that it carries. */
  mark: string;
  detail: Record<string, unknown>;
}

/** One line after the header. */
export type Line =
  | ({ do: 'open' } & JournalEntry)
  | { do: 'note'; n: number; detail: Record<string, unknown> }
  | { do: 'done'; n: number };

/**
 * Returns the mark of a run: lower-case letters and digits, from 65 bits of a digest of its random id, so
 * that nothing else carries it by chance.
 */
export function markOfRun(run: string): string {
  const bytes = createHash('sha256').update(run).digest();
  const letters = [...bytes.subarray(0, 13)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return `cf${letters.join('')}`;
}

/** 32 characters, none of them easily mistaken for another. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Returns whether any text in a value contains a mark. A target may have changed the case of its letters. */
export function carries(value: unknown, mark: string): boolean {
  return JSON.stringify(value ?? null)
    .toLowerCase()
    .includes(mark);
}

/** Returns the name of the service that an entry belongs to. */
export function serviceOf({ kind }: { kind: string }): string {
  return kind.slice(0, kind.indexOf('.'));
}

/** Returns the header in the first line; `undefined` when it is not a header, or contradicts itself. */
export function headerIn(text: string): JournalHeader | undefined {
  const value = objectIn(text) as Partial<JournalHeader> | undefined;
  if (value?.format !== FORMAT || !isProcessMark(value.owner) || !isJsonObject(value.services))
    return undefined;
  const texts = [value.run, value.at, value.target, value.mark];
  if (!texts.every((each) => typeof each === 'string' && each !== '')) return undefined;
  // An empty or invented mark would match what others made, which would then be removed.
  if (value.mark !== markOfRun(value.run as string)) return undefined;
  const services = Object.values(value.services as Record<string, Partial<ServiceIdentity>>);
  const fits = services.every(
    ({ baseUrl, accounts }) =>
      typeof baseUrl === 'string' &&
      isJsonObject(accounts) &&
      Object.values(accounts as object).every((each) => typeof each === 'string'),
  );
  return fits ? (value as JournalHeader) : undefined;
}

/** Returns the line in a text; `undefined` when it is no line of a journal, or does not fit the header. */
export function lineIn(text: string, header: JournalHeader): Line | undefined {
  const line = objectIn(text) as Partial<Extract<Line, { do: 'open' }>> | undefined;
  if (!Number.isInteger(line?.n) || (line?.n as number) < 1) return undefined;
  const { do: what, kind, account, mark, detail } = line as unknown as Record<string, unknown>;
  if (what === 'done') return line as unknown as Line;
  if (!isJsonObject(detail)) return undefined;
  if (what === 'note') return line as unknown as Line;
  if (what !== 'open' || typeof kind !== 'string' || typeof account !== 'string') return undefined;
  const { accounts } = header.services[serviceOf({ kind })] ?? {};
  return mark === header.mark && accounts && Object.hasOwn(accounts, account)
    ? (line as unknown as Line)
    : undefined;
}

function objectIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
