import { isDeepStrictEqual } from 'node:util';
import type { CheckContext } from '../../../lib/check/context.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { OAuth, type Params } from './tokens.ts';

/**
 * Whether introspection tells two states of a token apart. Its body is not shown (4.9), so answers are
 * compared: a difference counts only where it is not also there between two answers for one and the same
 * state, as a time of day or a request number would be.
 */
export class Introspection {
  readonly #oauth: OAuth;

  constructor(context: CheckContext) {
    this.#oauth = new OAuth(context);
  }

  /** Asks about a token, as JSON. */
  ask(token: string, purpose: string, params: Params = {}): Promise<Answer> {
    return this.#oauth.introspect(token, params, 'json', purpose);
  }

  /** A control: asked before and after whatever changes the token under test. */
  static distinguishes(before: Answer, after: Answer, controlBefore: Answer, controlAfter: Answer): boolean {
    if (before.status !== after.status) return controlBefore.status === controlAfter.status;
    const noise = new Set(differences(controlBefore, controlAfter));
    return differences(before, after).some((pointer) => !noise.has(pointer));
  }
}

/** Pointers of the leaves in which two bodies differ; `''` for bodies that are not both JSON. */
function differences(a: Answer, b: Answer): string[] {
  if (a.json === undefined || b.json === undefined) return a.text === b.text ? [] : [''];
  const left = leaves(a.json);
  const right = leaves(b.json);
  return [...new Set([...left.keys(), ...right.keys()])].filter((at) => !isDeepStrictEqual(left.get(at), right.get(at)));
}

function leaves(value: unknown, at = '', into = new Map<string, unknown>()): Map<string, unknown> {
  if (value !== null && typeof value === 'object' && Object.keys(value).length > 0) {
    for (const [key, inner] of Object.entries(value)) leaves(inner, `${at}/${key}`, into);
  } else into.set(at, value);
  return into;
}
