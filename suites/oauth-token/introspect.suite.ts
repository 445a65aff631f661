/** 4.9 Introspect token: it distinguishes an active token from any other, whatever its body looks like. */

import type { Faker } from '@faker-js/faker';
import type { CheckContext } from '../../lib/check/context.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { type Ask, Introspection, type TokenKind } from '../../services/shipping/api/introspection.ts';
import type { AccessToken, Params } from '../../services/shipping/api/oauth.ts';
import type { TokenAccess } from '../../services/shipping/api/token-access.ts';
import type { RefreshTokens } from '../../services/shipping/fixtures/refresh-tokens.ts';
import { LIFETIME_MS, MARGIN_MS, OVER_MS } from './lifetime.ts';
import { check, type OAuthContext } from './suite.ts';
import { storesSettle } from './twin.ts';

const ACCESS_HINT: Params = { token_type_hint: 'access_token' };

check('TOKEN-INTROSPECT-ANSWERS', async ({ oauth, introspection, expect, tokenAccess }) => {
  const token = await tokenAccess.livingToken();
  const hint = (await introspection.wantsHint('access_token', token.value)) ? ACCESS_HINT : {};
  const answer = await oauth.introspect(token.value, hint, 'json', 'introspect an active token');
  expect.accepted(answer, 'the token is active and the credentials are valid');
});

check('TOKEN-INTROSPECT-TELLS-REVOKED', async ({ oauth, introspection, tokenAccess, expect, block }) => {
  const [control, token] = [await tokenAccess.livingToken(), await tokenAccess.livingToken()];
  const isSame = control.value === token.value;
  const ask = await introspection.asking('access_token', control.value);
  const controlBefore = await ask(control.value, 'introspect a control token');
  const before = await active(ask, token.value);
  // A resource that refuses the control token from the start cannot show what the revocation ended.
  const opened =
    (await tokenAccess.seenBy()) !== 'introspection' &&
    (await tokenAccess.present(control, 'list addresses with the control token')).ok;
  const revoked = await oauth.revoke(token.value);
  requireOk(revoked, 'TOKEN-REVOKE-STATUS');
  const after = await ask(token.value, 'introspect the revoked token');
  if (opened && !isSame) {
    const list = await tokenAccess.present(control, 'list addresses with the control token again');
    if (!list.ok)
      block('the revocation ended the control token as well', 'TOKEN-REVOKE-SAME-CLIENT-SURVIVES');
  }
  // Where the target issues the same token twice, the control token was revoked as well.
  const controlAfter = isSame
    ? controlBefore
    : await ask(control.value, 'introspect the control token again');
  const told = Introspection.distinguishes(before, after, controlBefore, controlAfter);
  // A token that is reported as active and still accepted was not ended: then introspection is right.
  if (!told && opened && (await tokenAccess.present(token, 'list addresses with the revoked token')).ok)
    block('the revoked token is still accepted', 'TOKEN-REVOKE-ACCESS-ENDS');
  expectTold(expect, before, after, controlBefore, controlAfter, 'was revoked');
  await expectEndedWithHint(expect, ask, token.value, after);
});

check('TOKEN-INTROSPECT-TELLS-UNKNOWN', async ({ introspection, faker, expect, tokenAccess }) => {
  const [control, token] = [await tokenAccess.livingToken(), await tokenAccess.livingToken()];
  const ask = await introspection.asking('access_token', control.value);
  const controlBefore = await ask(control.value, 'introspect a control token');
  const before = await active(ask, token.value);
  const after = await ask(
    faker.string.alphanumeric(token.value.length || 43),
    'introspect an invented token',
  );
  const controlAfter = await ask(control.value, 'introspect the control token again');
  expectTold(expect, before, after, controlBefore, controlAfter, 'was never issued');
});

check('TOKEN-INTROSPECT-TELLS-EXPIRED', { touches: { clock: 'move' } }, async (context) => {
  const { introspection, tokenAccess, time, expect, block } = context;
  const token = await tokenAccess.livingToken();
  const ask = await introspection.asking('access_token', token.value);
  const before = await active(ask, token.value);
  await time.pass(LIFETIME_MS - MARGIN_MS, 'whether introspection tells a token that has not expired');
  await expectStillActive(context, ask, token, before);
  await time.pass(OVER_MS - LIFETIME_MS + MARGIN_MS, 'whether introspection tells an expired token');
  const [control] = [await tokenAccess.livingToken()];
  const controlAfter = await ask(control.value, 'introspect a fresh token');
  const after = await ask(token.value, 'introspect the expired token');
  const told = Introspection.distinguishes(before, after, before, controlAfter);
  if (!told && (await isAlive(tokenAccess, token, control)))
    block('the token has not expired', 'TOKEN-EXPIRY');
  // The controls are two active tokens at different times: differences between their answers do not count.
  expectTold(expect, before, after, before, controlAfter, 'has expired');
});

