/**
 * Lays out JSON for reading without parsing it into values, so that numbers keep their digits and repeated
 * keys stay, and finds the places that JSON pointers name.
 */
import { escapeToken } from '../model/json-pointer.ts';

/** A place in the laid-out text. */
export interface Mark {
  start: number;
  end: number;
  /**
   * The pointers that are shown here. `missing` is true where the pointer names nothing, and this is what
   * should hold it.
   */
  pointers: { pointer: string; missing: boolean }[];
}

/** A body that is nested deeper than this is shown as it came. */
const MAX_DEPTH = 64;

interface Frame {
  kind: '{' | '[';
  pointer: string;
  index: number;
  /** Where the text of the present member begins; in an object, that is at its key. */
  memberStart: number;
  key: string;
  empty: boolean;
}

const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const jsonEscape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const blank = /[ \t\n\r]*/y;

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x5c) {
      jsonEscape.lastIndex = i;
      if (!jsonEscape.test(text)) return -1;
      i = jsonEscape.lastIndex - 1;
    } else if (code === 0x22) return i + 1;
    else if (code < 0x20) return -1;
  }
  return -1;
}

/** Whether the rest of a text is a single unfinished token. */
function endsInToken(text: string, at: number): boolean {
  return text[at] === '"' ? endOfString(text, at) < 0 : /^[a-z0-9.eE+-]{0,40}$/.test(text.slice(at, at + 41));
}

function decodeKey(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return token.slice(1, -1);
  }
}

/**
 * Lays out a JSON text with two spaces per level.
 * @param pointers JSON pointers whose places are wanted
 * @param cut whether the text is the beginning of a longer one, and may end anywhere
 * @returns the text with its marks; `undefined` where it is not JSON or too deep to be laid out
 */
export function layoutJson(
  text: string,
  pointers: readonly string[] = [],
  cut = false,
): { text: string; marks: Mark[] } | undefined {
  // Pointers are computed only where some are wanted.
  const isWanted = pointers.length > 0;
  const places = new Map<string, { start: number; end: number }>();
  const openings = new Map<string, number>();
  const stack: Frame[] = [];
  let out = '';
  let at = 0;
  const skip = () => {
    blank.lastIndex = at;
    blank.test(text);
    at = blank.lastIndex;
  };
  const newline = () => {
    out += `\n${'  '.repeat(stack.length)}`;
  };
  const pointerOf = (): string => {
    if (!isWanted) return '';
    const top = stack.at(-1);
    return top ? `${top.pointer}/${top.kind === '[' ? top.index : escapeToken(top.key)}` : '';
  };
  /**
   * Called where the text stops being JSON. For a cut text, that is its end, and the rest is shown as it is.
   */
  const stop = (): { text: string; marks: Mark[] } | undefined => {
    if (!cut || stack.length === 0 || !endsInToken(text, at)) return undefined;
    const whole = out + text.slice(at);
    return { text: whole, marks: marksFor(pointers, places, openings, whole) };
  };
  const startOf = (valueStart: number): number => stack.at(-1)?.memberStart ?? valueStart;

  skip();
  for (;;) {
    // A value is expected here.
    const char = text[at];
    let closed = false;
    if (char === '{' || char === '[') {
      if (stack.length >= MAX_DEPTH) return undefined;
      const pointer = pointerOf();
      openings.set(pointer, out.length);
      out += char;
      at++;
      stack.push({ kind: char, pointer, index: 0, memberStart: -1, key: '', empty: true });
      skip();
    } else {
      const start = out.length;
      let end = -1;
      if (char === '"') end = endOfString(text, at);
      else {
        scalar.lastIndex = at;
        if (scalar.test(text)) end = scalar.lastIndex;
      }
      if (end < 0) return stop();
      out += text.slice(at, end);
      at = end;
      places.set(pointerOf(), { start: startOf(start), end: out.length });
      closed = true;
    }
    // After a value, or at the beginning of a container: close, or go on to the next member.
    for (;;) {
      skip();
      const top = stack.at(-1);
      if (!top) {
        if (at < text.length) return undefined;
        return { text: out, marks: marksFor(pointers, places, openings, out) };
      }
      if (text[at] === (top.kind === '{' ? '}' : ']') && (closed || top.empty)) {
        stack.pop();
        if (!top.empty) newline();
        out += text[at];
        at++;
        places.set(top.pointer, { start: startOf(openings.get(top.pointer)!), end: out.length });
        closed = true;
        continue;
      }
      if (closed) {
        if (text[at] !== ',') return stop();
        out += ',';
        at++;
        top.index++;
        skip();
      }
      top.empty = false;
      newline();
      top.memberStart = out.length;
      if (top.kind === '{') {
        if (text[at] !== '"') return stop();
        const end = endOfString(text, at);
        if (end < 0) return stop();
        const token = text.slice(at, end);
        if (isWanted) top.key = decodeKey(token);
        at = end;
        skip();
        if (text[at] !== ':') {
          out += token;
          return at < text.length ? undefined : stop();
        }
        at++;
        skip();
        out += `${token}: `;
      }
      break;
    }
  }
}

/**
 * Returns the marks of the pointers, in the order of the text, without overlaps. A pointer that names nothing
 * is shown at the nearest object or array that should hold it.
 */
function marksFor(
  pointers: readonly string[],
  places: ReadonlyMap<string, { start: number; end: number }>,
  openings: ReadonlyMap<string, number>,
  text: string,
): Mark[] {
  const marks: Mark[] = [];
  for (const pointer of new Set(pointers)) {
    let holder = pointer;
    while (!places.has(holder) && holder !== '') holder = holder.slice(0, holder.lastIndexOf('/'));
    const place = places.get(holder);
    if (!place) continue;
    const opening = openings.get(holder);
    // Of an object or array only the line that opens it is marked.
    const valueEnd = opening === undefined ? place.end : opening + 1;
    const end = text[valueEnd] === ',' ? valueEnd + 1 : valueEnd;
    const start = opening === undefined || text[place.start] === '"' ? place.start : opening;
    const wanted = { pointer, missing: holder !== pointer };
    const same = marks.find((mark) => mark.start === start && mark.end === end);
    if (same) same.pointers.push(wanted);
    else marks.push({ start, end, pointers: [wanted] });
  }
  marks.sort((a, b) => a.start - b.start || a.end - b.end);
  return marks.filter((mark, i) => i === 0 || mark.start >= marks[i - 1]!.end);
}
