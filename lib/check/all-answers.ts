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

/** The tables of a specification. */
interface Tables {
  schemas: Validator;
  /** Kinds of answers. The first one counts that fits a request. */
  forms: readonly AnswerForm[];
}

/** What such a check needs to know. */
export interface AllAnswers<F> extends Tables {
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
  { forms, ...others }: AllAnswers<F>,
  options: CheckOptions = {},
): void {
  const ofFields = forms.map((form) => ({ ...form, success: () => undefined }));
  const ofStatuses = forms.map(({ schema: _, ...form }) => form);
  checkThem(check, fields, { ...others, forms: ofFields }, options);
  for (const id of statuses) checkThem(check, [id], { ...others, forms: ofStatuses }, options);
}

function checkThem<F>(
  check: Check<F>,
  requirements: string[],
  { again, ...tables }: AllAnswers<F>,
  options: CheckOptions,
): void {
  const faults = (seen: SeenAnswer): boolean => (look(seen, tables, undefined)?.faults.size ?? 0) > 0;
  const how = {
    case: 'all-of-the-run',
    phase: 'late',
    looksBack: true,
    touches: { [CLOCK]: 'move' },
  } as const;
  check(requirements, { ...how, faults, ...options }, async (context) => {
    const { expect, verdicts, cited, http, target } = context;
    const wanted = new Set(cited.map(({ id, field }) => field ?? id));
    const { located, odd } = lookAtAll(http.recorder.all(), tables, target, wanted);
    if (![...wanted].some((each) => located.has(each)))
      context.skip('the run got no answer of which the specification has a table');
    for (const [exchange, found] of odd) {
      if (cited.every(({ id, field }) => !found.has(field ?? id) || verdicts.get(id) === 'failed')) continue;
      const answer = await again(context, exchange).catch(unlessUndecided);
      const form = answer && look(seenIn(answer.exchange), tables, target)?.form;
      if (!form) continue;
      const status = cited.find(({ id }) => found.has(id));
      if (status) expect.soft(status.id, (its) => its.status(answer, form.status));
      else if (answer.status === form.status && form.schema)
        expect.fields(answer, tables.schemas, form.schema);
    }
    for (const { id, field } of cited) {
      if (verdicts.get(id) !== 'failed') verdicts.set(id, located.has(field ?? id) ? 'passed' : 'skipped');
    }
  });
}

/** What is found in one answer. */
interface Look {
  form: AnswerForm;
  json: unknown;
  /** The requirement about its success, if there is one. */
  success: string | undefined;
  /** The properties that do not fit, or the requirement about its success. */
  faults: ReadonlySet<string>;
}

/** Looks at an answer; undefined where no table describes it. */
function look(
  seen: SeenAnswer | undefined,
  { forms, schemas }: Tables,
  target: ResolvedTarget | undefined,
): Look | undefined {
  if (!seen || seen.status < 200 || seen.status > 299) return undefined;
  const url = new URL(seen.url);
  const header = (name: string) => seen.headers.find(([key]) => key.toLowerCase() === name)?.[1];
  const asked = { url, header, body: seen.body ?? '', target };
  const form = forms.find(
    ({ method, path, when }) =>
      method === seen.method && path.test(url.pathname) && (when === undefined || when(asked)),
  );
  if (!form) return undefined;
  const success = form.success(asked);
  if (seen.status !== form.status)
    return { form, json: undefined, success, faults: new Set(success === undefined ? [] : [success]) };
  if (form.schema === undefined) return { form, json: undefined, success, faults: new Set() };
  const json = jsonOf(seen);
  return { form, json, success, faults: new Set(schemas.faults(form.schema, json).keys()) };
}

/**
 * Returns which of the wanted properties and requirements were somewhere in the answers, and the exchanges in which
 * some do not fit, the first few of each, with these.
 */
function lookAtAll(
  exchanges: Iterable<Exchange>,
  tables: Tables,
  target: ResolvedTarget | undefined,
  wanted: ReadonlySet<string>,
): { located: ReadonlySet<string>; odd: ReadonlyMap<Exchange, ReadonlySet<string>> } {
  const located = new Set<string>();
  const odd = new Map<Exchange, ReadonlySet<string>>();
  const counts = new Map<string, number>();
  for (const exchange of exchanges) {
    const found = look(seenIn(exchange), tables, target);
    if (!found) continue;
    const { form, json, success, faults } = found;
    if (success !== undefined) located.add(success);
    if (form.schema !== undefined && [...wanted].some((each) => !located.has(each)))
      for (const field of tables.schemas.locate(form.schema, json).keys()) located.add(field);
    const kinds = [...faults].map((fault) => `${form.method} ${form.path} ${fault}`);
    if (!kinds.some((kind) => (counts.get(kind) ?? 0) < MOST_FOR_EACH)) continue;
    for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    odd.set(exchange, faults);
  }
  return { located, odd };
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
