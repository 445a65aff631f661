import type { Fault } from '../../services/agents/faults/index.ts';
import { codeOf } from '../../services/agents/judging/error-codes.ts';
import { assertReason, expectNoKey } from '../../services/agents/judging/refusal.ts';
import { check } from './suite.ts';

/**
 * Defines one check for each fault: it must not succeed and must not yield a key. The check is blocked where
 * the refusal has another reason than the fault, and skipped where the fault was not sent and is not a part of
 * those that were.
 */
export function refusalChecks(faults: readonly Fault[]): void {
  for (const fault of faults) {
    const options = { effects: 'write', ...(fault.case !== undefined && { case: fault.case }) } as const;
    check(fault.id, options, async ({ faults: sent, expect, skip }) => {
      const answer = await sent.answer(fault);
      expectNoKey(expect, answer, fault.why);
      const isOpen = fault.mayBeBlocked && codeOf(answer) === undefined;
      if (fault.reason && fault.judgedBy !== undefined && !isOpen)
        assertReason(answer, fault.reason, fault.judgedBy);
      sent.requireShown(fault);
      const why = await sent.whyNothingShown(fault);
      if (why !== undefined) skip(why);
    });
  }
}
