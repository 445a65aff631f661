/** Judges operations that have to be refused, row by row of the table of section 5. */
import type { CheckContext } from '../../../lib/check/context.ts';
import { Skipped } from '../../../lib/model/verdict.ts';
import type { AccessAttempt, AccessAttempts } from '../fixtures/access.ts';
import type { Operation, Row } from './access-table.ts';

/**
 * Returns the effect that a check of refusals declares. If a wrong server allows the operation, it changes a
 * setting or deletes caches.
 */
export function effectsOf({ operations }: Row): 'read' | 'write' | 'settings' {
  const [{ does }] = operations as [Operation];
  if (does === 'set') return 'settings';
  return does.startsWith('delete') ? 'write' : 'read';
}

/** Fails if a request was accepted, or changed something although it was refused. */
export function expectRefused(
  { expect }: CheckContext,
  { attempts, changed }: AccessAttempts,
  operation: Operation,
): void {
  for (const { label, answer } of attempts)
    expect.refused(answer, `${operation.name} was asked for with ${label}`);
  expect.that(changed === undefined, `${operation.name} was refused, and yet ${changed}`, {
    answer: attempts.at(-1)!.answer,
  });
}

/** Like `expectRefused`. Throws `Skipped` where none of the tokens is known to be valid, so that refusals show nothing. */
export function expectRefusedAsKnown(
  context: CheckContext,
  tried: AccessAttempts,
  operation: Operation,
): void {
  const isTelling = ({ valid, answer }: AccessAttempt) => valid || answer.ok;
  if (tried.changed === undefined && !tried.attempts.some(isTelling))
    throw new Skipped(
      `${tried.attempts[0]!.label} is refused whatever one that was never issued is refused, so its refusal shows nothing: set \`caches.publicRepository\`, which a valid one may read`,
    );
  expectRefused(context, tried, operation);
}

/**
 * Does `work` with each operation of a row: concurrently if they are settings, since the two limits are
 * independent, else one after the other.
 */
export async function each(
  { session }: CheckContext,
  row: Row,
  work: (operation: Operation) => Promise<void>,
): Promise<void> {
  const works = row.operations.map((operation) => () => work(operation));
  if (effectsOf(row) === 'settings') await session.together(works);
  else for (const one of works) await one();
}
