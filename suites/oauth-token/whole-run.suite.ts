/** 2 and 4.7 to 4.8: every token response and revocation of the run, whatever was asked: its form and its status. */
import { type AnswerForm, type Asked, checkAllAnswers } from '../../lib/check/all-answers.ts';
import type { Exchange } from '../../lib/model/results.ts';
import { schemas } from '../../services/shipping/judging/schemas.ts';
import { TOKEN_RESPONSE_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import { check, type OAuthContext } from './suite.ts';

/** Returns the parameters of a request, as a form or as JSON. Throws where the body is neither. */
function parametersIn(body: string): { params: Record<string, string>; encoding: 'form' | 'json' } {
  if (body.startsWith('{')) return { params: JSON.parse(body), encoding: 'json' };
  return { params: Object.fromEntries(new URLSearchParams(body)), encoding: 'form' };
}

/** Returns the parameters of a request; none where they cannot be read. */
function paramsIn({ body }: Asked): Record<string, string> {
  try {
    return parametersIn(body).params;
  } catch {
    return {};
  }
}

/** Whether the credentials are right. What is a success without them violates another requirement. */
function isOfClient(asked: Asked): boolean {
  const { client_id, client_secret } = paramsIn(asked);
  const config = asked.target?.shipping;
  return (
    config === undefined ||
    [config, config.secondClient].some(
      (client) => client?.clientId === client_id && client?.clientSecret === client_secret,
    )
  );
}

const FORMS: AnswerForm[] = [
  {
    method: 'POST',
    path: /\/api\/v1\/oauth\/token$/,
    status: 200,
    schema: 'TokenResponse',
    when: isOfClient,
    success: (asked) =>
      paramsIn(asked).grant_type === 'refresh_token' ? 'TOKEN-REFRESH-STATUS' : 'TOKEN-ISSUE-STATUS',
  },
  {
    method: 'POST',
    path: /\/api\/v1\/oauth\/revoke$/,
    status: 200,
    when: isOfClient,
    success: () => 'TOKEN-REVOKE-STATUS',
  },
];

const STATUSES = ['TOKEN-ISSUE-STATUS', 'TOKEN-REFRESH-STATUS', 'TOKEN-REVOKE-STATUS'];

checkAllAnswers(
  check,
  { fields: TOKEN_RESPONSE_REQUIREMENTS, statuses: STATUSES },
  { schemas, forms: FORMS, again },
);

async function again({ oauth }: OAuthContext, { purpose, request: { url, body } }: Exchange) {
  const { params, encoding } = parametersIn(body?.text ?? '');
  return oauth.post(url.endsWith('/token') ? 'token' : 'revoke', params, encoding, `${purpose} again`);
}
