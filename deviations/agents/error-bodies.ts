/** The body and the headers of refusals (section 2). */
import type { AgentRules } from '../../reference/agents/index.ts';
import { errorCodes } from '../../schemas/agents/index.ts';
import { changeAnswers, withBody, withText } from '../kit/answers.ts';
import { type AgentDeviation, changeRefusals } from './kit.ts';
import { REGISTER } from './surface.ts';

const ALL = [...errorCodes];
const BODY = ['AGENT-ERROR-CODE', 'AGENT-ERROR-DESCRIPTION'];

export const errorBodyDeviations: AgentDeviation[] = [
  {
    id: 'error-carries-a-key',
    breaks: ['AGENT-EMAIL-VERIFIED-FALSE'],
    entails: ['*'],
    sentence: 'tells, among the details of the refusal of an unverified email, the key that it has issued',
    wrap: changeRefusals(['missing_verified_email'], (response) =>
      withBody(response, (body) => ({
        ...(body as object),
        details: { api_key: 'key_0123456789abcdef0123456789abcdef' },
      })),
    ),
  },
  {
    id: 'error-in-message',
    breaks: ['AGENT-ERROR-DESCRIPTION'],
    sentence: 'puts the error text into message instead of error_description',
    rules: (original: AgentRules) => ({
      errorBody: (code, errors) => {
        const { error_description: message, ...rest } = original.errorBody(code, errors);
        return { ...rest, message };
      },
    }),
  },
  {
    id: 'error-is-an-object',
    breaks: ['AGENT-ERROR-CODE'],
    sentence: 'puts error code and text into a nested object',
    rules: (original: AgentRules) => ({
      errorBody: (code, errors) => {
        const { error, error_description } = original.errorBody(code, errors);
        return { error: { code: error, message: error_description }, error_description };
      },
    }),
  },
  {
    id: 'error-in-envelope',
    breaks: BODY,
    sentence: 'wraps errors in an envelope',
    rules: (original: AgentRules) => ({
      errorBody: (code, errors) => ({ success: false, data: original.errorBody(code, errors) }),
    }),
  },
  {
    id: 'error-page-for-malformed',
    breaks: BODY,
    entails: ['AGENT-ERR-INVALID-REQUEST-MALFORMED'],
    sentence: 'lets the framework answer malformed JSON with an HTML page',
    wrap: changeAnswers(
      ({ method, url, text }) => method === 'POST' && REGISTER.test(url.pathname) && !parses(text),
      (response) => withText(response, '<h1>Bad Request</h1>', 'text/html'),
    ),
  },
  {
    id: 'error-descriptions-listed',
    breaks: ['AGENT-ERROR-DESCRIPTION'],
    sentence: 'lists the missing fields in an array where there are several',
    wrap: changeAnswers(
      ({ method, url, text }) => method === 'POST' && REGISTER.test(url.pathname) && text === '{}',
      (response) =>
        withText(
          response,
          '{"error":"invalid_request","error_description":["type is missing","assertion is missing"]}',
          'application/json',
        ),
    ),
  },
  {
    id: 'error-replay-without-description',
    breaks: ['AGENT-ERROR-DESCRIPTION'],
    sentence: 'answers a replay with the error code and no description',
    wrap: changeRefusals(['replay_detected'], (response) =>
      withText(response, '{"error":"replay_detected"}', 'application/json'),
    ),
  },
  {
    id: 'error-without-body-for-replay-and-signature',
    breaks: BODY,
    sentence: 'answers a bad signature with an empty body',
    wrap: changeRefusals(['invalid_signature'], (response) => withText(response, '')),
  },
  {
    id: 'error-text-only',
    breaks: BODY,
    sentence: 'answers refusals as plain text',
    wrap: changeRefusals(ALL, async (response) =>
      withText(response, ((await response.json()) as { error: string }).error, 'text/plain'),
    ),
  },
  {
    id: 'error-without-challenge',
    breaks: ['AGENT-ERROR-CHALLENGE'],
    sentence: 'answers registrations with 401 and no challenge',
    rules: () => ({ errorHeaders: () => ({ 'cache-control': 'no-store' }) }),
  },
  {
    id: 'error-200',
    breaks: [
      'AGENT-ERR-REPLAY-DETECTED-STATUS',
      'AGENT-REPLAY-SAME',
      'AGENT-REPLAY-OTHER-USER',
      'AGENT-REPLAY-RESIGNED',
      'AGENT-REPLAY-LATER',
    ],
    entails: ['AGENT-REPLAY-BURST-AT-MOST-ONE'],
    sentence: 'answers a replay with 200 and an error in the body',
    rules: (original) => ({
      errors: { ...original.errors, replay_detected: { ...original.errors.replay_detected, status: 200 } },
    }),
  },
];

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
