/** 5 and 8: a token lives 7200 seconds from its issue. Time is moved by the clock hook, or waited for. */
import type { Where } from '../../lib/check/expect.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { AddressBook } from '../../services/shipping/api/addresses.ts';
import type { AccessToken } from '../../services/shipping/api/oauth.ts';
import { addressRequests } from './address-requests.ts';
import { LIFETIME_MS, MARGIN_MS, OVER_MS } from './lifetime.ts';
import { type OAuthContext, check as suiteCheck } from './suite.ts';

// The clock is moved by hours. On a faulty target, a token that is issued to another check may prolong the
// tokens that are judged here.
const check = suiteCheck.with({ touches: { clock: 'move' } });

// The target may have a single refresh token, so only one check uses it at a time.
const refreshCheck = check.with({ touches: { refreshTokens: 'alone' } });

const writeCheck = check.with({ effects: 'write', touches: { addresses: 'change' } });

check('TOKEN-LIFETIME-HOLDS', async ({ tokenAccess, time, expect }) => {
  const token = await tokenAccess.openToken();
  await time.pass(LIFETIME_MS - MARGIN_MS, 'whether a token lives until its 7200 s are over');
  const answer = await tokenAccess.present(token, 'list addresses shortly before the token expires');
  expect.accepted(answer, `the token is ${(LIFETIME_MS - MARGIN_MS) / 1000} s old and lives 7200 s`);
});

check('TOKEN-LIFETIME-HOLDS', { case: 'unused' }, async ({ oauth, tokenAccess, time, expect }) => {
  await tokenAccess.openToken();
  const token = await oauth.issue();
  await time.pass(LIFETIME_MS - MARGIN_MS, 'whether a token that was never used lives until its end');
  const answer = await tokenAccess.present(
    token,
    'list addresses, shortly before the end of an unused token',
  );
  expect.accepted(answer, `the token is ${(LIFETIME_MS - MARGIN_MS) / 1000} s old and lives 7200 s`);
});

check('TOKEN-EXPIRY', async ({ tokenAccess, time, expect }) => {
  const token = await tokenAccess.openToken();
  await time.pass(OVER_MS, 'whether a token expires after 7200 s');
  const answer = await tokenAccess.present(token, 'list addresses with the expired token');
  expect.refused(answer, `the token is ${OVER_MS / 1000} s old and lives 7200 s`);
});

check('TOKEN-EXPIRY', { case: 'unused' }, async ({ oauth, tokenAccess, time, expect }) => {
  // The twin uses another token, since this one must be used for the first time after its end.
  await tokenAccess.openToken();
  const token = await oauth.issue();
  await time.pass(OVER_MS, 'whether a token that was never used expires after 7200 s');
  const answer = await tokenAccess.present(
    token,
    'list addresses with the expired token, used for the first time',
  );
  expect.refused(answer, `the token is ${OVER_MS / 1000} s old and lives 7200 s from its issue`);
});

// Until its hours are over, no check could run that needs the addresses alone.
writeCheck('TOKEN-EXPIRY', { case: 'everywhere', phase: 'late' }, async (context) => {
  const { tokenAccess, time, expect } = context;
  await tokenAccess.requireAddressBook();
  const book = new AddressBook(context);
  const token = await tokenAccess.openToken();
  await time.pass(OVER_MS, 'whether a token expires after 7200 s');
  if ((await tokenAccess.present(token, 'list addresses with the expired token')).ok) {
    context.block('the list, too, accepts the expired token; see TOKEN-EXPIRY');
  }
  const done = await sentWith(token, 'the expired token', context, (answer) =>
    expect.refused(answer, 'the 7200 s of the token are over'),
  );
  if (done !== undefined) {
    const raw = `invented-${context.faker.string.alphanumeric(24)}`;
    const also = await sentWith({ raw }, 'an invented token', context);
    if (also)
      context.block(
        'what is refused is carried out with an invented token, too',
        also.answer.ok ? 'ADDR-AUTH-UPDATE-GARBAGE' : 'ADDR-AUTH-DELETE-GARBAGE',
      );
    expect.fail('a request with the expired token was refused, and carried out', done);
  }
  const body = { address_template: book.fresh() };
  const created = await book.post(body, 'create an address with the expired token', { auth: token });
  expect.refused(created, 'the 7200 s of the token are over');
});

