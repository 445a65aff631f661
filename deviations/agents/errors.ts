/** Codes and statuses of refusals (section 7). */
import type { ErrorCode } from '../../reference/agents/index.ts';
import { changeAnswers, withBody } from '../kit/answers.ts';
import { type AgentDeviation, type Changed, claimRule, recoded } from './kit.ts';
import { REGISTER } from './surface.ts';

const idOf = (code: string) => code.toUpperCase().replaceAll('_', '-');

/** Replaces the code `from` in `error`. */
const renamed = (
  id: string,
  breaks: string[],
  from: ErrorCode,
  to: string,
  sentence: string,
  entails: string[] = [],
): AgentDeviation => ({
  id,
  breaks,
  entails,
  sentence,
  rules: (original) => ({
    errorBody: (code, errors) => ({
      ...original.errorBody(code, errors),
      ...(code === from && { error: to }),
    }),
  }),
});

/** The wrong statuses to try for each code: those that other services use for similar errors. */
const STATUSES: Partial<Record<ErrorCode, number[]>> = {
  invalid_request: [422],
  unsupported_credential_type: [422, 401],
  invalid_signature: [400, 403],
  audience_mismatch: [403, 400],
  credential_expired: [400, 410],
  issuer_not_enabled: [403, 400],
  missing_verified_email: [403, 400],
  replay_detected: [409, 400],
  invalid_assertion: [400, 422],
};

const statuses = Object.entries(STATUSES).flatMap(([code, others]) =>
  others.map(
    (status): AgentDeviation => ({
      id: `status-${code.replaceAll('_', '-')}-${status}`,
      breaks: [`AGENT-ERR-${idOf(code)}-STATUS`],
      sentence: `answers ${code} with ${status}`,
      rules: (original) => ({
        errors: { ...original.errors, [code]: { ...original.errors[code as ErrorCode], status } },
      }),
    }),
  ),
);

const EXPIRED_CODE = 'AGENT-ERR-CREDENTIAL-EXPIRED-CODE';
const AUDIENCE_CODE = 'AGENT-ERR-AUDIENCE-MISMATCH-CODE';
const ISSUER_CODE = 'AGENT-ERR-ISSUER-NOT-ENABLED-CODE';
const EMAIL_CODE = 'AGENT-ERR-MISSING-VERIFIED-EMAIL-CODE';
const FALLBACK_CODE = 'AGENT-ERR-INVALID-ASSERTION-CODE';
const REPLAY_CODE = 'AGENT-ERR-REPLAY-DETECTED-CODE';
const FITTING = 'AGENT-ERR-FITTING';
const LEFT_OPEN = 'AGENT-ERR-LEFT-OPEN';

/** Makes a claim check, but refuses with the code of a general error instead of the specific one. */
const general = (
  check: Parameters<typeof recoded>[0],
  code: string,
  breaks: string[],
  entails: string[] = [],
): AgentDeviation => ({
  id: `${check.replace(/^check/, '').toLowerCase()}-as-${code.replaceAll('_', '-')}`,
  breaks,
  entails,
  sentence: `refuses as ${code} what ${check} finds`,
  rules: recoded(check, code),
});

const signature = (
  id: string,
  breaks: string[],
  from: 'checkAlgorithm' | 'verifySignature',
  code: ErrorCode,
  entails: string[] = [],
): AgentDeviation => ({
  id,
  breaks,
  entails,
  sentence: `refuses as ${code} what ${from} finds`,
  rules: (original): Changed =>
    from === 'checkAlgorithm'
      ? {
          checkAlgorithm: (header, algorithms) =>
            original.checkAlgorithm(header, algorithms) ? code : undefined,
        }
      : {
          verifySignature: async (assertion, jwks, algorithms) => {
            try {
              return await original.verifySignature(assertion, jwks, algorithms);
            } catch (fault) {
              Object.assign(fault as object, { code });
              throw fault;
            }
          },
        },
});

