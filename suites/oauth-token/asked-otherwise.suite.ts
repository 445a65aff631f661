/** 4.7, 4.8, 5 and 8: tokens requested with further parameters or in another spelling, or used before. */
import { requireOk } from '../../lib/check/require.ts';
import { credentials } from '../../services/shipping/api/oauth.ts';
import { schemas } from '../../services/shipping/judging/schemas.ts';
import { TOKEN_RESPONSE_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import { expectNoToken } from './no-token.ts';
import { check } from './suite.ts';
import { goodAgain, goodRevocation, goodTwin } from './twin.ts';
import { issueBy, WAYS } from './ways.ts';

for (const name of ['with-scope', 'with-redirect-uri']) {
  const way = WAYS[name]!;
  check('TOKEN-REVOKE-THEN-ISSUE', { case: name, needs: way.needs }, async (context) => {
    const { oauth, tokenAccess, expect } = context;
    // If the usual request is refused as well, the revocation is not the reason.
    await oauth.issue();
    const token = await issueBy(way, context);
    await tokenAccess.requireInventedRefused();
    await tokenAccess.requireAccepted(token);
    requireOk(await oauth.revoke(token.value), 'TOKEN-REVOKE-STATUS');
    const issued = await way.ask(context);
    expect.accepted(issued, 'only a token was revoked, not the client');
    const list = await tokenAccess.present(oauth.toToken(issued), `list addresses with a new token ${name}`);
    if (!list.ok) await tokenAccess.requireAccepted(await oauth.issue());
    expect.accepted(list, 'the token is newer than the revocation');
  });
}

check(
  'TOKEN-REDIRECT-URI-STORED',
  { case: 'second-client', needs: ['shipping.secondClient.redirectUri'] },
  async ({ oauth, expect }) => {
    const second = credentials(oauth.secondClient);
    requireOk(await oauth.request(second, undefined, 'ask as the other client'), 'TOKEN-ISSUE-FORM');
    const { redirectUri } = oauth.config.secondClient as { redirectUri: string };
    const purpose = "ask with the other client's own redirect_uri";
    const answer = await oauth.request({ ...second, redirect_uri: redirectUri }, undefined, purpose);
    if (!answer.ok)
      requireOk(await oauth.request(second, undefined, 'ask as the other client again'), 'TOKEN-ISSUE-FORM');
    expect.accepted(answer, 'the redirect URI is the one stored for this client');
  },
);

for (const [name, way] of Object.entries(WAYS)) {
  // A token that is requested as JSON is examined with the plain ones.
  if (name === 'as-json') continue;
  check(TOKEN_RESPONSE_REQUIREMENTS, { case: name, needs: way.needs }, async (context) => {
    const answer = await way.ask(context);
    if (!answer.ok) context.skip(`${answer.exchange.purpose}: answered ${answer.status}`);
    context.expect.fields(answer, schemas, 'TokenResponse');
  });
}

// Every character is percent-encoded, with lower-case hexadecimal digits: form decoding accepts both cases of
// digits, and escapes of characters that need none.
check('TOKEN-ISSUE-FORM', { case: 'escapes' }, async (context) => {
  const { oauth, http, session, expect } = context;
  await goodTwin(context, 'form');
  const { client_id, client_secret } = credentials(oauth.client);
  const secret = session.secrets.derive(escaped(client_secret), client_secret);
  const raw = `grant_type=client_credentials&client_id=${escaped(client_id)}&client_secret=${secret}`;
  const answer = await http.send({
    method: 'POST',
    url: oauth.url('token'),
    purpose: 'ask with every character of the credentials as an escape',
    headers: { ...(oauth.config.headers as Record<string, string> | undefined) },
    issuesCredentials: true,
    body: { raw, type: 'application/x-www-form-urlencoded' },
  });
  if (!answer.ok) await goodAgain(context, 'form');
  expect.accepted(answer, 'as escapes they are the same credentials');
});

function escaped(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

// The target may have a single refresh token, so only one check uses it at a time.
const refreshCheck = check.with({ touches: { refreshTokens: 'alone' } });

refreshCheck('TOKEN-ISSUE-MISSING-GRANT-TYPE', { case: 'refresh' }, async ({ refreshTokens, expect }) => {
  await refreshTokens.requireRefreshWorks();
  const { value } = await refreshTokens.take();
  const purpose = 'refresh without grant_type';
  const answer = await refreshTokens.exchange(value, { grant_type: undefined }, undefined, purpose);
  expectNoToken(expect, answer, 'grant_type is missing');
});

refreshCheck(
  'TOKEN-REVOKE-REFRESH-ENDS',
  { case: 'used' },
  async ({ oauth, refreshTokens, expect, skip }) => {
    await refreshTokens.requireRefreshWorks();
    const { value } = await refreshTokens.takeToEnd();
    await refreshTokens.exchange(value);
    // Where each refresh token can be used only once, a used one shows nothing about revocation.
    const again = await refreshTokens.exchange(value, {}, undefined, 'exchange it a second time');
    if (!again.ok) skip(`a refresh token that was used is answered ${again.status}`);
    requireOk(await oauth.revoke(value), 'TOKEN-REVOKE-STATUS');
    const answer = await refreshTokens.exchange(value, {}, undefined, 'exchange the revoked token');
    expectNoToken(expect, answer, 'the refresh token was revoked');
  },
);

for (const [name, params, encoding] of [
  ['form', {}, 'form'],
  ['hint', { token_type_hint: 'access_token' }, undefined],
] as const) {
  check('TOKEN-REVOKE-EMPTY-OBJECT', { case: name }, async (context) => {
    const { oauth, tokenAccess, expect, skip } = context;
    await goodRevocation(context);
    const answer = await oauth.revoke((await tokenAccess.anyToken()).value, params, encoding);
    if (!answer.ok) skip(`a revocation with ${name} is answered ${answer.status}`);
    expect.object(answer);
    expect.equal(answer.json, {}, 'the body', { answer, at: '' });
  });
}

for (const name of ['again', 'unknown'] as const) {
  check('TOKEN-REVOKE-NO-5XX', { case: name }, async (context) => {
    const { oauth, tokenAccess, faker, expect } = context;
    await goodRevocation(context);
    const token = name === 'again' ? (await tokenAccess.anyToken()).value : faker.string.alphanumeric(43);
    if (name === 'again') requireOk(await oauth.revoke(token), 'TOKEN-REVOKE-STATUS');
    const answer = await oauth.revoke(token);
    expect.that(
      answer.status < 500,
      `revoke a token that is not active (${name}): answered ${answer.status}`,
      {
        answer,
        at: 'status',
        expected: '200, or a refusal of the 4xx class',
        found: String(answer.status),
      },
    );
  });
}
