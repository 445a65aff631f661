/** The addresses that answers carry. */
import type { Answer } from '../../../lib/http/answer.ts';
import { isJsonObject } from '../../../lib/model/json.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import type { AddressTemplate } from '../../../schemas/shipping/index.ts';
import { isUuid } from '../judging/address-ids.ts';

/**
 * Returns the address in the answer to a read of it. Throws `Blocked` when there is none, or it is another
 * address.
 */
export function storedIn(
  answer: Answer,
  id: string,
  purpose: string,
): { answer: Answer; data: AddressTemplate } {
  const data = answer.at('/data');
  if (!answer.ok || !isJsonObject(data)) {
    const what = `${purpose}: answered ${answer.status}${answer.ok ? ' without an address as `data`' : ''}`;
    throw new Blocked(what, answer.ok ? 'ADDR-READ-DATA' : 'ADDR-READ-STATUS');
  }
  const found = idOf(data);
  if (isUuid(found) && found.toLowerCase() !== id.toLowerCase()) {
    throw new Blocked(`${purpose}: another address was answered, ${found}`, 'ADDR-READ-SAME-ID');
  }
  return { answer, data: data as unknown as AddressTemplate };
}

/** Whether an answer carries the address with this id. */
export function shows(answer: Answer, id: string): boolean {
  return answer.ok && idOf(answer.at('/data'))?.toLowerCase() === id.toLowerCase();
}

/** Returns the id of what an answer carries, as text; `undefined` where there is none. */
export function idOf(data: unknown): string | undefined {
  const id = (data as { id?: unknown } | null | undefined)?.id;
  // An id of a wrong type violates one requirement; checks of other requirements can still use it.
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : undefined;
}

/** Returns the requirement that the answer to a create violates where `idOf` finds no id in it. */
export const requirementOfId = (answer: Answer): string =>
  isJsonObject(answer.at('/data')) ? 'ADDR-TEMPLATE-ID' : 'ADDR-CREATE-DATA';
