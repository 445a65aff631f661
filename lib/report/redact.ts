/**
 * Redaction: secrets never reach a file, a terminal or an error, whole or in part, however they are
 * written (URL-, form-, JSON-, HTML-escaped, in base64 or base64url at any alignment).
 */
import { formsOf } from './redact/forms.ts';
import { GRAM, GramIndex, type Hit } from './redact/gram-index.ts';
import { ShortForms } from './redact/short.ts';
import { unescapedViews } from './redact/views.ts';

/** Replaces secrets by labels such as `«client_secret»`; a part of one by `«client_secret…»`. */
export interface Redactor {
  /**
   * Makes `secret` known. `label` is what takes its place. Secrets under 12 characters are replaced only
   * whole, those that read like a word (`test`) only where they stand alone, and those under 4
   * characters only as the value of a parameter that names a credential. A secret keeps its first label;
   * a second secret with the same label becomes `client_secret 2`, so that a reader can tell them apart.
   */
  add(secret: string, label: string): void;
  /**
   * Names a public value (a client id, an address) that may share characters with a secret: a part of a
   * secret that also stands in a public value is not replaced.
   */
  keep(publicValue: string): void;
  /** The text without its secrets. `cut` says that the end of the text is missing. */
  text(text: string, options?: { cut?: boolean }): string;
  /**
   * A copy of plain data with every string redacted, keys included. Objects with `cut: true` hold the
   * beginning of a longer text: there, shorter parts at the end count too.
   */
  deep<T>(value: T): T;
}

/** Where the end of a text is missing, this much of a secret at its end counts as the secret. */
const TAIL = 6;

/** A redactor that knows no secret yet. */
export function createRedactor(): Redactor {
  const known = new Set<string>();
  const labels = new Map<string, number>();
  const long = new GramIndex();
  const short = new ShortForms();
  const passwords = new Map<string, string>();
  const tails = new Map<string, string>();
  const publicValues: string[] = [];

  function add(secret: string, label: string): void {
    if (secret === '' || known.has(secret)) return;
    known.add(secret);
    const plain = label.replace(/[^\w .-]/g, '_').slice(0, 40);
    const nth = (labels.get(plain) ?? 0) + 1;
    labels.set(plain, nth);
    const name = nth === 1 ? plain : `${plain} ${nth}`;
    if (secret.length < GRAM) passwords.set(secret, name);
    for (const { text, bleedsLeft, bleedsRight } of formsOf(secret)) {
      if (text.length < GRAM) {
        short.add(text, name);
        continue;
      }
      long.add(text, { label: name, bleedsLeft, bleedsRight });
      for (let length = TAIL; length < GRAM; length++) {
        const tail = text.slice(0, length);
        if (!tails.has(tail)) tails.set(tail, name);
      }
    }
  }

  function find(text: string, cut: boolean): Hit[] {
    const hits = [...long.find(text), ...short.find(text)];
    if (cut) {
      for (let length = Math.min(GRAM - 1, text.length); length >= TAIL; length--) {
        const label = tails.get(text.slice(-length));
        if (label === undefined) continue;
        hits.push({ start: text.length - length, end: text.length, label, whole: false });
        break;
      }
    }
    return hits.filter((hit) => hit.whole || !isPublic(text.slice(hit.start, hit.end)));
  }

  function isPublic(part: string): boolean {
    return publicValues.some((value) => value.includes(part));
  }

  function redactText(text: string, cut: boolean): string {
    if (known.size === 0 || text.length === 0) return text;
    const hits = find(text, cut);
    for (const view of unescapedViews(text)) {
      for (const hit of find(view.text, cut)) {
        hits.push({ ...hit, start: view.from[hit.start]!, end: view.to[hit.end - 1]! });
      }
    }
    if (passwords.size > 0) hits.push(...basicCredentials(text, passwords));
    return hits.length === 0 ? text : replace(text, hits);
  }

  function deep(value: unknown): unknown {
    if (typeof value === 'string') return redactText(value, false);
    if (Array.isArray(value)) return value.map(deep);
    if (value === null || typeof value !== 'object') return value;
    const cut = (value as { cut?: unknown }).cut === true;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        redactText(key, false),
        typeof item === 'string' ? redactText(item, cut) : deep(item),
      ]),
    );
  }

  return {
    add,
    keep: (publicValue) => {
      publicValues.push(publicValue);
    },
    text: (text, options) => redactText(text, options?.cut === true),
    deep: <T>(value: T) => deep(value) as T,
  };
}

/** Short secrets inside `Basic` credentials, where their base64 is too short to be told from other text. */
function basicCredentials(text: string, passwords: Map<string, string>): Hit[] {
  const hits: Hit[] = [];
  for (const match of text.matchAll(/\bBasic\s+([A-Za-z0-9+/_-]{4,}={0,2})/gi)) {
    const [user = '', password = ''] = Buffer.from(match[1]!, 'base64').toString('utf8').split(/:(.*)/s);
    for (const part of [password, user]) {
      const label = passwords.get(part) ?? passwords.get(decodeForm(part));
      if (label === undefined) continue;
      const end = match.index + match[0].length;
      hits.push({ start: end - match[1]!.length, end, label, whole: true });
      break;
    }
  }
  return hits;
}

function decodeForm(text: string): string {
  return new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? '';
}

/** Replaces the hits: whole secrets first, then what is left of the parts; touching pieces become one. */
function replace(text: string, hits: Hit[]): string {
  hits.sort((a, b) => Number(b.whole) - Number(a.whole) || a.start - b.start || b.end - a.end);
  const wholes: Hit[] = [];
  const parts: Hit[] = [];
  for (const hit of hits) {
    const last = wholes.at(-1);
    if (!hit.whole) parts.push(hit);
    else if (!last || hit.start >= last.end) wholes.push({ ...hit });
    // Two secrets that overlap: what the first does not cover is a part of the second.
    else if (hit.end > last.end) parts.push({ ...hit, start: last.end, whole: false });
  }
  const pieces = [...wholes, ...subtract(merge(parts), wholes)].sort((a, b) => a.start - b.start);
  let out = '';
  let at = 0;
  for (const piece of pieces) {
    out += `${text.slice(at, piece.start)}«${piece.label}${piece.whole ? '' : '…'}»`;
    at = piece.end;
  }
  return out + text.slice(at);
}

/** Joins hits that overlap or touch; the first one's label stays. */
function merge(hits: Hit[]): Hit[] {
  const merged: Hit[] = [];
  for (const hit of [...hits].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && hit.start <= last.end) last.end = Math.max(last.end, hit.end);
    else merged.push({ ...hit });
  }
  return merged;
}

/** What is left of `parts` outside of `wholes`; both sorted and free of overlaps. */
function subtract(parts: Hit[], wholes: Hit[]): Hit[] {
  const left: Hit[] = [];
  let first = 0;
  for (const part of parts) {
    let start = part.start;
    while (first < wholes.length && wholes[first]!.end <= start) first++;
    for (let i = first; i < wholes.length && wholes[i]!.start < part.end; i++) {
      if (wholes[i]!.start > start) left.push({ ...part, start, end: wholes[i]!.start });
      start = Math.max(start, wholes[i]!.end);
    }
    if (start < part.end) left.push({ ...part, start });
  }
  return left;
}
