/** What 4.9 leaves open: recorded, never failed. */
import type { TokenKind } from '../../services/shipping/api/introspection.ts';
import { credentials } from '../../services/shipping/api/oauth.ts';
import { check } from './suite.ts';
import { introspectTwin } from './twin.ts';
import { refusal, shape } from './words.ts';

check('TOKEN-INTROSPECT-BODY', async (context) => {
  const { faker, observe } = context;
  const { ask, token } = await introspectTwin(context);
  const yes = await ask(token, 'introspect an active token');
  const no = await ask(faker.string.alphanumeric(43), 'introspect an invented token');
  observe(`active: ${shape(yes)}; not active: ${shape(no)}`);
});

check('TOKEN-INTROSPECT-REQUIRED-PARAMETERS', async (context) => {
  const { oauth, tokenAccess, introspection, observe } = context;
  const { ask, token } = await introspectTwin(context);
  const said: string[] = [];
  for (const missing of ['client_id', 'client_secret', 'token']) {
    const answer = await ask(token, `introspect without ${missing}`, { [missing]: undefined });
    said.push(`${missing} missing: ${answer.ok ? shape(answer) : refusal(answer)}`);
  }
  const { answer } = await tokenAccess.livingToken();
  const refresh = answer.at('/refresh_token') ?? oauth.config.refreshToken;
  const kinds: [TokenKind, unknown][] = [
    ['access_token', token],
    ['refresh_token', refresh],
  ];
  for (const [kind, active] of kinds) {
    if (typeof active === 'string' && (await introspection.wantsHint(kind, active)))
      said.push(`a ${kind} is known only with token_type_hint`);
  }
  observe(said.join('; '));
});

check('TOKEN-INTROSPECT-OTHER-CLIENT', { needs: ['shipping.secondClient'] }, async (context) => {
  const { oauth, observe } = context;
  const { ask, token } = await introspectTwin(context);
  observe(shape(await ask(token, 'introspect as another client', credentials(oauth.secondClient))));
});

check('TOKEN-INTROSPECT-UNKNOWN-HINT', async (context) => {
  const { ask, token } = await introspectTwin(context);
  const answer = await ask(token, 'introspect with an invented hint', {
    token_type_hint: 'conformance_no_such_hint',
  });
  context.observe(shape(answer));
});
