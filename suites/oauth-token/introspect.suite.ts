/** 4.9 Introspect token: tells an active token from any other, whatever its body looks like. */
import type { CheckContext } from '../../lib/check/context.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { Introspection } from '../support/shipping/introspection.ts';
import type { Params } from "../support/shipping/tokens.ts";
import { check } from './suite.ts';

check('TOKEN-INTROSPECT-ANSWERS', async ({ oauth, introspection, expect }) => {
  const token = await oauth.issue();
  const answer = await introspection.ask(token.value, 'introspect an active token');
  expect.accepted(answer, 'the token is active and the credentials are valid');
});

check('TOKEN-INTROSPECT-TELLS-REVOKED', async ({ oauth, introspection, expect, block }) => {
  const [control, token] = [await oauth.issue(), await oauth.issue()];
  const controlBefore = await introspection.ask(control.value, 'introspect a control token');
  const before = await active(block, introspection, token.value);
  const revoked = await oauth.revoke(token.value);
  if (!revoked.ok) block(`revoke answered ${revoked.status}`, 'TOKEN-REVOKE-STATUS');
  const after = await introspection.ask(token.value, 'introspect the revoked token');
  // Where the target hands out one and the same token, the control has ended with it.
  const controlAfter =
    control.value === token.value ? controlBefore : await introspection.ask(control.value, 'introspect the control token again');
  expectTold(expect, before, after, controlBefore, controlAfter, 'was revoked');
});

check('TOKEN-INTROSPECT-TELLS-UNKNOWN', async ({ oauth, introspection, faker, expect, block }) => {
  const [control, token] = [await oauth.issue(), await oauth.issue()];
  const controlBefore = await introspection.ask(control.value, 'introspect a control token');
  const before = await active(block, introspection, token.value);
  const after = await introspection.ask(faker.string.alphanumeric(token.value.length || 43), 'introspect an invented token');
  const controlAfter = await introspection.ask(control.value, 'introspect the control token again');
  expectTold(expect, before, after, controlBefore, controlAfter, 'was never issued');
});

check('TOKEN-INTROSPECT-TELLS-EXPIRED', async ({ oauth, introspection, time, expect, block }) => {
  const token = await oauth.issue();
  const before = await active(block, introspection, token.value);
  await time.pass(7_260_000, 'whether introspection tells an expired token');
  const [control] = [await oauth.issue()];
  const controlAfter = await introspection.ask(control.value, 'introspect a fresh token');
  const after = await introspection.ask(token.value, 'introspect the expired token');
  // The control is another token at another time: what differs between the two active answers is noise.
  expectTold(expect, before, after, before, controlAfter, 'has expired');
});

check('TOKEN-INTROSPECT-REFRESH-TELLS-REVOKED', async ({ oauth, refreshTokens, introspection, expect, block }) => {
  const [control, token] = [await refreshTokens.takeToEnd(), await refreshTokens.takeToEnd()];
  const controlBefore = await introspection.ask(control.value, 'introspect a control refresh token');
  const before = await active(block, introspection, token.value);
  const revoked = await oauth.revoke(token.value);
  if (!revoked.ok) block(`revoke answered ${revoked.status}`, 'TOKEN-REVOKE-STATUS');
  const after = await introspection.ask(token.value, 'introspect the revoked refresh token');
  const controlAfter = await introspection.ask(control.value, 'introspect the control token again');
  expectTold(expect, before, after, controlBefore, controlAfter, 'was revoked');
});

check('TOKEN-INTROSPECT-REFRESH-TELLS-UNKNOWN', async ({ refreshTokens, introspection, faker, expect, block }) => {
  const token = await refreshTokens.take();
  const controlBefore = await introspection.ask(token.value, 'introspect the refresh token');
  const before = await active(block, introspection, token.value);
  const after = await introspection.ask(faker.string.alphanumeric(token.value.length), 'introspect an invented token');
  expectTold(expect, before, after, controlBefore, before, 'was never issued');
});

check('TOKEN-INTROSPECT-HARMLESS', async ({ introspection, door, expect }) => {
  const token = await door.openToken();
  await introspection.ask(token.value, 'introspect an active token');
  await introspection.ask(token.value, 'introspect it again');
  expect.accepted(await door.knock(token), 'the token was only asked about');
});

