/** 4.7, grant type refresh_token, where the target has refresh tokens at all. */

import { credentials } from '../../services/shipping/api/oauth.ts';
import { requireSeparateAccounts } from '../../services/shipping/fixtures/separate-clients.ts';
import { schemas } from '../../services/shipping/judging/schemas.ts';
import { similarTo } from '../../services/shipping/judging/similar.ts';
import { TOKEN_RESPONSE_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import { expectNoToken } from './no-token.ts';
import { check as suiteCheck } from './suite.ts';
import { knownScopes, scopesOf } from './twin.ts';

// The target may have a single refresh token, which each exchange replaces; and where it has many, using one
// may wrongly end others.
const check = suiteCheck.with({ touches: { refreshTokens: 'alone' } });

const RESPONSE_FIELDS = TOKEN_RESPONSE_REQUIREMENTS;

check('TOKEN-REFRESH-STATUS', async ({ refreshTokens, expect, block }) => {
  const statuses: number[] = [];
  for (const encoding of ['form', 'json'] as const) {
    const answer = await refreshTokens.good(encoding);
    if (answer.ok) expect.status(answer, 200);
    statuses.push(answer.status);
  }
  if (!statuses.includes(200))
    block(`good refresh requests are answered with ${statuses.join(' and ')}`, 'TOKEN-REFRESH-FORM');
});

for (const encoding of ['form', 'json'] as const) {
  const id = encoding === 'form' ? 'TOKEN-REFRESH-FORM' : 'TOKEN-REFRESH-JSON';
  check(id, async ({ refreshTokens, expect }) => {
    expect.accepted(
      await refreshTokens.good(encoding),
      `the refresh token is good and the body is ${encoding === 'form' ? 'a form' : 'JSON'}`,
    );
  });

  check(
    ['TOKEN-ISSUE-OBJECT', ...RESPONSE_FIELDS],
    { case: `refresh-${encoding}` },
    async ({ refreshTokens, expect }) => {
      const answer = await refreshTokens.good(encoding);
      await refreshTokens.requireExchanged(answer, encoding);
      expect.object(answer);
      expect.holds('TOKEN-ISSUE-OBJECT');
      expect.fields(answer, schemas, 'TokenResponse');
    },
  );

  check('TOKEN-REFRESH-OPENS', { case: encoding }, async ({ refreshTokens, oauth, tokenAccess, expect }) => {
    await tokenAccess.requireAccepted(await oauth.issue());
    const { value } = await refreshTokens.take();
    const answer = await refreshTokens.exchange(value, {}, encoding);
    await refreshTokens.requireExchanged(answer, encoding);
    expect.accepted(
      await tokenAccess.present(oauth.toToken(answer)),
      'the token was just issued by a refresh',
    );
  });

  check('TOKEN-REFRESH-MISSING-TOKEN', { case: encoding }, async ({ refreshTokens, oauth, expect }) => {
    await refreshTokens.requireRefreshWorks(encoding);
    const params = { grant_type: 'refresh_token', ...credentials(oauth.client) };
    const answer = await oauth.post('token', params, encoding, 'refresh without refresh_token');
    expectNoToken(expect, answer, 'refresh_token is missing');
  });

  check('TOKEN-REFRESH-GARBAGE', { case: encoding }, async ({ refreshTokens, faker, expect }) => {
    await refreshTokens.requireRefreshWorks(encoding);
    const answer = await refreshTokens.exchange(
      faker.string.alphanumeric(43),
      {},
      encoding,
      'refresh with an invented token',
    );
    expectNoToken(expect, answer, 'the refresh token was never issued');
  });

  check('TOKEN-REFRESH-WRONG-SECRET-401', { case: encoding }, async ({ refreshTokens, expect }) => {
    await refreshTokens.requireRefreshWorks(encoding);
    const { value } = await refreshTokens.take();
    const answer = await refreshTokens.exchange(
      value,
      { client_secret: 'conformance-not-the-secret' },
      encoding,
      'refresh with a wrong secret',
    );
    expectNoToken(expect, answer, 'the client secret is wrong');
    expect.status(answer, 401);
  });

  check('TOKEN-REFRESH-MISSING-SECRET-400', { case: encoding }, async ({ refreshTokens, expect }) => {
    await refreshTokens.requireRefreshWorks(encoding);
    const { value } = await refreshTokens.take();
    const answer = await refreshTokens.exchange(
      value,
      { client_secret: undefined },
      encoding,
      'refresh without client_secret',
    );
    expectNoToken(expect, answer, 'the client secret is missing');
    expect.status(answer, 400);
  });
}

check('TOKEN-REFRESH-REFUSED-KEPT', async ({ refreshTokens, expect, block, skip }) => {
  await refreshTokens.requireRefreshWorks();
  const { value } = await refreshTokens.take();
  for (const secret of ['conformance-not-the-secret', undefined]) {
    const what = `refresh ${secret === undefined ? 'without client_secret' : 'with a wrong secret'}`;
    const refused = await refreshTokens.exchange(value, { client_secret: secret }, undefined, what);
    const by = secret === undefined ? 'TOKEN-REFRESH-MISSING-SECRET-400' : 'TOKEN-REFRESH-WRONG-SECRET-401';
    if (refused.ok) block(`${what} is answered ${refused.status}`, by);
  }
  const purpose = 'exchange the refresh token that was refused for the credentials';
  const answer = await refreshTokens.exchange(value, {}, undefined, purpose);
  if (answer.ok) return;
  // A client may be locked out for a while after a wrong secret.
  const other = await refreshTokens.exchange((await refreshTokens.take()).value);
  if (!other.ok) skip(`after a wrong secret another refresh token is answered ${other.status} as well`);
  expect.accepted(answer, 'it was only named in requests without valid credentials');
});

check('TOKEN-REFRESH-GARBAGE', { case: 'altered' }, async ({ refreshTokens, session, expect }) => {
  await refreshTokens.requireRefreshWorks();
  // Refused requests do not use up the token, so one is enough.
  const { value } = await refreshTokens.take();
  for (const [name, altered] of similarTo(value)) {
    const purpose = `refresh with an altered token (${name})`;
    const answer = await refreshTokens.exchange(
      session.secrets.derive(altered, value),
      {},
      undefined,
      purpose,
    );
    expectNoToken(expect, answer, 'the refresh token was altered');
  }
});

check('TOKEN-REFRESH-CLIENT-BOUND', { needs: ['shipping.secondClient'] }, async (context) => {
  const { refreshTokens, oauth, expect } = context;
  await refreshTokens.requireRefreshWorks();
  const { value } = await refreshTokens.takeToEnd();
  const second = credentials(oauth.secondClient);
  const answer = await refreshTokens.exchange(value, second, undefined, 'refresh as another client');
  if (answer.ok) await requireSeparateAccounts(context);
  expectNoToken(
    expect,
    answer,
    'the refresh token was issued to another client, which does not share its addresses',
  );
});

check('TOKEN-REFRESH-SCOPE-KEPT', async (context) => {
  const { oauth, refreshTokens, expect, skip } = context;
  const [scope, ...others] = await knownScopes(context);
  if (others.length === 0) skip('the client has a single scope, so nothing can be limited');
  const limited = await oauth.request({ scope }, undefined, `ask for scope ${scope}`);
  const refreshToken = limited.at('/refresh_token');
  if (!limited.ok || typeof refreshToken !== 'string')
    return skip('token responses of this target carry no refresh token');
  const answer = await refreshTokens.exchange(refreshToken);
  const beyond = scopesOf(answer.at('/scope')).filter((s) => !scopesOf(limited.at('/scope')).includes(s));
  expect.that(beyond.length === 0, `the refreshed token carries ${beyond.join(' ')} beyond ${scope}`, {
    answer,
    at: '/scope',
  });
});

check('TOKEN-REFRESH-ACCESS-TOKEN-REFUSED', async ({ oauth, refreshTokens, expect, skip }) => {
  await refreshTokens.requireRefreshWorks();
  const token = await oauth.issue();
  const own = token.answer.at('/refresh_token');
  if (typeof own !== 'string' || own === token.value)
    skip(
      'token responses of this target carry no refresh token of a separate kind; what the grant accepts is left open',
    );
  const answer = await refreshTokens.exchange(token.value, {}, undefined, 'refresh with an access token');
  expectNoToken(
    expect,
    answer,
    'an access token is not a refresh token, and the target issues refresh tokens',
  );
});
