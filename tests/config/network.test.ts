/** Files of `network` that are not what their keys say are mistakes of the configuration. */
import { createPrivateKey } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { NetworkConfig } from '../../lib/config/types.ts';
import { certified } from '../lib/certificates.ts';
import { temporaryFile, temporaryFolder } from '../lib/conform.ts';
import { complaint, load, mine, SHIPPING } from './yaml.ts';

const file = (text: string) => temporaryFile('a.pem', text);
const withNetwork = (network: NetworkConfig) => mine(`${SHIPPING}\n    network: ${JSON.stringify(network)}`);
/** Returns the complaint about a network without its place, and with `FILE` in the place of the paths. */
const told = (network: NetworkConfig) =>
  complaint(withNetwork(network))
    .replace('targets.yaml:7: ', '')
    .replaceAll(/\/\S+a\.pem/g, 'FILE');

const one = certified();
const two = certified();
const encrypted = createPrivateKey(one.key).export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'secret',
}) as string;

describe('network.ca', () => {
  test.each([
    ['', 'has no certificate in PEM (`-----BEGIN CERTIFICATE-----`)'],
    ['nothing of the kind', 'has no certificate in PEM (`-----BEGIN CERTIFICATE-----`)'],
    [one.key, 'has no certificate in PEM (`-----BEGIN CERTIFICATE-----`)'],
    [one.certificate.replace('MII', 'MIX'), 'has a certificate that cannot be read'],
  ])('that has no good certificate is named (%#)', (text, mistake) => {
    expect(told({ ca: file(text) })).toBe(`network.ca: FILE ${mistake}`);
  });

  test('that is a folder, or not there, is named', () => {
    const folder = temporaryFolder();
    expect(told({ ca: folder })).toBe(`network.ca: ${folder} is no file`);
    expect(told({ ca: '/no/such/file.pem' })).toBe('network.ca: /no/such/file.pem cannot be read');
  });

  test('may have several certificates, with text between them', () => {
    const ca = file(`one\n${one.certificate}\ntwo\n${two.certificate}`);
    expect(load(withNetwork({ ca })).target.network).toEqual({ ca });
  });
});

describe('a client certificate', () => {
  test.each([
    [
      one.key,
      one.certificate,
      'certificate: FILE has a private key, and that of network.certificateKey a certificate: they are swapped',
    ],
    [
      one.certificate,
      two.key,
      'certificateKey: FILE is the key of another certificate than network.certificate',
    ],
    [
      one.certificate,
      'nothing',
      'certificateKey: FILE has no private key in PEM (`-----BEGIN PRIVATE KEY-----`)',
    ],
    [
      one.certificate,
      encrypted,
      'certificateKey: FILE has a key that is encrypted: write it without a passphrase',
    ],
    ['nothing', one.key, 'certificate: FILE has no certificate in PEM (`-----BEGIN CERTIFICATE-----`)'],
  ])('that does not fit its key is named (%#)', (certificate, key, mistake) => {
    expect(told({ certificate: file(certificate), certificateKey: file(key) })).toBe(`network.${mistake}`);
  });

  test('may stand in one file with its key', () => {
    const both = file(one.certificate + one.key);
    const network = { certificate: both, certificateKey: both };
    expect(load(withNetwork(network)).target.network).toEqual(network);
  });
});

describe('network.socket', () => {
  test('that is none, or contradicts a proxy, is named', async () => {
    expect(told({ socket: file('') })).toBe('network.socket: FILE is no Unix socket');
    const socket = join(temporaryFolder(), 'socket');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    onTestFinished(() => void server.close());
    expect(load(withNetwork({ socket })).target.network).toEqual({ socket });
    expect(told({ socket, proxy: 'http://proxy.test' })).toBe(
      'network.socket: network.socket and network.proxy contradict each other: leave one of them out',
    );
  });
});