check(
  'TOKEN-INTROSPECT-REFRESH-TELLS-REVOKED',
  async ({ oauth, refreshTokens, introspection, faker, time, expect, block, skip }) => {
    const [control, token] = [await refreshTokens.takeToEnd(), await refreshTokens.takeToEnd()];
    if (control.value === token.value) skip('the target hands out the same refresh token again');
    const ask = await introspection.asking('refresh_token', control.value);
    const controlBefore = await ask(control.value, 'introspect a control refresh token');
    const before = await active(ask, token.value);
    const revoked = await oauth.revoke(token.value);
    requireOk(revoked, 'TOKEN-REVOKE-STATUS');
    const after = await ask(token.value, 'introspect the revoked refresh token');
    const controlAfter = await ask(control.value, 'introspect the control token again');
    const told = Introspection.distinguishes(before, after, controlBefore, controlAfter);
    if (!told && (await isExchanged(refreshTokens, token.value, faker)))
      block('the revoked refresh token can still be exchanged', 'TOKEN-REVOKE-REFRESH-ENDS');
    if (told) return;
    await storesSettle(time);
    const later = await ask(token.value, 'introspect the token revoked seconds ago');
    const controlLater = await ask(control.value, 'introspect the control token once more');
    expectTold(expect, before, later, controlBefore, controlLater, 'was revoked');
  },
);

check('TOKEN-INTROSPECT-REFRESH-TELLS-UNKNOWN', async ({ refreshTokens, introspection, faker, expect }) => {
  const token = await refreshTokens.take();
  const ask = await introspection.asking('refresh_token', token.value);
  const controlBefore = await ask(token.value, 'introspect the refresh token');
  const before = await active(ask, token.value);
  const after = await ask(faker.string.alphanumeric(token.value.length), 'introspect an invented token');
  expectTold(expect, before, after, controlBefore, before, 'was never issued');
});

check('TOKEN-INTROSPECT-HARMLESS', async ({ introspection, tokenAccess, expect }) => {
  const token = await tokenAccess.anyToken();
  const ask = await introspection.asking('access_token', token.value);
  await ask(token.value, 'introspect an active token');
  await ask(token.value, 'introspect it again');
  expect.accepted(await tokenAccess.present(token), 'the token was only introspected');
});

check('TOKEN-INTROSPECT-HINT-ACCESS', async (context) => {
  const token = await context.tokenAccess.livingToken();
  await expectHintTaken(context, 'access_token', token.value);
});

check('TOKEN-INTROSPECT-HINT-REFRESH', async (context) => {
  const token = await context.refreshTokens.take();
  await expectHintTaken(context, 'refresh_token', token.value);
});

check('TOKEN-INTROSPECT-ACTIVE', async ({ introspection, faker, expect, tokenAccess }) => {
  const token = await tokenAccess.livingToken();
  const ask = await introspection.asking('access_token', token.value);
  const yes = await active(ask, token.value);
  expect.equal(yes.at('/active'), true, '`active` for an active token', { answer: yes, at: '/active' });
  const no = await ask(faker.string.alphanumeric(43), 'introspect an invented token');
  expect.equal(no.at('/active'), false, '`active` for an invented token', { answer: no, at: '/active' });
});

check('TOKEN-INTROSPECT-FORM', async ({ oauth, introspection, expect, tokenAccess }) => {
  const token = await tokenAccess.livingToken();
  const hint = (await introspection.wantsHint('access_token', token.value)) ? ACCESS_HINT : {};
  const asForm = await oauth.introspect(token.value, hint, 'form');
  if (asForm.ok) return;
  // An endpoint that is missing or accepts no body at all says nothing about forms.
  const asJson = await oauth.introspect(token.value, hint, 'json');
  requireOk(asJson, 'TOKEN-INTROSPECT-ANSWERS');
  expect.accepted(asForm, `the same request as JSON is answered with ${asJson.status}`);
});

for (const [id, params] of [
  ['TOKEN-INTROSPECT-WRONG-SECRET', { client_secret: 'conformance-not-the-secret' }],
  ['TOKEN-INTROSPECT-NO-CREDENTIALS', { client_id: undefined, client_secret: undefined }],
] as [string, Params][]) {
  check(id, async ({ introspection, expect, tokenAccess }) => {
    const token = await tokenAccess.livingToken();
    const ask = await introspection.asking('access_token', token.value);
    const controlBefore = await ask(token.value, 'introspect an active token');
    const before = await active(ask, token.value);
    const after = await ask(token.value, 'introspect without valid credentials', params);
    const told = Introspection.distinguishes(before, after, controlBefore, before);
    expect.that(told, 'the answer without valid credentials is the one for an active token with them', {
      answer: after,
    });
  });
}

