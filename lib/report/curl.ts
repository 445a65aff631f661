/** Writes the command that repeats a recorded request, for a person to paste into a shell. */
import type { Exchange } from '../model/results.ts';
import { inert } from './terminal-safe.ts';

/** A command for a POSIX-like shell (bash, zsh). */
export interface CurlCommand {
  /** Several lines, joined by backslashes. */
  command: string;
  /** The variables that stand for redacted values, such as `ACCESS_TOKEN`, in order of appearance. */
  variables: string[];
  /** Sentences about what keeps the command from repeating the request exactly. */
  caveats: string[];
}

/** The label that redaction leaves in place of a secret; `…` marks a part of one. */
const label = /«([\w .-]{1,60})(…?)»/g;

/** Headers that curl sets correctly by itself. */
const ownHeaders = new Set(['host', 'content-length', 'connection', 'accept-encoding', 'transfer-encoding']);

const variableName = (name: string, part: boolean): string => {
  const word = name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_');
  return part ? `${word}_PART` : word;
};

function quotePlain(text: string): string {
  if (text === '') return '';
  if (inert(text) !== text || text.includes('\t')) {
    // ANSI-C quoting escapes whatever a terminal would act on, and whatever could mislead a reader.
    const escaped = text
      .replaceAll('\\', '\\\\')
      .replaceAll("'", "\\'")
      .split(/(\r\n|[\s\S])/u)
      .map((char) => escapeChar(char))
      .join('');
    return `$'${escaped}'`;
  }
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function escapeChar(char: string): string {
  if (char === '\r\n') return '\\r\\n';
  if (char === '\n') return '\\n';
  if (char === '\t') return '\\t';
  if (inert(char) === char) return char;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Writes commands word by word, and remembers the variables that they use. */
class Words {
  readonly variables = new Set<string>();

  /** Returns one shell word: quoted text, with a variable in place of each label. */
  word(text: string): string {
    let out = '';
    let at = 0;
    for (const match of text.matchAll(label)) {
      out += quotePlain(text.slice(at, match.index)) + this.variable(match[1]!, match[2] !== '');
      at = match.index + match[0].length;
    }
    return out + quotePlain(text.slice(at)) || "''";
  }

  private variable(name: string, part: boolean): string {
    const variable = variableName(name, part);
    this.variables.add(variable);
    return `"$${variable}"`;
  }
}

/**
 * Returns the `curl` command for a redacted exchange. With
 * `-i` it shows the status and headers of the answer.
 */
export function curlCommand(exchange: Exchange): CurlCommand {
  const { method, url, headers, body } = exchange.request;
  const words = new Words();
  const caveats: string[] = [];
  const hasBody = body?.text !== undefined && body.bytes > 0;
  const flags = ['-i'];
  if (method === 'HEAD') flags[0] = '-I';
  else if (method !== (hasBody ? 'POST' : 'GET')) flags.push(`-X ${quotePlain(method)}`);
  if (/[[\]{}]/.test(url)) flags.push('-g');
  if (/\/\.{1,2}(?:\/|$)/.test(url)) flags.push('--path-as-is');
  const lines = [`curl ${[...flags, words.word(url)].join(' ')}`];

  let contentType: string | undefined;
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (ownHeaders.has(lower)) continue;
    if (lower === 'content-type') contentType = value;
    const user = lower === 'authorization' ? basicUser(value) : undefined;
    if (user !== undefined) lines.push(`-u ${words.word(user)}`);
    else lines.push(`-H ${words.word(value === '' ? `${name};` : `${name}: ${value}`)}`);
  }
  if (hasBody) {
    if (contentType === undefined) lines.push("-H 'Content-Type:'");
    lines.push(...bodyWords(body.text!, contentType, words));
    if (body.cut) caveats.push(`Only the beginning of the request body (${body.bytes} bytes) was recorded.`);
    if (body.text!.includes('\ufffd'))
      caveats.push('The body holds bytes that are no UTF-8; the command sends U+FFFD in their place.');
    if (body.text!.includes('\0')) caveats.push('The body holds NUL bytes, which a shell word cannot carry.');
  }
  const variables = [...words.variables];
  if (variables.some((name) => name.endsWith('_PART'))) {
    caveats.push('A variable ending in _PART stands for a secret that was sent shortened or altered.');
  }
  return { command: lines.join(' \\\n  '), variables, caveats };
}

/** Returns `user:«password»` for redacted Basic credentials, so that curl does the encoding. */
function basicUser(value: string): string | undefined {
  const match = /^Basic\s+([A-Za-z0-9+/_-]*)«([\w .-]{1,60})…?»=*$/i.exec(value);
  if (!match) return undefined;
  const before = Buffer.from(match[1]!, 'base64').toString('utf8').split(':')[0]!;
  // Base64 encodes groups of three bytes. Redaction may begin
  // inside a group and leave half a character before it.
  const user = before.replace(/\ufffd+$/, '');
  return `${user === '' ? '«client_id»' : user}:«${match[2]}»`;
}

function bodyWords(text: string, contentType: string | undefined, words: Words): string[] {
  if (!/^application\/x-www-form-urlencoded/i.test(contentType ?? '') || !text.includes('«')) {
    return [`--data-raw ${words.word(text)}`];
  }
  // The variable holds the secret unencoded, so curl has to encode it.
  return text.split('&').map((pair) => {
    const secret = /^([^=]*)=(«[\w .-]{1,60}…?»)$/.exec(pair);
    return secret
      ? `--data-urlencode ${words.word(`${secret[1]}=${secret[2]}`)}`
      : `--data-raw ${words.word(pair)}`;
  });
}
