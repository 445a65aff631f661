/** Decides how much of each body is recorded, so that the record of a run fits in memory. */
import { createHash } from 'node:crypto';
import type { RecordedBody } from '../model/results.ts';

/** How many bytes of one body are kept as text. A body of more bytes is a large one. */
const KEPT_BYTES = 64 * 1024;
/** Once the kept texts have this many characters together, only `KEPT_THEN` of each further body is kept. */
const KEPT_IN_ALL = 64 * 1024 * 1024;
const KEPT_THEN = 2 * 1024;
/**
 * Once the large bodies of a run have this many bytes together, further ones are not read whole: what checks
 * keep of them stays in memory for the rest of the run.
 */
const LARGE_IN_ALL = 64 * 1024 * 1024;

/** The bodies that one run records. */
export class Evidence {
  #kept = 0;
  #large = 0;

  /** Returns a body as it is recorded: whole, or its beginning with a digest of all of it. */
  of(text: string, bytes: number): RecordedBody {
    const most = this.#kept < KEPT_IN_ALL ? KEPT_BYTES : KEPT_THEN;
    if (bytes > KEPT_BYTES) this.#large += bytes;
    if (text.length <= most) {
      this.#kept += text.length;
      return { text, bytes };
    }
    this.#kept += most;
    return { text: copyOf(text.slice(0, most)), bytes, cut: true, sha256: digestOf(text) };
  }

  /** How many bytes of the next body are read at most; `undefined` means the limit of the transport. */
  get mostBytes(): number | undefined {
    return this.#large > LARGE_IN_ALL ? KEPT_BYTES : undefined;
  }
}

/** Copies a part of a string, since a slice would keep the whole string in memory. */
function copyOf(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
