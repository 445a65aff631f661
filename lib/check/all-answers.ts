/**
 * Defines checks that judge the form of all answers of a run, at its end. Other checks look only at answers that they
 * ask for; what a table says of an answer holds for unusual requests as well, if they are accepted.
 */
import type { ResolvedTarget } from '../config/types.ts';
import { Answer } from '../http/answer.ts';
import type { Exchange } from '../model/results.ts';
import { Blocked, Undecided } from '../model/verdict.ts';
import type { CheckContext } from './context.ts';
import type { Expect } from './expect.ts';
import type { Check, CheckOptions, SeenAnswer } from './suite.ts';
import { CLOCK } from './touches.ts';
import type { Validator } from './validator.ts';

/** A kind of answer that a table of the specification describes. */
export interface AnswerForm {
  method: string;
  /** Matches the end of the URL without its query. */
  path: RegExp;
  /** The status of success. */
  status: number;
  /** `$id` of the schema of the body, where it has one. */
  schema?: string;
  /** Selects the requests that get it, where method and path do not suffice. */
  when?: (asked: Asked) => boolean;
  /**
   * Returns the requirement that another success than `status` violates; undefined where the request is so unusual that
   * this is left open.
   */
  success: (asked: Asked) => string | undefined;
  /** Whether 500 violates that requirement as well: sent again, such a request asks for nothing that may be missing. */
  neverBreaksDown?: true;
}

/** A request that gets such an answer. */
export interface Asked {
  url: URL;
  /** Returns a header by its name in lower case. */
  header: (name: string) => string | undefined;
  /** The body, as text. */
  body: string;
  /** Undefined in the proof, whose targets have no configuration that matters here. */
  target: ResolvedTarget | undefined;
}

/** What such checks need to know. */
export interface AllAnswers<F> {
  schemas: Validator;
  /** Kinds of answers. The first one counts that fits a request. */
  forms: readonly AnswerForm[];
  /** Sends a request again, if it can be; where that takes something that no longer exists, with a new one. */
  again: (context: CheckContext & F, exchange: Exchange) => Promise<Answer | undefined>;
}

/** How many requests are sent again for each property that does not fit. */
const MOST_FOR_EACH = 3;

/**
 * Defines a check of requirements about properties of answers, and one for each requirement about a status of success.
 * A request whose answer does not fit is sent again, and the second answer is judged: the first could be the network's
 * doing, and has been recorded long ago.
 */
export function checkAllAnswers<F>(
  check: Check<F>,
  { fields, statuses }: { fields: string[]; statuses: readonly string[] },
  { schemas, forms, again }: AllAnswers<F>,
  options: CheckOptions = {},
): void {
  const shared = { forms, again, known: new WeakMap<Exchange, Judged | null>() };
  checkThem(check, fields, { ...shared, ...ofFields(schemas) }, options);
  for (const id of statuses) checkThem(check, [id], { ...shared, ...OF_STATUSES }, options);
}

/** The kind of an answer. */
interface Kind {
  form: AnswerForm;
  /** The requirement about its success, if there is one. */
  success: string | undefined;
}

/** How answers are judged: by properties, named as in schemas, or by requirements about their success. */
interface Judgement {
  /** Returns what an answer has that can be judged. */
  places(kind: Kind, seen: SeenAnswer): Iterable<string>;
  /** Returns what of that does not fit. */
  faults(kind: Kind, seen: SeenAnswer): Iterable<string>;
  /** Judges the answer to the same request, sent again. */
  expect(expect: Expect, kind: Kind, answer: Answer, fault: string): void;
}

const OF_STATUSES: Judgement = {
  places: ({ success }, { status }) => (success === undefined || status === 500 ? [] : [success]),
  faults: ({ form, success }, { status }) =>
    success === undefined || status === form.status ? [] : [success],
  expect: (expect, { form }, answer, id) => expect.soft(id, (its) => its.status(answer, form.status)),
};

const ofFields = (schemas: Validator): Judgement => {
  const judged = (
    { form }: Kind,
    seen: SeenAnswer,
    judge: (schema: string, json: unknown) => ReadonlyMap<string, unknown>,
  ) =>
    form.schema === undefined || seen.status !== form.status ? [] : judge(form.schema, jsonOf(seen)).keys();
  return {
    places: (kind, seen) => judged(kind, seen, (schema, json) => schemas.locate(schema, json)),
    faults: (kind, seen) => judged(kind, seen, (schema, json) => schemas.faults(schema, json)),
    expect: (expect, { form }, answer) => {
      if (form.schema !== undefined && answer.status === form.status)
        expect.fields(answer, schemas, form.schema);
    },
  };
};

