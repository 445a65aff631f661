/**
 * Requests and answers that stay within the process. The platform's own classes support streams and transfer
 * between threads, so that creating them takes longer than answering, and a proof makes millions of them.
 * These have only the members that the reference and the filters use.
 */

type HeadersInit = Iterable<readonly [string, string]> | Record<string, string | undefined>;
type Content = string | Uint8Array | ArrayBuffer | null | undefined;

/** Headers by name in lower case. The values of a repeated name are joined, except for cookies. */
class LightHeaders {
  readonly #values: Map<string, string>;
  /** Each `set-cookie`, which are joined in `#values`. */
  #cookies: readonly string[] = [];

  constructor(init: HeadersInit = []) {
    if (init instanceof LightHeaders) {
      this.#values = new Map(init.#values);
      this.#cookies = init.#cookies;
      return;
    }
    this.#values = new Map();
    const pairs =
      Symbol.iterator in init ? (init as Iterable<readonly [string, string]>) : Object.entries(init);
    for (const [name, value] of pairs) if (value !== undefined) this.append(name, value);
  }

  append(name: string, value: string): void {
    const key = name.toLowerCase();
    const text = String(value).trim();
    const known = this.#values.get(key);
    this.#values.set(key, known === undefined ? text : `${known}, ${text}`);
    if (key === 'set-cookie') this.#cookies = [...this.#cookies, text];
  }

  set(name: string, value: string): void {
    this.delete(name);
    this.append(name, value);
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  delete(name: string): void {
    const key = name.toLowerCase();
    this.#values.delete(key);
    if (key === 'set-cookie') this.#cookies = [];
  }

  forEach(visit: (value: string, name: string) => void): void {
    for (const [name, value] of this) visit(value, name);
  }

  entries(): IterableIterator<[string, string]> {
    return this[Symbol.iterator]();
  }

  keys(): IterableIterator<string> {
    return this.#pairs()
      .map(([name]) => name)
      .values();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#pairs().values();
  }

  /** Returns the headers sorted by name. */
  #pairs(): [string, string][] {
    const pairs = [...this.#values];
    if (pairs.length > 1) pairs.sort(([a], [b]) => (a < b ? -1 : 1));
    if (this.#cookies.length < 2) return pairs;
    return pairs.flatMap(([name, value]): [string, string][] =>
      name === 'set-cookie' ? this.#cookies.map((each) => [name, each]) : [[name, value]],
    );
  }
}

function textOf(content: Content): string {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  return content instanceof Uint8Array
    ? Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('utf8')
    : Buffer.from(content).toString('utf8');
}

/** A whole body, which is text in UTF-8 and can be read only once, like the platform's. */
class Body {
  readonly headers: LightHeaders;
  protected readonly content: string;
  #used = false;

  constructor(content: string, headers: HeadersInit | undefined) {
    this.content = content;
    this.headers = new LightHeaders(headers);
  }

  get bodyUsed(): boolean {
    return this.#used;
  }

  async text(): Promise<string> {
    if (this.#used) throw new TypeError('Body is unusable: Body has already been read');
    this.#used = true;
    return this.content;
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async arrayBuffer(): Promise<Buffer> {
    return Buffer.from(await this.text());
  }
}

/** A request that exists only in memory. */
class LightRequest extends Body {
  readonly url: string;
  readonly method: string;

  constructor(url: string, method: string, headers: HeadersInit, content: string) {
    super(content, headers);
    this.url = url;
    this.method = method;
  }

  clone(): LightRequest {
    if (this.bodyUsed) throw new TypeError('unusable');
    return new LightRequest(this.url, this.method, this.headers, this.content);
  }
}

/** Statuses that cannot carry a body (Fetch, null body status). */
const BODILESS = [101, 103, 204, 205, 304];

/** An answer that exists only in memory. */
class LightResponse extends Body {
  readonly status: number;

  constructor(
    content?: Content,
    init: { status?: number; headers?: HeadersInit } = {},
    type = 'text/plain;charset=UTF-8',
  ) {
    const { status = 200, headers } = init;
    const bodiless = content === null || content === undefined;
    if (!bodiless && BODILESS.includes(status)) {
      throw new TypeError(`Response constructor: Invalid response status code ${status}`);
    }
    super(textOf(content), headers);
    if (typeof content === 'string' && !this.headers.has('content-type')) {
      this.headers.set('content-type', type);
    }
    this.status = status;
  }

  static json(value: unknown, init: { status?: number; headers?: HeadersInit } = {}): LightResponse {
    const content = JSON.stringify(value);
    if (content === undefined) throw new TypeError('The data is not JSON serializable');
    return new LightResponse(content, init, 'application/json');
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get body(): string | null {
    return this.content === '' ? null : this.content;
  }

  clone(): LightResponse {
    if (this.bodyUsed) throw new TypeError('unusable');
    const copy = new LightResponse(null, this);
    return Object.assign(copy, { content: this.content });
  }
}

/** From now on, the reference creates answers in memory in this thread instead of the platform's Response. */
export function useLightResponses(): void {
  globalThis.Response = LightResponse as unknown as typeof Response;
}

/** Creates a request with a body, which may be empty. No content type is added for it. */
export function lightRequest(url: string, method: string, headers: HeadersInit, content: Content): Request {
  return new LightRequest(url, method, headers, textOf(content)) as unknown as Request;
}
