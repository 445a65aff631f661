/** Finds out what is wrong with a configured URL, where nothing that may be the service answers below it. */
import type { Answer } from '../../http/answer.ts';
import {
  clipped,
  EITHER,
  isAnswer,
  isNowhere,
  isOneForAll,
  isRedirect,
  type NoAnswer,
  type PreflightFinding,
  refused,
  said,
} from './finding.ts';

/** What servers answer to plain HTTP at a port for TLS. */
const PLAIN_AT_TLS = /plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server/i;

/** What servers answer to a client that shows no certificate, or one that they do not trust. */
const WANTS_CERTIFICATE = /No required SSL certificate was sent|The SSL certificate error/i;

/** What the transport says where the way through a proxy fails; see `proxyName` in lib/http/proxy.ts. */
const BY_PROXY = /the proxy .* \(by /;

/**
 * Returns what is wrong with a URL, judged by the answers to different requests below it; `undefined` when
 * one of them may come from the service.
 * @param address.key key of the configuration that holds the URL
 * @param address.doubled paths that the suite appends to the URL, and that users write into it as well:
 *   `/api/v1`
 * @param address.haveNothingInCommon the requests are such that no service answers all of them alike
 * @param answersBelow sends a request below another URL, without credentials
 */
export async function addressProblem(
  address: { key: string; url: string; doubled: readonly string[]; haveNothingInCommon?: boolean },
  answers: readonly (Answer | NoAnswer)[],
  answersBelow: (url: string) => Promise<Answer | NoAnswer>,
): Promise<PreflightFinding | undefined> {
  const { key, url } = address;
  const keys = [key];
  const silent = answers.filter((answer): answer is NoAnswer => !isAnswer(answer));
  if (silent.length === answers.length) {
    const why = reasonIn(silent[0] as NoAnswer);
    if (BY_PROXY.test(why)) return proxyProblem(key, url, why);
    return { outcome: 'silent', keys, message: `\`${key}\` ${url}: ${await inWords(why, url)}` };
  }
  const heard = answers.filter(isAnswer);
  const tls = tlsProblem(key, url, heard);
  if (tls) return tls;
  const isNoService = heard.every(isNowhere) || (address.haveNothingInCommon && isOneForAll(heard));
  if (silent.length > 0 || !isNoService) return undefined;
  const first = heard[0] as Answer;
  if (heard.every(isRedirect)) {
    const to = first.header('location')[0] ?? 'nowhere';
    return refused(
      keys,
      `\`${key}\` ${url}: the target redirects whatever it is asked (${first.status} to ${to}), and the suite follows no redirection: write the address that it leads to`,
    );
  }
  for (const other of otherAddresses(url, address.doubled)) {
    const answer = await answersBelow(other);
    if (!isAnswer(answer) || isNowhere(answer) || isOneForAll([first, answer])) continue;
    return refused(
      keys,
      `\`${key}\` ${url}: everything below it is answered with ${said(first)}; below ${other} there is an API (${said(answer)}): set \`${key}\` to that${address.doubled.some((end) => url.endsWith(end)) ? ', the suite adds the rest itself' : ''}`,
    );
  }
  return refused(
    keys,
    `\`${key}\` ${url}: everything below it is answered with ${said(first)}, as where there is no API: look at the address; ${EITHER}`,
  );
}

/** Returns the finding for answers of a server with TLS that it gives in the place of the API's. */
function tlsProblem(key: string, url: string, heard: readonly Answer[]): PreflightFinding | undefined {
  const texts = heard.filter(({ status }) => status === 400).map(({ text }) => text);
  if (texts.some((text) => PLAIN_AT_TLS.test(text)))
    return refused([key], `\`${key}\` ${url}: the port speaks TLS: write https:// in the place of http://`);
  if (texts.some((text) => WANTS_CERTIFICATE.test(text)))
    return refused(
      ['network.certificate', key],
      `\`${key}\` ${url}: the server wants a client certificate, or another one: look at \`network.certificate\` and \`network.certificateKey\``,
    );
  return undefined;
}

/** Returns the finding where requests to a URL do not get through the proxy, or get no answer through it. */
function proxyProblem(key: string, url: string, reason: string): PreflightFinding {
  return {
    outcome: 'silent',
    keys: ['network.proxy', key],
    message: `\`network.proxy\`: requests to \`${key}\` ${url} get no answer: ${clipped(reason)}; look at \`network.proxy\` (\`false\` goes straight to the target), then at \`${key}\``,
  };
}

/** Returns URLs that the user may have meant: without what the suite appends itself, and without any path. */
function otherAddresses(url: string, doubled: readonly string[]): string[] {
  const without = doubled.filter((end) => url.endsWith(end)).map((end) => url.slice(0, -end.length));
  const { origin } = new URL(url);
  return [...new Set([...without, origin])].filter((other) => other !== url).slice(0, 2);
}

/** Explains why there is no answer, in terms of what the user can correct. */
async function inWords(reason: string, url: string): Promise<string> {
  // A TLS server that is asked in plain HTTP often only closes the connection.
  if (/^connection closed/.test(reason) && url.startsWith('http:') && (await speaksTls(url)))
    return 'the port speaks TLS: write https:// in the place of http://';
  return BY_ANOTHER.test(reason) ? clipped(reason) : `no answer: ${clipped(reason)}`;
}

/** Answers that are none of the service's own. */
const BY_ANOTHER = /^(a gateway answered|the target (kept throttling|throttles))/;

/** Returns why there is no answer, without what was asked, and why. */
function reasonIn({ why }: NoAnswer): string {
  const reason = why.replace(/^.* got no answer: /, '');
  const [, rest = reason] = /^[^:]*: (.*)$/s.exec(reason) ?? [];
  return BY_ANOTHER.test(rest) ? rest : reason;
}

/** Returns whether the server at a URL completes a TLS handshake; no request is sent. */
async function speaksTls(url: string): Promise<boolean> {
  const { connect } = await import('node:tls');
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    const host = hostname.replace(/^\[|\]$/g, '');
    // The certificate need not be valid, since nothing is sent over the connection.
    const socket = connect({ host, port: Number(port) || 80, rejectUnauthorized: false }, () => end(true));
    socket.setTimeout(2_000, () => end(false));
    socket.once('error', () => end(false));
  });
}