interface Judge<F> extends Judgement, Pick<AllAnswers<F>, 'forms' | 'again'> {
  /** What each exchange so far is, which is the same for all checks of a suite; null where no table has its answer. */
  known: WeakMap<Exchange, Judged | null>;
}

/** An answer that can be judged. */
interface Judged {
  kind: Kind;
  seen: SeenAnswer;
}

function checkThem<F>(check: Check<F>, requirements: string[], judge: Judge<F>, options: CheckOptions): void {
  const faults = (seen: SeenAnswer): boolean => {
    const kind = kindOf(seen, judge.forms, undefined);
    return kind !== undefined && [...judge.faults(kind, seen)].length > 0;
  };
  const how = {
    case: 'all-of-the-run',
    phase: 'late',
    looksBack: true,
    touches: { [CLOCK]: 'move' },
  } as const;
  check(requirements, { ...how, faults, ...options }, async (context) => {
    const { expect, verdicts, cited, target } = context;
    const wanted = new Map(cited.map(({ id, field }) => [field ?? id, id]));
    const { located, odd } = lookAtAll(context, judge, wanted);
    if (![...wanted.keys()].some((each) => located.has(each)))
      context.skip('the run got no answer of which the specification has a table');
    for (const [exchange, found] of odd) {
      const open = found.find((each) => wanted.has(each) && verdicts.get(wanted.get(each)!) !== 'failed');
      const answer = open && (await judge.again(context, exchange).catch(unlessUndecided));
      const seen = answer && seenIn(answer.exchange);
      const kind = seen && kindOf(seen, judge.forms, target);
      if (kind) judge.expect(expect, kind, answer as Answer, open as string);
    }
    for (const [each, id] of wanted) {
      if (verdicts.get(id) !== 'failed') verdicts.set(id, located.has(each) ? 'passed' : 'skipped');
    }
  });
}

/** Returns the kind of an answer; undefined where no table describes it, and where it is neither a success nor 500. */
function kindOf(
  { status, method, url: address, headers, body = '' }: SeenAnswer,
  forms: readonly AnswerForm[],
  target: ResolvedTarget | undefined,
): Kind | undefined {
  const isBroken = status === 500;
  if (!isBroken && (status < 200 || status > 299)) return undefined;
  // Most requests are to other endpoints, and parsing a URL takes longer than this.
  const [place = ''] = address.split('?', 1);
  const near = forms.filter(
    (form) => form.method === method && form.path.test(place) && (!isBroken || form.neverBreaksDown),
  );
  if (near.length === 0) return undefined;
  const header = (name: string) => headers.find(([key]) => key.toLowerCase() === name)?.[1];
  const asked = { url: new URL(address), header, body, target };
  const form = near.find(({ when }) => when === undefined || when(asked));
  return form && { form, success: form.success(asked) };
}

/**
 * Returns what was wanted and somewhere in the answers, and the exchanges in which something does not fit, the first
 * few of each, with that.
 */
function lookAtAll<F>(
  { http, target }: CheckContext,
  { forms, known, places, faults }: Judge<F>,
  wanted: ReadonlyMap<string, string>,
): { located: ReadonlySet<string>; odd: ReadonlyMap<Exchange, readonly string[]> } {
  const located = new Set<string>();
  const odd = new Map<Exchange, readonly string[]>();
  const counts = new Map<string, number>();
  for (const exchange of http.recorder.all()) {
    const before = known.get(exchange);
    const judged = before === undefined ? judgedIn(exchange, forms, target) : before;
    known.set(exchange, judged);
    if (judged === null) continue;
    const { kind, seen } = judged;
    if ([...wanted.keys()].some((each) => !located.has(each)))
      for (const each of places(kind, seen)) located.add(each);
    const found = [...faults(kind, seen)];
    const sorts = found.map((fault) => `${kind.form.method} ${kind.form.path} ${fault}`);
    if (!sorts.some((sort) => (counts.get(sort) ?? 0) < MOST_FOR_EACH)) continue;
    for (const sort of sorts) counts.set(sort, (counts.get(sort) ?? 0) + 1);
    odd.set(exchange, found);
  }
  return { located, odd };
}

function judgedIn(
  exchange: Exchange,
  forms: readonly AnswerForm[],
  target: ResolvedTarget | undefined,
): Judged | null {
  const seen = seenIn(exchange);
  const kind = seen && kindOf(seen, forms, target);
  return seen && kind ? { kind, seen } : null;
}

/** Returns an exchange as `SeenAnswer`; undefined where no whole answer is recorded, and for calls of hooks. */
function seenIn({ request, response, error, hook }: Exchange): SeenAnswer | undefined {
  if (!response || error !== undefined || hook !== undefined || response.body.cut) return undefined;
  const { method, url, headers, body } = request;
  const sent = { method, url, headers, body: body?.text };
  return { ...sent, status: response.status, text: response.body.text ?? '' };
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
