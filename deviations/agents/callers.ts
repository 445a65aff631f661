/** Answers that depend on other callers, or on headers that should not matter (sections 2, 4 and 5). */
import type { JsonObject } from '../../reference/agents/index.ts';
import type { Handler } from '../../reference/kit/service.ts';
import { changeAnswers, withBody, withHeaders } from '../kit/answers.ts';
import type { AnsweredRequest } from '../types.ts';
import { type AgentDeviation, assertionIn, unverified } from './kit.ts';
import { REGISTER, RESOURCE_METADATA, SCRAPE, SERVER_METADATA } from './surface.ts';

/** Changes the answers to calls without a key for which `is` holds, such as those with a certain header. */
const unauthorized = (
  id: string,
  breaks: string,
  sentence: string,
  is: (request: AnsweredRequest) => boolean,
  change: (response: Response) => Response | Promise<Response>,
): AgentDeviation => ({
  id,
  breaks: [breaks],
  sentence,
  wrap: changeAnswers(
    (request) => SCRAPE.test(request.url.pathname) && !request.headers.has('authorization') && is(request),
    change,
  ),
});

const isBrowser = ({ headers }: AnsweredRequest) => (headers.get('accept') ?? '').startsWith('text/html');

/** Caches a document with the host that one reader named, and serves it to every later reader. */
const remembering = (
  id: string,
  breaks: string,
  path: RegExp,
  change: (body: JsonObject, host: string) => JsonObject,
) => ({
  id,
  breaks: [breaks],
  sentence: 'caches a document with the host that the first reader named in X-Forwarded-Host',
  wrap: (next: Handler): Handler => {
    let host: string | undefined;
    return async (request) => {
      if (!path.test(new URL(request.url).pathname)) return next(request);
      host ??= request.headers.get('x-forwarded-host') ?? undefined;
      const answer = await next(request);
      return host === undefined
        ? answer
        : withBody(answer, (body) => change(body as JsonObject, host as string));
    };
  },
});

const onHost = (url: unknown, host: string) => Object.assign(new URL(String(url)), { host }).href;

/** Gives a request that arrives while another one is under way the answer to that one. */
const merging =
  (concerns: (request: Request) => boolean) =>
  (next: Handler): Handler => {
    let underWay: Promise<Response> | undefined;
    return async (request) => {
      if (!concerns(request)) return next(request);
      if (underWay) return (await underWay).clone();
      underWay = new Promise((resolve) => setTimeout(resolve, 5)).then(() => next(request));
      try {
        return (await underWay).clone();
      } finally {
        underWay = undefined;
      }
    };
  };

const pathOf = (request: Request) => new URL(request.url).pathname;

/** Gives a registration that arrives while one of a user who shares with its user is under way the key of that one. */
const oneKeyAtOnce =
  (shares: (user: string, other: string) => boolean) =>
  (next: Handler): Handler => {
    const underWay = new Map<string, Promise<Response>>();
    return async (request) => {
      if (!REGISTER.test(pathOf(request))) return next(request);
      const user = String(unverified(assertionIn(await request.clone().text()))?.sub);
      const [, earlier] = [...underWay].find(([other]) => shares(user, other)) ?? [];
      if (earlier) {
        const given = (await (await earlier).clone().json()) as JsonObject;
        const answer = await next(request);
        if (!answer.ok || given.api_key === undefined) return answer;
        const { api_key, credential } = given;
        return withBody(answer, (body) => ({ ...(body as JsonObject), api_key, credential }));
      }
      const own = new Promise((resolve) => setTimeout(resolve, 5)).then(() => next(request));
      underWay.set(user, own);
      try {
        return (await own).clone();
      } finally {
        underWay.delete(user);
      }
    };
  };

