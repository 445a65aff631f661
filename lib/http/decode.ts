/** Decodes the bytes of a body to text: content codings (RFC 9110 8.4), then UTF-8, within limits of size. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import type { HeaderPair } from '../model/results.ts';

/** A body once it is decoded, as far as that was possible. */
export interface Decoded {
  text: string;
  /** Size of the decoded body. */
  bytes: number;
  /** Why `text` cannot be what the server meant to send; absent when nothing was wrong. */
  damage?: string;
}

type Decoder = (body: Buffer, options: ZlibOptions) => Buffer;

const DECODERS: Record<string, Decoder> = {
  identity: (body) => body,
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflate,
  br: brotliDecompressSync,
};

/** How many content codings one body may have. Nobody uses more, and each takes time to undo. */
const MOST_CODINGS = 3;

/**
 * Decodes a body. It never throws: a body that cannot be decoded is returned as far as it can be read, with
 * the reason in `damage`.
 * @param most how many bytes the decoded body may have
 */
export function decodeBody(body: Buffer, headers: HeaderPair[], most: number): Decoded {
  const codings = valuesOf(headers, 'content-encoding');
  // Answers to HEAD, and those with 204 or 304, may name the content codings of a body that is not sent.
  if (codings.length === 0 || body.length === 0) return asText(body, headers);
  const named = codings.join(', ');
  if (codings.length > MOST_CODINGS) return damaged(body, `its content codings are too many: ${named}`);
  let decoded = body;
  for (const coding of codings.reverse()) {
    const decode = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
    if (!decode) return damaged(body, `the suite does not know its content coding ${coding}`);
    try {
      decoded = decode(decoded, { maxOutputLength: most });
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      if (code === 'ERR_BUFFER_TOO_LARGE')
        return damaged(body, `it is larger than ${most} bytes once ${coding} is undone; not read further`);
      return damaged(body, `it is not what its content coding ${coding} says (${message})`);
    }
  }
  return asText(decoded, headers);
}

/** Decodes `deflate`: the zlib format (RFC 9110 8.4.1.2), or the raw deflate data that some servers send. */
function inflate(body: Buffer, options: ZlibOptions): Buffer {
  const isZlib = ((body[0] ?? 0) & 0x0f) === 8 && body.length > 1 && body.readUInt16BE(0) % 31 === 0;
  return isZlib ? inflateSync(body, options) : inflateRawSync(body, options);
}

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function asText(body: Buffer, headers: HeaderPair[]): Decoded {
  try {
    return { text: STRICT.decode(body), bytes: body.length };
  } catch {
    const [type = 'application/json'] = valuesOf(headers, 'content-type');
    // JSON is UTF-8 (RFC 8259 8.1). The text of an error page may be in another character set.
    if (!/json/.test(type)) return { text: body.toString('utf8'), bytes: body.length };
    return damaged(body, 'it is not valid UTF-8');
  }
}

function damaged(body: Buffer, why: string): Decoded {
  return { text: body.toString('utf8'), bytes: body.length, damage: why };
}

/** Returns the members of a list header, in lower case. */
function valuesOf(headers: HeaderPair[], name: string): string[] {
  return headers
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value.split(','))
    .map((value) => value.trim().toLowerCase())
    .filter((value) => value !== '');
}
