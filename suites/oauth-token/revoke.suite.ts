/** 4.8 Revoke token: what ends, what goes on. */
import { fieldRequirements } from '../../lib/catalogue/registry.ts';
import { schemas } from '../support/shipping/schemas.ts';
import { credentials, type Params } from '../support/shipping/tokens.ts';
import { expectNoToken } from './no-token.ts';
import { check, type OAuthContext } from './suite.ts';

const ERROR_FIELDS = fieldRequirements('oauth-token', 'OAuthError');
/** Well within the 2 hours of a token, and longer than any cache of revocations ought to be trusted with. */
const LONG_AFTER_MS = 90 * 60_000;

check('TOKEN-REVOKE-STATUS', async ({ oauth, expect }) => {
  const token = await oauth.issue();
  expect.status(await oauth.revoke(token.value), 200);
});

check('TOKEN-REVOKE-EMPTY-OBJECT', async ({ oauth, expect, block }) => {
  const token = await oauth.issue();
  const answer = await oauth.revoke(token.value);
  if (!answer.ok) block(`revoke answered ${answer.status}`, 'TOKEN-REVOKE-STATUS');
  expect.object(answer);
  expect.equal(answer.json, {}, 'the body', { answer, at: '' });
});

check('TOKEN-REVOKE-ACCESS-ENDS', async ({ oauth, door, expect, block, time }) => {
  const token = await door.openToken();
  const answer = await oauth.revoke(token.value);
  if (!answer.ok) block(`revoke answered ${answer.status}`, 'TOKEN-REVOKE-STATUS');
  // Whether it takes effect at once is a requirement of its own.
  const last = await time.until(
    async () => {
      const knock = await door.knock(token, 'list addresses with the revoked token');
      return knock.ok ? undefined : knock;
    },
    1_000,
    3_000,
  );
  if (!last)
    expect.refused(await door.knock(token, 'list addresses with the revoked token'), 'the token was revoked');
  // A list of revoked tokens that is emptied too soon lets them back in; looked at where time can be moved.
  if (!time.movable) return;
  await time.wait(LONG_AFTER_MS);
  const knock = await door.knock(token, 'list addresses with the token revoked long ago');
  expect.refused(
    knock,
    `the token was revoked ${LONG_AFTER_MS / 60_000} minutes ago and cannot become good again`,
  );
});

check('TOKEN-REVOKE-AT-ONCE', async ({ oauth, door, expect, block, time }) => {
  const token = await door.openToken();
  // The pause that the rate asks for comes before the revocation, so that nothing lies between it and the knock.
  await token.pacer.ready();
  const answer = await oauth.revoke(token.value);
  if (!answer.ok) block(`revoke answered ${answer.status}`, 'TOKEN-REVOKE-STATUS');
  const knock = await door.knock(token, 'list addresses with the token just revoked');
  if (!knock.ok) return;
  const later = await time.until(
    async () => ((await door.knock(token, 'list addresses a little later')).ok ? undefined : true),
    1_000,
    3_000,
  );
  if (!later) block('the revoked token is not refused later either', 'TOKEN-REVOKE-ACCESS-ENDS');
  expect.refused(knock, 'the token was revoked by the request before');
});

check('TOKEN-REVOKE-HINT-ACCESS', async (context) => {
  const { oauth, door, expect } = context;
  await endsWithoutHint(context);
  const token = await door.openToken();
  const answer = await oauth.revoke(token.value, { token_type_hint: 'access_token' });
  expect.status(answer, 200);
  expect.refused(await door.knock(token, 'list addresses with the revoked token'), 'the token was revoked');
});

for (const [id, params] of [
  ['TOKEN-REVOKE-REFRESH-ENDS', {}],
  ['TOKEN-REVOKE-HINT-REFRESH', { token_type_hint: 'refresh_token' }],
] as [string, Params][]) {
  check(id, async ({ oauth, refreshTokens, expect, block }) => {
    await refreshTokens.works('form');
    if (params.token_type_hint) {
      const twin = await oauth.revoke((await refreshTokens.takeToEnd()).value);
      if (twin.status !== 200) block(`revoke without a hint answered ${twin.status}`, 'TOKEN-REVOKE-STATUS');
    }
    const { value } = await refreshTokens.takeToEnd();
    const answer = await oauth.revoke(value, params);
    if (params.token_type_hint) expect.status(answer, 200);
    else if (!answer.ok) block(`revoke answered ${answer.status}`, 'TOKEN-REVOKE-STATUS');
    expectNoToken(
      expect,
      await refreshTokens.exchange(value, {}, 'form', 'exchange the revoked token'),
      'the refresh token was revoked',
    );
  });
}

