/** The sample's oauth-token suite. */
import type { Verdict } from '../../lib/model/results.ts';
import { type Entry, exchange, sampleSecrets } from './sample-parts.ts';

/** Returns the entries of the suite, with new exchanges. */
export function oauth(): Entry[] {
  const form = `grant_type=client_credentials&client_id=app-4417&client_secret=${encodeURIComponent(sampleSecrets.client_secret)}`;
  const issued = exchange('obtain a token', 'POST', '/oauth/token', {
    form,
    answer: {
      access_token: sampleSecrets.access_token,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'read write',
      created_at: 1742289847,
    },
  });
  const revoked = exchange('revoke with a wrong secret', 'POST', '/oauth/revoke', {
    body: { client_id: 'app-4417', client_secret: 'not-the-secret', token: sampleSecrets.access_token },
    answer: {},
  });
  const entry = (
    id: string,
    section: string,
    title: string,
    verdict: Verdict,
    over: Partial<Entry> = {},
  ): Entry => ({
    id,
    section,
    title,
    statement: `${title[0]!.toUpperCase()}${title.slice(1)}.`,
    severity: 'major',
    verdict,
    ...over,
  });
  return [
    entry(
      'TOKEN-FIELD-ACCESS-TOKEN',
      '2 Token response',
      'the token response carries access_token',
      'passed',
    ),
    entry('TOKEN-FIELD-TOKEN-TYPE', '2 Token response', 'token_type is Bearer', 'passed'),
    entry('TOKEN-FIELD-EXPIRES-IN', '2 Token response', 'expires_in is 7200', 'failed', {
      severity: 'critical',
      cause: 'The lifetime is a setting of the authorization server and was left at its default of an hour.',
      exchanges: [issued],
      finding: {
        message: 'expires_in is 3600; tokens live 7200 seconds (sections 2 and 8).',
        exchange: issued.id,
        pointer: '/expires_in',
        expected: '7200',
        found: '3600',
      },
    }),
    entry('TOKEN-FIELD-CREATED-AT', '2 Token response', 'the token response carries created_at', 'passed'),
    entry('TOKEN-CREATED-AT-UNIT', '2 Token response', 'unit of created_at', 'observed', {
      level: 'silence',
      statement: 'In which unit is created_at?',
      answer: 'Seconds since the epoch.',
    }),
    entry('TOKEN-GRANT-FORM', '4.7', 'client_credentials works with a form body', 'passed'),
    entry('TOKEN-GRANT-JSON', '4.7', 'client_credentials works with a JSON body', 'passed'),
    entry('TOKEN-SECRET-WRONG', '4.7', 'a wrong client secret is answered 401', 'passed', {
      severity: 'critical',
    }),
    entry('TOKEN-REDIRECT-OTHER', '4.7', 'another redirect_uri gets no token', 'skipped', {
      check: {
        reason: 'The target names no stored redirect URI: set credentials.redirect_uri in targets.yaml.',
      },
    }),
    entry('TOKEN-REFRESH', '4.7', 'a refresh token gets a new access token', 'skipped', {
      check: {
        reason:
          'The target hands out no refresh token and none is configured: set credentials.refresh_token in targets.yaml.',
      },
    }),
    entry('TOKEN-REVOKE-CLIENT', '4.8', 'revoking with a wrong client secret is answered 403', 'failed', {
      severity: 'critical',
      cause:
        'RFC 7009 lets a server answer 200 to nearly everything, and many libraries do so before they look at the client. Authenticate first.',
      exchanges: [issued, revoked],
      finding: {
        message:
          'POST /oauth/revoke with a wrong client_secret answered 200; a client that is not authorised is answered 403 (section 7).',
        exchange: revoked.id,
        pointer: 'status',
        expected: '403',
        found: '200',
      },
    }),
    entry('TOKEN-REVOKE-CLOSED', '4.8', 'a revoked token opens nothing', 'passed', { severity: 'critical' }),
    entry(
      'TOKEN-INTROSPECT-REVOKED',
      '4.9',
      'introspection tells a revoked token from an active one',
      'passed',
    ),
    entry('TOKEN-NO-STORE', '4.7', 'token responses are not cached', 'passed', {
      level: 'advised',
      standard: 'RFC 6749 5.1',
      severity: 'minor',
    }),
    entry('TOKEN-EXPIRY', '5', 'a token is refused after 7200 seconds', 'skipped', {
      check: {
        reason:
          'The target offers no clock hook: set hooks.clock in targets.yaml, or allow the wait with --max-wait 7300.',
      },
    }),
    entry('TOKEN-RATE-SERVED', '8', 'at two requests a second nothing is refused', 'passed'),
    entry('TOKEN-RATE-LOOK', '8', 'what exceeding the rate looks like', 'observed', {
      level: 'silence',
      statement: 'How is a request answered that exceeds the rate?',
      answer:
        '429 with Retry-After: 1 and { "message": "Too many requests" }; from the third request within one second.',
    }),
    entry('TOKEN-RATE-PER-TOKEN', '8', 'one saturated token does not slow another', 'passed'),
  ];
}
