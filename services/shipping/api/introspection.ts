import { isDeepStrictEqual } from 'node:util';
import type { CheckContext } from '../../../lib/check/context.ts';
import { perRunOf } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { mexican } from '../fixtures/mexican-data.ts';
import { OAuth, type Params } from './oauth.ts';

/** The kinds of token, by the values of `token_type_hint`. */
export type TokenKind = 'access_token' | 'refresh_token';

/** Asks about a token, in a kind of body that the target takes. */
export type Ask = (token: string, purpose: string, params?: Params) => Promise<Answer>;

/**
 * Whether introspection tells two states of a token apart. Its body is not shown (4.9), so answers are
 * compared: a difference counts only where it is not also there between two answers for one and the same
 * state, as a time of day or a request number would be.
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
   * How tokens of one kind are asked about on this target: with credentials and token alone, or, where that
   * tells nothing, with the right hint too. Which parameters are required is not shown (4.9), so a target
   * may want the hint.
   *
   * @param active an active token of that kind
   */
  async asking(kind: TokenKind, active: string): Promise<Ask> {
    const wanted = await this.wantsHint(kind, active);
    const always = wanted ? { token_type_hint: kind } : {};
    return (token, purpose, params = {}) => this.#ask(token, purpose, { ...always, ...params });
  }

  /** Whether introspection tells an active token of this kind from an invented one with the right hint only. */
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
  const left = leaves(a.json, askedAbout(a));
  const right = leaves(b.json, askedAbout(b));
  return [...new Set([...left.keys(), ...right.keys()])].filter(
    (at) => !isDeepStrictEqual(left.get(at), right.get(at)),
  );
}

/** The token that an answer is about. */
function askedAbout({ exchange }: Answer): string | undefined {
  const text = exchange.request.body?.text ?? '';
  try {
    const { token } = JSON.parse(text) as { token?: unknown };
    return typeof token === 'string' ? token : undefined;
  } catch {
    return new URLSearchParams(text).get('token') ?? undefined;
  }
}

/** The leaves of a body by pointer. What merely repeats the token asked about is left out: it does not show its state. */
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
