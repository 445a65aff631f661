/**
 * Requests and answers that never leave the process. The platform's own are made for streams and transfer
 * between threads, which takes longer than answering; a proof makes millions of them. These have the members
 * that the reference and the filters use, and no others.
 */

type Init = ConstructorParameters<typeof Headers>[0];

/** A whole body that can be read once, like the platform's. */
class Body {
  readonly headers: Headers;
  protected readonly bytes: Buffer;
  #used = false;

  constructor(bytes: Buffer, headers: Init | undefined) {
    this.bytes = bytes;
    this.headers = new Headers(headers);
  }

  get bodyUsed(): boolean {
    return this.#used;
  }

  #use(): Buffer {
    if (this.#used) throw new TypeError('Body is unusable: Body has already been read');
    this.#used = true;
    return this.bytes;
  }

  async text(): Promise<string> {
    return this.#use().toString('utf8');
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async arrayBuffer(): Promise<Buffer> {
    return this.#use();
  }
}

/** A request in memory. */
class LightRequest extends Body {
  readonly url: string;
  readonly method: string;

  constructor(url: string, method: string, headers: Init, bytes: Buffer) {
    super(bytes, headers);
    this.url = url;
    this.method = method;
  }

  clone(): LightRequest {
    if (this.bodyUsed) throw new TypeError('unusable');
    return new LightRequest(this.url, this.method, this.headers, this.bytes);
  }
}

type Content = string | Uint8Array | ArrayBuffer | null | undefined;

function bytesOf(content: Content): Buffer {
  if (content === null || content === undefined) return NOTHING;
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof Uint8Array
    ? Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    : Buffer.from(content);
}

const NOTHING = Buffer.alloc(0);
/** Statuses that cannot carry a body (Fetch, null body status). */
const BODILESS = [101, 103, 204, 205, 304];

/** An answer in memory. */
class LightResponse extends Body {
  readonly status: number;

  constructor(content?: Content, init: { status?: number; headers?: Init } = {}) {
    const { status = 200, headers } = init;
    const bodiless = content === null || content === undefined;
    if (!bodiless && BODILESS.includes(status)) {
      throw new TypeError(`Response constructor: Invalid response status code ${status}`);
    }
    super(bytesOf(content), headers);
    if (typeof content === 'string' && !this.headers.has('content-type')) {
      this.headers.set('content-type', 'text/plain;charset=UTF-8');
    }
    this.status = status;
  }

  static json(value: unknown, init: { status?: number; headers?: Init } = {}): LightResponse {
    const headers = new Headers(init.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    return new LightResponse(JSON.stringify(value), { status: init.status, headers });
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get body(): Buffer | null {
    return this.bytes.length === 0 ? null : this.bytes;
  }

  clone(): LightResponse {
    if (this.bodyUsed) throw new TypeError('unusable');
    return new LightResponse(this.bytes, this);
  }
}

/** Puts the answers in memory into the place of the platform's in this thread; what the reference makes is then one. */
export function useLightResponses(): void {
  globalThis.Response = LightResponse as unknown as typeof Response;
}

/** A request with a body of any length, also none; no content type is added to it. */
export function lightRequest(url: string, method: string, headers: Init, bytes: Buffer): Request {
  return new LightRequest(url, method, headers, bytes) as unknown as Request;
}
