import { isDeepStrictEqual } from 'node:util';
import type { CheckContext } from '../../../lib/check/context.ts';
import { perRunOf } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { mexican } from '../fixtures/mexican-data.ts';
import { OAuth, type Params } from './oauth.ts';

/** The kinds of token, by the values of `token_type_hint`. */
export type TokenKind = 'access_token' | 'refresh_token';

/** Introspects a token, in a kind of body that the target accepts. */
export type Ask = (token: string, purpose: string, params?: Params) => Promise<Answer>;

/**
 * Finds out whether introspection distinguishes two states of a token. The specification does not show the
 * response body (4.9), so answers are compared. A difference counts only where two answers about one and the
 * same state do not differ in the same place, as they would in a time of day or a request number.
 */
export class Introspection {
  readonly session: Session;
  readonly #context: CheckContext;
  readonly #oauth: OAuth;

  constructor(context: CheckContext) {
    this.session = context.session;
    this.#context = context;
    this.#oauth = new OAuth(context);
  }

  /**
   * Returns how to introspect tokens of one kind on this target: with credentials and token alone, or, where
   * that distinguishes nothing, with the right hint as well. The specification does not show which parameters
   * are required (4.9), so a target may require the hint.
   *
   * @param active an active token of that kind
   */
  async asking(kind: TokenKind, active: string): Promise<Ask> {
    const wanted = await this.wantsHint(kind, active);
    const always = wanted ? { token_type_hint: kind } : {};
    return (token, purpose, params = {}) => this.#ask(token, purpose, { ...always, ...params });
  }

  /** Whether only with the right hint an active token is distinguished from an invented one. */
  readonly wantsHint = perRunOf(
    this,
    'shipping: introspection wants the hint',
    async (kind: TokenKind, active: string): Promise<boolean> => {
      if (await this.#tells(active, {})) return false;
      return this.#tells(active, { token_type_hint: kind });
    },
    { by: (kind) => [kind] },
  );

  async #tells(active: string, params: Params): Promise<boolean> {
    const invented = mexican(this.#context).string.alphanumeric(active.length);
    const before = await this.#ask(active, 'introspect an active token', params);
    if (!before.ok) return false;
    const other = await this.#ask(invented, 'introspect an invented token', params);
    const after = await this.#ask(active, 'introspect the active token again', params);
    return Introspection.distinguishes(before, other, before, after);
  }

  #ask(token: string, purpose: string, params: Params): Promise<Answer> {
    return this.#oauth.introspect(token, params, undefined, purpose);
  }

  /**
   * Whether two answers differ because the state of the token differs. The control answers are about a token
   * whose state is the same in both, and were requested before and after whatever changed the token under
   * test.
   */
  static distinguishes(before: Answer, after: Answer, controlBefore: Answer, controlAfter: Answer): boolean {
    if (before.status !== after.status) return controlBefore.status === controlAfter.status;
    const noise = new Set(differences(controlBefore, controlAfter));
    return differences(before, after).some((pointer) => !noise.has(pointer));
  }
}

/** Returns JSON pointers to the values in which two bodies differ; `''` where not both are JSON. */
function differences(a: Answer, b: Answer): string[] {
  if (a.json === undefined || b.json === undefined) return a.text === b.text ? [] : [''];
  const left = leaves(a.json, askedAbout(a));
  const right = leaves(b.json, askedAbout(b));
  return [...new Set([...left.keys(), ...right.keys()])].filter(
    (at) => !isDeepStrictEqual(left.get(at), right.get(at)) && !areNear(left.get(at), right.get(at)),
  );
}

/** How many seconds at most lie between two introspections that are compared. */
const NEAR_S = 5;

/**
 * Whether two values may both be the time of the answer, or the seconds that are left, in two answers that
 * were requested shortly after one another.
 */
function areNear(one: unknown, other: unknown): boolean {
  const [a, b] = [one, other].map((value) =>
    typeof value === 'string' && /^\d{4}-/.test(value) ? Date.parse(value) : value,
  );
  if (typeof a !== 'number' || typeof b !== 'number' || Math.min(a, b) < 100) return false;
  return Math.abs(a - b) <= (Math.min(a, b) > 1e11 ? 1_000 * NEAR_S : NEAR_S);
}

/** Returns the token that the request of an answer asked about. */
function askedAbout({ exchange }: Answer): string | undefined {
  const text = exchange.request.body?.text ?? '';
  try {
    const { token } = JSON.parse(text) as { token?: unknown };
    return typeof token === 'string' ? token : undefined;
  } catch {
    return new URLSearchParams(text).get('token') ?? undefined;
  }
}

/**
 * Returns the values in a body that are not objects or arrays, by JSON pointer. A value that merely repeats
 * the token asked about is replaced by a fixed text, since it does not show the token's state.
 */
function leaves(
  value: unknown,
  token: string | undefined,
  at = '',
  into = new Map<string, unknown>(),
): Map<string, unknown> {
  if (value !== null && typeof value === 'object' && Object.keys(value).length > 0) {
    for (const [key, inner] of Object.entries(value)) leaves(inner, token, `${at}/${key}`, into);
  } else into.set(at, value !== undefined && value === token ? 'the token asked about' : value);
  return into;
}
