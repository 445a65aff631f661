/** The user's own folder for what outlives a run: journals, locks, and the key that `digest` uses. */
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { stateFolder } from '../../config/state-folder.ts';
import { requireOrdinary } from '../../model/ordinary-folder.ts';
import { UsageError } from '../../model/usage-error.ts';

/** See the module comment. Only the user can read and write it. */
export class StateFolder {
  readonly #folder: string;
  #key: Buffer | undefined;

  /** @throws UsageError when the folder cannot be created, or belongs to another user */
  constructor(folder = stateFolder()) {
    this.#folder = folder;
    requirePrivate(folder);
    requirePrivate(this.#journals);
  }

  get #journals(): string {
    return join(this.#folder, 'journals');
  }

  /**
   * Writes a file as large as journals are, and removes it.
   * @throws UsageError where that does not work, because the disk is full, for example
   */
  requireSpace(): void {
    const probe = join(this.#journals, `writable-${process.pid}.lock`);
    try {
      writeFileSync(probe, 'x'.repeat(PROBE_BYTES));
    } catch (error) {
      throw unusable(this.#journals, error);
    } finally {
      rmSync(probe, { force: true });
    }
  }

  /** Returns the path of a run's journal. */
  journalOf(run: string): string {
    return join(this.#journals, `${run}.jsonl`);
  }

  /** Returns the paths of all journals that are not closed. */
  journals(): string[] {
    return readdirSync(this.#journals)
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .map((name) => join(this.#journals, name));
  }

  /**
   * Returns the path of the lock for the settings of a service. A run that changes them remembers what they
   * were, so two runs may not do it at once.
   */
  settingsLock(service: string, baseUrl: string): string {
    const folder = join(this.#folder, 'locks');
    requirePrivate(folder);
    const url = URL.canParse(baseUrl) ? new URL(baseUrl).href.replace(/\/+$/, '') : baseUrl;
    return join(
      folder,
      `${createHash('sha256').update(`${service} ${url}`).digest('hex').slice(0, 32)}.lock`,
    );
  }

  /**
   * Moves a damaged journal to where it is kept and not read again.
   * @returns the new path
   */
  keepDamaged(file: string): string {
    const folder = join(this.#folder, 'damaged');
    requirePrivate(folder);
    const kept = join(folder, basename(file));
    renameSync(file, kept);
    return kept;
  }

  /** Returns a digest by which secrets can be compared and not read. It takes the key in this folder. */
  digest = (secret: string): string => {
    this.#key ??= keyIn(join(this.#folder, 'key'));
    return createHmac('sha256', this.#key).update(secret).digest('hex').slice(0, 32);
  };
}

/** Returns the key in a file, and creates it where there is none. */
function keyIn(file: string): Buffer {
  if (!existsSync(file)) createKey(file);
  const key = Buffer.from(readFileSync(file, 'utf8'), 'hex');
  if (key.length !== 32) throw new UsageError(`${file}: not a key of 32 bytes; remove it to get a new one`);
  return key;
}

/** Creates a key in one step, so that a run that starts at the same time reads all of it, or creates it itself. */
function createKey(file: string): void {
  const own = `${file}.${randomUUID()}`;
  try {
    writeFileSync(own, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
    linkSync(own, file);
  } catch (error) {
    // Another run was faster.
    if (!existsSync(file)) throw new UsageError(`${file}: cannot be written (${(error as Error).message})`);
  } finally {
    rmSync(own, { force: true });
  }
}

/** Longer than the journals of most runs. */
const PROBE_BYTES = 256 << 10;

/** The names of what is kept in the folder and in those below it. */
const OWN_NAMES =
  /^(key(\.[\w-]+)?|journals|damaged|locks|trusted-folders\.json|[\w-]+\.(jsonl|lock)(\.[\w.-]+)?)$/;

function requirePrivate(folder: string): void {
  try {
    requireOrdinary(folder);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // If it is a symbolic link, both the link and the folder that it leads to must be the user's own.
    const [link, { uid, mode }] = [lstatSync(folder), statSync(folder)];
    // On systems other than POSIX, the user id means nothing.
    const own = process.getuid?.() ?? uid;
    if (uid !== own || (process.getuid !== undefined && link.uid !== own))
      throw new Error('it belongs to another user');
    if ((mode & 0o077) === 0) return;
    if (readdirSync(folder).every((name) => OWN_NAMES.test(name))) chmodSync(folder, 0o700);
    // A folder that others use as well, such as /tmp, is not made private.
    else if ((mode & 0o022) !== 0) throw new Error('others may write there, and it holds other things');
  } catch (error) {
    throw unusable(folder, error);
  }
}

function unusable(folder: string, error: unknown): UsageError {
  return new UsageError(
    `${folder}: the journal of what a run makes cannot be kept there (${(error as Error).message}); name a folder of your own in CONFORM_STATE_DIR`,
  );
}
