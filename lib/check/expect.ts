/**
 * The assertions of checks. Every failure names a requirement, the exchange that shows it, the place in the
 * answer, what the specification asks for and what was found.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../http/answer.ts';
import type { Requirement } from '../model/catalogue/types.ts';
import { isJsonObject } from '../model/json.ts';
import type { Exchange, Finding, Verdict } from '../model/results.ts';
import { Violation } from '../model/verdict.ts';
import { type Misfit, short, type Validator } from './validator.ts';

/** Where a failure shows. */
export interface Where {
  /** The answer that shows it. */
  answer?: Answer;
  /** JSON pointer into the body, `status`, or `header:Name`. */
  at?: string;
  expected?: string;
  found?: string;
  /** The request that caused it, where `answer` only shows it; default: the last change of what was read. */
  by?: Answer;
  /** The failure is about the form of the answer, which no earlier request can have caused. */
  form?: boolean;
}

/** Assertions of one check, blaming one requirement; `for` blames another one that the check cites. */
export class Expect {
  readonly #requirement: string;
  readonly #cited: Requirement[];
  readonly #verdicts: Map<string, Verdict>;
  readonly #findings: Finding[];
  readonly #by: Answer | undefined;

  /**
   * @param requirement id to blame
   * @param cited all requirements of the check
   * @param verdicts what the check has decided so far, by requirement; written to
   * @param findings where failures are collected that do not end the check; written to
   * @param by the request whose effect is examined
   */
  constructor(
    requirement: string,
    cited: Requirement[],
    verdicts: Map<string, Verdict>,
    findings: Finding[],
    by?: Answer,
  ) {
    this.#requirement = requirement;
    this.#cited = cited;
    this.#verdicts = verdicts;
    this.#findings = findings;
    this.#by = by;
  }

