/** 4.7 to 4.9: bodies that are not accepted, grant types in another letter case, and media types. */
import type { Answer } from '../../lib/http/answer.ts';
import { credentials, type Encoding, type Endpoint } from '../../services/shipping/api/oauth.ts';
import { expectNoToken } from './no-token.ts';
import { check, type OAuthContext } from './suite.ts';
import { goodAgain, goodRevocation, goodTwin, introspectTwin } from './twin.ts';

/** Well-formed JSON that is not an object. */
const NON_OBJECTS: Record<string, string> = {
  null: 'null',
  list: '[]',
  number: '5',
  text: '"client_credentials"',
};

for (const [name, raw] of Object.entries(NON_OBJECTS)) {
  const ids = ['TOKEN-ISSUE-NO-OBJECT', 'TOKEN-ISSUE-NO-OBJECT-4XX'];
  check(ids, { case: name }, async (context) => {
    await goodTwin(context, 'json');
    const answer = await sent(context, 'token', raw, `ask with the JSON ${raw}`);
    context.expect.soft('TOKEN-ISSUE-NO-OBJECT', (expect) =>
      expectNoToken(expect, answer, 'the body has no parameters'),
    );
    expectClientError(context, answer, 'TOKEN-ISSUE-NO-OBJECT-4XX');
  });
}

/**
 * Values that a loose comparison, or a database query that accepts conditions, may treat as equal to any
 * string. An array with the right value is left out: whether it counts as the value is left open, as for a
 * repeated parameter.
 */
const NON_STRINGS: [name: string, value: unknown][] = [
  ['true', true],
  ['a number', 1],
  ['an object', { $ne: '' }],
];
/** Values that are empty, or false in many languages: they must not count as right where nothing is compared. */
const EMPTY: typeof NON_STRINGS = [
  ['null', null],
  ['false', false],
  ['0', 0],
  ['an empty array', []],
];

for (const parameter of ['client_secret', 'client_id'] as const) {
  check('TOKEN-ISSUE-NO-TEXT', { case: parameter }, async (context) => {
    const { oauth, expect } = context;
    await goodTwin(context, 'json');
    const good: Record<string, string> = { grant_type: 'client_credentials', ...credentials(oauth.client) };
    for (const [name, value] of parameter === 'client_secret' ? [...NON_STRINGS, ...EMPTY] : NON_STRINGS) {
      const raw = JSON.stringify({ ...good, [parameter]: value });
      const answer = await sent(context, 'token', raw, `ask with ${name} as ${parameter}`);
      expectNoToken(expect, answer, `\`${parameter}\` is not a string`);
    }
  });
}

const NO_TEXT = { case: 'no-text', touches: { refreshTokens: 'alone' } } as const;

check('TOKEN-REFRESH-MISSING-TOKEN', NO_TEXT, async (context) => {
  const { oauth, refreshTokens, expect } = context;
  await refreshTokens.requireRefreshWorks('json');
  const good = { grant_type: 'refresh_token', ...credentials(oauth.client) };
  for (const [name, value] of [['an empty text', ''], ...NON_STRINGS, ...EMPTY] as typeof NON_STRINGS) {
    const raw = JSON.stringify({ ...good, refresh_token: value });
    const answer = await sent(context, 'token', raw, `refresh with ${name} as refresh_token`);
    expectNoToken(expect, answer, 'this is no refresh token');
  }
});

check('TOKEN-REVOKE-EXACT-TOKEN', { case: 'no-text' }, async (context) => {
  const { oauth, tokenAccess, expect, skip } = context;
  await goodRevocation(context);
  if ((await oauth.encoding('revoke')) !== 'json' && !(await acceptsJson(context)))
    skip('revocations are taken as forms only, in which every value is a string');
  const token = await tokenAccess.anyToken();
  const values = [...NON_STRINGS, ['an empty text', ''], ['a wildcard', '%']];
  for (const [name, value] of values) {
    const raw = JSON.stringify({ ...credentials(oauth.client), token: value });
    await sent(context, 'revoke', raw, `revoke with ${name} as token`);
  }
  const list = await tokenAccess.present(token, 'list addresses with a token that was not named');
  expect.accepted(list, 'no revocation named this token');
});

