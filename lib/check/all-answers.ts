/**
 * Defines checks that judge the form of all answers of a run, at its end. Other checks look only at answers that they
 * ask for; what a table says of an answer holds for unusual requests as well, if they are accepted.
 */
import type { ResolvedTarget } from '../config/types.ts';
import { Answer } from '../http/answer.ts';
import type { Exchange } from '../model/results.ts';
import { Blocked, Undecided } from '../model/verdict.ts';
import type { CheckContext } from './context.ts';
import type { Check, CheckOptions, SeenAnswer } from './suite.ts';
import { CLOCK } from './touches.ts';
import type { Validator } from './validator.ts';

/** A kind of answer that a table of the specification describes. */
export interface AnswerForm {
  method: string;
  /** Matches the path of the URL. */
  path: RegExp;
  status: number;
  /** `$id` of the schema of the body. */
  schema: string;
  /** Selects the requests that get it, where method and path do not suffice. */
  when?: (asked: Asked) => boolean;
}

/** A request that gets such an answer. */
export interface Asked {
  url: URL;
  /** Returns a header by its name in lower case. */
  header: (name: string) => string | undefined;
  /** Undefined in the proof, whose targets have no configuration that matters here. */
  target: ResolvedTarget | undefined;
}

/** What such a check needs to know. */
export interface AllAnswers<F> {
  schemas: Validator;
  forms: readonly AnswerForm[];
  /** Sends a request again, if it can be; where that takes something that no longer exists, with a new one. */
  again: (context: CheckContext & F, exchange: Exchange) => Promise<Answer | undefined>;
}

/** How many requests are sent again for each property that does not fit. */
const MOST_FOR_EACH = 3;

/**
 * Defines a check of these requirements about properties of answers. A request whose answer does not fit is sent
 * again, and the second answer is judged: the first could be the network's doing, and has been recorded long ago.
 */
export function checkAllAnswers<F>(
  check: Check<F>,
  requirements: string[],
  { schemas, forms, again }: AllAnswers<F>,
  options: CheckOptions = {},
): void {
  const formOf = (seen: SeenAnswer, target?: ResolvedTarget) =>
    forms.find((form) => isOfForm(seen, form, target));
  const faults = (seen: SeenAnswer): boolean => {
    const form = formOf(seen);
    return form !== undefined && schemas.faults(form.schema, jsonOf(seen)).size > 0;
  };
  const how = {
    case: 'all-of-the-run',
    phase: 'late',
    looksBack: true,
    touches: { [CLOCK]: 'move' },
  } as const;
  check(requirements, { ...how, faults, ...options }, async (context) => {
    const { expect, verdicts, cited, http, target } = context;
    const form = (seen: SeenAnswer) => formOf(seen, target);
    const wanted = cited.flatMap(({ field }) => field ?? []);
    const { located, odd } = lookAt(http.recorder.all(), schemas, form, wanted);
    if (located.size === 0) context.skip('the run got no answer of which the specification has a table');
    for (const [exchange, fields] of odd) {
      if (cited.every(({ id, field }) => !fields.has(field ?? '') || verdicts.get(id) === 'failed')) continue;
      const answer = await again(context, exchange).catch(unlessUndecided);
      const second = answer && seenIn(answer.exchange);
      const schema = second && form(second)?.schema;
      if (schema !== undefined) expect.fields(answer as Answer, schemas, schema);
    }
    for (const { id, field } of cited) {
      if (verdicts.get(id) !== 'failed') verdicts.set(id, located.has(field ?? '') ? 'passed' : 'skipped');
    }
  });
}

/**
 * Returns which of the wanted properties were somewhere in the answers, and the exchanges of which some property does
 * not fit, the first few of each, with these properties.
 */
function lookAt(
  exchanges: Iterable<Exchange>,
  schemas: Validator,
  formOf: (seen: SeenAnswer) => AnswerForm | undefined,
  wanted: readonly string[],
): { located: ReadonlySet<string>; odd: ReadonlyMap<Exchange, ReadonlySet<string>> } {
  const located = new Set<string>();
  const odd = new Map<Exchange, ReadonlySet<string>>();
  const counts = new Map<string, number>();
  for (const exchange of exchanges) {
    const seen = seenIn(exchange);
    const form = seen && formOf(seen);
    if (!seen || !form) continue;
    const json = jsonOf(seen);
    if (wanted.some((field) => !located.has(field)))
      for (const field of schemas.locate(form.schema, json).keys()) located.add(field);
    const fields = new Set(schemas.faults(form.schema, json).keys());
    const kinds = [...fields].map((field) => `${form.method} ${form.path} ${field}`);
    if (!kinds.some((kind) => (counts.get(kind) ?? 0) < MOST_FOR_EACH)) continue;
    for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    odd.set(exchange, fields);
  }
  return { located, odd };
}

/** Returns an exchange as `SeenAnswer`; undefined where no whole answer is recorded, and for calls of hooks. */
function seenIn({ request, response, error, hook }: Exchange): SeenAnswer | undefined {
  if (!response || error !== undefined || hook !== undefined || response.body.cut) return undefined;
  return { ...request, status: response.status, text: response.body.text ?? '' };
}

function isOfForm(
  seen: SeenAnswer,
  { method, path, status, when }: AnswerForm,
  target: ResolvedTarget | undefined,
): boolean {
  if (seen.status !== status || seen.method !== method) return false;
  const url = new URL(seen.url);
  if (!path.test(url.pathname)) return false;
  const header = (name: string) => seen.headers.find(([key]) => key.toLowerCase() === name)?.[1];
  return when === undefined || when({ url, header, target });
}

/** Returns the body as JSON; undefined where it is none, or is too large to be examined. */
function jsonOf({ status, text }: SeenAnswer): unknown {
  try {
    return new Answer({} as Exchange, status, text).json;
  } catch {
    return undefined;
  }
}

/** What could not be sent again, or was not answered, shows nothing. */
function unlessUndecided(error: unknown): undefined {
  if (!(error instanceof Blocked) && !(error instanceof Undecided)) throw error;
}
