/** 4.7 and 7: token requests that must get no token, each of them a valid request with one thing changed. */

import { perRun } from '../../lib/check/per-run.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { Client, Encoding, Params } from '../../services/shipping/api/oauth.ts';
import { schemas } from '../../services/shipping/judging/schemas.ts';
import { inOtherCase } from '../../services/shipping/judging/similar.ts';
import { OAUTH_ERROR_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import { expectNoToken } from './no-token.ts';
import { check, type OAuthContext } from './suite.ts';
import { goodAgain, goodTwin } from './twin.ts';

const ERROR_FIELDS = OAUTH_ERROR_REQUIREMENTS;

interface Fault {
  requirement: string;
  case?: string;
  needs?: string[];
  /** The parameters that are changed in a valid request. */
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
    change: (client) => ({ client_secret: inOtherCase(client.clientSecret) ?? client.clientSecret }),
    statuses: [401],
    purpose: 'ask with the secret in the other letter case',
  },
  {
    requirement: 'TOKEN-ISSUE-NEAR-SECRET-401',
    case: 'blank-behind',
    change: (client) => ({ client_secret: `${client.clientSecret} ` }),
    statuses: [401],
    purpose: 'ask with the secret and a blank behind it',
  },
  {
    requirement: 'TOKEN-ISSUE-NEAR-SECRET-401',
    case: 'blank-before',
    change: (client) => ({ client_secret: ` ${client.clientSecret}` }),
    statuses: [401],
    purpose: 'ask with the secret and a blank in front of it',
  },
  {
    requirement: 'TOKEN-ISSUE-EMPTY-SECRET',
    change: () => ({ client_secret: '' }),
    statuses: [400, 401],
    purpose: 'ask with an empty secret',
  },
];

/** Returns the answer to a token request with one of the faults, given the index of the fault in `FAULTS`. */
const faulty = perRun(
  'shipping: faulty token request',
  async ({ oauth, session }: OAuthContext, nth: number, encoding: Encoding) => {
    const { change, purpose, case: name } = FAULTS[nth]!;
    const params = change(oauth.client, oauth.secondClient);
    // Even cut short or in the other letter case, it reveals the secret, so reports must not show it.
    if (name !== undefined) session.secrets.derive(params.client_secret ?? '', oauth.client.clientSecret);
    return oauth.request(params, encoding, purpose);
  },
);

for (const encoding of ['form', 'json'] as const) {
  for (const [nth, fault] of FAULTS.entries()) {
    const name = [fault.case, encoding].filter(Boolean).join('-');
    const options = { case: name, ...(fault.needs && { needs: fault.needs }) };
    check(fault.requirement, options, async (context) => {
      const { oauth, expect, skip } = context;
      await goodTwin(context, encoding);
      const change = fault.change(oauth.client, oauth.secondClient);
      if (change.client_secret === oauth.client.clientSecret)
        skip('the secret has no letters, or is hexadecimal, so that letter case may mean nothing');
      const answer = await faulty(context, nth, encoding);
      expectNoToken(expect, answer, 'the credentials are not valid');
      if (!fault.statuses.includes(answer.status)) await goodAgain(context, encoding);
      expect.status(answer, fault.statuses);
    });
  }
}

/** The requirement about the status of each documented error, by name; used to judge their bodies. */
const DOCUMENTED: Record<string, string> = {
  'missing-credentials': 'TOKEN-ISSUE-MISSING-BOTH-400',
  'missing-client-secret': 'TOKEN-ISSUE-MISSING-CLIENT-SECRET-400',
  'wrong-secret': 'TOKEN-ISSUE-WRONG-SECRET-401',
  'unknown-client': 'TOKEN-ISSUE-UNKNOWN-CLIENT-401',
};

/** Returns the answer to a request with one of these faults, in this kind of body. */
function documented(context: OAuthContext, id: string, encoding: Encoding): Promise<Answer> {
  return faulty(
    context,
    FAULTS.findIndex(({ requirement }) => requirement === id),
    encoding,
  );
}

for (const encoding of ['form', 'json'] as const) {
  for (const [name, requirement] of Object.entries(DOCUMENTED)) {
    check(['TOKEN-ISSUE-ERROR-OBJECT', ...ERROR_FIELDS], { case: `${name}-${encoding}` }, async (context) => {
      const { expect, block } = context;
      await goodTwin(context, encoding);
      const answer = await documented(context, requirement, encoding);
      if (answer.status !== 400 && answer.status !== 401)
        block(
          `answered ${answer.status}, not 400 or 401, so no shape of its body is documented`,
          requirement,
        );
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
    '',
  ]) {
    const options = { case: `${grant.replaceAll(/[^a-z]/g, '-') || 'empty'}-${encoding}` };
    check('TOKEN-ISSUE-UNKNOWN-GRANT-TYPE', options, async (context) => {
      const { oauth, expect } = context;
      await goodTwin(context, encoding);
      const purpose = `ask with an ${grant === '' ? 'empty' : 'invented'} grant_type`;
      const answer = await oauth.request({ grant_type: grant }, encoding, purpose);
      expectNoToken(expect, answer, 'there is no such grant type');
    });
  }
}

check('TOKEN-401-CHALLENGE', async (context) => {
  const { oauth, expect, block } = context;
  const answer = await documented(context, 'TOKEN-ISSUE-WRONG-SECRET-401', await oauth.encoding('token'));
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

check('TOKEN-ERROR-CODES', async (context) => {
  const { oauth, expect, block } = context;
  for (const requirement of Object.values(DOCUMENTED)) {
    const answer = await documented(context, requirement, await oauth.encoding('token'));
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
