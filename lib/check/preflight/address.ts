/** What is wrong with the address of a target, where nobody who may be the service answers below it. */
import type { Answer } from '../../http/answer.ts';
import {
  clipped,
  EITHER,
  isAnswer,
  isNowhere,
  isRedirect,
  type NoAnswer,
  type PreflightFinding,
  refused,
  said,
} from './finding.ts';

/** What servers say to plain HTTP at a port for TLS. */
const PLAIN_AT_TLS = /plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server/i;

/**
 * What is wrong with an address, by the answers to different requests below it; `undefined` when somebody who may be
 * the service answered one of them.
 * @param address.key of the configuration that gives the address
 * @param address.doubled what the suite puts behind the address, which people write into it as well: `/api/v1`
 * @param answersBelow asks something below another address, without credentials
 */
export async function addressProblem(
  address: { key: string; url: string; doubled: readonly string[] },
  answers: readonly (Answer | NoAnswer)[],
  answersBelow: (url: string) => Promise<Answer | NoAnswer>,
): Promise<PreflightFinding | undefined> {
  const { key, url } = address;
  const keys = [key];
  const silent = answers.filter((answer): answer is NoAnswer => !isAnswer(answer));
  if (silent.length === answers.length) {
    const why = (silent[0] as NoAnswer).why;
    return { outcome: 'silent', keys, message: `\`${key}\` ${url}: ${await inWords(why, url)}` };
  }
  const heard = answers.filter(isAnswer);
  const plain = heard.find((answer) => answer.status === 400 && PLAIN_AT_TLS.test(answer.text));
  if (plain)
    return refused(keys, `\`${key}\` ${url}: the port speaks TLS: write https:// in the place of http://`);
  if (silent.length > 0 || !heard.every(isNowhere)) return undefined;
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
    if (!isAnswer(answer) || isNowhere(answer)) continue;
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

/** Addresses that may have been meant: without what the suite adds itself, and without any path. */
function otherAddresses(url: string, doubled: readonly string[]): string[] {
  const without = doubled.filter((end) => url.endsWith(end)).map((end) => url.slice(0, -end.length));
  const { origin } = new URL(url);
  return [...new Set([...without, origin])].filter((other) => other !== url).slice(0, 2);
}

/** Why there is no answer, in the words of who has to mend it. */
async function inWords(why: string, url: string): Promise<string> {
  const reason = why.replace(/^.* got no answer: /, '');
  // A server for TLS that is asked in plain HTTP often only closes the connection.
  if (/^connection closed/.test(reason) && url.startsWith('http:') && (await speaksTls(url)))
    return 'the port speaks TLS: write https:// in the place of http://';
  return `no answer: ${clipped(reason)}`;
}

/** Whether whoever listens at an address begins a TLS handshake; nothing is sent but its beginning. */
async function speaksTls(url: string): Promise<boolean> {
  const { connect } = await import('node:tls');
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    const host = hostname.replace(/^\[|\]$/g, '');
    // The certificate is of no interest: nothing is sent.
    const socket = connect({ host, port: Number(port) || 80, rejectUnauthorized: false }, () => end(true));
    socket.setTimeout(2_000, () => end(false));
    socket.once('error', () => end(false));
  });
}
