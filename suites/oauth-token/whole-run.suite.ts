/** 2 Token response: every one of the run, whatever was asked. */
import { type AnswerForm, checkAllAnswers } from '../../lib/check/all-answers.ts';
import type { Exchange } from '../../lib/model/results.ts';
import { schemas } from '../../services/shipping/judging/schemas.ts';
import { TOKEN_RESPONSE_REQUIREMENTS } from '../../services/shipping/requirement-ids/field-requirements.ts';
import { check, type OAuthContext } from './suite.ts';

const FORMS: AnswerForm[] = [
  { method: 'POST', path: /\/api\/v1\/oauth\/token$/, status: 200, schema: 'TokenResponse' },
];

checkAllAnswers(check, TOKEN_RESPONSE_REQUIREMENTS, { schemas, forms: FORMS, again });

async function again({ oauth }: OAuthContext, { purpose, request: { body } }: Exchange) {
  const text = body?.text ?? '';
  const isJson = text.startsWith('{');
  const params = isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
  return oauth.post('token', params, isJson ? 'json' : 'form', `${purpose} again`);
}
