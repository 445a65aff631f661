/** Operations that have to be refused, for all of a row of the table of section 5. */
import type { CheckContext } from '../../../lib/check/context.ts';
import type { AccessAttempts } from '../fixtures/access.ts';
import type { Operation, Row } from './access-table.ts';

/** What a check may do to the target: an operation that is wrongly allowed changes a setting or deletes caches. */
export function effectsOf({ operations }: Row): 'read' | 'write' | 'settings' {
  const [{ does }] = operations as [Operation];
  if (does === 'set') return 'settings';
  return does.startsWith('delete') ? 'write' : 'read';
}

/** Fails where something was accepted, or changed although it was refused. */
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

/** Does something with each operation of a row; settings of the two limits have nothing to do with each other. */
export async function each(
  { session }: CheckContext,
  row: Row,
  work: (operation: Operation) => Promise<void>,
): Promise<void> {
  const works = row.operations.map((operation) => () => work(operation));
  if (effectsOf(row) === 'settings') await session.together(works);
  else for (const one of works) await one();
}
