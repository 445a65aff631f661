/**
 * Records what a check looks at in an answer: always its status, and the parts of its headers and body that
 * it reads. To the check, answers that agree in all of that are the same, so the proof need not repeat it for
 * each of them.
 */
import { escapeToken, tokensOf } from '../model/json-pointer.ts';
import type { HeaderPair } from '../model/results.ts';
import { tooMuchJson } from './json-bounds.ts';

/**
 * One thing that was looked at: the whole text, all headers, a header by name, or the value or the keys at a
 * JSON pointer of the body.
 */
export type Look = 'text' | 'headers' | `header ${string}` | `value ${string}` | `keys ${string}`;

/** Called with each thing that is looked at. */
export type OnLook = (look: Look) => void;

/** The parts of an answer that can be looked at. */
interface Seen {
  status: number;
  headers: readonly HeaderPair[];
  text: string;
}

/** Returns a JSON document that behaves like the given one and reports which of its parts are looked at. */
export function watched(document: unknown, onLook: OnLook): unknown {
  const proxies = new WeakMap<object, object>();
  const at = (value: unknown, pointer: string): unknown => {
    if (value === null || typeof value !== 'object') return value;
    const known = proxies.get(value);
    if (known) return known;
    const inner = (key: string) => `${pointer}/${escapeToken(key)}`;
    const look = (key: string | symbol) => {
      if (typeof key === 'string') onLook(`value ${inner(key)}`);
    };
    const proxy = new Proxy(value, {
      get(target, key, receiver) {
        if (Object.hasOwn(target, key)) {
          look(key);
          return at(Reflect.get(target, key), inner(String(key)));
        }
        // Inherited members, such as the methods of arrays, are no part of the document.
        if (!(key in target)) look(key);
        return Reflect.get(target, key, receiver);
      },
      has(target, key) {
        look(key);
        return Reflect.has(target, key);
      },
      ownKeys(target) {
        onLook(`keys ${pointer}`);
        return Reflect.ownKeys(target);
      },
      getOwnPropertyDescriptor(target, key) {
        look(key);
        const found = Reflect.getOwnPropertyDescriptor(target, key);
        return found && 'value' in found && found.configurable
          ? { ...found, value: at(found.value, inner(String(key))) }
          : found;
      },
    });
    proxies.set(value, proxy);
    return proxy;
  };
  if (document === null || typeof document !== 'object') onLook('value ');
  return at(document, '');
}

/** Compares two answers to the same request in the parts that were looked at. */
export class Comparison {
  readonly #a: Seen;
  readonly #b: Seen;
  readonly #known = new Map<Look, boolean>();
  #left: unknown;
  #right: unknown;
  #isAlikeOutside: boolean | undefined;

  constructor(a: Seen, b: Seen) {
    this.#a = a;
    this.#b = b;
  }

  /**
   * Returns whether the answers agree in their status, in all that may put them in doubt (doubt.ts), and in
   * these parts.
   */
  isAlike(looks: Iterable<Look>): boolean {
    this.#isAlikeOutside ??= this.#compareOutside();
    if (!this.#isAlikeOutside) return false;
    for (const look of looks) {
      const known = this.#known.get(look);
      const differs = known ?? this.#differs(look);
      if (known === undefined) this.#known.set(look, differs);
      if (differs) return false;
    }
    return true;
  }

  /**
   * Compares what matters whichever parts are looked at: status, content type, and whether there is JSON and
   * of what kind.
   */
  #compareOutside(): boolean {
    const [a, b] = [this.#a, this.#b];
    if (a.status !== b.status || header(a, 'content-type') !== header(b, 'content-type')) return false;
    this.#left = jsonOf(a);
    this.#right = a.text === b.text ? this.#left : jsonOf(b);
    // Without JSON, the texts are compared instead.
    if (this.#left === undefined || this.#right === undefined) return a.text === b.text;
    return kindOf(this.#left) === kindOf(this.#right);
  }

  #differs(look: Look): boolean {
    const [a, b] = [this.#a, this.#b];
    if (look === 'text') return a.text !== b.text;
    if (look === 'headers') return JSON.stringify(a.headers) !== JSON.stringify(b.headers);
    if (look.startsWith('header ')) {
      const name = look.slice('header '.length);
      return header(a, name) !== header(b, name);
    }
    const isKeys = look.startsWith('keys ');
    const parts = partsOf(look.slice(isKeys ? 'keys '.length : 'value '.length));
    const [one, other] = [placeAt(this.#left, parts), placeAt(this.#right, parts)];
    if (one === NOTHING || other === NOTHING) return one !== other;
    if (kindOf(one) !== kindOf(other)) return true;
    if (isKeys) return Object.keys(one as object).join('\n') !== Object.keys(other as object).join('\n');
    return kindOf(one) === 'plain' && one !== other;
  }
}

/** Returns the values of a header, in their order. */
function header({ headers }: Seen, name: string): string {
  return headers
    .filter(([key]) => key.toLowerCase() === name)
    .map(([, value]) => value)
    .join('\n');
}

function kindOf(value: unknown): 'plain' | 'array' | 'object' {
  if (value === null || typeof value !== 'object') return 'plain';
  return Array.isArray(value) ? 'array' : 'object';
}

/** Stands for the absence of a value. */
const NOTHING = Symbol('nothing');

const knownParts = new Map<string, string[]>();

function partsOf(pointer: string): string[] {
  const known = knownParts.get(pointer);
  if (known) return known;
  const parts = tokensOf(pointer);
  knownParts.set(pointer, parts);
  return parts;
}

/** Returns the value at a JSON pointer, or `NOTHING`. The length of an array is found there, too. */
function placeAt(document: unknown, parts: readonly string[]): unknown {
  let value = document;
  for (const part of parts) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, part)) return NOTHING;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

const documents = new WeakMap<Seen, { json: unknown }>();

/** Returns the JSON of a body; `undefined` where it has none. */
function jsonOf(answer: Seen): unknown {
  const known = documents.get(answer) ?? { json: parsed(answer.text) };
  documents.set(answer, known);
  return known.json;
}

function parsed(text: string): unknown {
  if (tooMuchJson(text) !== undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