export const callerDeviations: AgentDeviation[] = [
  unauthorized(
    'challenge-dropped-with-origin',
    'AGENT-CHALLENGE-HEADER',
    'loses the challenge where the layer for CORS rewrites the headers',
    ({ headers }) => headers.has('origin'),
    (response) => withHeaders(response, { 'www-authenticate': undefined }),
  ),
  unauthorized(
    'challenge-for-browsers-is-a-login',
    'AGENT-CHALLENGE-STATUS',
    'redirects browsers to a login page',
    isBrowser,
    () => new Response(null, { status: 302, headers: { location: '/login' } }),
  ),
  unauthorized(
    'challenge-for-browsers-is-bare',
    'AGENT-CHALLENGE-RESOURCE-METADATA',
    'leaves the metadata out of the challenge for browsers',
    isBrowser,
    (response) => withHeaders(response, { 'www-authenticate': 'Bearer' }),
  ),
  {
    id: 'resource-name-in-one-language',
    breaks: ['AGENT-PRM-RESOURCE-NAME'],
    sentence: 'has no resource_name where another language than English is preferred',
    wrap: changeAnswers(
      ({ url, headers }) =>
        RESOURCE_METADATA.test(url.pathname) && headers.get('accept-language')?.startsWith('fi') === true,
      (response) => withBody(response, (body) => ({ ...(body as JsonObject), resource_name: null })),
    ),
  },
  {
    id: 'skill-in-one-language',
    breaks: ['AGENT-ASM-SKILL'],
    sentence: 'names the skill by its path where another language than English is preferred',
    wrap: changeAnswers(
      ({ url, headers }) =>
        SERVER_METADATA.test(url.pathname) && headers.get('accept-language')?.startsWith('fi') === true,
      (response) =>
        withBody(response, (body) => {
          const document = body as { agent_auth: JsonObject };
          return { ...document, agent_auth: { ...document.agent_auth, skill: '/fi/auth.md' } };
        }),
    ),
  },
  remembering(
    'agent-auth-uri-of-another-reader',
    'AGENT-PRM-AGENT-AUTH-LEADS',
    RESOURCE_METADATA,
    (body, host) => ({
      ...body,
      agent_auth_uri: onHost(body.agent_auth_uri, host),
    }),
  ),
  remembering(
    'register-uri-of-another-reader',
    'AGENT-ASM-REGISTER-URI-LEADS',
    SERVER_METADATA,
    (body, host) => {
      const block = body.agent_auth as JsonObject;
      return { ...body, agent_auth: { ...block, register_uri: onHost(block.register_uri, host) } };
    },
  ),
  {
    id: 'documents-merged-at-once',
    breaks: ['AGENT-ASM-AGENT-AUTH'],
    // Which of the two is asked for first depends on the order of the checks.
    entails: ['AGENT-ASM-*', 'AGENT-PRM-*'],
    sentence:
      'answers readers of the two documents who come at the same time with the one that was asked for first',
    wrap: merging((request) => pathOf(request).startsWith('/.well-known/')),
  },
  {
    id: 'calls-merged-at-once',
    breaks: ['AGENT-KEY-UNKNOWN', 'AGENT-CHALLENGE-STATUS'],
    sentence: 'answers calls that come at the same time as the first of them, whatever their keys',
    wrap: merging((request) => SCRAPE.test(pathOf(request))),
  },
  {
    id: 'keys-merged-at-once',
    breaks: ['AGENT-USER-ANOTHER-KEY'],
    sentence: 'gives registrations of one user that come at the same time one key',
    wrap: oneKeyAtOnce((user, other) => user === other),
  },
  {
    id: 'keys-mixed-up-at-once',
    breaks: ['AGENT-USERS-TWO-KEYS'],
    sentence: 'gives different users who register at the same time one key',
    wrap: oneKeyAtOnce((user, other) => user !== other),
  },
  ...(
    [
      ['encoded', 'decodes', (path) => decodeURIComponent(path)],
      ['in-capitals', 'puts in lower case', (path) => path.toLowerCase()],
      ['with-a-slash', 'takes a slash off', (path) => path.replace(/\/$/, '')],
    ] as [id: string, does: string, read: (path: string) => string][]
  ).map(
    ([id, does, read]): AgentDeviation => ({
      id: `path-${id}-is-open`,
      breaks: ['AGENT-CHALLENGE-SPELLINGS'],
      sentence: `guards the path as it comes, and ${does} it for the router`,
      wrap: (next) => async (request) => {
        const path = pathOf(request);
        const isOpen = !SCRAPE.test(path) && SCRAPE.test(read(path));
        return isOpen && request.method === 'POST' ? Response.json({ success: true }) : next(request);
      },
    }),
  ),
];