check('TOKEN-REVOKE-SAME-CLIENT-SURVIVES', async ({ oauth, door, expect, skip, block }) => {
  const [first, second] = [await door.openToken(), await oauth.issue()];
  if (first.value === second.value) skip('the target hands out the same token again');
  const answer = await oauth.revoke(first.value);
  if (!answer.ok) block(`revoke answered ${answer.status}`, 'TOKEN-REVOKE-STATUS');
  expect.accepted(
    await door.knock(second, 'list addresses with the other token'),
    'another token was revoked, not this one',
  );
});

check(
  'TOKEN-REVOKE-OTHERS-SURVIVE',
  { needs: ['shipping.secondClient'] },
  async ({ oauth, door, expect, block }) => {
    const others = await oauth.issue(oauth.secondClient);
    await door.opens(others);
    const answer = await oauth.revoke((await oauth.issue()).value);
    if (!answer.ok) block(`revoke answered ${answer.status}`, 'TOKEN-REVOKE-STATUS');
    expect.accepted(
      await door.knock(others, "list addresses with the other client's token"),
      'the revoked token was of another client',
    );
  },
);

check('TOKEN-REVOKE-THEN-ISSUE', async ({ oauth, door, expect, block }) => {
  await door.isGuarded();
  // Where the client is locked out there is no token to revoke any more; the first revocation tells of that.
  if (!oauth.hasRevoked) {
    const answer = await oauth.revoke((await oauth.issue()).value);
    if (!answer.ok) block(`revoke answered ${answer.status}`, 'TOKEN-REVOKE-STATUS');
  }
  const { issued, list } = await oauth.afterRevocation();
  expect.accepted(issued, 'only a token was revoked, not the client');
  if (list === undefined) return block('the answer carries no access token', 'TOKEN-RESPONSE-ACCESS-TOKEN');
  if (list.ok) return;
  await oauth.issue();
  await door.opens(await oauth.issue());
  expect.accepted(list, 'the token is newer than the revocation');
});

/** Blocks unless a revocation that names no hint is answered as it ought to be, and ends the token. */
async function endsWithoutHint({ oauth, door, block }: OAuthContext): Promise<void> {
  const twin = await door.openToken();
  const answer = await oauth.revoke(twin.value);
  if (answer.status !== 200) block(`revoke without a hint answered ${answer.status}`, 'TOKEN-REVOKE-STATUS');
  if ((await door.knock(twin, 'list addresses with the revoked token')).ok) {
    block('a revocation without a hint does not end the token at once', 'TOKEN-REVOKE-ACCESS-ENDS');
  }
}

/** Revocations that lack a required parameter. */
const MISSING: [string, Params][] = [
  ['TOKEN-REVOKE-REQUIRES-CLIENT-ID', { client_id: undefined }],
  ['TOKEN-REVOKE-REQUIRES-CLIENT-SECRET', { client_secret: undefined }],
  ['TOKEN-REVOKE-REQUIRES-TOKEN', { token: undefined }],
];

for (const [id, params] of MISSING) {
  check(id, async ({ oauth, door, expect, block }) => {
    const twin = await oauth.revoke((await oauth.issue()).value);
    if (!twin.ok) block(`a good revocation is answered with ${twin.status}`, 'TOKEN-REVOKE-STATUS');
    const token = await door.openToken();
    const [missing] = Object.keys(params);
    const answer = await oauth.post(
      'revoke',
      { ...credentials(oauth.client), token: token.value, ...params },
      'json',
      `revoke without ${missing}`,
    );
    expect.refused(answer, `${missing} is missing`);
    expect.accepted(
      await door.knock(token, 'list addresses with the token'),
      `the revocation lacked ${missing}`,
    );
  });
}

/** Revocations by somebody who may not, with the requirement about the status and the one about the token. */
const UNAUTHORISED = [
  {
    status: 'TOKEN-REVOKE-WRONG-SECRET-403',
    survives: 'TOKEN-REVOKE-WRONG-SECRET-SURVIVES',
    needs: [],
    params: () => ({ client_secret: 'conformance-not-the-secret' }),
    why: 'the client secret was wrong',
  },
  {
    status: 'TOKEN-REVOKE-UNKNOWN-CLIENT-403',
    survives: undefined,
    needs: [],
    params: () => ({ client_id: 'conformance-no-such-client' }),
    why: 'the client does not exist',
  },
  {
    status: 'TOKEN-REVOKE-OTHER-CLIENT-403',
    survives: 'TOKEN-REVOKE-OTHER-CLIENT-SURVIVES',
    needs: ['shipping.secondClient'],
    params: (second: { clientId: string; clientSecret: string }) => credentials(second),
    why: 'the token was issued to another client',
  },
];