check('TOKEN-REVOKE-NO-TEXT', async (context) => {
  const { oauth, expect, tokenAccess, skip } = context;
  await goodRevocation(context);
  if ((await oauth.encoding('revoke')) !== 'json' && !(await acceptsJson(context)))
    skip('revocations are taken as forms only, in which every value is a string');
  const token = await tokenAccess.anyToken();
  const good: Record<string, string> = { ...credentials(oauth.client), token: token.value };
  for (const [name, value] of NON_STRINGS) {
    const raw = JSON.stringify({ ...good, client_secret: value });
    const answer = await sent(context, 'revoke', raw, `revoke with ${name} as client_secret`);
    expect.refused(answer, '`client_secret` is not a string');
  }
});

/** Whether revoke accepts a JSON body. */
async function acceptsJson(context: OAuthContext): Promise<boolean> {
  const { value } = await context.oauth.issue();
  const raw = JSON.stringify({ ...credentials(context.oauth.client), token: value });
  return (await sent(context, 'revoke', raw, 'revoke as JSON')).ok;
}

/** How the twin is sent for each of the other endpoints. */
const TWINS: [Endpoint, (context: OAuthContext) => Promise<unknown>][] = [
  ['revoke', goodRevocation],
  ['introspect', introspectTwin],
];

for (const [endpoint, twin] of TWINS) {
  for (const [name, raw] of [
    ['null', 'null'],
    ['broken', '{"token":'],
  ] as const) {
    check('TOKEN-CLIENT-ERRORS-4XX', { case: `${endpoint}-${name}` }, async (context) => {
      await twin(context);
      expectClientError(context, await sent(context, endpoint, raw, `${endpoint} with the body ${raw}`));
    });
  }
}

/**
 * Credentials that no client has. Each may cause an error in another step of a server: a query, a database
 * column, the function that compares secrets.
 */
const ODD_CREDENTIALS: [what: string, params: { client_id?: string; client_secret?: string }][] = [
  ['a null character in client_id', { client_id: 'conformance\0' }],
  ['an apostrophe and an emoji in client_id', { client_id: "conformance'\u{1f4e6}" }],
  ['a null character in client_secret', { client_secret: 'conformance\0' }],
  ['2,000 characters as client_secret', { client_secret: 'x'.repeat(2000) }],
];

/** Throws `Blocked` where plainly wrong values of the same parameters get a token as well. */
async function usuallyRefused(
  { oauth, block }: OAuthContext,
  encoding: Encoding,
  params: Record<string, unknown>,
): Promise<void> {
  const wrong = Object.fromEntries(Object.keys(params).map((name) => [name, 'conformance-wrong']));
  const answer = await oauth.request(wrong, encoding, 'ask with plainly wrong credentials');
  if (!answer.ok && answer.at('/access_token') === undefined) return;
  const by = 'client_id' in params ? 'TOKEN-ISSUE-UNKNOWN-CLIENT-401' : 'TOKEN-ISSUE-WRONG-SECRET-401';
  block('plainly wrong credentials get a token as well', by);
}

check('TOKEN-ISSUE-ODD-CREDENTIALS', async (context) => {
  const { oauth, session, expect } = context;
  const encoding = await oauth.encoding('token');
  await goodTwin(context, encoding);
  // As many characters as the secret but more bytes: functions that compare in constant time may throw an
  // error where the lengths in bytes differ.
  const { clientSecret } = oauth.client;
  const longer = session.secrets.derive(`ñ${clientSecret.slice(1, -1)}ñ`, clientSecret);
  const odd = [
    ...ODD_CREDENTIALS,
    ['ñ as the first and the last letter of client_secret', { client_secret: longer }],
  ] as const;
  for (const [what, params] of odd) {
    const answer = await oauth.request(params, encoding, `ask with ${what}`);
    if (answer.ok || answer.at('/access_token') !== undefined)
      await usuallyRefused(context, encoding, params);
    expectNoToken(expect, answer, 'no client has these credentials');
    if (answer.status >= 500) await goodAgain(context, encoding);
    expect.that(answer.status < 500, `ask with ${what}: answered ${answer.status}`, {
      answer,
      at: 'status',
      expected: '401, or 400',
      found: String(answer.status),
    });
  }
});

