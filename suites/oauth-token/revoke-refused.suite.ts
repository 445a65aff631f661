/** 4.8 and 7: revocations that lack a parameter or come from a client that is not authorised. */

import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { type Client, credentials, type Params } from '../../services/shipping/api/oauth.ts';
import { requireSeparateAccounts } from '../../services/shipping/fixtures/separate-clients.ts';
import { schemas } from '../../services/shipping/judging/schemas.ts';
import { OAUTH_ERROR_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import { endsWithoutHint, presentEnded, revocationsSettle } from './ended.ts';
import { check, type OAuthContext } from './suite.ts';
import { goodRevocation, goodRevocationAgain } from './twin.ts';

const ERROR_FIELDS = OAUTH_ERROR_REQUIREMENTS;

/** Revocations that lack a required parameter. */
const MISSING: [string, Params][] = [
  ['TOKEN-REVOKE-REQUIRES-CLIENT-ID', { client_id: undefined }],
  ['TOKEN-REVOKE-REQUIRES-CLIENT-SECRET', { client_secret: undefined }],
  ['TOKEN-REVOKE-REQUIRES-TOKEN', { token: undefined }],
];

for (const [id, params] of MISSING) {
  check(id, async (context) => {
    const { oauth, tokenAccess, expect } = context;
    await goodRevocation(context);
    const token = await tokenAccess.anyToken();
    const [missing] = Object.keys(params);
    const answer = await oauth.post(
      'revoke',
      { ...credentials(oauth.client), token: token.value, ...params },
      // Sent in a kind of body that is accepted: the other kind is refused whatever it lacks.
      await oauth.encoding('revoke'),
      `revoke without ${missing}`,
    );
    expect.refused(answer, `${missing} is missing`);
    expect.accepted(
      await tokenAccess.present(token, 'list addresses with the token'),
      `the revocation lacked ${missing}`,
    );
  });
}

/** An unauthorised revocation, with the requirement about its status and the one about the token. */
interface Unauthorised {
  status: string;
  survives?: string;
  needs: string[];
  params: (second: Client) => Params;
  why: string;
  /** True where the credentials are valid, and only the token is another client's. */
  authentic?: boolean;
}

const UNAUTHORISED: Unauthorised[] = [
  {
    status: 'TOKEN-REVOKE-WRONG-SECRET-403',
    survives: 'TOKEN-REVOKE-WRONG-SECRET-SURVIVES',
    needs: [],
    params: () => ({ client_secret: 'conformance-not-the-secret' }),
    why: 'the client secret was wrong',
  },
  {
    status: 'TOKEN-REVOKE-UNKNOWN-CLIENT-403',
    needs: [],
    params: () => ({ client_id: 'conformance-no-such-client' }),
    why: 'the client does not exist',
  },
  {
    status: 'TOKEN-REVOKE-OTHER-CLIENT-403',
    survives: 'TOKEN-REVOKE-OTHER-CLIENT-SURVIVES',
    needs: ['shipping.secondClient'],
    params: (second) => credentials(second),
    why: 'the token was issued to another client, which does not share its addresses',
    authentic: true,
  },
];

/** Returns the answer to a revocation by an unauthorised client, given its index in `UNAUTHORISED`. */
const unauthorised = perRun(
  'shipping: unauthorised revocation',
  async ({ oauth }: OAuthContext, nth: number) =>
    oauth.revoke((await oauth.issue()).value, UNAUTHORISED[nth]!.params(oauth.secondClient)),
);

for (const [nth, { status, survives, needs, params, why, authentic }] of UNAUTHORISED.entries()) {
  check(status, { needs }, async (context) => {
    const { expect } = context;
    await goodRevocation(context);
    const answer = await unauthorised(context, nth);
    if (authentic && answer.status !== 403) await requireSeparateAccounts(context);
    if (answer.status !== 403) await goodRevocationAgain(context);
    expect.status(answer, 403);
  });

  check(survives ?? status, { needs, ...(!survives && { case: 'survives' }) }, async (context) => {
    const { oauth, tokenAccess, expect } = context;
    await endsWithoutHint(context);
    // The token is issued only now: an earlier one may have been ended by the revocation of another token,
    // which violates another requirement.
    const token = await tokenAccess.anyToken();
    await oauth.revoke(token.value, params(oauth.secondClient));
    await revocationsSettle(context);
    const listAddresses = await tokenAccess.present(token, 'list addresses with the token');
    if (authentic && !listAddresses.ok) await requireSeparateAccounts(context);
    expect.accepted(listAddresses, why);
  });

  check(
    ['TOKEN-REVOKE-ERROR-OBJECT', ...ERROR_FIELDS],
    { case: `revoke-${status.toLowerCase().slice(13)}`, needs },
    async (context) => {
      const { expect, block, skip } = context;
      const answer = await unauthorised(context, nth);
      if (answer.status !== 403) {
        const what = `answered ${answer.status}, not 403, so no shape of its body is documented`;
        if (authentic) skip(what);
        block(what, status);
      }
      expect.object(answer);
      expect.holds('TOKEN-REVOKE-ERROR-OBJECT');
      expect.fields(answer, schemas, 'OAuthError');
    },
  );
}

for (const { status, params } of UNAUTHORISED.filter(({ authentic }) => !authentic)) {
  check(status, { case: 'unknown-token' }, async (context) => {
    const { oauth, faker, expect } = context;
    await goodRevocation(context);
    const unknown = faker.string.alphanumeric(43);
    const answer = await oauth.revoke(unknown, params(oauth.client));
    expect.refused(answer, 'the client is not authorised, whatever the token is');
  });
}

/** A wrong secret; also sent with parameters for which a server may take a code path without the check. */
const WRONG = { client_secret: 'conformance-not-the-secret' };

/** The answers to a revocation with a wrong secret, and to the token afterwards. */
interface WrongSecret {
  answer: Answer;
  after: Answer;
}

const withHint = perRun(
  'shipping: revocation with a wrong secret and a hint',
  async (context: OAuthContext): Promise<WrongSecret> => {
    const { oauth, tokenAccess, block } = context;
    const hint = { token_type_hint: 'access_token' };
    const twin = await tokenAccess.openToken();
    const good = await oauth.revoke(twin.value, hint);
    requireOk(good, 'TOKEN-REVOKE-HINT-ACCESS');
    if ((await presentEnded(context, twin)).ok)
      block('a good revocation with that hint does not end a token', 'TOKEN-REVOKE-HINT-ACCESS');
    const token = await tokenAccess.openToken();
    const answer = await oauth.revoke(token.value, { ...hint, ...WRONG });
    return { answer, after: await tokenAccess.present(token) };
  },
);

const ofRefreshToken = perRun(
  'shipping: revocation of a refresh token with a wrong secret',
  async ({ oauth, refreshTokens, block }: OAuthContext): Promise<WrongSecret> => {
    await refreshTokens.requireRefreshWorks();
    const { value: twin } = await refreshTokens.takeToEnd();
    const good = await oauth.revoke(twin);
    requireOk(good, 'TOKEN-REVOKE-STATUS');
    if ((await refreshTokens.exchange(twin)).ok)
      block('a good revocation does not end a refresh token', 'TOKEN-REVOKE-REFRESH-ENDS');
    const { value } = await refreshTokens.takeToEnd();
    const answer = await oauth.revoke(value, WRONG);
    return { answer, after: await refreshTokens.exchange(value) };
  },
);

/** Revokes in the kind of body that is not used otherwise. Skips where that kind is not accepted. */
const asOtherBody = perRun(
  'shipping: revocation with a wrong secret in the other kind of body',
  async (context: OAuthContext): Promise<WrongSecret> => {
    const { oauth, tokenAccess, skip } = context;
    const other = (await oauth.encoding('revoke')) === 'json' ? 'form' : 'json';
    const twin = await tokenAccess.openToken();
    const good = await oauth.revoke(twin.value, {}, other);
    if (!good.ok || (await presentEnded(context, twin)).ok) skip(`revocations as ${other} end nothing`);
    const token = await tokenAccess.openToken();
    const answer = await oauth.revoke(token.value, WRONG, other);
    return { answer, after: await tokenAccess.present(token) };
  },
);

check('TOKEN-REVOKE-WRONG-SECRET-403', { case: 'other-body' }, async (context) => {
  await goodRevocation(context);
  // The status is documented for one kind of body only.
  context.expect.refused((await asOtherBody(context)).answer, 'the client secret was wrong');
});

check('TOKEN-REVOKE-WRONG-SECRET-SURVIVES', { case: 'other-body' }, async (context) => {
  await goodRevocation(context);
  context.expect.accepted((await asOtherBody(context)).after, 'the client secret was wrong');
});

for (const [name, revoke] of [
  ['hint', withHint],
  ['refresh-token', ofRefreshToken],
] as const) {
  check('TOKEN-REVOKE-WRONG-SECRET-403', { case: name }, async (context) => {
    context.expect.status((await revoke(context)).answer, 403);
  });

  check('TOKEN-REVOKE-WRONG-SECRET-SURVIVES', { case: name }, async (context) => {
    context.expect.accepted((await revoke(context)).after, 'the client secret was wrong');
  });
}

check(
  'TOKEN-REVOKE-OTHER-CLIENT-SURVIVES',
  { case: 'refresh-token', needs: ['shipping.secondClient'] },
  async (context) => {
    const { oauth, refreshTokens, expect } = context;
    await refreshTokens.requireRefreshWorks();
    const { value } = await refreshTokens.takeToEnd();
    await oauth.revoke(value, credentials(oauth.secondClient));
    const exchange = await refreshTokens.exchange(value, {}, undefined, 'exchange the refresh token');
    if (!exchange.ok) await requireSeparateAccounts(context);
    expect.accepted(
      exchange,
      'the refresh token was issued to another client, which does not share its addresses',
    );
  },
);

const HINT = { token_type_hint: 'access_token' };

for (const name of ['hint', 'other-body'] as const) {
  const options = { case: name, needs: ['shipping.secondClient'] };
  check('TOKEN-REVOKE-OTHER-CLIENT-SURVIVES', options, async (context) => {
    const { oauth, tokenAccess, expect } = context;
    await endsWithoutHint(context);
    const token = await tokenAccess.anyToken();
    const usual = await oauth.encoding('revoke');
    const params = { ...credentials(oauth.secondClient), ...(name === 'hint' && HINT) };
    await oauth.revoke(token.value, params, (usual === 'json') === (name === 'hint') ? 'json' : 'form');
    await revocationsSettle(context);
    const list = await tokenAccess.present(token, 'list addresses with the token');
    if (!list.ok) await requireSeparateAccounts(context);
    expect.accepted(list, 'the token was issued to another client, which does not share its addresses');
  });
}
