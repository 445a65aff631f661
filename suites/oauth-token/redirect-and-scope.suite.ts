/** 4.7, parameters redirect_uri and scope. */
import { expectNoToken } from './no-token.ts';
import { check } from './suite.ts';
import { goodTwin, scopesOf } from './twin.ts';

const ENCODINGS = ['form', 'json'] as const;

for (const encoding of ENCODINGS) {
  check('TOKEN-REDIRECT-URI-STORED', { case: encoding, needs: ['shipping.redirectUri'] }, async (context) => {
    const { oauth, expect } = context;
    await goodTwin(context, encoding);
    const answer = await oauth.request(
      { redirect_uri: oauth.config.redirectUri },
      encoding,
      'ask with the stored redirect_uri',
    );
    expect.accepted(answer, 'the redirect URI is the one stored for the client');
  });

  check('TOKEN-REDIRECT-URI-OTHER', { case: encoding }, async (context) => {
    const { oauth, expect } = context;
    await goodTwin(context, encoding);
    const other = 'https://conformance.invalid/not-the-stored-one';
    const answer = await oauth.request({ redirect_uri: other }, encoding, 'ask with another redirect_uri');
    expectNoToken(expect, answer, 'the redirect URI is not the one stored for the client');
  });
}

/** Each is like the stored URI and not equal to it. */
const SIMILAR: Record<string, (uri: string) => string> = {
  'further-segment': (uri) => `${uri.replace(/\/$/, '')}/more`,
  query: (uri) => `${uri}${uri.includes('?') ? '&' : '?'}more=1`,
  'other-host': (uri) => uri.replace(/^([a-z]+:\/\/)([^/]+)/i, '$1$2.conformance.invalid'),
};

for (const [name, change] of Object.entries(SIMILAR)) {
  check(
    'TOKEN-REDIRECT-URI-EXACT',
    { case: name, needs: ['shipping.redirectUri'] },
    async ({ oauth, expect, block }) => {
      const stored = oauth.config.redirectUri as string;
      const good = await oauth.request({ redirect_uri: stored }, 'form', 'ask with the stored redirect_uri');
      if (!good.ok)
        block(`the stored redirect URI is answered with ${good.status}`, 'TOKEN-REDIRECT-URI-STORED');
      const answer = await oauth.request(
        { redirect_uri: change(stored) },
        'form',
        'ask with a similar redirect_uri',
      );
      expectNoToken(expect, answer, 'the redirect URI is not equal to the stored one');
    },
  );
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
      if (!answer.ok) block(`asking for the scope ${scope} is answered with ${answer.status}`);
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
    for (const scope of scopes) {
      const single = await oauth.request({ scope }, encoding, `ask for scope ${scope}`);
      if (!single.ok) block(`asking for the scope ${scope} alone is answered with ${single.status}`);
    }
    const answer = await oauth.request(
      { scope: scopes.join(' ') },
      encoding,
      'ask for all scopes that a token carries',
    );
    expect.accepted(answer, `a token carries exactly these scopes: ${scopes.join(' ')}`);
    const granted = scopesOf(answer.at('/scope'));
    const lacking = scopes.filter((scope) => !granted.includes(scope));
    expect.that(
      lacking.length === 0,
      `a token asked for with ${scopes.join(' ')} lacks ${lacking.join(' ')}`,
      { answer, at: '/scope' },
    );
  });
}
