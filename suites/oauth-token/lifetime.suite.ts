/** 5 and 8: a token lives 7200 seconds from its issue. Time is moved by the clock hook, or waited for. */
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { AddressBook } from '../../services/shipping/api/addresses.ts';
import { LIFETIME_MS, MARGIN_MS } from './lifetime.ts';
import { type OAuthContext, check as suiteCheck } from './suite.ts';

// The clock is moved by hours. On a faulty target, a token that is issued to another check may prolong the
// tokens that are judged here.
const check = suiteCheck.with({ touches: { clock: 'move' } });

// The target may have a single refresh token, so only one check uses it at a time.
const refreshCheck = check.with({ touches: { refreshTokens: 'alone' } });

const writeCheck = check.with({ effects: 'write' });

check('TOKEN-LIFETIME-HOLDS', async ({ tokenAccess, time, expect }) => {
  const token = await tokenAccess.openToken();
  await time.pass(LIFETIME_MS - MARGIN_MS, 'whether a token lives until its 7200 s are over');
  const answer = await tokenAccess.present(token, 'list addresses shortly before the token expires');
  expect.accepted(answer, `the token is ${(LIFETIME_MS - MARGIN_MS) / 1000} s old and lives 7200 s`);
});

check('TOKEN-EXPIRY', async ({ tokenAccess, time, expect }) => {
  const token = await tokenAccess.openToken();
  await time.pass(LIFETIME_MS + MARGIN_MS, 'whether a token expires after 7200 s');
  const answer = await tokenAccess.present(token, 'list addresses with the expired token');
  expect.refused(answer, `the token is ${(LIFETIME_MS + MARGIN_MS) / 1000} s old and lives 7200 s`);
});

const OTHER_CLIENT = { case: 'other-client', needs: ['shipping.secondClient'] };

check('TOKEN-LIFETIME-HOLDS', OTHER_CLIENT, async (context) => {
  const { early } = await lifetimeOfOtherClient(context);
  context.expect.accepted(early, `the token is ${(LIFETIME_MS - MARGIN_MS) / 1000} s old and lives 7200 s`);
});

check('TOKEN-EXPIRY', OTHER_CLIENT, async (context) => {
  const { late } = await lifetimeOfOtherClient(context);
  context.expect.refused(late, `the token is ${(LIFETIME_MS + MARGIN_MS) / 1000} s old and lives 7200 s`);
});

check('TOKEN-EXPIRY', { case: 'unused' }, async ({ oauth, tokenAccess, time, expect }) => {
  // The twin uses another token, since this one must be used for the first time after its end.
  await tokenAccess.openToken();
  const token = await oauth.issue();
  await time.pass(LIFETIME_MS + MARGIN_MS, 'whether a token that was never used expires after 7200 s');
  const answer = await tokenAccess.present(
    token,
    'list addresses with the expired token, used for the first time',
  );
  expect.refused(
    answer,
    `the token is ${(LIFETIME_MS + MARGIN_MS) / 1000} s old and lives 7200 s from its issue`,
  );
});

writeCheck('TOKEN-EXPIRY', { case: 'everywhere' }, async (context) => {
  const { tokenAccess, time, expect } = context;
  await tokenAccess.requireAddressBook();
  const book = new AddressBook(context);
  const token = await tokenAccess.openToken();
  await time.pass(LIFETIME_MS + MARGIN_MS, 'whether a token expires after 7200 s');
  if ((await tokenAccess.present(token, 'list addresses with the expired token')).ok) {
    context.block('the list, too, accepts the expired token; see TOKEN-EXPIRY');
  }
  const { id } = await book.create();
  const carriers = (context.target.shipping?.carriers as string[] | undefined) ?? ['fedex'];
  const changed = { address_template: { alias_name: 'Conformance expired' } };
  const requests = [
    { method: 'GET', path: `/${id}`, what: 'read' },
    { method: 'PATCH', path: `/${id}`, what: 'update', body: { json: changed } },
    { method: 'POST', path: `/${id}/verify_by_carriers`, what: 'verify', body: { json: { carriers } } },
    { method: 'DELETE', path: `/${id}`, what: 'delete' },
  ];
  for (const { what, ...request } of requests) {
    const purpose = `${what} an address with the expired token`;
    const answer = await book.call({ ...request, purpose, auth: token });
    expect.refused(answer, 'the 7200 s of the token are over');
  }
  const body = { address_template: book.fresh() };
  const created = await book.post(body, 'create an address with the expired token', { auth: token });
  expect.refused(created, 'the 7200 s of the token are over');
});