check('TOKEN-INTROSPECT-WRONG-HINT', async ({ introspection, faker, expect, block, tokenAccess }) => {
  const token = await tokenAccess.livingToken();
  const ask = await introspection.asking('access_token', token.value);
  const before = await active(ask, token.value);
  const hinted = await ask(token.value, 'introspect with the wrong hint', {
    token_type_hint: 'refresh_token',
  });
  const unknown = await ask(faker.string.alphanumeric(43), 'introspect an invented token');
  // Where introspection answers both alike without a hint, too, the wrong hint is not the reason.
  if (!Introspection.distinguishes(before, unknown, before, await ask(token.value, 'introspect it again')))
    block(
      'an active token is answered like an invented one without any hint',
      'TOKEN-INTROSPECT-TELLS-UNKNOWN',
    );
  expect.that(
    Introspection.distinguishes(hinted, unknown, hinted, before),
    'with the wrong hint an active token is answered like an invented one',
    { answer: hinted },
  );
});

/**
 * Requires that an old token which a resource accepts is not answered for like an invented one.
 * @param before the answer for it directly after its issue
 */
async function expectStillActive(
  { tokenAccess, faker, expect }: OAuthContext,
  ask: Ask,
  token: AccessToken,
  before: Answer,
): Promise<void> {
  const soon = await ask(token.value, 'introspect it shortly before it expires');
  const invented = await ask(faker.string.alphanumeric(43), 'introspect an invented token');
  // Another token is not requested before this is in doubt: that may prolong the life of the first one.
  if (Introspection.distinguishes(soon, invented, before, soon)) return;
  const fresh = await tokenAccess.livingToken();
  const control = await ask(fresh.value, 'introspect a fresh token');
  const toldFresh = Introspection.distinguishes(control, invented, before, control);
  if (!toldFresh || !(await isAlive(tokenAccess, token, fresh))) return;
  expect.fail(
    'introspection answers for an active token, shortly before it expires, as for an invented one',
    {
      answer: soon,
      expected: `another answer than ${invented.status} ${invented.beginning()}`,
      found: 'the same',
    },
  );
}

/** Whether a token is still accepted by a resource that accepts a fresh token and refuses an invented one. */
async function isAlive(tokenAccess: TokenAccess, token: AccessToken, control: AccessToken): Promise<boolean> {
  if ((await tokenAccess.seenBy()) === 'introspection') return false;
  await tokenAccess.requireInventedRefused();
  return (
    (await tokenAccess.present(control)).ok &&
    (await tokenAccess.present(token, 'list addresses with the token')).ok
  );
}

/** Whether a refresh token gets an access token, where an invented one gets none. */
async function isExchanged(refreshTokens: RefreshTokens, value: string, faker: Faker): Promise<boolean> {
  const invented = faker.string.alphanumeric(value.length);
  if ((await refreshTokens.exchange(invented, {}, undefined, 'exchange an invented token')).ok) return false;
  return (await refreshTokens.exchange(value, {}, undefined, 'exchange the revoked token')).ok;
}

/** Returns the answer for an active token. Blocks where introspection does not work at all. */
async function active(ask: Ask, token: string): Promise<Answer> {
  const answer = await ask(token, 'introspect an active token');
  requireOk(answer, 'TOKEN-INTROSPECT-ANSWERS');
  return answer;
}

/** Requires that a revoked token is not active with a hint, which may lead to another lookup. */
async function expectEndedWithHint(
  expect: CheckContext['expect'],
  ask: Ask,
  token: string,
  without: Answer,
): Promise<void> {
  const hinted = await ask(token, 'introspect the revoked token with the hint', ACCESS_HINT);
  const isActive = hinted.ok && hinted.at('/active') === true;
  expect.that(!isActive || without.at('/active') === true, 'with the hint a revoked token is active', {
    answer: hinted,
    at: '/active',
    expected: String(without.at('/active')),
    found: 'true',
  });
}

function expectTold(
  expect: CheckContext['expect'],
  before: Answer,
  after: Answer,
  controlBefore: Answer,
  controlAfter: Answer,
  what: string,
): void {
  expect.that(
    Introspection.distinguishes(before, after, controlBefore, controlAfter),
    `introspection answers for a token that ${what} as for an active one: ${after.status} ${after.beginning()}`,
    {
      answer: after,
      expected: `another answer than ${before.status} ${before.beginning()}`,
      found: 'the same',
    },
  );
}

async function expectHintTaken(
  { introspection, faker, expect }: OAuthContext,
  kind: TokenKind,
  token: string,
): Promise<void> {
  // Where a request is refused without a hint, too, the hint is not the reason.
  const ask = await introspection.asking(kind, token);
  await active(ask, token);
  const hint = { token_type_hint: kind };
  const first = await ask(token, 'introspect with the right hint', hint);
  expect.accepted(first, 'the token is active and the hint is right');
  const unknown = await ask(
    faker.string.alphanumeric(43),
    'introspect an invented token with the hint',
    hint,
  );
  const again = await ask(token, 'introspect with the right hint again', hint);
  expectTold(expect, first, unknown, first, again, 'was never issued (with the hint)');
}
