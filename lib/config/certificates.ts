/** Looks into the certificate files of a target, so that a wrong one is not told as the target's refusal. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { NetworkConfig } from '../../schemas/targets.ts';

/** What is wrong with a file, and the key that names it. */
export interface FileMistake {
  key: keyof NetworkConfig;
  mistake: string;
}

const CERTIFICATE = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]*-----END [\w ]*CERTIFICATE-----/g;
const PRIVATE_KEY = /-----BEGIN [\w ]*PRIVATE KEY-----/;

/** Returns what is wrong with the files of certificates and keys, whose paths are absolute; the first mistake only. */
export function certificateMistake(network: NetworkConfig): FileMistake | undefined {
  const { ca, certificate, certificateKey } = network;
  if (ca !== undefined) {
    const trusted = certificatesIn(ca);
    if (typeof trusted === 'string') return { key: 'ca', mistake: trusted };
  }
  if (certificate === undefined || certificateKey === undefined) return undefined;
  const isSwapped = !hasCertificate(certificate) && hasCertificate(certificateKey);
  if (isSwapped && PRIVATE_KEY.test(read(certificate)))
    return {
      key: 'certificate',
      mistake: 'has a private key, and that of network.certificateKey a certificate: they are swapped',
    };
  return clientMistake(certificate, certificateKey);
}

/** Returns what is wrong with a client certificate and its key. */
function clientMistake(certificate: string, certificateKey: string): FileMistake | undefined {
  const shown = certificatesIn(certificate);
  if (typeof shown === 'string') return { key: 'certificate', mistake: shown };
  const key = privateKeyIn(certificateKey);
  if (typeof key === 'string') return { key: 'certificateKey', mistake: key };
  if (!shown[0]!.checkPrivateKey(key))
    return { key: 'certificateKey', mistake: 'is the key of another certificate than network.certificate' };
  try {
    createSecureContext({ cert: readFileSync(certificate), key: readFileSync(certificateKey) });
    return undefined;
  } catch (error) {
    return { key: 'certificate', mistake: `cannot be used (${(error as Error).message})` };
  }
}

function read(file: string): string {
  return readFileSync(file, 'latin1');
}

function hasCertificate(file: string): boolean {
  return read(file).match(CERTIFICATE) !== null;
}

/** Returns the certificates in a file, or what is wrong with it. */
function certificatesIn(file: string): X509Certificate[] | string {
  const blocks = read(file).match(CERTIFICATE) ?? [];
  if (blocks.length === 0) return 'has no certificate in PEM (`-----BEGIN CERTIFICATE-----`)';
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch {
    return 'has a certificate that cannot be read';
  }
}

/** Returns the private key in a file, or what is wrong with it. */
function privateKeyIn(file: string): KeyObject | string {
  const text = read(file);
  if (!PRIVATE_KEY.test(text)) return 'has no private key in PEM (`-----BEGIN PRIVATE KEY-----`)';
  if (/ENCRYPTED/.test(text)) return 'has a key that is encrypted: write it without a passphrase';
  try {
    return createPrivateKey(text);
  } catch {
    return 'has a private key that cannot be read';
  }
}
