/**
 * Undoes the escape sequences in a text and keeps track of where each character came from. So a secret is
 * found however it was escaped, and what is replaced is its escaped form in the original text.
 */

/**
 * A text with escapes undone. `from[i]` and `to[i]` are the start and the end, in the original text, of what
 * character `i` was read from.
 */
export interface View {
  text: string;
  from: Int32Array;
  to: Int32Array;
}

const percent = '(?:%[0-9A-Fa-f]{2})+';
const json = `\\\\u[0-9A-Fa-f]{4}|\\\\["\\\\/bfnrt']`;
const html = '&(?:amp|lt|gt|quot|apos|#\\d{1,7}|#[xX][0-9A-Fa-f]{1,6});';
const kinds = [percent, json, html].map((one) => new RegExp(one, 'g'));
const anyKind = new RegExp(`${percent}|${json}|${html}`, 'g');

const jsonEscapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntity(name: string): string {
  if (!name.startsWith('#')) return entities[name]!;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

/**
 * Decodes one escape sequence. Returns its characters, each with the length of the part of the sequence that
 * it came from.
 */
function decode(sequence: string): { char: string; length: number }[] {
  if (sequence[0] === '%') {
    const text = Buffer.from(sequence.replaceAll('%', ''), 'hex').toString('utf8');
    const pieces: { char: string; length: number }[] = [];
    let used = 0;
    for (const char of text) {
      // A byte that is not valid UTF-8 decodes to U+FFFD, and came from one `%XX`.
      const bytes = char === '\ufffd' ? 1 : Buffer.byteLength(char);
      const length = Math.min(bytes * 3, sequence.length - used);
      used += length;
      pieces.push({ char, length });
    }
    return pieces;
  }
  if (sequence[0] === '&') return [{ char: decodeEntity(sequence.slice(1, -1)), length: sequence.length }];
  if (sequence[1] === 'u') {
    return [{ char: String.fromCharCode(Number.parseInt(sequence.slice(2), 16)), length: 6 }];
  }
  return [{ char: jsonEscapes[sequence[1]!] ?? sequence[1]!, length: 2 }];
}

/** Undoes one layer of escapes. Returns `undefined` when the text has none. */
function unescapeOnce(view: View | string, escapeSequence: RegExp): View | undefined {
  const source = typeof view === 'string' ? view : view.text;
  escapeSequence.lastIndex = 0;
  let match = escapeSequence.exec(source);
  if (!match) return undefined;
  const from = new Int32Array(source.length + 1);
  const to = new Int32Array(source.length + 1);
  const origin = (i: number) => (typeof view === 'string' ? i : view.from[i]!);
  const originEnd = (i: number) => (typeof view === 'string' ? i + 1 : view.to[i]!);
  const pieces: string[] = [];
  let at = 0;
  let out = 0;
  const copy = (end: number) => {
    pieces.push(source.slice(at, end));
    for (; at < end; at++, out++) {
      from[out] = origin(at);
      to[out] = originEnd(at);
    }
  };
  while (match) {
    copy(match.index);
    for (const { char, length } of decode(match[0])) {
      for (let unit = 0; unit < char.length; unit++, out++) {
        from[out] = origin(at);
        to[out] = originEnd(at + length - 1);
      }
      pieces.push(char);
      at += length;
    }
    at = match.index + match[0].length;
    match = escapeSequence.exec(source);
  }
  copy(source.length);
  return { text: pieces.join(''), from, to };
}

/**
 * Yields the text with one, two and three layers of escapes undone, as far as it has them. Where it has
 * several kinds of escapes (URL, JSON, HTML), each kind is also undone alone, since a secret may itself look
 * like an escape.
 */
export function* unescapedViews(text: string): Generator<View> {
  yield* layers(text, anyKind);
  const present = kinds.filter((kind) => text.search(kind) >= 0);
  if (present.length > 1) for (const kind of present) yield* layers(text, kind);
}

function* layers(text: string, escapeSequence: RegExp): Generator<View> {
  let view: View | undefined;
  for (let layer = 0; layer < 3; layer++) {
    view = unescapeOnce(view ?? text, escapeSequence);
    if (!view) return;
    yield view;
  }
}
