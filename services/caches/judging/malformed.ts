/** What is required of every malformed setting of a limit (section 8). */
import type { CheckContext } from '../../../lib/check/context.ts';
import { requireOk } from '../../../lib/check/require.ts';
import { labelOf } from '../api/places.ts';
import type { MalformedSetting } from '../limits/malformed.ts';
import { type Kind, PROPERTY } from '../vocabulary.ts';

/** Returns the part of a message that says what was sent. */
export const sent = ({ label, answer, place }: MalformedSetting, kind: Kind): string =>
  `${label} was sent for the ${kind} limit of the ${labelOf(place)} (${answer.status})`;

/** Fails unless the limit reads as an integer and, if the setting was refused, as the previous value. */
export function requireInteger({ expect }: CheckContext, tried: MalformedSetting, kind: Kind): void {
  const { answer, read, before } = tried;
  requireOk(read);
  const at = `/${PROPERTY[kind]}`;
  const value = read.at(at);
  const found = JSON.stringify(value) ?? 'nothing';
  const what = sent(tried, kind);
  const where = { answer: read, at };
  expect.that(Number.isInteger(value), `${what} and it reads ${found}`, {
    ...where,
    expected: 'an integer',
    found,
  });
  if (!answer.ok)
    expect.equal(value, before, `the limit after a setting that was refused, when ${what},`, where);
}
