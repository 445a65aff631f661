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

  constructor(bytes: Buffer, headers: Init) {
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

/** A request with a body of any length, also none; no content type is added to it. */
export function lightRequest(url: string, method: string, headers: Init, bytes: Buffer): Request {
  return new LightRequest(url, method, headers, bytes) as unknown as Request;
}
