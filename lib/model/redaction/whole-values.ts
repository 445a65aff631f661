/**
 * Secrets that are short, or that are words which the suite itself uses, are replaced only where they are a
 * whole value. If they were replaced everywhere, a report would become unreadable.
 */
import type { Hit, Work } from './form-index.ts';

/** A secret of fewer characters counts only as the value of something whose name is that of a credential. */
const TINY = 4;

/** Matches what stands before a value: the quote of a JSON string, `name=` in a query or form, a scheme. */
const before = /(?:\\?["']|[?&;\s\w]=|\b(?:Basic|Bearer|Token)\s+)$/i;
/** Matches what stands after a value. A JSON string that a colon follows is a name, and no value. */
const after = /^(?:$|\\?["'](?!\s*:)|[&#;,)\s])/;
const credentialName =
  /(?:secret|password|passwd|pwd|token|api_?key|assertion|credential)\\?["']?\s*[:=]\s*\\?["']?$|Bearer\s+$/i;

/** Finds the secrets that are replaced only as whole values. */
export class WholeValues {
  readonly #labels = new Map<string, string>();

  get size(): number {
    return this.#labels.size;
  }

  add(secret: string, label: string): void {
    if (!this.#labels.has(secret)) this.#labels.set(secret, label);
  }

  /** Returns every place in `text` where one of the secrets is a whole value. */
  find(text: string, work: Work): Hit[] {
    const hits: Hit[] = [];
    for (const [secret, label] of this.#labels) {
      work.take(text.length >> 3);
      for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
        work.take(4);
        const end = at + secret.length;
        if (!isValue(text.slice(Math.max(0, at - 32), at), text.slice(end, end + 8), secret)) continue;
        hits.push({ start: at, end, label, whole: true });
      }
    }
    return [...hits, ...this.#inBasicCredentials(text)];
  }

  /**
   * Finds short secrets in `Basic` credentials by decoding these: the base64 of a short secret is too short
   * to search for.
   */
  #inBasicCredentials(text: string): Hit[] {
    const hits: Hit[] = [];
    for (const match of text.matchAll(/\bBasic +([A-Za-z0-9+/_-]{4,}={0,2})/gi)) {
      const parts = Buffer.from(match[1]!, 'base64').toString('utf8').split(/:(.*)/s);
      const label = parts
        .map((part) => this.#labels.get(part) ?? this.#labels.get(decodeForm(part)))
        .find(Boolean);
      if (label === undefined) continue;
      const end = match.index + match[0].length;
      hits.push({ start: end - match[1]!.length, end, label, whole: true });
    }
    return hits;
  }
}

function isValue(left: string, right: string, secret: string): boolean {
  if (!after.test(right)) return false;
  if (left === '' && right === '') return true;
  return secret.length < TINY ? credentialName.test(left) : before.test(left) || credentialName.test(left);
}

function decodeForm(text: string): string {
  return new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? '';
}