for (const { status, survives, needs, params, why } of UNAUTHORISED) {
  check(status, { needs }, async ({ oauth, expect, block }) => {
    const twin = await oauth.revoke((await oauth.issue()).value);
    if (!twin.ok) block(`a good revocation is answered with ${twin.status}`, 'TOKEN-REVOKE-STATUS');
    const answer = await oauth.revoke((await oauth.issue()).value, params(oauth.secondClient));
    expect.status(answer, 403);
  });

  check(
    survives ?? status,
    { needs, ...(!survives && { case: 'survives' }) },
    async ({ oauth, door, expect, block }) => {
      const twin = await oauth.issue();
      await oauth.revoke(twin.value);
      if ((await door.knock(twin)).ok)
        block('a good revocation does not end a token', 'TOKEN-REVOKE-ACCESS-ENDS');
      // Issued only now: a revocation that ends more than its token is another requirement's.
      const token = await door.openToken();
      await oauth.revoke(token.value, params(oauth.secondClient));
      expect.accepted(await door.knock(token, 'list addresses with the token'), why);
    },
  );

  check(
    ['TOKEN-REVOKE-ERROR-OBJECT', ...ERROR_FIELDS],
    { case: `revoke-${status.toLowerCase().slice(13)}`, needs },
    async ({ oauth, expect, block }) => {
      const answer = await oauth.revoke((await oauth.issue()).value, params(oauth.secondClient));
      if (answer.status !== 403)
        block(`answered ${answer.status}, not 403, so that its body is not shown`, status);
      expect.object(answer);
      expect.holds('TOKEN-REVOKE-ERROR-OBJECT');
      expect.fields(answer, schemas, 'OAuthError');
    },
  );
}

check('TOKEN-REVOKE-FORM', async (context) => {
  const { oauth, door, expect, block } = context;
  const token = await door.openToken();
  const answer = await oauth.revoke(token.value, {}, 'form');
  if (answer.status !== 200) {
    // What is answered to JSON as well is not about forms.
    const asJson = await oauth.revoke((await oauth.issue()).value);
    if (asJson.status === answer.status)
      block(`revoke as JSON is answered with ${asJson.status} too`, 'TOKEN-REVOKE-STATUS');
  }
  expect.status(answer, 200);
  const knock = await door.knock(token, 'list addresses with the revoked token');
  if (knock.ok) await endsWithoutHint(context);
  expect.refused(knock, 'the token was revoked');
});

check('TOKEN-REVOKE-WRONG-HINT', { case: 'access-token' }, async (context) => {
  const { oauth, door, expect } = context;
  await endsWithoutHint(context);
  const token = await door.openToken();
  const answer = await oauth.revoke(token.value, { token_type_hint: 'refresh_token' });
  if (!answer.ok) return;
  const knock = await door.knock(token, 'list addresses with the revoked token');
  expect.refused(knock, 'its revocation was answered with a success; the hint is only a hint');
});

check(
  'TOKEN-REVOKE-WRONG-HINT',
  { case: 'refresh-token' },
  async ({ oauth, refreshTokens, expect, block }) => {
    await refreshTokens.works('form');
    const twin = (await refreshTokens.takeToEnd()).value;
    await oauth.revoke(twin);
    if ((await refreshTokens.exchange(twin, {}, 'form', 'exchange the revoked token')).ok) {
      block('a revocation without a hint does not end a refresh token', 'TOKEN-REVOKE-REFRESH-ENDS');
    }
    const { value } = await refreshTokens.takeToEnd();
    const answer = await oauth.revoke(value, { token_type_hint: 'access_token' });
    if (!answer.ok) return;
    const exchange = await refreshTokens.exchange(value, {}, 'form', 'exchange the revoked token');
    expectNoToken(expect, exchange, 'its revocation was answered with a success; the hint is only a hint');
  },
);

check('TOKEN-REVOKE-UNKNOWN-200', async ({ oauth, faker, expect, block }) => {
  const twin = await oauth.revoke((await oauth.issue()).value);
  if (twin.status !== 200) block(`a good revocation is answered with ${twin.status}`, 'TOKEN-REVOKE-STATUS');
  expect.status(await oauth.revoke(faker.string.alphanumeric(43)), 200);
});

check('TOKEN-REVOKE-AGAIN-200', async ({ oauth, expect, block }) => {
  const token = await oauth.issue();
  const first = await oauth.revoke(token.value);
  if (first.status !== 200) block(`revoke answered ${first.status}`, 'TOKEN-REVOKE-STATUS');
  expect.status(await oauth.revoke(token.value), 200);
});

check('TOKEN-REVOKE-REFRESH-ENDS-ACCESS', async ({ oauth, refreshTokens, door, expect, skip }) => {
  const { value, access } = await refreshTokens.takeToEnd();
  if (!access) return skip('no access token belongs to the refresh token');
  await door.opens(access);
  await oauth.revoke(value);
  expect.refused(
    await door.knock(access, 'list addresses with the access token'),
    'the refresh token of its grant was revoked',
  );
});
