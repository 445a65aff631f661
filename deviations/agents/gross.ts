/** Obvious faults in many answers at once. The run must not be conformant, though many checks are blocked. */
import type { Handler } from '../../reference/kit/service.ts';
import { changeAnswers, withBody, withStatus } from '../kit/answers.ts';
import { sweeping } from '../kit/sweeping.ts';
import { type AgentDeviation, isRegistration } from './kit.ts';
import { REGISTER, SCRAPE } from './surface.ts';

/** Answers 500 to requests for which `concerns` holds, after the first `count` of them. */
const failingAfter =
  (count: number, concerns: (url: URL) => boolean) =>
  (next: Handler): Handler => {
    let seen = 0;
    return async (request) => {
      if (!concerns(new URL(request.url))) return next(request);
      seen += 1;
      return seen > count ? new Response('Internal Server Error', { status: 500 }) : next(request);
    };
  };

export const grossDeviations: AgentDeviation[] = [
  {
    id: 'gross-error-nested',
    breaks: ['AGENT-ERROR-CODE', 'AGENT-ERROR-DESCRIPTION'],
    sentence: 'puts the whole error body under error',
    rules: (original) => ({ errorBody: (code, errors) => ({ error: original.errorBody(code, errors) }) }),
  },
  {
    id: 'gross-errors-listed',
    breaks: ['AGENT-ERROR-CODE', 'AGENT-ERROR-DESCRIPTION'],
    sentence: 'answers errors as a list',
    rules: (original) => ({ errorBody: (code, errors) => ({ errors: [original.errorBody(code, errors)] }) }),
  },
  {
    id: 'gross-one-code',
    breaks: [
      'AGENT-ERR-INVALID-REQUEST-MALFORMED',
      'AGENT-ERR-INVALID-REQUEST-MISSING',
      'AGENT-ERR-UNSUPPORTED-CREDENTIAL-TYPE-CODE',
      'AGENT-ERR-INVALID-SIGNATURE-SIGNATURE',
      'AGENT-ERR-INVALID-SIGNATURE-ALGORITHM',
      'AGENT-ERR-AUDIENCE-MISMATCH-CODE',
      'AGENT-ERR-CREDENTIAL-EXPIRED-CODE',
      'AGENT-ERR-ISSUER-NOT-ENABLED-CODE',
      'AGENT-ERR-MISSING-VERIFIED-EMAIL-CODE',
      'AGENT-ERR-INVALID-ASSERTION-CODE',
      'AGENT-ERR-REPLAY-DETECTED-CODE',
      'AGENT-ERR-FITTING',
    ],
    entails: ['AGENT-ERR-FITTING'],
    sentence: 'answers every error as bad_request',
    rules: (original) => ({
      errorBody: (code, errors) => ({ ...original.errorBody(code, errors), error: 'bad_request' }),
    }),
  },
  {
    id: 'gross-successes-201',
    breaks: ['AGENT-PRM-STATUS', 'AGENT-ASM-STATUS', 'AGENT-REG-STATUS'],
    entails: ['AGENT-CHALLENGE-URL-LEADS', 'AGENT-PRM-AGENT-AUTH-LEADS'],
    sentence: 'answers every success with 201',
    wrap: changeAnswers(
      () => true,
      (response) => (response.status === 200 ? withStatus(response, 201) : response),
    ),
  },
  {
    id: 'gross-successes-in-data',
    breaks: ['AGENT-PRM-RESOURCE', 'AGENT-ASM-AGENT-AUTH'],
    entails: ['AGENT-PRM-*', 'AGENT-ASM-*', 'AGENT-REG-*', 'AGENT-CHALLENGE-URL-LEADS'],
    sentence: 'puts every success under data',
    wrap: changeAnswers(
      () => true,
      (response) => (response.ok ? withBody(response, (data) => ({ data })) : response),
    ),
  },
  {
    id: 'gross-ids-numbers',
    breaks: ['AGENT-REG-USER-ID', 'AGENT-REG-REGISTRATION-ID'],
    sentence: 'sends ids as numbers',
    wrap: changeAnswers(isRegistration, (response) =>
      response.ok
        ? withBody(response, (body) => ({
            ...(body as object),
            user_id: Math.floor(Math.random() * 2 ** 40),
            registration_id: Math.floor(Math.random() * 2 ** 40),
          }))
        : response,
    ),
  },
  {
    id: 'gross-key-a-number',
    breaks: ['AGENT-REG-API-KEY', 'AGENT-REG-CREDENTIAL'],
    sentence: 'sends keys as numbers',
    wrap: changeAnswers(isRegistration, (response) =>
      response.ok
        ? withBody(response, (body) => ({ ...(body as object), api_key: 123456789, credential: 123456789 }))
        : response,
    ),
  },
  {
    id: 'gross-refusals-crash',
    breaks: ['AGENT-ERROR-CODE', 'AGENT-ERROR-DESCRIPTION'],
    entails: ['AGENT-ERR-LEFT-OPEN'],
    sentence: 'breaks down at every registration that has to be refused, and answers 500 and plain text',
    wrap: changeAnswers(isRegistration, (response) =>
      response.ok ? response : new Response('Internal Server Error', { status: 500 }),
    ),
  },
  {
    id: 'gross-registrations-fail-after-four',
    breaks: ['AGENT-ERROR-CODE'],
    entails: ['AGENT-*'],
    sentence: 'answers registrations with 500 and plain text from the fifth on',
    wrap: failingAfter(4, (url) => REGISTER.test(url.pathname)),
  },
  {
    id: 'gross-scrape-without-a-key',
    breaks: ['AGENT-CHALLENGE-STATUS', 'AGENT-KEY-UNKNOWN'],
    entails: ['AGENT-CHALLENGE-*', 'AGENT-KEY-*'],
    sentence: 'never requires a key',
    wrap: (next) => async (request) =>
      SCRAPE.test(new URL(request.url).pathname)
        ? Response.json({ success: true, data: { markdown: '# Example' } })
        : next(request),
  },
  {
    id: 'gross-refusals-are-400',
    breaks: [
      'AGENT-ERR-INVALID-SIGNATURE-STATUS',
      'AGENT-ERR-AUDIENCE-MISMATCH-STATUS',
      'AGENT-ERR-CREDENTIAL-EXPIRED-STATUS',
      'AGENT-ERR-ISSUER-NOT-ENABLED-STATUS',
      'AGENT-ERR-MISSING-VERIFIED-EMAIL-STATUS',
      'AGENT-ERR-REPLAY-DETECTED-STATUS',
      'AGENT-ERR-INVALID-ASSERTION-STATUS',
    ],
    sentence: 'answers every refused registration with 400',
    wrap: changeAnswers(isRegistration, (response) => (response.ok ? response : withStatus(response, 400))),
  },
  {
    id: 'gross-refusals-are-200',
    breaks: ['AGENT-SIG-ALTERED', 'AGENT-REPLAY-SAME', 'AGENT-AUD-OTHER', 'AGENT-REPLAY-BURST-AT-MOST-ONE'],
    entails: ['AGENT-*'],
    sentence: 'answers every refused registration with 200 and the error in the body',
    wrap: changeAnswers(isRegistration, (response) => withStatus(response, 200)),
  },
  {
    id: 'gross-body-before-key',
    breaks: ['AGENT-CHALLENGE-STATUS'],
    sentence: 'validates the body of a scrape call before it checks the key',
    wrap: (next) => async (request) => {
      if (!SCRAPE.test(new URL(request.url).pathname)) return next(request);
      const text = await request.clone().text();
      return text.includes('"url":"http')
        ? next(request)
        : Response.json({ success: false, error: 'The body has no url.' }, { status: 400 });
    },
  },
  ...sweeping({
    'all-refusals-500': ['AGENT-CHALLENGE-STATUS', 'AGENT-KEY-UNKNOWN'],
    'all-refusals-a-page': ['AGENT-ERROR-CODE', 'AGENT-ERROR-DESCRIPTION'],
    'all-texts-html-escaped': ['AGENT-PRM-RESOURCE', 'AGENT-ASM-REGISTER-URI'],
    'all-null-left-out': ['AGENT-ASM-EVENTS', 'AGENT-REG-CREDENTIAL-EXPIRES'],
    'all-bodies-stale': ['AGENT-PRM-RESOURCE', 'AGENT-ASM-AGENT-AUTH'],
    'all-typed-html': ['AGENT-ASM-CONTENT-TYPE', 'AGENT-PRM-CONTENT-TYPE', 'AGENT-REG-CONTENT-TYPE'],
    'every-id-another': ['AGENT-USER-SAME-ID', 'AGENT-REG-REGISTRATION-ID'],
    'every-write-405': ['AGENT-REG-STATUS'],
    'every-get-404': ['AGENT-ASM-STATUS', 'AGENT-PRM-STATUS'],
    'every-write-unstored': ['AGENT-KEY-OPENS'],
  }),
];
