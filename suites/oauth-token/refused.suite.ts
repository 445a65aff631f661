/** 4.7 and 7: token requests that get no token, each from a good one with one thing changed. */
import { fieldRequirements } from '../../lib/model/catalogue/registry.ts';
import type { Client, Params } from '../../services/shipping/api/oauth.ts';
import { schemas } from '../../services/shipping/judging/schemas.ts';
import { expectNoToken } from './no-token.ts';
import { check } from './suite.ts';
import { goodAgain, goodTwin } from './twin.ts';

const ERROR_FIELDS = fieldRequirements('oauth-token', 'OAuthError');

interface Fault {
  requirement: string;
  case?: string;
  needs?: string[];
  /** What is changed in a good request. */
  change: (client: Client, second: Client) => Params;
  statuses: number[];
  purpose: string;
}

const FAULTS: Fault[] = [
  {
    requirement: 'TOKEN-ISSUE-MISSING-CLIENT-ID-400',
    change: () => ({ client_id: undefined }),
    statuses: [400],
    purpose: 'ask without client_id',
  },
  {
    requirement: 'TOKEN-ISSUE-MISSING-CLIENT-SECRET-400',
    change: () => ({ client_secret: undefined }),
    statuses: [400],
    purpose: 'ask without client_secret',
  },
  {
    requirement: 'TOKEN-ISSUE-MISSING-BOTH-400',
    change: () => ({ client_id: undefined, client_secret: undefined }),
    statuses: [400],
    purpose: 'ask without credentials',
  },
  {
    requirement: 'TOKEN-ISSUE-WRONG-SECRET-401',
    change: () => ({ client_secret: 'conformance-not-the-secret' }),
    statuses: [401],
    purpose: 'ask with a wrong secret',
  },
  {
    requirement: 'TOKEN-ISSUE-UNKNOWN-CLIENT-401',
    change: () => ({ client_id: 'conformance-no-such-client' }),
    statuses: [401],
    purpose: 'ask as an unknown client',
  },
  {
    requirement: 'TOKEN-ISSUE-OTHER-CLIENT-SECRET-401',
    needs: ['shipping.secondClient'],
    change: (_, second) => ({ client_secret: second.clientSecret }),
    statuses: [401],
    purpose: "ask with another client's secret",
  },
  {
    requirement: 'TOKEN-ISSUE-NEAR-SECRET-401',
    case: 'shortened',
    change: (client) => ({ client_secret: client.clientSecret.slice(0, -1) }),
    statuses: [401],
    purpose: 'ask with the secret cut short',
  },
  {
    requirement: 'TOKEN-ISSUE-NEAR-SECRET-401',
    case: 'lengthened',
    change: (client) => ({ client_secret: `${client.clientSecret}x` }),
    statuses: [401],
    purpose: 'ask with the secret lengthened',
  },
  {
    requirement: 'TOKEN-ISSUE-NEAR-SECRET-401',
    case: 'letter-case',
    change: (client) => ({ client_secret: otherCase(client.clientSecret) }),
    statuses: [401],
    purpose: 'ask with the secret in the other letter case',
  },
  {
    requirement: 'TOKEN-ISSUE-EMPTY-SECRET',
    change: () => ({ client_secret: '' }),
    statuses: [400, 401],
    purpose: 'ask with an empty secret',
  },
];

for (const encoding of ['form', 'json'] as const) {
  for (const fault of FAULTS) {
    const name = [fault.case, encoding].filter(Boolean).join('-');
    const options = { case: name, ...(fault.needs && { needs: fault.needs }) };
    check(fault.requirement, options, async (context) => {
      const { oauth, expect, skip, session } = context;
      await goodTwin(context, encoding);
      const change = fault.change(oauth.client, oauth.secondClient);
      const { clientSecret } = oauth.client;
      if (change.client_secret === clientSecret) skip('the secret has no letters that could change case');
      // Cut short or in other letter case, it still tells what the secret is.
      if (fault.case !== undefined) session.secrets.derive(change.client_secret ?? '', clientSecret);
      const answer = await oauth.request(change, encoding, fault.purpose);
      expectNoToken(expect, answer, 'the credentials are not valid');
      if (!fault.statuses.includes(answer.status)) await goodAgain(context, encoding);
      expect.status(answer, fault.statuses);
    });
  }
}

