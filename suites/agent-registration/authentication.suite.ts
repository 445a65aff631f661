/** 4 Scrape call and 5 Authentication: the API accepts an issued key, and nothing else. */

import { isJsonObject } from '../../lib/model/json.ts';
import { findBearer } from '../../services/agents/api/challenge.ts';
import {
  alterBeginning,
  alterEnd,
  alterLast,
  isToken,
  otherCase,
} from '../../services/agents/api/near-keys.ts';
import { keyLag, SCRAPE_PATH, type ScrapeCall, scrapeBody } from '../../services/agents/api/scrape.ts';
import { alterMiddle } from '../../services/agents/idp/compact.ts';
import { check } from './suite.ts';

const write = { effects: 'write' } as const;
const HEADER = 'header:WWW-Authenticate';

check('AGENT-KEY-OPENS', write, async ({ apiAccess, session, expect, undecided }) => {
  const answer = await apiAccess.open();
  const { ms } = keyLag(session);
  if (ms !== undefined)
    undecided(
      `the API refused a key right after its issue, and let it in ${ms / 1_000} s later: where keys take a while to become known, say so with \`settle: ${Math.ceil(ms / 1_000)}\` under \`run\``,
    );
  await apiAccess.expectKeyAccepted(expect, answer, 'a key that was just issued is answered 401');
  await apiAccess.requireUnknownKeyRefused();
});

check('AGENT-KEY-OPENS', { ...write, case: 'another-user' }, async (context) => {
  const { registrations, recovery, bursts, apiAccess, expect, skip, block, target } = context;
  if (registrations.users.fixed)
    skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
  await apiAccess.requireKeyAccepted();
  const { key } = await recovery.requireRecovered();
  if (key === undefined) return block('the registration of another user has no key', 'AGENT-REG-API-KEY');
  const { afterReplay } = await registrations.firstKeyLater();
  if (await apiAccess.isShut(afterReplay))
    block('a replay ends keys, and assertions have been replayed', 'AGENT-KEY-STAYS');
  const answer = await apiAccess.newly(key);
  // The user may have got another key at the same time, and either may be the second one to the service.
  const { other } = await bursts.small();
  if (other?.key !== undefined && other.key !== key && (await apiAccess.isShut(answer)))
    if (!(await apiAccess.isShut(await apiAccess.newly(other.key))))
      block('of two keys of one user, the API accepts the other one', 'AGENT-USER-SECOND-KEY-OPENS');
  await apiAccess.expectKeyAccepted(expect, answer, 'the key of another user is answered 401');
  await apiAccess.requireUnknownKeyRefused();
});

check('AGENT-SCRAPE-PATH', write, async ({ apiAccess, discovery, expect, skip, target }) => {
  const { path = SCRAPE_PATH, method = 'POST' } = discovery.config.scrape ?? {};
  if (path !== SCRAPE_PATH || method !== 'POST')
    skip(
      `the configuration names another call, ${method} ${path}: to have POST ${SCRAPE_PATH} tried, remove \`targets.${target.name}.agents.scrape\``,
    );
  const { key } = await apiAccess.openingKey();
  const body = { json: scrapeBody(discovery.config) };
  const answer = await apiAccess.callApi({
    purpose: 'call POST /v2/scrape with a good key',
    key,
    good: true,
    method: 'POST',
    path: SCRAPE_PATH,
    body,
  });
  const served = answer.status !== 404 && answer.status !== 405;
  expect.that(served, `POST /v2/scrape is answered ${answer.status} with a good key`, {
    answer,
    at: 'status',
    expected: 'neither 404 nor 405',
    found: String(answer.status),
  });
});

check('AGENT-KEY-UNKNOWN', async ({ apiAccess, expect }) => {
  apiAccess.expectKeyRefused(expect, await apiAccess.unknown(), undefined, 'the key was never issued');
});

check('AGENT-KEY-UNKNOWN-STATUS', async ({ apiAccess, expect, block }) => {
  const answer = await apiAccess.unknown();
  if (answer.ok) block('an unknown key is accepted by the API', 'AGENT-KEY-UNKNOWN');
  expect.status(answer, 401);
});

/** A key that is almost the issued one. */
interface NearKey {
  id: string;
  case?: string;
  why: string;
  /** Returns `undefined` where that cannot be tried with this key. */
  alter: (key: string) => string | undefined;
}

