/** What specification 1 leaves open about tokens: recorded, never failed. */
import type { Answer } from '../../lib/http/answer.ts';
import type { Ask, TokenKind } from '../support/shipping/introspection.ts';
import { credentials, type Params } from '../support/shipping/tokens.ts';
import { check, type OAuthContext } from './suite.ts';
import { goodTwin, knownScopes } from './twin.ts';

check('TOKEN-CREATED-AT-UNIT', async ({ oauth, time, observe }) => {
  const { answer } = await oauth.issue();
  const value = answer.at('/created_at');
  if (typeof value !== 'number')
    return observe(value === undefined ? 'there is no created_at' : `created_at is ${JSON.stringify(value)}`);
  const now = time.now();
  const units: [string, number][] = [
    ['seconds since 1970', 1_000],
    ['milliseconds since 1970', 1],
    ['microseconds since 1970', 0.001],
  ];
  const unit = units.find(([, ms]) => Math.abs(value * ms - now) < 86_400_000)?.[0];
  observe(unit ?? `${value}, which is none of the usual units`);
});

check('TOKEN-SCOPES', async ({ oauth, observe }) => {
  const { answer } = await oauth.issue();
  const scope = answer.at('/scope');
  observe(
    scope === undefined
      ? 'the token response names none'
      : `a token without a scope asked for carries ${JSON.stringify(scope)}`,
  );
});

check('TOKEN-SCOPE-UNKNOWN', async ({ oauth, observe }) => {
  const answer = await oauth.request(
    { scope: 'conformance-no-such-scope' },
    'form',
    'ask for an unknown scope',
  );
  observe(answer.ok ? `a token with ${scopeOf(answer)}` : refusal(answer));
});

check('TOKEN-SCOPE-REQUEST-SEPARATOR', async (context) => {
  const { oauth, observe } = context;
  const scopes = await knownScopes(context);
  const said: string[] = [];
  for (const [name, separator] of [
    ['space', ' '],
    ['comma', ','],
    ['plus', '+'],
  ] as const) {
    const answer = await oauth.request(
      { scope: scopes.join(separator) },
      'form',
      `ask for scopes separated by ${name}`,
    );
    said.push(`${name}: ${answer.ok ? scopeOf(answer) : refusal(answer)}`);
  }
  observe(said.join('; '));
});

check('TOKEN-SCOPE-EFFECT', { effects: 'write' }, async (context) => {
  const { oauth, http, observe } = context;
  const scopes = await knownScopes(context);
  const said: string[] = [];
  for (const scope of scopes.slice(0, 4)) {
    const answer = await oauth.request({ scope }, 'form', `ask for scope ${scope}`);
    if (!answer.ok) {
      said.push(`${scope}: not to be had (${answer.status})`);
      continue;
    }
    const token = oauth.toToken(answer);
    const headers = { authorization: `Bearer ${token.value}`, 'content-type': 'application/json' };
    const url = `${oauth.config.baseUrl}/api/v1/address_templates`;
    const read = await http.send({ method: 'GET', url, purpose: 'list with the limited token', headers });
    await token.pacer.used();
    await token.pacer.ready();
    // An empty body creates nothing anywhere; whether it is refused for its scope or its content tells.
    const write = await http.send({
      method: 'POST',
      url,
      purpose: 'create nothing with the limited token',
      headers,
      body: { json: {} },
    });
    said.push(`${scope}: list ${read.status}, create with an empty body ${write.status}`);
  }
  observe(said.join('; '));
});

check('TOKEN-REISSUED-SAME', async ({ oauth, observe }) => {
  const [first, second] = [await oauth.issue(), await oauth.issue()];
  observe(first.value === second.value ? 'the same string again' : 'a new string');
});

check('TOKEN-REFRESH-ISSUED', async ({ oauth, observe }) => {
  const { answer } = await oauth.issue();
  observe(
    answer.at('/refresh_token') === undefined
      ? 'no refresh_token in the token response'
      : 'a refresh_token in the token response',
  );
});

check(['TOKEN-REFRESH-ROTATION', 'TOKEN-REFRESH-OLD-ACCESS'], async ({ refreshTokens, door, observe }) => {
  const { value, access } = await refreshTokens.takeToEnd();
  const first = await refreshTokens.exchange(value);
  const next = first.at('/refresh_token');
  const again = await refreshTokens.exchange(value, {}, 'form', 'exchange the same refresh token again');
  const gives =
    next === undefined
      ? 'gives no refresh token'
      : next === value
        ? 'gives the same refresh token'
        : 'gives a new refresh token';
  observe(
    `an exchange ${gives}; the used one is ${again.ok ? 'accepted again' : `then ${refusal(again)}`}`,
    'TOKEN-REFRESH-ROTATION',
  );
  const old = access && (await door.knock(access, 'list addresses with the old access token'));
  observe(
    old ? `the old access token is ${old.ok ? 'still accepted' : `refused with ${old.status}`}` : 'not seen',
    'TOKEN-REFRESH-OLD-ACCESS',
  );
});

