/** What a refusal of a registration has to be, and what it says. */
import type { Expect } from '../../../lib/check/expect.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import type { ErrorCode } from '../../../schemas/agents/index.ts';
import { told } from '../fixtures/registration.ts';
import { codeOf, isListed, meansOneOf } from './error-codes.ts';

/** Members in which a credential would come. */
const CREDENTIALS = ['api_key', 'credential', 'access_token'];

/** Whether an answer is no success and carries no credential. */
export function isRefusal(answer: Answer): boolean {
  return !answer.ok && credentialIn(answer) === undefined;
}

/** No success, and no credential whatever the status. `why` completes "although …". */
export function expectNoKey(expect: Expect, answer: Answer, why: string): void {
  expect.refused(answer, why);
  const name = credentialIn(answer);
  if (name !== undefined) {
    expect.fail(`${answer.exchange.purpose}: the refusal carries \`${name}\`, although ${why}`, {
      answer,
      at: `/${name}`,
    });
  }
}

function credentialIn(answer: Answer): string | undefined {
  return CREDENTIALS.find((name) => {
    const value = answer.at(`/${name}`);
    return (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null);
  });
}

/** The codes that name what is wrong with a request. */
export interface Reason {
  codes: readonly ErrorCode[];
  /** Codes that the table does not have fit too: it has no row for this fault. */
  unlisted?: boolean;
}

/** Whether a code is one of those that fit. */
export function fits(code: string, { codes, unlisted }: Reason): boolean {
  return codes.some((known) => known === code) || (unlisted === true && !isListed(code));
}

/**
 * Throws `Blocked` where a refusal gives another reason than the one thing that was changed: whether that was
 * noticed cannot be told then. The provider's names of the codes count here; that they are the wrong ones is judged by
 * the entry about the code.
 * @param judgedBy that entry
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
    `refused as ${told(answer)}, not as ${wanted(reason)}: whether it was for the one thing that was changed cannot be told`,
    judgedBy,
  );
}

/** The code of a refusal is one of those that fit. */
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

/** The codes that fit, in words. */
function wanted({ codes, unlisted }: Reason): string {
  return [...codes, ...(unlisted ? ['a code that the table does not have'] : [])].join(' or ');
}

/** A used assertion gets no success and no key, and for that reason. */
export function expectReplayRefused(expect: Expect, answer: Answer, why: string): void {
  expectNoKey(expect, answer, why);
  assertReason(answer, { codes: ['replay_detected'] }, 'AGENT-ERR-REPLAY-DETECTED-CODE');
}
