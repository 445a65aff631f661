/** Random values for ids, keys and tokens. A proof can make them repeatable. */
import { randomBytes as bytesOfChance } from 'node:crypto';

type Draw = (size: number) => Buffer;

let draw: Draw = bytesOfChance;

/** Returns `size` random bytes. */
export function randomBytes(size: number): Buffer {
  return draw(size);
}

/** Returns a random UUID (RFC 9562 5.4, version 4). */
export function randomUUID(): string {
  const bytes = draw(16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * From now on, random values in this thread are a sequence that depends only on `number`; after undefined,
 * they are random again. This is for proofs only: ids and tokens become predictable.
 */
export function beginSequence(number: number | undefined): void {
  draw = number === undefined ? bytesOfChance : begun;
  next = number;
}

/** The number of the sequence that the next draw begins: most requests draw nothing. */
let next: number | undefined;

function begun(size: number): Buffer {
  draw = sequence(next as number);
  return draw(size);
}

/** Returns a source of bytes from the generator sfc32, with a seed. */
function sequence(number: number): Draw {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, number | 0, 1];
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum;
  };
  // The first numbers are similar for neighbouring seeds, so they are skipped.
  for (let i = 0; i < 16; i += 1) next();
  return (size) => {
    const bytes = Buffer.alloc(Math.ceil(size / 4) * 4);
    for (let at = 0; at < bytes.length; at += 4) bytes.writeInt32LE(next(), at);
    return bytes.subarray(0, size);
  };
}