  /** Returns the same assertions, which blame another requirement of this check. */
  for(id: string): Expect {
    if (!this.#cited.some((r) => r.id === id)) throw new Error(`the check does not cite ${id}`);
    return new Expect(id, this.#cited, this.#verdicts, this.#findings, this.#by);
  }

  /** Returns the same assertions about the effect of `cause`, so that failures name that request as well. */
  after(cause: Answer): Expect {
    return new Expect(this.#requirement, this.#cited, this.#verdicts, this.#findings, cause);
  }

  /** Records that a requirement of this check holds, whatever comes after. */
  holds(id: string): void {
    if (!this.#cited.some((r) => r.id === id)) throw new Error(`the check does not cite ${id}`);
    this.#verdicts.set(id, 'passed');
  }

  /**
   * Makes assertions about one requirement of this check on its own: it passes or fails, and the check goes
   * on. A failure stays, whatever later assertions about the same requirement say.
   */
  soft(id: string, assertions: (expect: Expect) => void): void {
    try {
      assertions(this.for(id));
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      this.#findings.push(...error.findings);
      this.#verdicts.set(id, 'failed');
    }
    if (this.#verdicts.get(id) !== 'failed') this.#verdicts.set(id, 'passed');
  }

  #finding(requirement: string, message: string, where: Where): Finding {
    return finding(requirement, message, { ...(this.#by && { by: this.#by }), ...where });
  }

  #misfit(requirement: string, answer: Answer, misfit: Misfit): Finding {
    const { pointer: at, expected, found } = misfit;
    return this.#finding(requirement, misfitText(misfit), { answer, at, expected, found, form: true });
  }

  /** Fails the check unless the body is a JSON object. */
  object(answer: Answer): void {
    const { json } = answer;
    if (isJsonObject(json)) return;
    const found = json === undefined ? (answer.text === '' ? 'an empty body' : 'no JSON') : short(json);
    this.fail(`${answer.exchange.purpose}: the body is ${found}, not a JSON object`, {
      answer,
      at: '',
      expected: 'a JSON object',
      found,
      form: true,
    });
  }

  /** Fails the check unless the answer is a success, with whichever 2xx. */
  accepted(answer: Answer, why: string): void {
    if (answer.ok) return;
    this.fail(`${answer.exchange.purpose}: answered ${answer.status}, although ${why}`, {
      answer,
      at: 'status',
      expected: 'a success',
      found: String(answer.status),
    });
  }

  /** Fails the check. `message` is one sentence: what is wrong. */
  fail(message: string, where: Where = {}): never {
    throw new Violation([this.#finding(this.#requirement, message, where)]);
  }

  /** Fails the check unless `condition` holds. */
  that(condition: boolean, message: string, where: Where = {}): void {
    if (!condition) this.fail(message, where);
  }

  /** Fails the check unless two JSON values are deeply equal. */
  equal(found: unknown, expected: unknown, what: string, where: Where = {}): void {
    if (isDeepStrictEqual(found, expected)) return;
    this.fail(`${what} is ${short(found)}, not ${short(expected)}`, {
      expected: short(expected),
      found: short(found),
      ...where,
    });
  }

  /** Fails the check unless the answer has this status, or one of these. */
  status(answer: Answer, expected: number | readonly number[]): void {
    const allowed = [expected].flat();
    if (allowed.includes(answer.status)) return;
    this.fail(
      `${answer.exchange.purpose}: the answer has status ${answer.status}, not ${allowed.join(' or ')}`,
      {
        answer,
        at: 'status',
        expected: allowed.join(' or '),
        found: String(answer.status),
      },
    );
  }

  /** Fails the check if the answer is a success. Every other status will do: the specification names none. */
  refused(answer: Answer, why: string): void {
    if (!answer.ok) return;
    this.fail(`${answer.exchange.purpose}: accepted with ${answer.status}, although ${why}`, {
      answer,
      at: 'status',
      expected: 'no success (any status but 2xx)',
      found: String(answer.status),
    });
  }

  /** Fails the check unless the body as a whole fits the schema; for envelopes and error bodies. */
  schema(answer: Answer, validator: Validator, id: string): void {
    const misfits = validator.check(id, answer.json);
    if (misfits.length === 0) return;
    throw new Violation(misfits.map((misfit) => this.#misfit(this.#requirement, answer, misfit)));
  }

  /**
   * Decides each cited requirement about a property of the schema on its own: it fails where the property
   * does not fit, passes where it does, and is blocked where no object came that ought to have the property.
   * One bad field does not hide or blame another.
   */
  fields(answer: Answer, validator: Validator, id: string): void {
    const places = validator.locate(id, answer.json);
    const faults = validator.faults(id, answer.json);
    for (const requirement of this.#cited) {
      if (requirement.field === undefined) continue;
      const fault = faults.get(requirement.field);
      if (fault) {
        this.#verdicts.set(requirement.id, 'failed');
        this.#findings.push(
          ...fault.slice(0, 5).map((misfit) => this.#misfit(requirement.id, answer, misfit)),
        );
      } else if (places.has(requirement.field) && this.#verdicts.get(requirement.id) !== 'failed') {
        this.#verdicts.set(requirement.id, 'passed');
      } else if (!this.#verdicts.has(requirement.id)) {
        this.#verdicts.set(requirement.id, 'blocked');
      }
    }
  }
}

/**
 * Returns a sentence: `/data/address/phone is missing`, `/data/default is "no", not type boolean or null`.
 */
function misfitText({ pointer, found, expected }: Misfit): string {
  const place = pointer || 'the body';
  return found === 'nothing' ? `${place} is missing` : `${place} is ${found}, not ${expected}`;
}

/** Findings about the form of an answer. They are kept here, since reports do not set them apart. */
const aboutForm = new WeakSet<Finding>();

/** Returns whether a finding is about the form of an answer, which no earlier request can have caused. */
export function isAboutForm(finding: Finding): boolean {
  return aboutForm.has(finding);
}

/** Returns the last change of what an answer shows. That a change was refused for lack of rights explains no status. */
function likelyCause({ answer, at }: Where): Exchange | undefined {
  const cause = answer?.cause;
  return at === 'status' && [401, 403].includes(cause?.response?.status ?? 0) ? undefined : cause;
}

function finding(requirement: string, message: string, where: Where): Finding {
  const shown = where.answer?.exchange.id;
  const by = (where.by?.exchange ?? (where.form ? undefined : likelyCause(where)))?.id;
  const found: Finding = {
    requirement,
    message,
    ...(shown !== undefined && { exchange: shown }),
    ...(by !== undefined && by !== shown && { by }),
    ...(where.at !== undefined && { pointer: where.at }),
    ...(where.expected !== undefined && { expected: where.expected }),
    ...(where.found !== undefined && { found: where.found }),
  };
  if (where.form) aboutForm.add(found);
  return found;
}