/** Longer than any secret or token, and than some comparing functions accept (bcrypt: 72 bytes). */
const LONG = 'x'.repeat(400);

for (const [endpoint, twin] of [
  ['token', (context) => goodTwin(context, 'form')] as (typeof TWINS)[number],
  ...TWINS,
]) {
  check('TOKEN-CLIENT-ERRORS-4XX', { case: `${endpoint}-long` }, async (context) => {
    const { oauth } = context;
    await twin(context);
    const good = { grant_type: 'client_credentials', ...credentials(oauth.client), token: LONG };
    const encoding = await oauth.encoding(endpoint);
    const what = [{ client_secret: LONG }, ...(endpoint === 'token' ? [] : [{}])];
    for (const change of what)
      expectClientError(
        context,
        await oauth.post(
          endpoint,
          { ...good, ...change },
          encoding,
          `${endpoint} with 400 characters as ${'client_secret' in change ? 'client_secret' : 'token'}`,
        ),
      );
  });
}

function sent(
  { http, oauth }: OAuthContext,
  endpoint: Endpoint,
  raw: string,
  purpose: string,
  type = 'application/json',
): Promise<Answer> {
  const { headers } = oauth.config;
  return http.send({
    method: 'POST',
    url: oauth.url(endpoint),
    purpose,
    headers: { ...(headers as Record<string, string> | undefined) },
    issuesCredentials: endpoint === 'token',
    body: { raw, type },
  });
}

/** Requires that a refusal, if it is one, has a status of the 4xx class. */
function expectClientError({ expect }: OAuthContext, answer: Answer, id = 'TOKEN-CLIENT-ERRORS-4XX'): void {
  expect.soft(id, (its) =>
    its.that(
      answer.ok || (answer.status >= 400 && answer.status < 500),
      `${answer.exchange.purpose}: answered ${answer.status}`,
      {
        answer,
        at: 'status',
        expected: 'a status of the 4xx class',
        found: String(answer.status),
      },
    ),
  );
}

check('TOKEN-GRANT-TYPE-CASE', async (context) => {
  const { oauth, expect } = context;
  const encoding = await oauth.encoding('token');
  await goodTwin(context, encoding);
  for (const grant_type of ['CLIENT_CREDENTIALS', 'Client_Credentials'])
    expectNoToken(
      expect,
      await oauth.request({ grant_type }, encoding, `ask with the grant_type ${grant_type}`),
      'values of parameters are case-sensitive',
    );
});

/** The kinds of body of a token request, each with its media type and a function that writes it. */
const BODIES: [Encoding, type: string, write: (parameters: Record<string, string>) => string][] = [
  ['form', 'application/x-www-form-urlencoded', (parameters) => new URLSearchParams(parameters).toString()],
  ['json', 'application/json', (parameters) => JSON.stringify(parameters)],
];

for (const [encoding, type, write] of BODIES) {
  check('TOKEN-CONTENT-TYPE-PARAMETERS', { case: encoding }, async (context) => {
    await goodTwin(context, encoding);
    const raw = write({ grant_type: 'client_credentials', ...credentials(context.oauth.client) });
    const named = `${type}; charset=utf-8`;
    const answer = await sent(context, 'token', raw, `ask with ${named}`, named);
    if (!answer.ok) await goodAgain(context, encoding);
    context.expect.accepted(answer, 'a parameter does not make it another media type');
  });
}