check('TOKEN-REFRESH-SCOPE', async ({ refreshTokens, observe }) => {
  const plain = await refreshTokens.exchange((await refreshTokens.take()).value);
  const [first = ''] = String(plain.at('/scope')).split(' ');
  const narrowed = await refreshTokens.exchange(
    (await refreshTokens.take()).value,
    { scope: first },
    'form',
    'refresh with a scope',
  );
  observe(`${scopeOf(plain)}; asked for ${first}: ${narrowed.ok ? scopeOf(narrowed) : refusal(narrowed)}`);
});

check('TOKEN-REFRESH-LIFETIME', async ({ refreshTokens, time, observe }) => {
  const { value } = await refreshTokens.takeToEnd();
  await time.pass(86_400_000, 'whether a refresh token lives for a day');
  const answer = await refreshTokens.exchange(value);
  observe(answer.ok ? 'longer than a day' : `less than a day: ${refusal(answer)}`);
});

check('TOKEN-REFRESH-WITH-ACCESS-TOKEN', async ({ oauth, refreshTokens, observe }) => {
  const token = await oauth.issue();
  const answer = await refreshTokens.exchange(token.value, {}, 'form', 'refresh with an access token');
  observe(answer.ok ? 'accepted' : refusal(answer));
});

/** Requests that are refused in a way that is not shown: silence, what is changed, in words. */
const REFUSALS: [id: string, faults: [string, Params][]][] = [
  [
    'TOKEN-REFRESH-REFUSAL',
    [
      ['missing', { grant_type: 'refresh_token' }],
      ['invented', { grant_type: 'refresh_token', refresh_token: 'conformance-invented' }],
    ],
  ],
  [
    'TOKEN-GRANT-TYPE-REFUSAL',
    [
      ['missing', { grant_type: undefined }],
      ['unknown', { grant_type: 'conformance_no_such_grant' }],
    ],
  ],
  [
    'TOKEN-REDIRECT-URI-REFUSAL',
    [['another', { redirect_uri: 'https://conformance.invalid/not-the-stored-one' }]],
  ],
  [
    'TOKEN-ERROR-CODES-USED',
    [
      ['no client_id', { client_id: undefined }],
      ['no client_secret', { client_secret: undefined }],
      ['wrong secret', { client_secret: 'conformance-not-the-secret' }],
      ['unknown client', { client_id: 'conformance-no-such-client' }],
    ],
  ],
];

for (const [id, faults] of REFUSALS) {
  check(id, async (context) => {
    const { oauth, observe } = context;
    await goodTwin(context, 'form');
    const said: string[] = [];
    for (const [name, params] of faults)
      said.push(`${name}: ${refusal(await oauth.request(params, 'form', `ask with ${name}`))}`);
    observe(said.join('; '));
  });
}

check('TOKEN-OTHER-MEDIA-TYPES', async ({ oauth, http, observe }) => {
  const raw = new URLSearchParams({
    grant_type: 'client_credentials',
    ...credentials(oauth.client),
  }).toString();
  const said: string[] = [];
  for (const type of ['text/plain', undefined]) {
    const answer = await http.send({
      method: 'POST',
      url: oauth.url('token'),
      purpose: `ask with media type ${type ?? 'absent'}`,
      headers: { 'content-type': type },
      body: { raw },
    });
    said.push(`${type ?? 'none'}: ${answer.ok ? 'a token' : refusal(answer)}`);
  }
  observe(said.join('; '));
});

check('TOKEN-REPEATED-PARAMETERS', async ({ oauth, http, observe }) => {
  const raw = `${new URLSearchParams({ grant_type: 'client_credentials', ...credentials(oauth.client) })}&grant_type=client_credentials`;
  const answer = await http.send({
    method: 'POST',
    url: oauth.url('token'),
    purpose: 'ask with grant_type twice',
    body: { raw, type: 'application/x-www-form-urlencoded' },
  });
  observe(answer.ok ? 'a token' : refusal(answer));
});

check('TOKEN-WRONG-TYPES', async (context) => {
  const { oauth, http, observe } = context;
  await goodTwin(context, 'json');
  const answer = await http.send({
    method: 'POST',
    url: oauth.url('token'),
    purpose: 'ask with values of the wrong type',
    body: { json: { grant_type: ['client_credentials'], ...credentials(oauth.client) } },
  });
  observe(answer.ok ? 'a list of one is taken as its item' : refusal(answer));
});

check('TOKEN-UNSUPPORTED-METHODS', async ({ oauth, http, observe }) => {
  const said: string[] = [];
  for (const endpoint of ['token', 'revoke', 'introspect'] as const) {
    const answer = await http.send({ method: 'GET', url: oauth.url(endpoint), purpose: `GET ${endpoint}` });
    said.push(`GET ${endpoint}: ${answer.status}`);
  }
  observe(said.join('; '));
});