const codes: AgentDeviation[] = [
  renamed(
    'code-invalid-audience',
    [AUDIENCE_CODE],
    'audience_mismatch',
    'invalid_audience',
    'uses invalid_audience for audience_mismatch',
  ),
  renamed(
    'code-expired',
    [EXPIRED_CODE],
    'credential_expired',
    'expired',
    'uses expired for credential_expired',
  ),
  renamed(
    'code-invalid-issuer',
    [ISSUER_CODE],
    'issuer_not_enabled',
    'invalid_issuer',
    'uses invalid_issuer for issuer_not_enabled',
  ),
  renamed(
    'code-jti-reused',
    [REPLAY_CODE],
    'replay_detected',
    'invalid_assertion',
    'refuses a used jti with the fallback code',
  ),
  renamed(
    'code-email',
    [EMAIL_CODE, FITTING],
    'missing_verified_email',
    'email_not_verified',
    'uses email_not_verified for missing_verified_email',
  ),
  renamed(
    'code-unsupported',
    ['AGENT-ERR-UNSUPPORTED-CREDENTIAL-TYPE-CODE'],
    'unsupported_credential_type',
    'invalid_request',
    'refuses another credential type as invalid_request',
  ),
  renamed(
    'code-invalid-token',
    [FALLBACK_CODE, FITTING],
    'invalid_assertion',
    'invalid_token',
    'uses invalid_token for invalid_assertion',
    [FITTING],
  ),
  general('checkAudience', 'invalid_assertion', [AUDIENCE_CODE]),
  general('checkAudience', 'invalid_signature', [AUDIENCE_CODE], [FITTING]),
  general('checkIssuer', 'invalid_assertion', [ISSUER_CODE]),
  general('checkIssuer', 'invalid_signature', [ISSUER_CODE], [FITTING]),
  general('checkExpiry', 'invalid_assertion', [EXPIRED_CODE]),
  general('checkExpiry', 'invalid_signature', [EXPIRED_CODE], [FITTING]),
  {
    id: 'expiry-long-ago-as-invalid-assertion',
    breaks: [EXPIRED_CODE],
    sentence: 'refuses as invalid_assertion what expired more than a day ago',
    rules: claimRule('checkExpiry', (claims, facts, original) =>
      Number(claims.exp) < facts.now - 86_400 ? 'invalid_assertion' : original(claims, facts),
    ),
  },
  general('checkEmailVerified', 'invalid_assertion', [EMAIL_CODE]),
  general('checkEmailVerified', 'invalid_request', [EMAIL_CODE], [FITTING]),
  general('checkSubject', 'invalid_request', [FALLBACK_CODE]),
  general('checkSubject', 'server_error', [FALLBACK_CODE], [LEFT_OPEN]),
  general('checkJti', 'replay_detected', [FALLBACK_CODE]),
  general('checkJti', 'invalid_request', [FALLBACK_CODE]),
  general('checkEmail', 'invalid_request', [FITTING]),
  signature(
    'signature-as-invalid-assertion',
    ['AGENT-ERR-INVALID-SIGNATURE-SIGNATURE'],
    'verifySignature',
    'invalid_assertion',
  ),
  signature(
    'signature-as-server-error',
    ['AGENT-ERR-INVALID-SIGNATURE-SIGNATURE', FITTING],
    'verifySignature',
    'server_error',
  ),
  signature(
    'algorithm-as-invalid-assertion',
    ['AGENT-ERR-INVALID-SIGNATURE-ALGORITHM'],
    'checkAlgorithm',
    'invalid_assertion',
  ),
  signature(
    'algorithm-as-invalid-request',
    ['AGENT-ERR-INVALID-SIGNATURE-ALGORITHM', FITTING],
    'checkAlgorithm',
    'invalid_request',
  ),
  {
    id: 'typ-as-audience-mismatch',
    breaks: [FITTING],
    sentence: 'refuses a wrong typ as audience_mismatch',
    rules: (original) => ({
      checkTyp: (header) => (original.checkTyp(header) ? 'audience_mismatch' : undefined),
    }),
  },
  {
    id: 'typ-as-invalid-request',
    breaks: [FITTING],
    sentence: 'refuses a wrong typ as invalid_request',
    rules: (original) => ({
      checkTyp: (header) => (original.checkTyp(header) ? 'invalid_request' : undefined),
    }),
  },
  {
    id: 'type-as-invalid-signature',
    breaks: [FITTING],
    sentence: 'refuses a wrong type as invalid_signature',
    rules: (original) => ({
      checkRequestType: (type) => (original.checkRequestType(type) ? 'invalid_signature' : undefined),
    }),
  },
  {
    id: 'unreadable-as-server-error',
    breaks: [FITTING],
    sentence: 'answers server_error to an assertion that it cannot parse',
    rules: (original) => ({
      readHeader: (assertion) => {
        try {
          return original.readHeader(assertion);
        } catch {
          throw new Error('unexpected token');
        }
      },
    }),
  },
  {
    id: 'missing-as-invalid-assertion',
    breaks: ['AGENT-ERR-INVALID-REQUEST-MISSING'],
    sentence: 'refuses a missing field as invalid_assertion',
    wrap: changeAnswers(
      ({ method, url, text }) => method === 'POST' && REGISTER.test(url.pathname) && lacksField(text),
      (response) => withBody(response, (body) => ({ ...(body as object), error: 'invalid_assertion' })),
    ),
    entails: ['AGENT-ERR-INVALID-ASSERTION-STATUS'],
  },
  {
    id: 'malformed-as-server-error',
    breaks: ['AGENT-ERR-INVALID-REQUEST-MALFORMED'],
    // A body in the form encoding is malformed JSON, too.
    entails: [LEFT_OPEN],
    sentence: 'answers server_error to malformed JSON',
    rules: () => ({ readBody: async (request) => JSON.parse(await request.text()) }),
  },
];

function lacksField(text: string): boolean {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    if (typeof body !== 'object' || Array.isArray(body)) return false;
    return ['type', 'assertion_type', 'assertion', 'requested_credential_type'].some(
      (name) => body[name] === undefined,
    );
  } catch {
    return false;
  }
}

export const errorDeviations: AgentDeviation[] = [...statuses, ...codes];
