/** Expectations about answers that several checks have in common. */

import type { CheckContext } from '../../lib/check/context.ts';
import { short } from '../../lib/check/validator.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { isJsonObject } from '../../lib/model/json.ts';
import type { AddressTemplate } from '../../schemas/shipping/index.ts';
import type { CreatedAddress } from '../../services/shipping/api/addresses.ts';
import { isUuid } from '../../services/shipping/judging/address-ids.ts';
import { schemas } from '../../services/shipping/judging/schemas.ts';
import { ADDRESS_ERROR_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import {
  differing,
  FIELDS,
  type Field,
  isShown,
  typedValue,
  valueIn,
} from '../../services/shipping/vocabulary.ts';

/** The requirements about the body of a 404. */
export const ERROR_FIELDS = ADDRESS_ERROR_REQUIREMENTS;

/** Requires that the body is a JSON object whose `data` is an object. */
export function expectData(expect: CheckContext['expect'], answer: Answer): void {
  expect.object(answer);
  const data = answer.at('/data');
  const message = `${answer.exchange.purpose}: data is ${short(data)}, not an object`;
  expect.that(isJsonObject(data), message, {
    answer,
    at: '/data',
    expected: 'an object',
    found: short(data),
  });
}

/**
 * Requires that a success is JSON when its address contains special characters, as the answer to its twin is,
 * whose address has plain letters only.
 */
export function expectReadable(expect: CheckContext['expect'], answer: Answer, twin: Answer): void {
  if (!answer.ok || twin.json === undefined) return;
  expect.that(
    answer.json !== undefined,
    `${answer.exchange.purpose}: the answer with that text is not JSON`,
    {
      answer,
      at: '',
      expected: 'the address',
      found: short(answer.text.slice(-60)),
    },
  );
}

/** Requires that the body of a 404 is an object with `message`. Blocks where the answer is not a 404. */
export function expectNotFoundBody(
  { expect, block }: Pick<CheckContext, 'expect' | 'block'>,
  answer: Answer,
  requirements: { status: string; body: string },
): void {
  if (answer.status !== 404)
    block(`answered ${answer.status}, not 404, so there is no body of a 404 to look at`, requirements.status);
  expect.object(answer);
  expect.holds(requirements.body);
  expect.fields(answer, schemas, 'AddressError');
}

/** Requires that the `data.id` of an answer is the id in the path. Blocks where it is not a UUID. */
export function expectSameId(
  { expect, block }: Pick<CheckContext, 'expect' | 'block'>,
  answer: Answer,
  id: string,
): void {
  const found = answer.at('/data/id');
  if (String(found).toLowerCase() === id.toLowerCase()) return;
  if (!isUuid(found)) block(`the id in the answer is ${short(found)}`, 'ADDR-TEMPLATE-ID');
  const message = `${answer.exchange.purpose}: data.id is ${short(found)}, not ${id}`;
  expect.fail(message, { answer, at: '/data/id', expected: id, found: short(found) });
}

/** Requires that a read after an update gives this value. Blocks where the type there is not valid. */
export function expectValue(
  expect: CheckContext['expect'],
  after: { answer: Answer; data: AddressTemplate },
  field: Field,
  value: unknown,
  sent: Answer,
): void {
  const found = typedValue(after.data, field);
  if (isShown(field, found, value)) return;
  expect.equal(found, value, `${field.pointer} after "${sent.exchange.purpose}"`, {
    answer: after.answer,
    at: `/data${field.pointer}`,
  });
}

/** A field in which two addresses differ, with both values as text for a sentence. */
export interface Difference {
  /** JSON pointer into an AddressTemplate. */
  pointer: string;
  found: string;
  expected: string;
}

/**
 * Requires that these fields have the same value in both addresses, except for those whose type is wrong in
 * one of them.
 *
 * @param say makes the message of a failure
 * @param where the answer that carries `found`, the pointer to it there, and the fields to compare
 */
export function expectSameFields(
  expect: CheckContext['expect'],
  found: unknown,
  expected: unknown,
  say: (difference: Difference) => string,
  { answer, at, fields = FIELDS }: { answer?: Answer; at?: string; fields?: readonly Field[] } = {},
): void {
  const [field] = differing(found, expected, fields);
  if (!field) return;
  const [is, was] = [short(valueIn(found, field)), short(valueIn(expected, field))];
  expect.fail(say({ pointer: field.pointer, found: is, expected: was }), {
    ...(answer && { answer }),
    ...(at !== undefined && { at: `${at}${field.pointer}` }),
    expected: was,
    found: is,
  });
}

/**
 * Requires that the answer to a create shows these fields as a read does. Where the answer contained no address,
 * `data` comes from the list and says nothing about it.
 */
export function expectCreateShows(
  expect: CheckContext['expect'],
  { answer, data }: Pick<CreatedAddress, 'answer' | 'data'>,
  read: AddressTemplate,
  fields: readonly Field[],
): void {
  if (answer.at('/data') !== data) return;
  const say = ({ pointer, found, expected }: Difference) =>
    `create answered ${pointer} ${found}, a read gives ${expected}`;
  expectSameFields(expect, data, read, say, { answer, at: '/data', fields });
}
