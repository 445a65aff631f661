/** Explains in words what went wrong on the wire. */

/** The other side closed the connection before its answer was complete. */
export class ConnectionClosed extends Error {}

/** The way through a proxy does not work. The message says which proxy it is, and by which key. */
export class ProxyFailed extends Error {}

/** Codes of Node's errors about a certificate that it does not trust. */
const UNTRUSTED =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)/;

/** Codes where another authority would not help, and what would. */
const CERTIFICATE_MISTAKES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired, or the clock of this machine is wrong',
  CERT_NOT_YET_VALID: 'does not count yet, or the clock of this machine is wrong',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host: is the host of the address right?',
  HOSTNAME_MISMATCH: 'is for another host: is the host of the address right?',
};

/** What a server says in TLS where it wants a client certificate, or another one. */
const WANTS_CERTIFICATE =
  /alert (certificate required|bad certificate|unknown ca|certificate unknown|certificate expired)/i;

/** The first bytes of a TLS record that holds an alert: its type, and the major version 3. */
const TLS_ALERT = Buffer.from([0x15, 0x03]);

/**
 * Converts an error of Node to one whose message a person understands.
 * @param protocol `http:` or `https:`, as the URL says
 */
export function describe(error: unknown, protocol: string): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof ProxyFailed) return error;
  const { code = '', rawPacket } = error as { code?: string; rawPacket?: Buffer };
  // When both IPv4 and IPv6 were tried, Node lists the failures and leaves the message empty; the code tells.
  const message = error.message || code;
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return new ConnectionClosed(`connection closed before the answer was complete (${message})`);
  }
  if (code === 'ECONNREFUSED') return new Error('connection refused');
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new Error(`host name not found (${message})`);
  const inTls = describeTls(code, message);
  if (inTls !== undefined) return new Error(inTls);
  if (protocol === 'https:' && /wrong.version.number|packet.length.too.long/i.test(`${code} ${message}`)) {
    return new Error('the port does not speak TLS: is the address one of http://?');
  }
  if (protocol === 'http:' && rawPacket?.subarray(0, 2).equals(TLS_ALERT)) {
    return new Error('the port speaks TLS: is the address one of https://?');
  }
  if (code === 'HPE_HEADER_OVERFLOW') return new Error('the headers of the answer are too large; not read');
  if (code.startsWith('HPE_')) return new Error(`the answer is not HTTP/1.1 as RFC 9112 has it (${message})`);
  return new Error(code && !message.includes(code) ? `${message} (${code})` : message);
}

/** Explains an error about certificates; `undefined` for other errors. */
function describeTls(code: string, message: string): string | undefined {
  const known = CERTIFICATE_MISTAKES[code];
  if (known !== undefined) return `the certificate of the server ${known} (${message}, ${code})`;
  if (UNTRUSTED.test(code))
    return `the certificate is not trusted (${message}, ${code}): \`network.ca\` names one more authority`;
  const wanted = WANTS_CERTIFICATE.exec(message)?.[1];
  return wanted === undefined
    ? undefined
    : `the server does not accept the client certificate, or wants one (${wanted}): look at \`network.certificate\``;
}
