/** Certificates: which are trusted and shown, and what is said of those that do not fit. */
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { NetworkConfig } from '../../lib/config/types.ts';
import { httpTransport } from '../../lib/http/transport.ts';
import { type Certified, certified } from '../lib/certificates.ts';
import { temporaryFile } from '../lib/conform.ts';

/** Asks a server with a certificate once. */
async function ask(
  { certificate, key }: Certified,
  network: NetworkConfig = {},
  options: ServerOptions = {},
) {
  const server = createServer({ cert: certificate, key, ...options }, (_, response) =>
    response.end('served'),
  );
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const wire = httpTransport({ proxy: false, ...network });
  onTestFinished(async () => {
    await wire.close();
    server.closeAllConnections();
    server.close();
  });
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return wire.send({ method: 'GET', url, headers: [], timeoutMs: 5_000 });
}

const file = (text: string) => temporaryFile('a.pem', text);
const authority = certified({ name: 'an authority' });
const ca = () => file(authority.certificate);
const served = { status: 200, text: 'served' };

describe('a certificate of a server', () => {
  test('of an authority that `network.ca` names is trusted', async () => {
    expect(await ask(certified({ issuer: authority }), { ca: ca() })).toMatchObject(served);
  });

  test.each([
    ['of nobody', certified(), {}, /is not trusted .*`network.ca` names one more authority/],
    [
      'of another authority',
      certified({ issuer: certified() }),
      { ca: true },
      /is not trusted .*`network.ca`/,
    ],
    [
      'that has expired',
      certified({ issuer: authority, until: new Date('2020-01-01T00:00:00Z') }),
      { ca: true },
      /^the certificate of the server has expired, or the clock of this machine is wrong \(/,
    ],
    [
      'for another host',
      certified({ issuer: authority, hosts: ['other.test'] }),
      { ca: true },
      /^the certificate of the server is for another host: is the host of the address right\?/,
    ],
  ])('%s is told as such', async (_, certificate, { ca: named }: { ca?: boolean }, message) => {
    await expect(ask(certificate, named ? { ca: ca() } : {})).rejects.toThrow(message);
  });
});

describe('a server that wants a client certificate', () => {
  const wanting = { requestCert: true, ca: authority.certificate };
  const shown = (client: Certified) => ({
    ca: ca(),
    certificate: file(client.certificate),
    certificateKey: file(client.key),
  });

  test('gets the one that `network.certificate` names', async () => {
    const client = certified({ issuer: authority, name: 'a client' });
    expect(await ask(certified({ issuer: authority }), shown(client), wanting)).toMatchObject(served);
  });

  test('and gets none is told as such', async () => {
    await expect(ask(certified({ issuer: authority }), { ca: ca() }, wanting)).rejects.toThrow(
      /look at `network.certificate`/,
    );
  });
});