const NEAR_KEYS: NearKey[] = [
  { id: 'AGENT-KEY-ALTERED', why: 'one character of the key was changed', alter: alterMiddle },
  {
    id: 'AGENT-KEY-ALTERED',
    case: 'beginning',
    why: 'a character near its beginning was changed',
    alter: alterBeginning,
  },
  { id: 'AGENT-KEY-ALTERED', case: 'end', why: 'a character near its end was changed', alter: alterEnd },
  {
    id: 'AGENT-KEY-TRUNCATED',
    why: 'the last characters of the key are missing',
    alter: (key) => key.slice(0, -4),
  },
  {
    id: 'AGENT-KEY-TRUNCATED',
    case: 'half',
    why: 'the second half of the key is missing',
    alter: (key) => key.slice(0, Math.ceil(key.length / 2)),
  },
  {
    id: 'AGENT-KEY-EXTENDED',
    why: 'the key has more characters behind it',
    alter: (key) => `${key}0a1b2c3d`,
  },
  {
    id: 'AGENT-KEY-EXTENDED',
    case: 'in-front',
    why: 'the key has more characters in front of it',
    alter: (key) => `0a1b2c3d${key}`,
  },
  {
    id: 'AGENT-KEY-ALTERED',
    case: 'last',
    why: 'the last character of the key was changed',
    alter: alterLast,
  },
  {
    id: 'AGENT-KEY-TRUNCATED',
    case: 'last',
    why: 'the last character of the key is missing',
    // Padding may be left out.
    alter: (key) => (key.endsWith('=') ? undefined : key.slice(0, -1)),
  },
  { id: 'AGENT-KEY-CASE', why: 'the letters of the key are in the other case', alter: otherCase },
];

for (const { id, case: name, why, alter } of NEAR_KEYS) {
  check(id, { ...write, ...(name !== undefined && { case: name }) }, async (context) => {
    const { apiAccess, session, expect, skip } = context;
    const { key, status } = await apiAccess.openingKey();
    const near = alter(key);
    if (near === undefined)
      return skip('that is not tried with a key of this form, which may be decoded before it is compared');
    const altered = session.secrets.derive(near, key);
    if (altered === '' || altered === key) skip('the key has too few characters to be altered in this way');
    const answer = await apiAccess.callApi({ purpose: `call the API although ${why}`, key: altered });
    apiAccess.expectNearKeyRefused(expect, answer, status);
  });
}

check('AGENT-KEY-EMPTY', write, async ({ apiAccess, expect, skip }) => {
  const { status } = await apiAccess.openingKey();
  const answer = await apiAccess.callApi({
    purpose: 'call the API with the scheme Bearer and no key',
    headers: { authorization: 'Bearer' },
  });
  // A header without a key is malformed as well, and may be refused as such.
  const told = answer.status === 401 || answer.status !== status || answer.ok;
  if (!told) skip(`a call with a good key is answered ${status} as well, so this call shows nothing`);
  const refused = !answer.ok && answer.status < 500;
  expect.that(refused, `a call with Bearer and no key is answered ${answer.status}`, {
    answer,
    at: 'status',
    expected: '401, or 400 as malformed',
    found: String(answer.status),
  });
});

check('AGENT-KEY-OTHER-ID', write, async ({ apiAccess, registrations, expect, block }) => {
  const { status } = await apiAccess.openingKey();
  const { first, second } = await registrations.again();
  const { answer: made, assertion } = second.answer.ok ? second : first;
  const ids = ['/registration_id', '/user_id'].map((at) => made.at(at));
  const texts = ids.filter((id): id is string => typeof id === 'string' && id !== '');
  if (texts.length === 0) block('the registration response has no ids', 'AGENT-REG-REGISTRATION-ID');
  // A string that is not a token (RFC 6750 2.1) may be refused as malformed, or cannot be sent at all.
  const { jti, sub } = assertion.claims;
  const tokens = [...texts, String(jti), String(sub)].filter(isToken);
  for (const key of tokens) {
    const answer = await apiAccess.callApi({ purpose: 'call the API with an id in place of the key', key });
    apiAccess.expectNearKeyRefused(expect, answer, status, 'an id of the registration is not a key');
  }
});

check('AGENT-KEY-ASSERTION', write, async ({ apiAccess, registrations, expect }) => {
  const { status } = await apiAccess.openingKey();
  const { assertion } = await registrations.twin();
  const answer = await apiAccess.callApi({
    purpose: 'call the API with the redeemed assertion',
    key: assertion.token,
  });
  apiAccess.expectNearKeyRefused(expect, answer, status, 'an assertion is not a key');
});

