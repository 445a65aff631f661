/** 4.7, parameters redirect_uri and scope. */

import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { Encoding } from '../../services/shipping/api/oauth.ts';
import { otherCase } from '../../services/shipping/judging/similar.ts';
import { expectNoToken } from './no-token.ts';
import { check, type OAuthContext } from './suite.ts';
import { goodAgain, goodTwin, scopesOf } from './twin.ts';

const ENCODINGS = ['form', 'json'] as const;
/** A URI that is stored for no client. */
const OTHER = 'https://conformance.invalid/not-the-stored-one';

for (const encoding of ENCODINGS) {
  check('TOKEN-REDIRECT-URI-STORED', { case: encoding, needs: ['shipping.redirectUri'] }, async (context) => {
    await goodTwin(context, encoding);
    const { good } = await compared(context, encoding);
    if (!good.ok) await goodAgain(context, encoding);
    context.expect.accepted(good, 'the redirect URI is the one stored for the client');
  });

  // Needs the configured URI: where none is configured, the client may have none stored.
  check('TOKEN-REDIRECT-URI-OTHER', { case: encoding, needs: ['shipping.redirectUri'] }, async (context) => {
    await goodTwin(context, encoding);
    const other = await another(context, encoding);
    expectNoToken(context.expect, other, 'the redirect URI is not the one stored for the client');
  });
}

/** Returns the answer to a token request with a redirect URI that is stored for no client. */
const another = perRun(
  'shipping: token request with another redirect URI',
  async ({ oauth }: OAuthContext, encoding: Encoding): Promise<Answer> =>
    oauth.request({ redirect_uri: OTHER }, encoding, 'ask with another redirect_uri'),
);

/** Returns the answer to a token request with the redirect URI that is stored for the client. */
const stored = perRun(
  'shipping: token request with the stored redirect URI',
  async ({ oauth }: OAuthContext, encoding: Encoding): Promise<Answer> =>
    oauth.request({ redirect_uri: oauth.config.redirectUri }, encoding, 'ask with the stored redirect_uri'),
);

check(
  'TOKEN-OPENS-ADDRESS-BOOK',
  { case: 'redirect-uri', needs: ['shipping.redirectUri'] },
  async (context) => {
    const { oauth, tokenAccess, expect } = context;
    await tokenAccess.requireResource();
    // This requests a new token, since one of another check may have expired by now.
    const answer = await oauth.request({ redirect_uri: oauth.config.redirectUri });
    requireOk(answer, 'TOKEN-REDIRECT-URI-STORED');
    const list = await tokenAccess.present(oauth.toToken(answer));
    expect.accepted(list, 'the token was issued to a request that named the stored redirect URI');
  },
);

/** Returns the answers to token requests with the stored redirect URI and with another one. */
async function compared(context: OAuthContext, encoding: Encoding): Promise<{ good: Answer; other: Answer }> {
  return { good: await stored(context, encoding), other: await another(context, encoding) };
}

check('TOKEN-REDIRECT-URI-OTHER', { case: 'refresh', needs: ['shipping.redirectUri'] }, async (context) => {
  const { oauth, refreshTokens, expect, skip } = context;
  await refreshTokens.requireRefreshWorks();
  for (const encoding of ENCODINGS) {
    const { value } = await refreshTokens.take();
    const stored = { redirect_uri: oauth.config.redirectUri };
    const good = await refreshTokens.exchange(
      value,
      stored,
      encoding,
      'refresh with the stored redirect_uri',
    );
    // Where the parameter is not accepted in this grant at all, nothing can be compared.
    if (!good.ok) skip(`a refresh with the stored redirect URI is answered ${good.status}`);
    const answer = await refreshTokens.exchange(
      (await refreshTokens.take()).value,
      { redirect_uri: OTHER },
      encoding,
      'refresh with another redirect_uri',
    );
    expectNoToken(expect, answer, 'the redirect URI is not the one stored for the client');
  }
});

/** Ways to make the stored URI similar but not equal; `undefined` where it cannot be changed that way. */
const SIMILAR: Record<string, (uri: URL) => string | undefined> = {
  shortened: ({ href, origin }) => (href.length - 3 > `${origin}/`.length ? href.slice(0, -3) : undefined),
  port: (uri) => withPort(uri),
  'percent-encoded': ({ href }) => encodeURIComponent(href),
  'further-segment': ({ href }) => `${href.replace(/\/$/, '')}/more`,
  query: ({ href }) => `${href}${href.includes('?') ? '&' : '?'}more=1`,
  fragment: ({ href }) => (href.includes('#') ? undefined : `${href}#more`),
  scheme: ({ href, protocol }) =>
    ({ 'https:': href.replace(/^https/i, 'http'), 'http:': href.replace(/^http/i, 'https') })[protocol],
  'other-host': ({ href }) => href.replace(/^([a-z]+:\/\/)([^/]+)/i, '$1$2.conformance.invalid'),
  // An empty path and a single slash are equivalent (RFC 3986, 6.2.3), so such a path is left out.
  'trailing-slash': (uri) =>
    withPath(uri, uri.pathname.replace(/\/$/, '') + (/\/$/.test(uri.pathname) ? '' : '/')),
  'slash-after-query': ({ href, search }) => (search === '' ? undefined : `${href}/`),
  // Scheme and host are case-insensitive, but the path is not (RFC 3986, 6.2.2.1).
  'letter-case': (uri) => withPath(uri, otherCase(uri.pathname)),
};

