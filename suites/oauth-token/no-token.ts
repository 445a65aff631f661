import type { Expect } from '../../lib/check/expect.ts';
import type { Answer } from '../../lib/http/answer.ts';

/** Requires that an answer is a refusal and its body carries no access token. */
export function expectNoToken(expect: Expect, answer: Answer, why: string): void {
  expect.refused(answer, why);
  const token = answer.at('/access_token');
  expect.that(token === undefined, `the refusal carries an access_token, although ${why}`, {
    answer,
    at: '/access_token',
  });
}
