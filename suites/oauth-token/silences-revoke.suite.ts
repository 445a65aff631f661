/** What 4.8 leaves open: recorded, never failed. */
import { credentials } from '../../services/shipping/api/oauth.ts';
import { OVER_MS } from './lifetime.ts';
import { check } from './suite.ts';
import { goodRevocation, introspectTwin, refreshedAfterRevocation } from './twin.ts';
import { refusal } from './words.ts';

check('TOKEN-REVOKE-ACCESS-ENDS-REFRESH', async (context) => {
  const { answer } = await refreshedAfterRevocation(context);
  context.observe(
    answer.ok ? 'the refresh token stays valid' : `the refresh token has ended: ${refusal(answer)}`,
  );
});

check('TOKEN-REVOKE-OTHER-CLIENT', { needs: ['shipping.secondClient'] }, async (context) => {
  const { oauth, tokenAccess, observe } = context;
  await goodRevocation(context);
  const token = await tokenAccess.anyToken();
  const answer = await oauth.revoke(token.value, credentials(oauth.secondClient));
  const valid = (await tokenAccess.present(token)).ok;
  observe(
    `${answer.ok ? answer.status : refusal(answer)}, and the token ${valid ? 'stays valid' : 'has ended'}`,
  );
});

check('TOKEN-REVOKE-REFUSAL', async (context) => {
  const { oauth, observe } = context;
  await goodRevocation(context);
  const said: string[] = [];
  let token: string | undefined;
  for (const missing of ['client_id', 'client_secret', 'token']) {
    token ??= (await oauth.issue()).value;
    const params = { ...credentials(oauth.client), token, [missing]: undefined };
    const encoding = await oauth.encoding('revoke');
    const answer = await oauth.post('revoke', params, encoding, `revoke without ${missing}`);
    said.push(`${missing} missing: ${refusal(answer)}`);
    if (answer.ok) token = undefined;
  }
  observe(said.join('; '));
});

check('TOKEN-REVOKE-UNKNOWN-HINT', async (context) => {
  const { oauth, tokenAccess, observe } = context;
  await goodRevocation(context);
  const answer = await oauth.revoke((await tokenAccess.livingToken()).value, {
    token_type_hint: 'conformance_no_such_hint',
  });
  observe(answer.ok ? 'ignored' : refusal(answer));
});

check('TOKEN-REVOKE-EXPIRED', { touches: { clock: 'move', tokens: 'change' } }, async (context) => {
  const { oauth, time, observe } = context;
  await goodRevocation(context);
  const token = await oauth.issue();
  await time.pass(OVER_MS, 'what is answered to the revocation of an expired token');
  const answer = await oauth.revoke(token.value);
  observe(answer.ok ? `accepted with ${answer.status}` : refusal(answer));
});

check('TOKEN-OAUTH-BEARER', async (context) => {
  const { oauth, tokenAccess, http, observe } = context;
  const { token } = await introspectTwin(context);
  const bearer = await tokenAccess.livingToken();
  const answer = await http.send({
    method: 'POST',
    url: oauth.url('introspect'),
    purpose: 'introspect with a bearer token beside the credentials',
    headers: { authorization: `Bearer ${bearer.value}` },
    body: { json: { ...credentials(oauth.client), token } },
  });
  observe(answer.ok ? 'accepted beside the credentials in the body' : refusal(answer));
});