check('TOKEN-REVOKE-ACCESS-ENDS-REFRESH', async ({ oauth, refreshTokens, observe }) => {
  const { value, access } = await refreshTokens.takeToEnd();
  if (access) await oauth.revoke(access.value);
  const answer = await refreshTokens.exchange(value);
  observe(answer.ok ? 'the refresh token goes on' : `the refresh token has ended: ${refusal(answer)}`);
});

check('TOKEN-REVOKE-REFUSAL', async (context) => {
  const { oauth, observe } = context;
  await revokeTwin(context);
  const said: string[] = [];
  for (const missing of ['client_id', 'client_secret', 'token']) {
    const params = { ...credentials(oauth.client), token: (await oauth.issue()).value, [missing]: undefined };
    said.push(
      `${missing} missing: ${refusal(await oauth.post('revoke', params, 'json', `revoke without ${missing}`))}`,
    );
  }
  observe(said.join('; '));
});

check('TOKEN-REVOKE-UNKNOWN-HINT', async (context) => {
  const { oauth, observe } = context;
  await revokeTwin(context);
  const answer = await oauth.revoke((await oauth.issue()).value, {
    token_type_hint: 'conformance_no_such_hint',
  });
  observe(answer.ok ? 'ignored' : refusal(answer));
});

check('TOKEN-REVOKE-EXPIRED', async (context) => {
  const { oauth, time, observe } = context;
  await revokeTwin(context);
  const token = await oauth.issue();
  await time.pass(7_260_000, 'what is answered to the revocation of an expired token');
  const answer = await oauth.revoke(token.value);
  observe(answer.ok ? `accepted with ${answer.status}` : refusal(answer));
});

check('TOKEN-OAUTH-BEARER', async (context) => {
  const { oauth, http, observe } = context;
  await introspectTwin(context);
  const [bearer, token] = [await oauth.issue(), await oauth.issue()];
  const answer = await http.send({
    method: 'POST',
    url: oauth.url('introspect'),
    purpose: 'introspect with a bearer token beside the credentials',
    headers: { authorization: `Bearer ${bearer.value}` },
    body: { json: { ...credentials(oauth.client), token: token.value } },
  });
  observe(answer.ok ? 'accepted beside the credentials in the body' : refusal(answer));
});

check('TOKEN-INTROSPECT-BODY', async (context) => {
  const { faker, observe } = context;
  const { ask, token } = await introspectTwin(context);
  const yes = await ask(token, 'introspect an active token');
  const no = await ask(faker.string.alphanumeric(43), 'introspect an invented token');
  observe(`active: ${shape(yes)}; not active: ${shape(no)}`);
});

check('TOKEN-INTROSPECT-REQUIRED-PARAMETERS', async (context) => {
  const { oauth, introspection, observe } = context;
  const { ask, token } = await introspectTwin(context);
  const said: string[] = [];
  for (const missing of ['client_id', 'client_secret', 'token']) {
    const answer = await ask(token, `introspect without ${missing}`, { [missing]: undefined });
    said.push(`${missing} missing: ${answer.ok ? shape(answer) : refusal(answer)}`);
  }
  const { answer } = await oauth.issue();
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

/** `scope "read write"`, or that there is none. */
function scopeOf(answer: Answer): string {
  const scope = answer.at('/scope');
  return scope === undefined ? 'no scope' : `scope ${JSON.stringify(scope)}`;
}

/** What a refused revocation says is only about what was changed in it where a good one is accepted. */
async function revokeTwin({ oauth, block }: OAuthContext): Promise<void> {
  const good = await oauth.revoke((await oauth.issue()).value);
  if (!good.ok) block(`a good revocation is answered with ${good.status}`, 'TOKEN-REVOKE-STATUS');
}

/** How to ask about an active token, and one; blocks where introspection does not work at all. */
async function introspectTwin({
  oauth,
  introspection,
  block,
}: OAuthContext): Promise<{ ask: Ask; token: string }> {
  const { value: token } = await oauth.issue();
  const ask = await introspection.asking('access_token', token);
  const good = await ask(token, 'introspect an active token');
  if (!good.ok)
    block(`introspection of an active token is answered with ${good.status}`, 'TOKEN-INTROSPECT-ANSWERS');
  return { ask, token };
}

/** `401 invalid_client`. */
function refusal(answer: Answer): string {
  const code = answer.at('/error');
  return `${answer.ok ? 'accepted with ' : ''}${answer.status}${typeof code === 'string' ? ` ${code}` : ''}`;
}

/** Status and the names of the members, not their values: those may be personal. */
function shape(answer: Answer): string {
  const { json } = answer;
  if (json === null || typeof json !== 'object')
    return `${answer.status}, ${answer.text === '' ? 'empty' : 'no JSON object'}`;
  const active = answer.at('/active');
  return `${answer.status} {${Object.keys(json).join(', ')}}${typeof active === 'boolean' ? ` active ${active}` : ''}`;
}
