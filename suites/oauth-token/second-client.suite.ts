/** 4.7 and 4.8: some requirements about tokens, tried with the second client. */

import { requireOk } from '../../lib/check/require.ts';
import { credentials } from '../../services/shipping/api/oauth.ts';
import { schemas } from '../../services/shipping/judging/schemas.ts';
import { TOKEN_RESPONSE_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import { endedByRevocation, presentEnded } from './ended.ts';
import { expectNoToken } from './no-token.ts';
import { check } from './suite.ts';

const SECOND = { case: 'second-client', needs: ['shipping.secondClient'] };
const RESPONSE_FIELDS = TOKEN_RESPONSE_REQUIREMENTS;

check(['TOKEN-ISSUE-OBJECT', ...RESPONSE_FIELDS], SECOND, async ({ oauth, expect }) => {
  const { answer } = await oauth.issue(oauth.secondClient);
  expect.object(answer);
  expect.holds('TOKEN-ISSUE-OBJECT');
  expect.fields(answer, schemas, 'TokenResponse');
});

// Forms and JSON escape characters differently, and this client's credentials may contain such ones.
for (const [id, encoding, other] of [
  ['TOKEN-ISSUE-FORM', 'form', 'json'],
  ['TOKEN-ISSUE-JSON', 'json', 'form'],
] as const) {
  check(id, SECOND, async ({ oauth, expect, block }) => {
    const answer = await oauth.request(credentials(oauth.secondClient), encoding);
    if (!answer.ok && !(await oauth.request(credentials(oauth.secondClient), other)).ok)
      block('the other client is refused in either encoding', 'TOKEN-ISSUE-STATUS');
    expect.accepted(
      answer,
      `the credentials are valid and the body is ${encoding === 'form' ? 'a form' : 'JSON'}`,
    );
  });
}

check('TOKEN-ISSUE-WRONG-SECRET-401', SECOND, async ({ oauth, expect }) => {
  const good = await oauth.request(credentials(oauth.secondClient));
  requireOk(good, 'TOKEN-ISSUE-FORM');
  const { client_id } = credentials(oauth.secondClient);
  const wrong = { client_id, client_secret: 'conformance-not-the-secret' };
  const answer = await oauth.request(wrong, undefined, 'ask with a wrong secret of the other client');
  expectNoToken(expect, answer, 'the credentials are not valid');
  expect.status(answer, 401);
});

check('TOKEN-REVOKE-ACCESS-ENDS', SECOND, async (context) => {
  const { oauth, tokenAccess, expect, block } = context;
  const twin = await endedByRevocation(context);
  if (twin.access.ok)
    block('a token of the first client is not ended by its revocation either', 'TOKEN-REVOKE-ACCESS-ENDS');
  const token = await oauth.issue(oauth.secondClient);
  await tokenAccess.requireAccepted(token);
  const answer = await oauth.revoke(token.value, credentials(oauth.secondClient));
  requireOk(answer, 'TOKEN-REVOKE-STATUS');
  expect.refused(await presentEnded(context, token), 'the token was revoked');
});