/** Places other than the header in which a key could be sent, with the names of its parameter there. */
const ELSEWHERE: Record<
  string,
  { place: string; names: string[]; put: (name: string, key: string, json: unknown) => Partial<ScrapeCall> }
> = {
  'AGENT-KEY-IN-QUERY': {
    place: 'in the query',
    names: ['access_token', 'api_key'],
    put: (name, key) => ({ query: { [name]: key } }),
  },
  'AGENT-KEY-IN-FORM': {
    place: 'in a form',
    names: ['access_token'],
    put: (name, key) => ({ method: 'POST', body: { form: { url: 'https://example.com', [name]: key } } }),
  },
  'AGENT-KEY-IN-JSON': {
    place: 'in the JSON body',
    names: ['access_token', 'api_key'],
    put: (name, key, json) => ({
      method: 'POST',
      body: { json: { ...(isJsonObject(json) ? json : {}), [name]: key } },
    }),
  },
  'AGENT-KEY-IN-COOKIE': {
    place: 'in a cookie',
    names: ['access_token', 'api_key', 'token'],
    put: (name, key) => ({ headers: { cookie: `${name}=${key}` } }),
  },
};

for (const [id, { place, names, put }] of Object.entries(ELSEWHERE)) {
  check(id, write, async ({ apiAccess, discovery, expect, block }) => {
    const { key } = await apiAccess.openingKey();
    const json = scrapeBody(discovery.config);
    for (const name of names) {
      const shut = await apiAccess.callApi({
        purpose: `call the API with the key as ${name} ${place}`,
        ...put(name, key, json),
      });
      if (shut.status === 401) continue;
      // The call with a key is compared, since a service may refuse such a call before it looks for a key.
      const open = await apiAccess.callApi({
        ...{ purpose: 'the same call with the key in the header', key, good: true },
        ...put(name, key, json),
      });
      const purpose = `the same call with a key that was never issued as ${name}`;
      const without = await apiAccess.callApi({ purpose, ...put(name, await apiAccess.invented(), json) });
      if (without.ok && (await discovery.challenge()).answer.ok)
        block('the same call without a key is a success', 'AGENT-CHALLENGE-STATUS');
      const anything = `a call that carries anything as ${name} ${place}, and no key, is a success`;
      expect.that(!without.ok, anything, { answer: without, at: 'status', expected: '401' });
      const refused = !shut.ok && (shut.status === without.status || shut.status !== open.status);
      expect.that(refused, `the key as ${name} ${place} is accepted: answered ${shut.status}`, {
        answer: shut,
        at: 'status',
        expected: `as without a key, ${without.status}`,
        found: String(shut.status),
      });
    }
  });
}

check('AGENT-KEY-UNKNOWN-CHALLENGE', async ({ apiAccess, expect, block }) => {
  const answer = await apiAccess.unknown();
  if (answer.status !== 401) block(`an unknown key is answered ${answer.status}`, 'AGENT-KEY-UNKNOWN-STATUS');
  const { bearer } = findBearer(answer.header('www-authenticate'));
  expect.that(bearer, 'the 401 for an unknown key has no Bearer challenge', { answer, at: HEADER });
});

check('AGENT-KEY-INVALID-TOKEN', async ({ apiAccess, expect, block }) => {
  const answer = await apiAccess.unknown();
  if (answer.status !== 401) block(`an unknown key is answered ${answer.status}`, 'AGENT-KEY-UNKNOWN-STATUS');
  const { error } = findBearer(answer.header('www-authenticate'));
  const where = { answer, at: HEADER, expected: 'error="invalid_token"', found: error ?? 'nothing' };
  expect.that(
    error === 'invalid_token',
    'the challenge for an unknown key does not say invalid_token',
    where,
  );
});

check('AGENT-KEY-SCHEME-CASE', write, async ({ apiAccess, expect }) => {
  const { key } = await apiAccess.openingKey();
  const headers = { authorization: `bearer ${key}` };
  const purpose = 'call the API with the scheme in lower case';
  const answer = await apiAccess.callApi({ purpose, headers, good: true });
  expect.that(answer.status !== 401, 'a good key after `bearer` is answered 401', { answer, at: 'status' });
});
