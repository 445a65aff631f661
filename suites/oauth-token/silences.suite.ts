/** What 4.7 leaves open about token requests: recorded, never failed. */
import { credentials, type Params } from '../../services/shipping/api/oauth.ts';
import { check } from './suite.ts';
import { goodTwin, knownScopes } from './twin.ts';
import { refusal, scopeOf } from './words.ts';

const writeCheck = check.with({ effects: 'write', touches: { addresses: 'change' } });

check('TOKEN-CREATED-AT-UNIT', async ({ tokenAccess, time, observe }) => {
  const { answer } = await tokenAccess.livingToken();
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

check('TOKEN-SCOPES', async ({ tokenAccess, observe }) => {
  const { answer } = await tokenAccess.livingToken();
  const scope = answer.at('/scope');
  observe(
    scope === undefined
      ? 'the token response names no scope'
      : `a token that was requested without scope carries ${JSON.stringify(scope)}`,
  );
});

check('TOKEN-SCOPE-UNKNOWN', async ({ oauth, observe }) => {
  const answer = await oauth.request(
    { scope: 'conformance-no-such-scope' },
    undefined,
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
      undefined,
      `ask for scopes separated by ${name}`,
    );
    said.push(`${name}: ${answer.ok ? scopeOf(answer) : refusal(answer)}`);
  }
  observe(said.join('; '));
});

writeCheck('TOKEN-SCOPE-EFFECT', async (context) => {
  const { oauth, http, observe } = context;
  const scopes = await knownScopes(context);
  const said: string[] = [];
  for (const scope of scopes.slice(0, 4)) {
    const answer = await oauth.request({ scope }, undefined, `ask for scope ${scope}`);
    if (!answer.ok) {
      said.push(`${scope}: refused (${answer.status})`);
      continue;
    }
    const token = oauth.toToken(answer);
    const headers = { authorization: `Bearer ${token.value}`, 'content-type': 'application/json' };
    const url = `${oauth.config.baseUrl}/api/v1/address_templates`;
    const read = await http.send({ method: 'GET', url, purpose: 'list with the limited token', headers });
    await token.pacer.used();
    await token.pacer.ready();
    // An empty object creates nothing; the status shows whether it is refused for scope or for content.
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

/** Requests whose refusal is left open: the silence, a description of each fault, and its parameters. */
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
    await goodTwin(context, await context.oauth.encoding('token'));
    const said: string[] = [];
    for (const [name, params] of faults)
      said.push(`${name}: ${refusal(await oauth.request(params, undefined, `ask with ${name}`))}`);
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
  observe(answer.ok ? 'an array of one string is accepted as that string' : refusal(answer));
});

check('TOKEN-UNSUPPORTED-METHODS', async ({ oauth, http, observe }) => {
  const said: string[] = [];
  for (const endpoint of ['token', 'revoke', 'introspect'] as const) {
    const answer = await http.send({ method: 'GET', url: oauth.url(endpoint), purpose: `GET ${endpoint}` });
    said.push(`GET ${endpoint}: ${answer.status}`);
  }
  observe(said.join('; '));
});
