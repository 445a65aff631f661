/** 4.7, 4.8 and 7: credentials similar to valid ones, or another client's, in every grant and at revoke. */
import { type Client, credentials, type Params } from '../../services/shipping/api/oauth.ts';
import { inFullWidth, nearly } from '../../services/shipping/judging/similar.ts';
import { expectNoToken } from './no-token.ts';
import { type OAuthContext, check as suiteCheck } from './suite.ts';
import { goodAgain, goodRevocation, goodRevocationAgain, goodTwin } from './twin.ts';

// The target may have a single refresh token, which each exchange replaces; and where it has many, using one
// may wrongly end others.
const check = suiteCheck.with({ touches: { refreshTokens: 'alone' } });

check('TOKEN-ISSUE-NEAR-CLIENT-401', async (context) => {
  const { oauth, expect } = context;
  const encoding = await oauth.encoding('token');
  await goodTwin(context, encoding);
  for (const [name, client_id] of nearly(oauth.client.clientId)) {
    const answer = await oauth.request({ client_id }, encoding, `ask with the client_id ${name}`);
    expectNoToken(expect, answer, 'no client has this id');
    if (answer.status !== 401) await goodAgain(context, encoding);
    expect.status(answer, 401);
  }
});

check('TOKEN-ISSUE-FULL-WIDTH', async (context) => {
  const { session, oauth, expect } = context;
  const encoding = await oauth.encoding('token');
  await goodTwin(context, encoding);
  const { clientId, clientSecret } = oauth.client;
  // The status is left open: a value that is not ASCII may not be allowed here at all (RFC 6749, appendix A).
  for (const [name, params] of [
    ['client_secret', { client_secret: inFullWidth(clientSecret) }],
    ['client_id', { client_id: inFullWidth(clientId) }],
  ] as const) {
    if ('client_secret' in params) session.secrets.derive(params.client_secret, clientSecret);
    const answer = await oauth.request(params, encoding, `ask with the ${name} in full-width characters`);
    expectNoToken(expect, answer, 'these are other characters');
  }
});

/** Invalid credentials; some of them need a second client. */
interface Bad {
  needs?: string[];
  /** Returns what is wrong, in words, and the parameters that are sent in place of the valid ones. */
  sent: (client: Client, second: Client) => [name: string, params: Params][];
}

const NEAR_SECRET: Bad = {
  sent: ({ clientSecret }) =>
    nearly(clientSecret).map(([name, client_secret]) => [`the secret ${name}`, { client_secret }]),
};
const FULL_WIDTH_SECRET: Bad = {
  sent: ({ clientSecret }) => [
    ['the secret in full-width characters', { client_secret: inFullWidth(clientSecret) }],
  ],
};
const OTHER_SECRET: Bad = {
  needs: ['shipping.secondClient'],
  sent: (_, { clientSecret }) => [['the secret of another client', { client_secret: clientSecret }]],
};
const EMPTY_SECRET: Bad = { sent: () => [['an empty secret', { client_secret: '' }]] };
const NO_CLIENT_ID: Bad = { sent: () => [['no client_id', { client_id: undefined }]] };
const UNKNOWN_CLIENT: Bad = {
  sent: () => [['an unknown client_id', { client_id: 'conformance-no-such-client' }]],
};

/**
 * The statuses that a refresh with bad credentials may have; `undefined` where they are left open, since the
 * refresh token may be refused first.
 */
const REFRESH: [id: string, bad: Bad, statuses: number[] | undefined][] = [
  ['TOKEN-REFRESH-NEAR-SECRET-401', NEAR_SECRET, [401]],
  ['TOKEN-REFRESH-FULL-WIDTH', FULL_WIDTH_SECRET, undefined],
  ['TOKEN-REFRESH-OTHER-CLIENT-SECRET-401', OTHER_SECRET, [401]],
  ['TOKEN-REFRESH-EMPTY-SECRET', EMPTY_SECRET, [400, 401]],
  ['TOKEN-REFRESH-MISSING-CLIENT-ID-400', NO_CLIENT_ID, [400]],
  ['TOKEN-REFRESH-UNKNOWN-CLIENT', UNKNOWN_CLIENT, undefined],
];