/** The documented errors, for their bodies. */
const DOCUMENTED: Record<string, Params> = {
  'missing-credentials': { client_id: undefined, client_secret: undefined },
  'missing-client-secret': { client_secret: undefined },
  'wrong-secret': { client_secret: 'conformance-not-the-secret' },
  'unknown-client': { client_id: 'conformance-no-such-client' },
};

for (const encoding of ['form', 'json'] as const) {
  for (const [name, change] of Object.entries(DOCUMENTED)) {
    check(['TOKEN-ISSUE-ERROR-OBJECT', ...ERROR_FIELDS], { case: `${name}-${encoding}` }, async (context) => {
      const { oauth, expect, block } = context;
      await goodTwin(context, encoding);
      const answer = await oauth.request(change, encoding, `ask with ${name.replaceAll('-', ' ')}`);
      if (answer.status !== 400 && answer.status !== 401)
        block(`answered ${answer.status}, not 400 or 401, so that its body is not shown`);
      expect.object(answer);
      expect.holds('TOKEN-ISSUE-ERROR-OBJECT');
      expect.fields(answer, schemas, 'OAuthError');
    });
  }
}

for (const encoding of ['form', 'json'] as const) {
  check('TOKEN-ISSUE-MISSING-GRANT-TYPE', { case: encoding }, async (context) => {
    const { oauth, expect } = context;
    await goodTwin(context, encoding);
    expectNoToken(
      expect,
      await oauth.request({ grant_type: undefined }, encoding, 'ask without grant_type'),
      'grant_type is missing',
    );
  });

  for (const grant of [
    'conformance_no_such_grant',
    'client_credential',
    'client_credentials_x',
    'password',
    'authorization_code',
    'urn:conformance:no-such-grant',
  ]) {
    const options = { case: `${grant.replaceAll(/[^a-z]/g, '-')}-${encoding}` };
    check('TOKEN-ISSUE-UNKNOWN-GRANT-TYPE', options, async (context) => {
      const { oauth, expect } = context;
      await goodTwin(context, encoding);
      const answer = await oauth.request({ grant_type: grant }, encoding, 'ask with an invented grant_type');
      expectNoToken(expect, answer, 'there is no such grant type');
    });
  }
}

check('TOKEN-401-CHALLENGE', async ({ oauth, expect, block }) => {
  const answer = await oauth.request(
    { client_secret: 'conformance-not-the-secret' },
    undefined,
    'ask with a wrong secret',
  );
  if (answer.status !== 401) block(`answered ${answer.status}, not 401`, 'TOKEN-ISSUE-WRONG-SECRET-401');
  expect.that(answer.header('www-authenticate').length > 0, 'the 401 has no WWW-Authenticate', {
    answer,
    at: 'header:WWW-Authenticate',
  });
});

const REGISTERED = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
];

check('TOKEN-ERROR-CODES', async ({ oauth, expect, block }) => {
  for (const change of Object.values(DOCUMENTED)) {
    const answer = await oauth.request(change, undefined, 'ask with bad credentials');
    const code = answer.at('/error');
    if (typeof code !== 'string') return block('the error body has no string `error`', 'TOKEN-ERROR-ERROR');
    expect.that(REGISTERED.includes(code), `error is ${code}`, {
      answer,
      at: '/error',
      expected: REGISTERED.join(', '),
      found: code,
    });
  }
});

function otherCase(text: string): string {
  const upper = text.toUpperCase();
  return upper === text ? text.toLowerCase() : upper;
}
