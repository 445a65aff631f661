/**
 * Finds the secrets in an exchange by their names and shapes. Fixtures make known what they send; this
 * catches what they miss. Every text is read once, from its beginning to its end.
 */
import type { Exchange } from '../results.ts';
import type { Redactor } from './redactor.ts';

/**
 * How names of members and parameters with credentials end: `access_token`, `accessToken`, `apiCredential`.
 */
const credential = 'token|secret|credential|password|passwd|api[_-]?key|private[_-]?key|assertion|jwt';
const credentialName = new RegExp(`(?:${credential})s?$`, 'i');
/** A text that does not match contains no such name. */
const namesCredential = new RegExp(credential, 'i');
/** Names whose values are no credentials, even in the answer to a token request. */
const publicName =
  /(?:id|_at|^(?:scope|type|iss|sub|aud|name|email|username|message|error|.*_type|.*ur[il]))$/i;

/** How many secrets are learnt from one answer: a server that hands out more must not fill the memory. */
const MOST_LEARNT = 200;
const LEAST_NAMED = 8;
const LEAST_UNNAMED = 16;

/**
 * Makes the secrets in an exchange known to the redactor.
 * @param issues the answer is that of a token or registration request: any value that looks like a credential
 *   is one
 */
export function learnSecrets(exchange: Exchange, redactor: Redactor, issues = false): void {
  const { request, response } = exchange;
  const answer = response?.body.text ?? '';
  let learnt = 0;
  const members = issues || namesCredential.test(answer) ? membersOf(answer) : [];
  for (const [name, value] of members) {
    const named = credentialName.test(name);
    if (learnt < MOST_LEARNT && (named || issues) && learn(redactor, name, value, named)) learnt += 1;
  }
  for (const [name, value] of response?.headers ?? []) {
    if (/^set-cookie$/i.test(name)) {
      const [pair = ''] = value.split(';', 1);
      learn(redactor, 'cookie', pair.slice(pair.indexOf('=') + 1), false);
    } else learnParameters(redactor, value);
  }
  if (!/^\s*[[{]/.test(answer)) learnParameters(redactor, answer);
  const sent = [request.body?.text ?? '', ...request.headers.map(([, value]) => value)];
  for (const text of [answer, ...sent]) {
    for (const jwt of jwtsIn(text)) if (learnt++ < MOST_LEARNT) redactor.add(jwt, 'jwt');
  }
}

function learn(redactor: Redactor, name: string, value: string, named: boolean): boolean {
  if (!looksLikeCredential(name, value, named) || redactor.isOwnWord(value)) return false;
  redactor.add(value, name);
  return true;
}

/** Returns whether a value could be a credential: not a URL, a sentence, an id or a time. */
function looksLikeCredential(name: string, value: string, named: boolean): boolean {
  if (/\s|:\/\/|@/.test(value) || /^urn:/i.test(value)) return false;
  if (named) return value.length >= LEAST_NAMED;
  if (value.length < LEAST_UNNAMED || publicName.test(name)) return false;
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) || /^\d{4}-\d\d-\d\dT/.test(value))
    return false;
  const isMixed = /\d/.test(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value));
  return isMixed && new Set(value).size >= 8;
}

/** Learns the credentials among the `name=value` pairs in a URL or a form. */
function learnParameters(redactor: Redactor, text: string): void {
  for (const piece of text.split(/[?&#;,\s"<>]/)) {
    const equals = piece.indexOf('=');
    const name = piece.slice(0, equals);
    if (equals < 1 || equals > 60 || !credentialName.test(name)) continue;
    const value = new URLSearchParams(piece).get(name);
    if (value !== null) learn(redactor, name, value, true);
  }
}

/**
 * Yields the members of objects in a JSON text whose values are strings, also when the text is cut off,
 * invalid, or only a part of JSON.
 * @param looked called with each number of characters that were examined
 */
export function* membersOf(
  text: string,
  looked: (characters: number) => void = () => {},
): Generator<[name: string, value: string]> {
  let name = '';
  let nameEnd = -1;
  for (const match of text.matchAll(/"([^"\\]*(?:\\.[^"\\]*)*)(?:"(\s*:\s*)?|\\?$)/gs)) {
    looked(match[0].length);
    if (match.index === nameEnd) yield [name, unescapeJson(match[1]!)];
    name = match[1]!.slice(0, 60);
    nameEnd = match[2] === undefined ? -1 : match.index + match[0].length;
  }
}

function unescapeJson(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

/**
 * Yields everything in a text that has the shape of a JWT: three parts in base64url, the first an encoded
 * object.
 * @param looked called with each number of characters that were examined
 */
export function* jwtsIn(text: string, looked: (characters: number) => void = () => {}): Generator<string> {
  if (!text.includes('eyJ')) return;
  for (const run of text.split(/[^\w.-]+/)) {
    const parts = run.split('.');
    looked(run.length);
    for (let i = 0; i + 2 < parts.length; i++) {
      const start = parts[i]!.indexOf('eyJ');
      looked(start < 0 ? parts[i]!.length : start);
      if (start < 0 || parts[i]!.length - start < 12 || parts[i + 1]!.length < 4) continue;
      yield `${parts[i]!.slice(start)}.${parts[i + 1]}.${parts[i + 2]}`;
      i += 2;
    }
  }
}
