import type { Expect } from '../../lib/check/expect.ts';
import type { Answer } from '../../lib/http/answer.ts';

/** No success, and no token in the body whatever the status. */
export function expectNoToken(expect: Expect, answer: Answer, why: string): void {
  expect.refused(answer, why);
  const token = answer.at('/access_token');
  expect.that(token === undefined, `the refusal carries an access_token, although ${why}`, {
    answer,
    at: '/access_token',
  });
}
