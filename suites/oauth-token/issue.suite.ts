/** 4.7 Obtain access token, with client credentials: the answer to a valid request. */

import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import { schemas } from '../../services/shipping/judging/schemas.ts';
import { TOKEN_RESPONSE_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import { check, type OAuthContext } from './suite.ts';
import { goodRequest, goodTwin, requireGood } from './twin.ts';

const RESPONSE_FIELDS = TOKEN_RESPONSE_REQUIREMENTS;

check('TOKEN-ISSUE-STATUS', async (context) => {
  const { expect, block } = context;
  const answers = [await goodRequest(context, 'form'), await goodRequest(context, 'json')];
  const successes = answers.filter((answer) => answer.ok);
  // That no token is issued for one kind of body violates another requirement.
  if (successes.length === 0)
    block(
      `good token requests are answered with ${answers.map((a) => a.status).join(' and ')}`,
      'TOKEN-ISSUE-FORM',
    );
  for (const answer of successes) expect.status(answer, 200);
});

for (const encoding of ['form', 'json'] as const) {
  check(encoding === 'form' ? 'TOKEN-ISSUE-FORM' : 'TOKEN-ISSUE-JSON', async (context) => {
    const { expect } = context;
    const answer = await goodRequest(context, encoding);
    expect.accepted(
      answer,
      `the credentials are valid and the body is ${encoding === 'form' ? 'a form' : 'JSON'}`,
    );
  });

  check(['TOKEN-ISSUE-OBJECT', ...RESPONSE_FIELDS], { case: encoding }, async (context) => {
    const { expect } = context;
    const answer = await goodRequest(context, encoding);
    await requireGood(context, answer, encoding);
    expect.object(answer);
    expect.holds('TOKEN-ISSUE-OBJECT');
    expect.fields(answer, schemas, 'TokenResponse');
  });
}

check('TOKEN-OPENS-ADDRESS-BOOK', async ({ oauth, tokenAccess, expect }) => {
  await tokenAccess.requireResource();
  const token = await oauth.issue();
  const answer = await tokenAccess.present(token);
  expect.accepted(answer, 'the token was just issued');
});

check('TOKEN-OPENS-ADDRESS-BOOK', { case: 'json' }, async (context) => {
  const { oauth, tokenAccess, expect } = context;
  await tokenAccess.requireResource();
  const issued = await oauth.request({}, 'json');
  await requireGood(context, issued, 'json');
  const answer = await tokenAccess.present(oauth.toToken(issued));
  expect.accepted(answer, 'the token was just issued');
});

/**
 * Returns a character that differs from the given one in more than letter case: whether case counts is the
 * subject of another requirement.
 */
const otherThan = (character = ''): string => (character.toLowerCase() === 'a' ? 'b' : 'a');

/** Ways to alter a valid token so that any comparison of the whole token notices. */
const ALTERATIONS: Record<string, (token: string) => string> = {
  'first-character': (t) => `${otherThan(t[0])}${t.slice(1)}`,
  middle: (t) => {
    const at = Math.floor(t.length / 2);
    return `${t.slice(0, at)}${otherThan(t[at])}${t.slice(at + 1)}`;
  },
  shortened: (t) => t.slice(0, -4),
  lengthened: (t) => `${t}abcd`,
  'first-half': (t) => t.slice(0, Math.ceil(t.length / 2)),
  'second-half': (t) => t.slice(Math.floor(t.length / 2)),
};

/** Returns a token that is accepted unaltered. */
const toAlter = perRun(
  'shipping: token to alter',
  async ({ oauth, tokenAccess }: Pick<OAuthContext, 'session' | 'oauth' | 'tokenAccess'>) => {
    const token = await oauth.issue();
    await tokenAccess.requireAccepted(token);
    return token;
  },
);

for (const [name, alter] of Object.entries(ALTERATIONS)) {
  check('TOKEN-ALTERED-REFUSED', { case: name }, async ({ session, oauth, tokenAccess, expect }) => {
    // `openToken` is not used, since it blocks where invented tokens are accepted, and that is judged here.
    const token = await toAlter({ session, oauth, tokenAccess });
    const answer = await tokenAccess.present(
      { raw: session.secrets.derive(alter(token.value), token.value) },
      'list addresses with an altered token',
    );
    expect.refused(answer, 'the token was altered');
  });
}

check('TOKEN-EARLIER-SURVIVES', async ({ oauth, tokenAccess, expect }) => {
  const earlier = await tokenAccess.openToken();
  const { answer: later } = await oauth.issue();
  const answer = await tokenAccess.present(earlier, 'list addresses with the earlier token');
  expect.after(later).accepted(answer, 'the token has neither expired nor been revoked');
});

check(
  'TOKEN-EARLIER-OTHER-CLIENT-SURVIVES',
  { needs: ['shipping.secondClient'] },
  async ({ oauth, tokenAccess, expect }) => {
    const others = await oauth.issue(oauth.secondClient);
    await tokenAccess.requireInventedRefused();
    await tokenAccess.requireAccepted(others);
    const { answer: later } = await oauth.issue();
    expect
      .after(later)
      .accepted(
        await tokenAccess.present(others, "list addresses with the other client's token"),
        'the token issued since is of another client',
      );
  },
);

check('TOKEN-RESPONSE-SCOPE-SEPARATOR', async (context) => {
  const { oauth, expect, skip, target, block } = context;
  const answer = await goodRequest(context, await oauth.encoding('token'));
  const scope = answer.at('/scope');
  if (typeof scope !== 'string')
    return block('the token response has no string `scope`', 'TOKEN-RESPONSE-SCOPE');
  const known = oauth.config.scopes as string[] | undefined;
  if (known && known.length > 1) {
    const all = await oauth.request({ scope: known.join(' ') }, undefined, 'ask for all scopes');
    const granted = all.ok ? all.at('/scope') : scope;
    const parts = String(granted).split(' ');
    expect.that(!parts.some((part) => isJoined(part, known)), joined(granted), { answer: all, at: '/scope' });
    if (parts.length > 1) return;
  }
  const where = { answer, at: '/scope' };
  if (/\S \S/.test(scope))
    return expect.that(!/[,;|+]/.test(scope), `scope ${JSON.stringify(scope)} mixes separators`, where);
  const looksJoined = /^[A-Za-z]+([,;|+][A-Za-z]+)+$/.test(scope);
  expect.that(!looksJoined, joined(scope), where);
  skip(
    `set \`targets.${target.name}.shipping.scopes\` to several scopes: a token of this target carries a single one`,
  );
});

const joined = (scope: unknown): string =>
  `scope is ${JSON.stringify(scope)}: its scopes are not separated by spaces`;

/** Whether a part of `scope`, split at spaces, holds several scopes, or one scope and another separator. */
function isJoined(part: string, known: readonly string[]): boolean {
  if (known.includes(part)) return false;
  return known.filter((s) => part.includes(s)).length > 1 || known.includes(part.replace(/^\W+|\W+$/g, ''));
}

check('TOKEN-NO-STORE', async (context) => {
  const { oauth, expect } = context;
  const answer = await goodRequest(context, await oauth.encoding('token'));
  requireOk(answer, 'TOKEN-ISSUE-STATUS');
  const value = answer.header('cache-control').join(', ');
  expect.that(/\bno-store\b/i.test(value), `Cache-Control is ${value === '' ? 'absent' : value}`, {
    answer,
    at: 'header:Cache-Control',
  });
});

check('TOKEN-CONTENT-TYPE', async (context) => {
  const { oauth, expect } = context;
  const answer = await goodRequest(context, await oauth.encoding('token'));
  requireOk(answer, 'TOKEN-ISSUE-STATUS');
  const value = answer.header('content-type').join(', ');
  expect.that(
    /^application\/([\w.-]+\+)?json\b/i.test(value),
    `Content-Type is ${value === '' ? 'absent' : value}`,
    { answer, at: 'header:Content-Type' },
  );
});

check('TOKEN-UNKNOWN-PARAMETERS', async (context) => {
  const { oauth, expect } = context;
  await goodTwin(context, await oauth.encoding('token'));
  const answer = await oauth.request({ conformance_probe: '1' }, undefined, 'ask with an unknown parameter');
  expect.accepted(answer, 'the rest of the request is valid');
});

check('TOKEN-BASIC-AUTH', async (context) => {
  const { oauth, expect, http } = context;
  await goodTwin(context, await oauth.encoding('token'));
  const { clientId, clientSecret } = oauth.client;
  const pair = [clientId, clientSecret].map(encodeURIComponent).join(':');
  const answer = await http.send({
    method: 'POST',
    url: oauth.url('token'),
    purpose: 'ask with HTTP Basic',
    headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
    body: { form: { grant_type: 'client_credentials' } },
  });
  expect.accepted(answer, 'the credentials in the header are valid');
});

check('TOKEN-QUERY-CREDENTIALS', async (context) => {
  const { oauth, expect, http } = context;
  await goodTwin(context, await oauth.encoding('token'));
  const { clientId, clientSecret } = oauth.client;
  const query = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const answer = await http.send({
    method: 'POST',
    url: `${oauth.url('token')}?${query}`,
    purpose: 'ask in the query string',
  });
  expect.that(
    !(answer.ok && typeof answer.at('/access_token') === 'string'),
    'credentials in the query string get a token',
    { answer },
  );
});