check('TOKEN-EXPIRY-NOT-SLIDING', async ({ oauth, tokenAccess, time, expect, block }) => {
  const token = await tokenAccess.openToken();
  // The token is used half-way and shortly before its end, so that any prolongation by use would keep it
  // valid beyond 7200 s.
  await time.pass(LIFETIME_MS / 2, 'whether use prolongs a token');
  await tokenAccess.present(token, 'use the token half-way');
  await time.pass(LIFETIME_MS / 2 - MARGIN_MS, 'whether use prolongs a token');
  await tokenAccess.present(token, 'use the token shortly before it expires');
  await time.pass(2 * MARGIN_MS, 'whether use prolongs a token');
  const answer = await tokenAccess.present(token, 'list addresses with the expired token');
  if (answer.ok) {
    const unused = await oauth.issue();
    await time.pass(LIFETIME_MS + MARGIN_MS, 'whether an unused token expires');
    if ((await tokenAccess.present(unused, 'list addresses with an unused token')).ok)
      block('an unused token does not expire either', 'TOKEN-EXPIRY');
  }
  expect.refused(answer, 'more than 7200 s have passed since its issue, though it was used in between');
});

check('TOKEN-EXPIRY-NOT-BY-ISSUE', async ({ oauth, tokenAccess, time, expect, skip, block }) => {
  const token = await tokenAccess.openToken();
  await time.pass(LIFETIME_MS / 2, 'whether another token prolongs an earlier one');
  const later = await oauth.issue();
  if (later.value === token.value) skip('the target hands out the same token again');
  await time.pass(LIFETIME_MS / 2 + MARGIN_MS, 'whether another token prolongs an earlier one');
  const answer = await tokenAccess.present(token, 'list addresses with the earlier token');
  if (answer.ok) {
    await time.pass(LIFETIME_MS + MARGIN_MS, 'whether a token expires at all');
    if ((await tokenAccess.present(later, 'list addresses with the later token')).ok)
      block('the later token does not expire either', 'TOKEN-EXPIRY');
  }
  expect.refused(answer, 'its own 7200 s are over');
});

refreshCheck('TOKEN-REFRESH-LIFETIME-HOLDS', async ({ oauth, refreshTokens, tokenAccess, time, expect }) => {
  await tokenAccess.isGuarded();
  const { value } = await refreshTokens.take();
  await time.pass(LIFETIME_MS - 2 * MARGIN_MS, 'how long a refreshed token lives');
  const aged = await refreshTokens.exchange(value);
  // How long a refresh token lives is left open: this one may have expired already.
  const answer = aged.ok ? aged : await refreshTokens.exchange((await refreshTokens.take()).value);
  await refreshTokens.requireExchanged(answer, await oauth.encoding('token'));
  const token = oauth.toToken(answer);
  await tokenAccess.opens(token);
  await time.pass(LIFETIME_MS - MARGIN_MS, 'how long a refreshed token lives');
  expect.accepted(
    await tokenAccess.present(token, 'list addresses with the refreshed token'),
    'less than 7200 s have passed since the refresh',
  );
});

refreshCheck(
  'TOKEN-REFRESH-LIFETIME-HOLDS',
  { case: 'ends' },
  async ({ oauth, refreshTokens, tokenAccess, time, expect, block }) => {
    const { value } = await refreshTokens.take();
    const answer = await refreshTokens.exchange(value);
    requireOk(answer, 'TOKEN-REFRESH-FORM');
    const token = oauth.toToken(answer);
    await tokenAccess.opens(token);
    const plain = await oauth.issue();
    await time.pass(LIFETIME_MS + MARGIN_MS, 'how long a refreshed token lives');
    const listAddresses = await tokenAccess.present(token, 'list addresses with the refreshed token');
    if (
      listAddresses.ok &&
      (await tokenAccess.present(plain, 'list addresses with a token that was not refreshed')).ok
    )
      block('a token of the other grant does not expire either', 'TOKEN-EXPIRY');
    expect.refused(listAddresses, 'more than 7200 s have passed since the refresh');
  },
);

/** Returns the answers to the second client's tokens before and after their end; waited for once. */
const lifetimeOfOtherClient = perRun(
  "shipping: lifetime of another client's token",
  async (context: OAuthContext): Promise<{ early: Answer; late: Answer }> => {
    const { oauth, tokenAccess, time } = context;
    await tokenAccess.isGuarded();
    // Each is used when new and once more: the effect of use in between is another requirement's subject.
    const [first, second] = [await oauth.issue(oauth.secondClient), await oauth.issue(oauth.secondClient)];
    await tokenAccess.opens(first);
    await tokenAccess.opens(second);
    const why = 'how long a token of the other client lives';
    await time.pass(LIFETIME_MS - MARGIN_MS, why);
    const early = await tokenAccess.present(
      first,
      "list addresses with the other client's token before its end",
    );
    await time.pass(2 * MARGIN_MS, why);
    const late = await tokenAccess.present(
      second,
      "list addresses with the other client's token after its end",
    );
    return { early, late };
  },
);