/** What the requests below set as the label. */
const LABEL = 'Conformance expired';

/**
 * Sends each request about a new address with this token, and reads the address before and after that.
 * @param judge called with each answer
 * @returns what the reads show where they differ, though the first one shows the address
 */
async function sentWith(
  auth: AccessToken | { raw: string },
  which: string,
  context: OAuthContext,
  judge: (answer: Answer) => void = () => {},
): Promise<(Where & { answer: Answer }) | undefined> {
  const book = new AddressBook(context);
  const { id } = await book.create();
  const before = await book.read(id);
  for (const { what, path, ...request } of addressRequests(context, LABEL))
    judge(
      await book.call({
        ...request,
        path: `/${id}${path}`,
        purpose: `${what} an address with ${which}`,
        auth,
      }),
    );
  const answer = await book.read(id, 'read the address after the requests that were refused');
  const [expected, found] = [before, answer].map((each) => each.at('/data/alias_name') ?? each.status);
  const isDone = found === LABEL || found === 404 || found === 410;
  if (typeof expected !== 'string' || !isDone) return undefined;
  return { answer, at: '/data/alias_name', expected, found: String(found) };
}

check('TOKEN-EXPIRY-NOT-SLIDING', async (context) => {
  const { oauth, tokenAccess, time, expect } = context;
  const token = await tokenAccess.openToken();
  // The token is used half-way and shortly before its end, so that any prolongation by use would keep it
  // valid beyond 7200 s.
  await time.pass(LIFETIME_MS / 2, 'whether use prolongs a token');
  await tokenAccess.present(token, 'use the token half-way');
  await time.pass(LIFETIME_MS / 2 - MARGIN_MS, 'whether use prolongs a token');
  await tokenAccess.present(token, 'use the token shortly before it expires');
  await time.pass(OVER_MS - LIFETIME_MS + MARGIN_MS, 'whether use prolongs a token');
  const answer = await tokenAccess.present(token, 'list addresses with the expired token');
  if (answer.ok) await requireEnd(context, await oauth.issue(), 'an unused token');
  expect.refused(answer, 'more than 7200 s have passed since its issue, though it was used in between');
});

check('TOKEN-EXPIRY-NOT-BY-ISSUE', async (context) => {
  const { oauth, tokenAccess, time, expect, skip } = context;
  const token = await tokenAccess.openToken();
  await time.pass(LIFETIME_MS / 2, 'whether another token prolongs an earlier one');
  const later = await oauth.issue();
  if (later.value === token.value) skip('the target hands out the same token again');
  await time.pass(OVER_MS - LIFETIME_MS / 2, 'whether another token prolongs an earlier one');
  const answer = await tokenAccess.present(token, 'list addresses with the earlier token');
  if (answer.ok) await requireEnd(context, later, 'the later token');
  expect.refused(answer, 'its own 7200 s are over');
});

check('TOKEN-EXPIRY-NOT-SLIDING', { case: 'introspected' }, async (context) => {
  const { oauth, tokenAccess, time, expect } = context;
  const token = await tokenAccess.openToken();
  await time.pass(LIFETIME_MS / 2, 'whether introspection prolongs a token');
  await oauth.introspect(token.value, {}, undefined, 'introspect the token half-way');
  await time.pass(OVER_MS - LIFETIME_MS / 2, 'whether introspection prolongs a token');
  const answer = await tokenAccess.present(token, 'list addresses with the expired token');
  if (answer.ok)
    await requireEnd(context, await tokenAccess.openToken(), 'a token that was not introspected');
  expect.refused(answer, 'more than 7200 s have passed since its issue, though it was introspected');
});

