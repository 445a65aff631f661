/**
 * What checks assert with. Every failure names a requirement, the exchange that shows it, the place in
 * the answer, what the specification asks for and what was found.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../http/answer.ts';
import type { Requirement } from '../model/catalogue/types.ts';
import type { Finding, Verdict } from '../model/results.ts';
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
  /** The request that did it, where `answer` only shows it; by default the last change of what was read. */
  by?: Answer;
  /** It is about the form of the answer, which no earlier request made. */
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
   * @param by the request whose effect is looked at
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

  /** The same assertions, blaming another requirement of this check. */
  for(id: string): Expect {
    if (!this.#cited.some((r) => r.id === id)) throw new Error(`the check does not cite ${id}`);
    return new Expect(id, this.#cited, this.#verdicts, this.#findings, this.#by);
  }

  /** The same assertions about what `cause` did: failures name that request beside the one that shows it. */
  after(cause: Answer): Expect {
    return new Expect(this.#requirement, this.#cited, this.#verdicts, this.#findings, cause);
  }

  /** Notes that a requirement of this check holds, whatever comes after. */
  holds(id: string): void {
    if (!this.#cited.some((r) => r.id === id)) throw new Error(`the check does not cite ${id}`);
    this.#verdicts.set(id, 'passed');
  }

  /**
   * Assertions about one requirement of this check, on its own: it passes or fails, and the check goes on.
   * A failure stays, whatever later assertions about the same requirement say.
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

  /** The body is a JSON object. */
  object(answer: Answer): void {
    const { json } = answer;
    if (json !== null && typeof json === 'object' && !Array.isArray(json)) return;
    const found = json === undefined ? (answer.text === '' ? 'an empty body' : 'no JSON') : short(json);
    this.fail(`${answer.exchange.purpose}: the body is ${found}, not a JSON object`, {
      answer,
      at: '',
      expected: 'a JSON object',
      found,
      form: true,
    });
  }

  /** The answer is a success, whichever 2xx. */
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

  /** Deep equality of JSON values. */
  equal(found: unknown, expected: unknown, what: string, where: Where = {}): void {
    if (isDeepStrictEqual(found, expected)) return;
    this.fail(`${what} is ${short(found)}, not ${short(expected)}`, {
      expected: short(expected),
      found: short(found),
      ...where,
    });
  }

  /** The answer has exactly this status, or one of these. */
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

  /** The answer is not a success. The specification does not show which status, so none is asked for. */
  refused(answer: Answer, why: string): void {
    if (!answer.ok) return;
    this.fail(`${answer.exchange.purpose}: accepted with ${answer.status}, although ${why}`, {
      answer,
      at: 'status',
      expected: 'no success (any status but 2xx)',
      found: String(answer.status),
    });
  }

  /** The body fits the schema, as a whole; for envelopes and error bodies. */
  schema(answer: Answer, validator: Validator, id: string): void {
    const misfits = validator.check(id, answer.json);
    if (misfits.length === 0) return;
    throw new Violation(
      misfits.map((m) =>
        this.#finding(this.#requirement, misfitText(m), {
          answer,
          at: m.pointer,
          expected: m.expected,
          found: m.found,
          form: true,
        }),
      ),
    );
  }

  /**
   * Each cited requirement that is about a property of the schema is decided on its own: it fails where
   * the property does not fit, passes where it does, and stays open (blocked) where no object that ought
   * to have it came at all. One bad field does not hide or blame another.
   */
  fields(answer: Answer, validator: Validator, id: string): void {
    const places = validator.locate(id, answer.json);
    const owners = new Map<string, string>();
    for (const [field, pointers] of places) for (const pointer of pointers) owners.set(pointer, field);
    const faults = new Map<string, Finding[]>();
    for (const misfit of validator.check(id, answer.json)) {
      const field = ownerOf(misfit.pointer, owners);
      if (field === undefined) continue;
      const requirement = this.#cited.find((r) => r.field === field);
      if (!requirement) continue;
      const where = {
        answer,
        at: misfit.pointer,
        expected: misfit.expected,
        found: misfit.found,
        form: true,
      };
      const message = misfitText(misfit);
      faults.set(requirement.id, [
        ...(faults.get(requirement.id) ?? []),
        this.#finding(requirement.id, message, where),
      ]);
    }
    for (const requirement of this.#cited) {
      if (requirement.field === undefined) continue;
      const fault = faults.get(requirement.id);
      if (fault) {
        this.#verdicts.set(requirement.id, 'failed');
        this.#findings.push(...fault.slice(0, 5));
      } else if (places.has(requirement.field) && this.#verdicts.get(requirement.id) !== 'failed') {
        this.#verdicts.set(requirement.id, 'passed');
      } else if (!this.#verdicts.has(requirement.id)) {
        this.#verdicts.set(requirement.id, 'blocked');
      }
    }
  }
}

/** `/data/address/phone is missing`, `/data/default is "no", not type boolean or null`. */
function misfitText({ pointer, found, expected }: Misfit): string {
  const place = pointer || 'the body';
  return found === 'nothing' ? `${place} is missing` : `${place} is ${found}, not ${expected}`;
}

/** The property that a pointer belongs to: itself, or the nearest one above it. */
function ownerOf(pointer: string, owners: Map<string, string>): string | undefined {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const owner = owners.get(at);
    if (owner !== undefined) return owner;
  }
  return undefined;
}

/** Findings about the form of an answer; reports do not tell them from others. */
const aboutForm = new WeakSet<Finding>();

/** Whether a finding is about the form of an answer, which no earlier request made. */
export function isAboutForm(finding: Finding): boolean {
  return aboutForm.has(finding);
}

function finding(requirement: string, message: string, where: Where): Finding {
  const shown = where.answer?.exchange.id;
  const by = (where.by?.exchange ?? (where.form ? undefined : where.answer?.cause))?.id;
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
