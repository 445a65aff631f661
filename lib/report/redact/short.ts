/**
 * Secrets that are too short to be recognised by a part of them: they count only whole, and the ones
 * that read like a word, or are shorter than four characters, only where a secret can be meant.
 */
import type { Hit } from './gram-index.ts';

/** Below this a secret is replaced only as the value of a parameter that names a credential. */
export const TINY = 4;

const KEY = 4;

interface ShortForm {
  text: string;
  label: string;
  /** Only between characters that are not part of a word. */
  asWord: boolean;
}

const wordChar = /[A-Za-z0-9_]/;
const likeAWord = /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|\d+)$/;
const credentialName =
  /((?:client_secret|secret|password|passwd|pwd|(?:access_|refresh_|id_)?token|api_?key|assertion|credential)\\?["']?\s*[:=]\s*\\?["']?|Bearer\s+)$/i;

/** Finds short secrets: only as a whole. */
export class ShortForms {
  private byKey = new Map<string, ShortForm[]>();
  private firstChars = new Uint8Array(1 << 16);
  private tiny: { text: string; label: string }[] = [];

  /** Adds a secret, or a form of one, that is shorter than a gram. */
  add(text: string, label: string): void {
    if (text.length < TINY) {
      if (text !== '' && !this.tiny.some((one) => one.text === text)) this.tiny.push({ text, label });
      return;
    }
    const key = text.slice(0, KEY);
    const forms = this.byKey.get(key) ?? [];
    if (forms.some((form) => form.text === text)) return;
    forms.push({ text, label, asWord: likeAWord.test(text) });
    forms.sort((a, b) => b.text.length - a.text.length);
    this.byKey.set(key, forms);
    this.firstChars[text.charCodeAt(0)] = 1;
  }

  /** Every place in `text` where a short secret stands. */
  find(text: string): Hit[] {
    const hits: Hit[] = [];
    if (this.byKey.size > 0) this.findWhole(text, hits);
    for (const one of this.tiny) findTiny(text, one, hits);
    return hits;
  }

  private findWhole(text: string, hits: Hit[]): void {
    for (let start = 0; start + KEY <= text.length; start++) {
      if (this.firstChars[text.charCodeAt(start)] === 0) continue;
      const form = this.byKey
        .get(text.slice(start, start + KEY))
        ?.find(
          (one) =>
            text.startsWith(one.text, start) && (!one.asWord || standsAlone(text, start, one.text.length)),
        );
      if (!form) continue;
      hits.push({ start, end: start + form.text.length, label: form.label, whole: true });
      start += form.text.length - 1;
    }
  }
}

function standsAlone(text: string, start: number, length: number): boolean {
  return !wordChar.test(text[start - 1] ?? ' ') && !wordChar.test(text[start + length] ?? ' ');
}

function findTiny(text: string, { text: secret, label }: { text: string; label: string }, hits: Hit[]): void {
  for (let start = text.indexOf(secret); start >= 0; start = text.indexOf(secret, start + 1)) {
    if (!standsAlone(text, start, secret.length)) continue;
    if (!credentialName.test(text.slice(Math.max(0, start - 40), start))) continue;
    hits.push({ start, end: start + secret.length, label, whole: true });
  }
}