for (const [name, change] of Object.entries(SIMILAR)) {
  for (const encoding of ENCODINGS) {
    const options = { case: `${name}-${encoding}`, needs: ['shipping.redirectUri'] };
    check('TOKEN-REDIRECT-URI-EXACT', options, async (context) => {
      const { oauth, expect, block, skip } = context;
      const stored = oauth.config.redirectUri as string;
      const { good, other } = await compared(context, encoding);
      requireOk(good, 'TOKEN-REDIRECT-URI-STORED');
      if (other.ok)
        block(`another redirect URI is answered with ${other.status}`, 'TOKEN-REDIRECT-URI-OTHER');
      const similar = URL.canParse(stored) ? change(new URL(stored)) : undefined;
      if (similar === undefined || similar === stored)
        return skip(`the stored redirect URI cannot be changed in this way: ${stored}`);
      const answer = await oauth.request(
        { redirect_uri: similar },
        encoding,
        `ask with a similar redirect_uri`,
      );
      expectNoToken(expect, answer, 'the redirect URI is not equal to the stored one');
    });
  }
}

/** Returns the URI with another port; `undefined` where it has no host. */
function withPort(uri: URL): string | undefined {
  if (uri.host === '') return undefined;
  const changed = new URL(uri);
  changed.port = uri.port === '8443' ? '8444' : '8443';
  return changed.href === uri.href ? undefined : changed.href;
}

/** Returns the URI with another path; `undefined` where it has no path to change. */
function withPath(uri: URL, pathname: string): string | undefined {
  if (uri.pathname.length < 2 || pathname === uri.pathname) return undefined;
  const changed = new URL(uri);
  changed.pathname = pathname;
  return changed.href;
}

for (const encoding of ENCODINGS) {
  check('TOKEN-SCOPE-LIMITS', { case: encoding }, async (context) => {
    const { oauth, expect, skip, block, target } = context;
    await goodTwin(context, encoding);
    const unlimited = await oauth.request({}, encoding);
    const all = scopesOf(unlimited.at('/scope'));
    const known = (oauth.config.scopes as string[] | undefined) ?? all;
    if (known.length < 2 || (known === all && all.length < 2)) {
      skip(
        `set \`targets.${target.name}.shipping.scopes\` to several scopes: with a single one nothing can be limited`,
      );
    }
    for (const scope of known) {
      const answer = await oauth.request({ scope }, encoding, `ask for scope ${scope}`);
      requireOk(answer);
      const granted = scopesOf(answer.at('/scope'));
      if (granted.length === 0)
        block(`the token for the scope ${scope} names no scope at all`, 'TOKEN-RESPONSE-SCOPE');
      const beyond = granted.filter((s) => s !== scope);
      expect.that(beyond.length === 0, `a token limited to ${scope} carries ${beyond.join(' ')} as well`, {
        answer,
        at: '/scope',
        expected: `no scope but ${scope}`,
        found: JSON.stringify(answer.at('/scope')),
      });
    }
  });
}

for (const encoding of ENCODINGS) {
  check('TOKEN-SCOPE-SEVERAL', { case: encoding }, async (context) => {
    const { oauth, expect, block, skip, target } = context;
    await goodTwin(context, encoding);
    const carried = (await oauth.request({}, encoding)).at('/scope');
    const scopes = scopesOf(carried);
    if (scopes.length < 2)
      skip(`a token of this target carries a single scope; see \`targets.${target.name}.shipping.scopes\``);
    const answer = await oauth.request(
      { scope: scopes.join(' ') },
      encoding,
      'ask for all scopes that a token carries',
    );
    if (!answer.ok && scopes.some((scope) => /[,;|]/.test(scope)))
      block(`the scopes of a token are written as ${carried}`, 'TOKEN-RESPONSE-SCOPE-SEPARATOR');
    if (!answer.ok) await goodAgain(context, encoding);
    expect.accepted(answer, `a token carries exactly these scopes: ${scopes.join(' ')}`);
    const granted = scopesOf(answer.at('/scope'));
    const lacking = scopes.filter((scope) => !granted.includes(scope));
    expect.that(
      lacking.length === 0,
      `a token requested with ${scopes.join(' ')} lacks ${lacking.join(' ')}`,
      { answer, at: '/scope' },
    );
  });
}
