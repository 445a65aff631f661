/** Judges refused registrations: no key may be issued, and the error code has to name the right reason. */
import type { Expect } from '../../../lib/check/expect.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { escapeToken } from '../../../lib/model/json-pointer.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import type { ErrorCode } from '../../../schemas/agents/index.ts';
import { statusAndCode } from '../fixtures/registration.ts';
import { codeOf, isListed, meansOneOf } from './error-codes.ts';

/** Members of a response that would carry a credential. */
const CREDENTIALS = ['api_key', 'credential', 'access_token'];

/** Returns whether an answer is not a success and carries no credential. */
export function isRefusal(answer: Answer): boolean {
  return !answer.ok && credentialIn(answer) === undefined;
}

/**
 * Fails the check if a registration succeeds, or if its answer carries a credential, whatever the status.
 * @param why completes "although …" in the message
 */
export function expectNoKey(expect: Expect, answer: Answer, why: string): void {
  expect.refused(answer, why);
  const at = credentialIn(answer);
  if (at !== undefined) {
    const name = at.replace(/.*\//, '');
    expect.fail(`${answer.exchange.purpose}: the refusal carries \`${name}\`, although ${why}`, {
      answer,
      at,
    });
  }
}

/** Returns the pointer of a credential in an answer: at its top, or what looks like a key further below. */
function credentialIn(answer: Answer): string | undefined {
  const top = CREDENTIALS.find((name) => {
    const value = answer.at(`/${name}`);
    return (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null);
  });
  return top === undefined ? keyBelow(answer.json, '') : `/${top}`;
}

function keyBelow(value: unknown, at: string): string | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const here = `${at}/${escapeToken(name)}`;
    // Elsewhere, a word under such a name may say what is wrong with it.
    if (CREDENTIALS.includes(name) && typeof inner === 'string' && /^[\w.~+/=-]{16,}$/.test(inner))
      return here;
    const found = keyBelow(inner, here);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Fails the check if the service answers with a server error: it may refuse an unusual assertion, but an
 * error for a good one shows that its store cannot hold these values.
 */
export function expectNoFailure(expect: Expect, answer: Answer): void {
  if (answer.ok || answer.status >= 500)
    expect.soft('AGENT-REG-STATUS', (its) =>
      its.accepted(answer, 'the assertion is good: the service fails at it'),
    );
}

/** The error codes that fit the fault in a request. */
export interface Reason {
  codes: readonly ErrorCode[];
  /** Whether codes outside the table of section 7 fit as well, since it has no row for this fault. */
  unlisted?: boolean;
}

/** Returns whether a code fits the fault. */
export function fits(code: string, { codes, unlisted }: Reason): boolean {
  return codes.some((known) => known === code) || (unlisted === true && !isListed(code));
}

/**
 * Throws `Blocked` where a refusal gives a reason other than the one thing that was changed, since nothing
 * then shows that the change was noticed. The provider's own names of the codes are accepted here; the
 * requirement about the code judges that they are the wrong names.
 * @param judgedBy id of that requirement
 */
export function assertReason(answer: Answer, reason: Reason, judgedBy: string): void {
  const code = codeOf(answer);
  if (code === undefined) {
    throw new Blocked(
      `refused with ${answer.status} and without a code, so that the reason cannot be told`,
      'AGENT-ERROR-CODE',
    );
  }
  if (fits(code, reason) || meansOneOf(code, reason.codes)) return;
  throw new Blocked(
    `refused as ${statusAndCode(answer)}, not as ${wanted(reason)}: whether it was for the one thing that was changed cannot be told`,
    judgedBy,
  );
}

/**
 * Fails the check unless the code of a refusal fits the fault. The answer must have a code (see
 * `assertReason`).
 */
export function expectCode(expect: Expect, answer: Answer, reason: Reason): void {
  const code = codeOf(answer) as string;
  const expected = wanted(reason);
  expect.that(fits(code, reason), `${answer.exchange.purpose}: refused as ${code}, not as ${expected}`, {
    answer,
    at: '/error',
    expected,
    found: code,
  });
}

/** Returns the codes that fit, in words. */
function wanted({ codes, unlisted }: Reason): string {
  return [...codes, ...(unlisted ? ['a code that the table does not have'] : [])].join(' or ');
}

/**
 * Fails the check if an assertion that was used before succeeds or yields a key. Throws `Blocked` if it was
 * refused for another reason than the replay.
 */
export function expectReplayRefused(expect: Expect, answer: Answer, why: string): void {
  expectNoKey(expect, answer, why);
  assertReason(answer, { codes: ['replay_detected'] }, 'AGENT-ERR-REPLAY-DETECTED-CODE');
}