check('TOKEN-INTROSPECT-HINT-ACCESS', async ({ oauth, introspection, faker, expect }) => {
  const token = await oauth.issue();
  const hint = { token_type_hint: 'access_token' };
  await expectHintTaken(expect, introspection, token.value, hint, faker.string.alphanumeric(43));
});

check('TOKEN-INTROSPECT-HINT-REFRESH', async ({ refreshTokens, introspection, faker, expect }) => {
  const token = await refreshTokens.take();
  const hint = { token_type_hint: 'refresh_token' };
  await expectHintTaken(expect, introspection, token.value, hint, faker.string.alphanumeric(43));
});

check('TOKEN-INTROSPECT-ACTIVE', async ({ oauth, introspection, faker, expect }) => {
  const token = await oauth.issue();
  const yes = await introspection.ask(token.value, 'introspect an active token');
  expect.equal(yes.at('/active'), true, '`active` for an active token', { answer: yes, at: '/active' });
  const no = await introspection.ask(faker.string.alphanumeric(43), 'introspect an invented token');
  expect.equal(no.at('/active'), false, '`active` for an invented token', { answer: no, at: '/active' });
});

check('TOKEN-INTROSPECT-FORM', async ({ oauth, expect }) => {
  const token = await oauth.issue();
  const asJson = await oauth.introspect(token.value);
  const asForm = await oauth.introspect(token.value, {}, 'form');
  expect.equal(asForm.status, asJson.status, 'the status for a form', { answer: asForm, at: 'status' });
});

for (const [id, params] of [
  ['TOKEN-INTROSPECT-WRONG-SECRET', { client_secret: 'conformance-not-the-secret' }],
  ['TOKEN-INTROSPECT-NO-CREDENTIALS', { client_id: undefined, client_secret: undefined }],
] as [string, Params][]) {
  check(id, async ({ oauth, introspection, expect, block }) => {
    const token = await oauth.issue();
    const controlBefore = await introspection.ask(token.value, 'introspect an active token');
    const before = await active(block, introspection, token.value);
    const after = await introspection.ask(token.value, 'introspect without valid credentials', params);
    const told = Introspection.distinguishes(before, after, controlBefore, before);
    expect.that(told, 'the answer without valid credentials is the one for an active token', { answer: after });
  });
}

check('TOKEN-INTROSPECT-WRONG-HINT', async ({ oauth, introspection, faker, expect, block }) => {
  const token = await oauth.issue();
  const before = await active(block, introspection, token.value);
  const hinted = await introspection.ask(token.value, 'introspect with the wrong hint', { token_type_hint: 'refresh_token' });
  const unknown = await introspection.ask(faker.string.alphanumeric(43), 'introspect an invented token');
  expect.that(
    Introspection.distinguishes(hinted, unknown, hinted, before),
    'with the wrong hint an active token is answered like an invented one',
    { answer: hinted },
  );
});

/** The answer for a token that is active. Blocks where introspection does not work at all. */
async function active(block: CheckContext['block'], introspection: Introspection, token: string): Promise<Answer> {
  const answer = await introspection.ask(token, 'introspect an active token');
  if (!answer.ok) block(`introspection of an active token is answered with ${answer.status}`, 'TOKEN-INTROSPECT-ANSWERS');
  return answer;
}

function expectTold(expect: CheckContext['expect'], before: Answer, after: Answer, controlBefore: Answer, controlAfter: Answer, what: string): void {
  expect.that(
    Introspection.distinguishes(before, after, controlBefore, controlAfter),
    `introspection answers for a token that ${what} as for an active one: ${after.status} ${after.text.slice(0, 200)}`,
    { answer: after, expected: `another answer than ${before.status} ${before.text.slice(0, 200)}`, found: 'the same' },
  );
}

async function expectHintTaken(expect: CheckContext['expect'], introspection: Introspection, token: string, hint: Params, invented: string): Promise<void> {
  const first = await introspection.ask(token, 'introspect with the right hint', hint);
  expect.accepted(first, 'the token is active and the hint is right');
  const unknown = await introspection.ask(invented, 'introspect an invented token with the hint', hint);
  const again = await introspection.ask(token, 'introspect with the right hint again', hint);
  expectTold(expect, first, unknown, first, again, 'was never issued (with the hint)');
}