refreshCheck('TOKEN-EXPIRY-NOT-BY-ISSUE', { case: 'refresh' }, async (context) => {
  const { oauth, refreshTokens, tokenAccess, time, expect, skip } = context;
  const token = await tokenAccess.openToken();
  const refresh = token.answer.at('/refresh_token');
  if (typeof refresh !== 'string') return skip('token responses of this target carry no refresh token');
  await time.pass(LIFETIME_MS / 2, 'whether a refresh prolongs the earlier token');
  const answer = await refreshTokens.exchange(refresh);
  // How long a refresh token lives is left open.
  if (!answer.ok) skip(`a refresh token of an hour is answered ${answer.status}`);
  const later = oauth.toToken(answer);
  if (later.value === token.value) skip('a refresh hands out the same access token again');
  await time.pass(OVER_MS - LIFETIME_MS / 2, 'whether a refresh prolongs the earlier token');
  const list = await tokenAccess.present(token, 'list addresses with the earlier token');
  if (list.ok) await requireEnd(context, later, 'the later token');
  expect.refused(list, 'its own 7200 s are over, whatever became of its refresh token');
});

// It lets the most hours pass of all.
refreshCheck('TOKEN-REFRESH-LIFETIME-HOLDS', { phase: 'late' }, async (context) => {
  const { oauth, refreshTokens, tokenAccess, time, expect } = context;
  await tokenAccess.requireInventedRefused();
  const { value } = await refreshTokens.take();
  await time.pass(LIFETIME_MS - 2 * MARGIN_MS, 'how long a refreshed token lives');
  const aged = await refreshTokens.exchange(value);
  // How long a refresh token lives is left open: this one may have expired already.
  const answer = aged.ok ? aged : await refreshTokens.exchange((await refreshTokens.take()).value);
  await refreshTokens.requireExchanged(answer, await oauth.encoding('token'));
  const token = oauth.toToken(answer);
  await tokenAccess.requireAccepted(token);
  await time.pass(LIFETIME_MS - MARGIN_MS, 'how long a refreshed token lives');
  expect.accepted(
    await tokenAccess.present(token, 'list addresses with the refreshed token'),
    'less than 7200 s have passed since the refresh',
  );
});

refreshCheck('TOKEN-RESPONSE-CREATED-AT-LATER', { case: 'refreshed' }, async (context) => {
  const { oauth, refreshTokens, time, expect, skip } = context;
  const { value, access } = await refreshTokens.take();
  await time.pass(MARGIN_MS, 'whether created_at changes with a refresh');
  const answer = await refreshTokens.exchange(value);
  requireOk(answer, 'TOKEN-REFRESH-FORM');
  const [at, before] = [answer.at('/created_at'), access?.answer.at('/created_at')];
  if (!Number.isInteger(at) || !Number.isInteger(before)) return skip('a token has no time to compare');
  if (at !== before) return;
  // The time of a token may come from another clock than the one that was moved.
  const { answer: plain } = await oauth.issue();
  // In seconds; in finer units it is more.
  const later = Number(plain.at('/created_at')) - Number(before);
  if (!(later > MARGIN_MS / 2_000)) skip('created_at comes from another clock');
  expect.fail('a token from a refresh has the created_at of the token that was issued before it', {
    answer,
    at: '/created_at',
    expected: `more than ${before}`,
    found: String(at),
  });
});

refreshCheck(
  'TOKEN-REFRESH-LIFETIME-HOLDS',
  { case: 'ends' },
  async ({ oauth, refreshTokens, tokenAccess, time, expect, block }) => {
    const { value } = await refreshTokens.take();
    const answer = await refreshTokens.exchange(value);
    requireOk(answer, 'TOKEN-REFRESH-FORM');
    const token = oauth.toToken(answer);
    await tokenAccess.requireAccepted(token);
    const plain = await oauth.issue();
    await time.pass(OVER_MS, 'how long a refreshed token lives');
    const listAddresses = await tokenAccess.present(token, 'list addresses with the refreshed token');
    if (
      listAddresses.ok &&
      (await tokenAccess.present(plain, 'list addresses with a token that was not refreshed')).ok
    )
      block('a token of the other grant does not expire either', 'TOKEN-EXPIRY');
    expect.refused(listAddresses, 'more than 7200 s have passed since the refresh');
  },
);

/**
 * Lets the lifetime of a token pass. Throws `Blocked` if it is still accepted: then no token seems to expire.
 */
async function requireEnd(
  { tokenAccess, time, block }: OAuthContext,
  token: AccessToken,
  which: string,
): Promise<void> {
  await time.pass(OVER_MS, `whether ${which} expires`);
  if ((await tokenAccess.present(token, `list addresses with ${which}`)).ok)
    block(`${which} does not expire either`, 'TOKEN-EXPIRY');
}
