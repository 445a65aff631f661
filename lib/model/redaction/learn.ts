/**
 * What an exchange shows to be a secret, whatever it is called: a second net under the fixtures that name
 * what they send. Every text is read once, from its beginning to its end.
 */
import type { Exchange } from '../results.ts';
import type { Redactor } from './redactor.ts';

/** Names of members and parameters that hold a credential: `access_token`, `accessToken`, `apiCredential`. */
const credential = 'token|secret|credential|password|passwd|api[_-]?key|private[_-]?key|assertion|jwt';
const credentialName = new RegExp(`(?:${credential})s?$`, 'i');
/** Without any of these a text has no such name in it. */
const namesCredential = new RegExp(credential, 'i');
/** Names whose values are meant to be read. */
const publicName =
  /(?:id|_at|^(?:scope|type|iss|sub|aud|name|email|username|message|error|.*_type|.*ur[il]))$/i;

/** From one answer: who hands out more wants to fill the memory. */
const MOST_LEARNT = 200;
const LEAST_NAMED = 8;
const LEAST_UNNAMED = 16;

/**
 * Makes known what an exchange hands out.
 * @param issues the answer is that of a token or registration request: whatever looks like a credential is one
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

/** Whether a value could be a credential: no URL, no sentence, no id, no time. */
function looksLikeCredential(name: string, value: string, named: boolean): boolean {
  if (/\s|:\/\/|@/.test(value) || /^urn:/i.test(value)) return false;
  if (named) return value.length >= LEAST_NAMED;
  if (value.length < LEAST_UNNAMED || publicName.test(name)) return false;
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) || /^\d{4}-\d\d-\d\dT/.test(value))
    return false;
  const isMixed = /\d/.test(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value));
  return isMixed && new Set(value).size >= 8;
}

/** `name=value` in a URL or a form. */
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
 * The members of objects in a JSON text that are strings, also where it is cut, broken or in parts.
 * @param looked told how many characters are looked at
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
 * Everything in a text that is shaped like a JWT: three parts in base64url, the first an encoded object.
 * @param looked told how many characters are looked at
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