for (const [id, { needs = [], sent }, statuses] of REFRESH) {
  check(id, { needs }, async ({ session, oauth, refreshTokens, expect }) => {
    await refreshTokens.requireRefreshWorks();
    // Refused requests do not use up the refresh token, so one is enough.
    const { value } = await refreshTokens.take();
    for (const [name, params] of sent(oauth.client, oauth.secondClient)) {
      // A value that nearly equals the secret reveals it, so it is kept out of reports as well.
      if (params.client_secret) session.secrets.derive(params.client_secret, oauth.client.clientSecret);
      const answer = await refreshTokens.exchange(value, params, undefined, `refresh with ${name}`);
      expectNoToken(expect, answer, 'the credentials are not valid');
      if (statuses) expect.status(answer, statuses);
    }
  });
}

const REVOKE: [id: string, bad: Bad, status: number | undefined][] = [
  ['TOKEN-REVOKE-NEAR-SECRET-403', NEAR_SECRET, 403],
  ['TOKEN-REVOKE-FULL-WIDTH', FULL_WIDTH_SECRET, undefined],
  ['TOKEN-REVOKE-OTHER-CLIENT-SECRET-403', OTHER_SECRET, 403],
  ['TOKEN-REVOKE-EMPTY-SECRET', EMPTY_SECRET, undefined],
];

for (const [id, { needs = [], sent }, status] of REVOKE) {
  check(id, { needs }, async (context) => {
    const { session, oauth, tokenAccess, expect } = context;
    await goodRevocation(context);
    const token = await tokenAccess.anyToken();
    for (const [name, params] of sent(oauth.client, oauth.secondClient)) {
      // A value that nearly equals the secret reveals it, so it is kept out of reports as well.
      if (params.client_secret) session.secrets.derive(params.client_secret, oauth.client.clientSecret);
      const answer = await oauth.revoke(token.value, params);
      expect.refused(answer, `it came with ${name}`);
      await expectStatus(context, answer, status);
    }
    const still = await tokenAccess.present(token, 'list addresses with the token');
    expect.accepted(still, 'none of its revocations was authorised');
  });
}

/** Requires that status, where one is documented. Blocks where valid revocations fail now, too. */
async function expectStatus(
  context: OAuthContext,
  answer: Parameters<OAuthContext['expect']['status']>[0],
  status: number | undefined,
): Promise<void> {
  if (status === undefined) return;
  if (answer.status !== status) await goodRevocationAgain(context);
  context.expect.status(answer, status);
}

check(
  'TOKEN-REDIRECT-URI-OTHER-CLIENT',
  { needs: ['shipping.redirectUri', 'shipping.secondClient.redirectUri'] },
  async (context) => {
    const { oauth, expect, skip } = context;
    const stored = oauth.config.redirectUri as string;
    const others = (oauth.config.secondClient as { redirectUri: string }).redirectUri;
    if (stored === others) skip('both clients have the same redirect URI stored');
    const encoding = await oauth.encoding('token');
    for (const [client, own, other] of [
      [oauth.client, stored, others],
      [oauth.secondClient, others, stored],
    ] as const) {
      const ask = (redirect_uri: string, purpose: string) =>
        oauth.request({ ...credentials(client), redirect_uri }, encoding, purpose);
      const good = await ask(own, "ask with the client's own redirect_uri");
      if (!good.ok)
        context.block(`its own redirect URI is answered ${good.status}`, 'TOKEN-REDIRECT-URI-STORED');
      const answer = await ask(other, 'ask with the redirect_uri of another client');
      expectNoToken(expect, answer, 'the redirect URI is stored for another client');
    }
  },
);
