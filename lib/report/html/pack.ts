/**
 * Compresses the page's blocks of data, so that a page with every exchange of a run stays small. The script
 * of the page unfolds them with `DecompressionStream` when something in them is looked at.
 */
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import type { BodyView, ExchangeView, HeaderView, Segment } from './evidence.ts';

const deflate = promisify(deflateRaw);

/**
 * Returns data as base64 of its deflated JSON, which contains no markup. Other reports can be made meanwhile.
 */
export async function packed(data: unknown): Promise<string> {
  return (await deflate(JSON.stringify(data), { level: 9 })).toString('base64');
}

/** A segment of a body. Plain text is given as the numbers of the texts that it consists of. */
type PackedSegment = number[] | Exclude<Segment, string>;

interface PackedBody extends Omit<BodyView, 'segments'> {
  segments: PackedSegment[];
}

/**
 * An exchange whose texts and headers are numbers. The block
 * holds each text once, however many exchanges have it.
 */
interface PackedExchange
  extends Omit<ExchangeView, 'requestHeaders' | 'responseHeaders' | 'requestBody' | 'responseBody'> {
  requestHeaders: number[];
  responseHeaders: number[];
  requestBody?: PackedBody;
  responseBody?: PackedBody;
}

/** Gives equal values the same number. */
class Table<T> {
  readonly values: T[] = [];
  readonly #numbers = new Map<T | string, number>();

  number(value: T): number {
    // Looked up by identity first, then by content, which takes longer.
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    const key = typeof value === 'string' ? value : JSON.stringify(value);
    const number = this.#numbers.get(key) ?? this.values.push(value) - 1;
    this.#numbers.set(key, number);
    this.#numbers.set(value, number);
    return number;
  }
}

/**
 * Collects exchanges for the page. Bodies are split after each object and array: a server shows the same ones
 * again and again, but further apart than a compressor looks back.
 */
export class EvidenceBlock {
  readonly #texts = new Table<string>();
  readonly #headers = new Table<HeaderView>();
  readonly #bodies = new Map<BodyView, PackedBody>();
  readonly #exchanges: Record<string, PackedExchange> = {};

  add(view: ExchangeView): void {
    const { requestHeaders, responseHeaders, requestBody, responseBody, ...rest } = view;
    this.#exchanges[view.id] = {
      ...rest,
      requestHeaders: requestHeaders.map((header) => this.#headers.number(header)),
      responseHeaders: responseHeaders.map((header) => this.#headers.number(header)),
      ...(requestBody && { requestBody: this.#body(requestBody) }),
      ...(responseBody && { responseBody: this.#body(responseBody) }),
    };
  }

  /** Returns everything that was added, in the form of `packed`. */
  packed(): Promise<string> {
    return packed({
      texts: this.#texts.values,
      headers: this.#headers.values,
      exchanges: this.#exchanges,
    });
  }

  #body(body: BodyView): PackedBody {
    const known = this.#bodies.get(body);
    if (known) return known;
    const segments = body.segments.map((segment) =>
      typeof segment === 'string' ? partsOf(segment).map((part) => this.#texts.number(part)) : segment,
    );
    const packed = { ...body, segments };
    this.#bodies.set(body, packed);
    return packed;
  }
}

/** Splits a text into parts, each up to the end of a line on which an object or an array ends. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const end of text.matchAll(/^ *[}\]],?\n/gm)) {
    parts.push(text.slice(start, end.index + end[0].length));
    start = end.index + end[0].length;
  }
  if (start < text.length) parts.push(text.slice(start));
  return parts;
}
