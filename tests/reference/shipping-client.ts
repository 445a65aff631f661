/** A small client for the tests of the shipping reference: through the handler, on a clock that stands still. */
import { type Clock, manualClock } from '../../reference/kit/clock.ts';
import {
  type ClientApplication,
  createShipping,
  FIRST_CLIENT,
  type ShippingOptions,
} from '../../reference/shipping/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by the tests
export type Json = any;

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

export interface ShippingClient {
  clock: Clock;
  /** One request; a body that is no text is sent as JSON. */
  send(method: string, path: string, headers?: Record<string, string>, body?: unknown): Promise<Answer>;
  /** A POST to an OAuth endpoint as JSON or as a form, with the first client's credentials unless given. */
  oauth(endpoint: string, parameters: Record<string, unknown>, as?: 'json' | 'form'): Promise<Answer>;
  /** A new access token. */
  token(client?: ClientApplication, scope?: string): Promise<string>;
  /** A request to the address book; every one has the clock go on by half a second, as the rate asks. */
  book(token: string, method: string, path?: string, body?: unknown): Promise<Answer>;
}

/** The create body of a valid address with every writable property set. */
export function fullAddress(): Json {
  return {
    alias_name: 'Bodega norte',
    address_type: 'from',
    default: true,
    address_attributes: {
      name: 'Ana Núñez',
      company: 'Núñez y Hermanos',
      street1: 'Calle Mayor',
      street_number: '12',
      apartment_number: '3-B',
      postal_code: '64000',
      area_level1: 'Nuevo León',
      area_level2: 'Monterrey',
      area_level3: 'Centro',
      country_code: 'MX',
      phone: '8112345678',
      email: 'ana@example.com',
      reference: 'portón azul',
      rfc: 'NUAA800101AAA',
    },
  };
}

/** A service of its own and a client for it. */
export function shippingClient(options: Partial<ShippingOptions> = {}): ShippingClient {
  const clock = options.clock ?? manualClock(Date.UTC(2030, 0, 1));
  const { handle } = createShipping({ ...options, clock });

  const send: ShippingClient['send'] = async (method, path, headers = {}, body) => {
    const response = await handle(
      new Request(`http://shipping.example/api/v1${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  const oauth: ShippingClient['oauth'] = (endpoint, parameters, as = 'json') => {
    const all: Record<string, unknown> = {
      client_id: FIRST_CLIENT.id,
      client_secret: FIRST_CLIENT.secret,
      ...parameters,
    };
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    return as === 'json'
      ? send('POST', `/oauth/${endpoint}`, { 'content-type': 'application/json' }, sent)
      : send(
          'POST',
          `/oauth/${endpoint}`,
          { 'content-type': 'application/x-www-form-urlencoded' },
          new URLSearchParams(sent as Record<string, string>).toString(),
        );
  };

  return {
    clock,
    send,
    oauth,
    async token(client = FIRST_CLIENT, scope) {
      const { body } = await oauth('token', {
        grant_type: 'client_credentials',
        client_id: client.id,
        client_secret: client.secret,
        scope,
      });
      return body.access_token;
    },
    book(token, method, path = '', body) {
      clock.advance(500);
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return send(method, `/address_templates${path}`, headers, body);
    },
  };
}

/** A client with a token and `count` saved addresses. */
export async function withAddresses(count: number) {
  const client = shippingClient();
  const token = await client.token();
  const saved: Json[] = [];
  for (let number = 1; number <= count; number += 1) {
    const address_template = { ...fullAddress(), alias_name: `address ${number}` };
    saved.push((await client.book(token, 'POST', '', { address_template })).body.data);
  }
  return { client, token, saved, book: client.book.bind(undefined, token) };
}
