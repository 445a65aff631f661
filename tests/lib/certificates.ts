/** Makes certificates for tests (X.509, RFC 5280), so that none lies in the repository and expires there. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A certificate and its private key, in PEM. */
export interface Certified {
  certificate: string;
  key: string;
  /** The names in it, and its key, to issue others. */
  name: string;
  privateKey: KeyObject;
}

/** What is said in a certificate. */
export interface Said {
  /** Common name; default `conformance test`. */
  name?: string;
  /** Hosts that it is for; IPv4 addresses too. */
  hosts?: string[];
  /** Until when it counts; default: a day from now. */
  until?: Date;
  /** Whoever signs it; default: itself. */
  issuer?: Certified;
}

/** One value in DER: its tag, its length, its contents. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...contents: Buffer[]) => der(0x30, ...contents);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const utf8 = (text: string) => der(0x0c, Buffer.from(text));
const time = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]|\..*/g, '')}Z`));
const commonName = (name: string) => sequence(der(0x31, sequence(oid('550403'), utf8(name))));
const extension = (id: string, value: Buffer) => sequence(oid(id), der(0x04, value));

/** ecdsa-with-SHA256 */
const ALGORITHM = sequence(oid('2a8648ce3d040302'));
const DAY = 86_400_000;

function hostName(host: string): Buffer {
  if (!/^\d+(\.\d+){3}$/.test(host)) return der(0x82, Buffer.from(host));
  return der(0x87, Buffer.from(host.split('.').map(Number)));
}

/** Returns a certificate that says so, with a new key. */
export function certified(said: Said = {}): Certified {
  const { name = 'conformance test', hosts = ['localhost', '127.0.0.1'], issuer } = said;
  const until = said.until ?? new Date(Date.now() + DAY);
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, ...Buffer.from(name).subarray(0, 8)])),
    ALGORITHM,
    commonName(issuer?.name ?? name),
    sequence(time(new Date(until.getTime() - 30 * DAY)), time(until)),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        // It may issue others, and is for these hosts.
        extension('551d13', sequence(der(0x01, Buffer.from([255])))),
        extension('551d11', sequence(...hosts.map(hostName))),
      ),
    ),
  );
  const signature = sign('sha256', body, issuer?.privateKey ?? privateKey);
  const whole = sequence(body, ALGORITHM, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    name,
    privateKey,
  };
}
