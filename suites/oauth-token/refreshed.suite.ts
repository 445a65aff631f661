/** 4.7 to 4.9 and 8: an access token from a refresh is subject to the same requirements as any other. */

import { requireOk } from '../../lib/check/require.ts';
import { AddressBook } from '../../services/shipping/api/addresses.ts';
import { Introspection } from '../../services/shipping/api/introspection.ts';
import type { AccessToken } from '../../services/shipping/api/oauth.ts';
import { newPlace } from '../../services/shipping/fixtures/places.ts';
import { schemas } from '../../services/shipping/judging/schemas.ts';
import { OAUTH_ERROR_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import { endedByRevocation, presentEnded } from './ended.ts';
import { expectTokenLimited } from './limit.ts';
import { expectNoToken } from './no-token.ts';
import { type OAuthContext, check as suiteCheck } from './suite.ts';
import { knownScopes, scopesOf } from './twin.ts';

// The target may have a single refresh token, which each exchange replaces; and where it has many, using one
// may wrongly end others.
const check = suiteCheck.with({ touches: { refreshTokens: 'alone' } });

const writeCheck = check.with({ effects: 'write', touches: { addresses: 'change' } });

const REFRESHED = { case: 'refreshed' };

check('TOKEN-REVOKE-ACCESS-ENDS', REFRESHED, async (context) => {
  const { oauth, tokenAccess, expect, block } = context;
  const twin = await endedByRevocation(context);
  if (twin.access.ok)
    block('a token of the other grant is not ended by its revocation either', 'TOKEN-REVOKE-ACCESS-ENDS');
  // The revocation may also end the refresh token it came from, which must not be the configured one.
  await context.refreshTokens.takeToEnd();
  const token = await refreshed(context);
  await tokenAccess.requireAccepted(token);
  const answer = await oauth.revoke(token.value);
  requireOk(answer, 'TOKEN-REVOKE-STATUS');
  const listAddresses = await presentEnded(context, token);
  expect.refused(listAddresses, 'the token, which came from a refresh, was revoked');
});

check('TOKEN-REVOKE-ACCESS-ENDS', { case: 'exchanged' }, async (context) => {
  const { oauth, tokenAccess, refreshTokens, expect, skip, block } = context;
  const twin = await endedByRevocation(context);
  if (twin.access.ok)
    block('a token that was not refreshed is not ended by its revocation either', 'TOKEN-REVOKE-ACCESS-ENDS');
  const { value, access } = await refreshTokens.takeToEnd();
  requireOk(await refreshTokens.exchange(value), 'TOKEN-REFRESH-FORM');
  if (!access || !(await tokenAccess.present(access)).ok)
    return skip('an exchange ends the access token that came with the refresh token');
  requireOk(await oauth.revoke(access.value), 'TOKEN-REVOKE-STATUS');
  const list = await presentEnded(context, access);
  expect.refused(list, 'the token, whose refresh token had been exchanged, was revoked');
});

check('TOKEN-INTROSPECT-TELLS-UNKNOWN', REFRESHED, async (context) => {
  const { introspection, tokenAccess, faker, expect, block } = context;
  const plain = await tokenAccess.livingToken();
  const ask = await introspection.asking('access_token', plain.value);
  const [yes, no] = [
    await ask(plain.value, 'introspect an active token'),
    await ask(faker.string.alphanumeric(plain.value.length), 'introspect an invented token'),
  ];
  requireOk(yes, 'TOKEN-INTROSPECT-ANSWERS');
  if (!Introspection.distinguishes(yes, no, yes, await ask(plain.value, 'introspect it again')))
    block('a token of the other grant is not told from an invented one', 'TOKEN-INTROSPECT-TELLS-UNKNOWN');
  const token = await refreshed(context);
  await tokenAccess.requireAccepted(token);
  const answer = await ask(token.value, 'introspect a token from a refresh');
  const invented = await ask(faker.string.alphanumeric(token.value.length), 'introspect an invented token');
  expect.that(
    Introspection.distinguishes(answer, invented, yes, yes),
    'an active token from a refresh is answered like an invented one',
    { answer, expected: `another answer than ${invented.beginning()}`, found: 'the same' },
  );
});

check(['TOKEN-REFRESH-STATUS', 'TOKEN-REFRESH-OPENS'], { case: 'second' }, async (context) => {
  const { oauth, tokenAccess, refreshTokens, expect, skip } = context;
  await tokenAccess.requireInventedRefused();
  const { value } = await refreshTokens.take();
  const first = await refreshTokens.exchange(value);
  requireOk(first, 'TOKEN-REFRESH-FORM');
  const next = first.at('/refresh_token');
  if (typeof next !== 'string') return skip('a refresh hands out no refresh token');
  const second = await refreshTokens.exchange(next, {}, undefined, 'exchange the refresh token of a refresh');
  // Whether a refresh token can be used twice is left open, even where its refresh hands it out again.
  if (!second.ok && next === value) skip('a refresh hands out the used refresh token again');
  expect.status(second, 200);
  expect.holds('TOKEN-REFRESH-STATUS');
  const list = await tokenAccess.present(oauth.toToken(second));
  expect.for('TOKEN-REFRESH-OPENS').accepted(list, 'the token was just issued by a second refresh');
});

check('TOKEN-REFRESH-OPENS', { case: 'limited' }, async (context) => {
  const { oauth, tokenAccess, refreshTokens, expect, skip } = context;
  await tokenAccess.requireInventedRefused();
  const scopes = await knownScopes(context);
  if (scopes.length < 2) skip('the client has a single scope, so nothing can be limited');
  for (const scope of scopes.slice(0, 2)) {
    const limited = await oauth.issue(oauth.client, { scope });
    const value = limited.answer.at('/refresh_token');
    if (typeof value !== 'string') return skip('a token response for a scope carries no refresh token');
    if (!(await tokenAccess.present(limited)).ok) continue;
    const answer = await refreshTokens.exchange(value);
    if (!answer.ok) return skip(`the refresh of a token limited to ${scope} is answered ${answer.status}`);
    const list = await tokenAccess.present(oauth.toToken(answer));
    return expect.accepted(list, `it came from a refresh of a token limited to ${scope}, which was accepted`);
  }
  skip('neither of two scopes opens the list');
});

check('TOKEN-REFRESH-STATUS', { case: 'third' }, async ({ refreshTokens, expect, skip }) => {
  const { value } = await refreshTokens.take();
  const first = await refreshTokens.exchange(value);
  requireOk(first, 'TOKEN-REFRESH-FORM');
  let [last, next] = [value, first.at('/refresh_token')];
  for (const nth of ['second', 'third']) {
    if (typeof next !== 'string') return skip('a refresh hands out no refresh token');
    const answer = await refreshTokens.exchange(next, {}, undefined, `exchange the ${nth} refresh token`);
    // Whether a refresh token can be used twice is left open, even where its refresh hands it out again.
    if (!answer.ok && next === last) skip('a refresh hands out the used refresh token again');
    if (nth === 'second') requireOk(answer, 'TOKEN-REFRESH-STATUS');
    else expect.status(answer, 200);
    [last, next] = [next, answer.at('/refresh_token')];
  }
});

check('TOKEN-REVOKE-REFRESH-ENDS', { case: 'of-a-refresh' }, async (context) => {
  const { oauth, refreshTokens, expect, skip, block } = context;
  const { value } = await refreshTokens.takeToEnd();
  const first = await refreshTokens.exchange(value);
  requireOk(first, 'TOKEN-REFRESH-FORM');
  const next = first.at('/refresh_token');
  if (typeof next !== 'string') return skip('a refresh hands out no refresh token');
  const { value: twin } = await refreshTokens.takeToEnd();
  requireOk(await oauth.revoke(twin), 'TOKEN-REVOKE-STATUS');
  const ofTwin = await refreshTokens.exchange(twin, {}, undefined, 'exchange the revoked token');
  if (ofTwin.ok) block('a revocation does not end a refresh token', 'TOKEN-REVOKE-REFRESH-ENDS');
  requireOk(await oauth.revoke(next), 'TOKEN-REVOKE-STATUS');
  const answer = await refreshTokens.exchange(next, {}, undefined, 'exchange the revoked token of a refresh');
  expectNoToken(expect, answer, 'the refresh token, which came from a refresh, was revoked');
});

check('TOKEN-RATE-LIMITED', { ...REFRESHED, touches: { clock: 'measure' } }, (context) =>
  expectTokenLimited(context, () => refreshed(context)),
);

check('TOKEN-SCOPE-LIMITS', REFRESHED, async (context) => {
  const { refreshTokens, expect, skip, block } = context;
  const [scope, ...others] = await knownScopes(context);
  if (others.length === 0) skip('the client has a single scope, so nothing can be limited');
  await refreshTokens.requireRefreshWorks();
  let looked = 0;
  for (const encoding of ['form', 'json'] as const) {
    const { value } = await refreshTokens.take();
    const answer = await refreshTokens.exchange(value, { scope }, encoding, `refresh with scope ${scope}`);
    // Whether a refresh may ask for other scopes than the first token had is left open; and that one kind of
    // body is refused violates another requirement.
    if (!answer.ok && (encoding === 'form' || looked > 0)) continue;
    looked += 1;
    if (!answer.ok) skip(`a refresh that asks for ${scope} is answered ${answer.status}`);
    const granted = scopesOf(answer.at('/scope'));
    if (granted.length === 0) block('the token response names no scope', 'TOKEN-RESPONSE-SCOPE');
    const beyond = granted.filter((each) => each !== scope);
    expect.that(beyond.length === 0, `a token limited to ${scope} carries ${beyond.join(' ')} as well`, {
      answer,
      at: '/scope',
      expected: `no scope but ${scope}`,
      found: JSON.stringify(answer.at('/scope')),
    });
  }
});

check('TOKEN-EARLIER-SURVIVES', REFRESHED, async ({ refreshTokens, tokenAccess, expect, skip }) => {
  await tokenAccess.requireInventedRefused();
  // First the refresh token: with a single token to a client, its issue alone would end an earlier one.
  const { value, access } = await refreshTokens.take();
  const earlier = await tokenAccess.openToken();
  if (access?.value === earlier.value) skip('the target hands out the same token again');
  const answer = await refreshTokens.exchange(value);
  requireOk(answer, 'TOKEN-REFRESH-FORM');
  const list = await tokenAccess.present(earlier, 'list addresses with the earlier token');
  expect.after(answer).accepted(list, 'it was issued with another refresh token than the one exchanged');
});

writeCheck('TOKEN-REFRESH-OPENS', { case: 'create' }, async (context) => {
  const { tokenAccess, oauth, faker, expect } = context;
  await tokenAccess.requireAddressBook();
  const book = new AddressBook(context);
  const token = await refreshed(context);
  await tokenAccess.requireAccepted(token);
  // In one place: a service may not know another one.
  const address_attributes = newPlace(faker);
  const address = () => ({ address_template: book.fresh({ address_attributes }) });
  const answer = await book.post(address(), 'create an address with the refreshed token', { auth: token });
  if (!answer.ok) {
    const auth = await oauth.issue();
    const other = await book.post(address(), 'create with a token of the other grant', { auth });
    requireOk(other, 'ADDR-CREATE-STATUS');
  }
  expect.accepted(answer, 'the token was just issued by a refresh, which named no scope');
});

/** The faults of refresh requests for which an error is documented; used for the bodies of the answers. */
const FAULTS = {
  'wrong-secret': { client_secret: 'conformance-not-the-secret' },
  'missing-secret': { client_secret: undefined },
};

for (const [name, change] of Object.entries(FAULTS)) {
  check(
    ['TOKEN-ISSUE-ERROR-OBJECT', ...OAUTH_ERROR_REQUIREMENTS],
    { case: `refresh-${name}` },
    async ({ refreshTokens, expect, block }) => {
      await refreshTokens.requireRefreshWorks();
      const { value } = await refreshTokens.take();
      const answer = await refreshTokens.exchange(value, change, undefined, `refresh with ${name}`);
      if (answer.status !== 400 && answer.status !== 401)
        block(`answered ${answer.status}, not 400 or 401, so no shape of its body is documented`);
      expect.object(answer);
      expect.holds('TOKEN-ISSUE-ERROR-OBJECT');
      expect.fields(answer, schemas, 'OAuthError');
    },
  );
}

/** Returns an access token from a refresh. Blocks where that fails, skips without a refresh token. */
async function refreshed({ oauth, tokenAccess, refreshTokens }: OAuthContext): Promise<AccessToken> {
  await tokenAccess.requireInventedRefused();
  const answer = await refreshTokens.exchange((await refreshTokens.take()).value);
  requireOk(answer, 'TOKEN-REFRESH-FORM');
  return oauth.toToken(answer);
}
