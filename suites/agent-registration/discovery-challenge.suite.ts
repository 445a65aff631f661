/** 4 Discovery, step 1: the challenge of a call without a key, and where it leads. */

import type { Answer } from '../../lib/http/answer.ts';
import type { Body } from '../../lib/http/body.ts';
import { Blocked } from '../../lib/model/verdict.ts';
import { findBearer } from '../../services/agents/api/challenge.ts';
import { SCRAPE_PATH, scrape, spellingsOf } from '../../services/agents/api/scrape.ts';
import { isHttpUrl } from '../../services/agents/fixtures/discovery.ts';
import { isResourceMetadata } from '../../services/agents/judging/document-kinds.ts';
import { check } from './suite.ts';

const HEADER = 'header:WWW-Authenticate';

check('AGENT-CHALLENGE-STATUS', async ({ discovery, expect }) => {
  expect.status((await discovery.challenge()).answer, 401);
});

/**
 * Bodies that the scrape call hardly expects: without a key they are answered 401 all the same. Those that a
 * parser in front of everything may take for malformed (some take nothing but objects and arrays) may be
 * refused as such.
 */
const ODD_BODIES: Record<string, Body & { mayBeMalformed?: true }> = {
  'with nothing in the body': { json: {} },
  'with a JSON array': { json: [] },
  'with null as the body': { json: null, mayBeMalformed: true },
  'with a body that is not JSON': { raw: '{"url": ', type: 'application/json', mayBeMalformed: true },
  // Sent as JSON, since another media type may be refused first (415).
  'with an empty body': { raw: '', type: 'application/json', mayBeMalformed: true },
};
const CHALLENGE = ['AGENT-CHALLENGE-STATUS', 'AGENT-CHALLENGE-HEADER', 'AGENT-CHALLENGE-RESOURCE-METADATA'];

check(CHALLENGE, { case: 'odd-bodies' }, async ({ session, discovery, expect, skip, block }) => {
  const method = discovery.config.scrape?.method ?? 'POST';
  if (method === 'GET' || method === 'HEAD') skip(`the configured call is a ${method}, which has no body`);
  let [refused, challenged] = [false, false];
  for (const [name, { mayBeMalformed, ...body }] of Object.entries(ODD_BODIES)) {
    const purpose = `call the API without a key and ${name}`;
    const answer = await scrape(session, { purpose, body });
    if (mayBeMalformed && answer.status === 400) continue;
    const { bearer, metadata } = findBearer(answer.header('www-authenticate'));
    expect.soft('AGENT-CHALLENGE-STATUS', (its) => its.status(answer, 401));
    if (answer.status !== 401) continue;
    refused = true;
    const where = { answer, at: HEADER };
    const missing = `${purpose}: there is no Bearer challenge`;
    expect.soft('AGENT-CHALLENGE-HEADER', (its) => its.that(bearer, missing, where));
    if (!bearer) continue;
    challenged = true;
    const nameless = `${purpose}: the challenge does not name the metadata`;
    expect.soft('AGENT-CHALLENGE-RESOURCE-METADATA', (its) => its.that(isHttpUrl(metadata), nameless, where));
  }
  if (!refused) block('none of these calls is answered 401', 'AGENT-CHALLENGE-STATUS');
  if (!challenged) block('there is no Bearer challenge', 'AGENT-CHALLENGE-HEADER');
});

/**
 * Headers that browsers send. A caller without a key has to be told where to register, whatever else it
 * sends.
 */
const CALLERS: Record<string, { headers: Record<string, string>; refusedOtherwise?: number }> = {
  // A service may refuse an origin that it does not allow.
  'from a page of another origin': {
    headers: { origin: 'https://conformance.invalid' },
    refusedOtherwise: 403,
  },
  'as a browser does': {
    headers: {
      accept: 'text/html, */*;q=0.1',
      'accept-language': 'fi, *;q=0.1',
      cookie: 'session=conformance',
    },
  },
};

check(CHALLENGE, { case: 'callers' }, async ({ session, discovery, expect, skip }) => {
  await discovery.requireChallenge();
  let looked = false;
  for (const [name, { headers, refusedOtherwise }] of Object.entries(CALLERS)) {
    const purpose = `call the API without a key, ${name}`;
    const answer = await scrape(session, { purpose, headers });
    if (answer.status === refusedOtherwise) continue;
    looked = true;
    expect.soft('AGENT-CHALLENGE-STATUS', (its) => its.status(answer, 401));
    if (answer.status !== 401) continue;
    const { bearer, metadata } = findBearer(answer.header('www-authenticate'));
    const where = { answer, at: HEADER };
    const missing = `${purpose}: there is no Bearer challenge`;
    expect.soft('AGENT-CHALLENGE-HEADER', (its) => its.that(bearer, missing, where));
    const nameless = `${purpose}: the challenge does not name the metadata`;
    if (bearer)
      expect.soft('AGENT-CHALLENGE-RESOURCE-METADATA', (its) =>
        its.that(isHttpUrl(metadata), nameless, where),
      );
  }
  if (!looked) skip('all of these calls are refused for their origin');
});

/** Headers by which a service could take a caller for one of its own, or for a caller of another path. */
const OF_PROXIES: Record<string, Record<string, string>> = {
  'as if it came from the service itself': { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' },
  'as if it were for the metadata': {
    'x-original-url': '/.well-known/oauth-protected-resource',
    'x-rewrite-url': '/.well-known/oauth-protected-resource',
  },
};

check('AGENT-CHALLENGE-STATUS', { case: 'headers-of-proxies' }, async ({ session, discovery, expect }) => {
  await discovery.requireChallenge();
  for (const [name, headers] of Object.entries(OF_PROXIES)) {
    const answer = await scrape(session, { purpose: `call the API without a key, ${name}`, headers });
    // A gateway may really lead to the metadata, which is public.
    if (!isResourceMetadata(answer)) expect.refused(answer, 'the call carries no key');
  }
});

check('AGENT-CHALLENGE-STATUS', { case: 'by-get' }, async ({ session, discovery, expect, skip }) => {
  await discovery.requireChallenge();
  const { method = 'POST', path = SCRAPE_PATH } = discovery.config.scrape ?? {};
  if (method === 'GET') skip('the configured call is a GET');
  const get = (what: string, at: string) =>
    scrape(session, { purpose: `GET ${what} without a key`, method: 'GET', path: at });
  const answer = await get('the path of the scrape call', path);
  const isPage = /^text\/html/i.test(answer.header('content-type')[0] ?? '');
  if (answer.ok && (isPage || (await get('an unknown path of the API', '/v2/conformance-unknown')).ok))
    skip('a page is served there');
  expect.refused(answer, 'the call carries no key');
});

const ODD_CALLS = {
  'without a key, with a JSON array': { body: { json: [] } },
  'without a key, as a browser does': { headers: CALLERS['as a browser does']!.headers },
};

check(
  'AGENT-CHALLENGE-URL-LEADS',
  { case: 'odd-calls' },
  async ({ session, discovery, apiAccess, expect, skip, block }) => {
    await discovery.requireChallenge();
    if (!isResourceMetadata(await discovery.challengeResource()))
      block('the address in the challenge does not serve the metadata', 'AGENT-CHALLENGE-URL-LEADS');
    let looked = false;
    const calls = Object.entries(ODD_CALLS).map(([name, call]): [string, () => Promise<Answer>] => [
      name,
      () => scrape(session, { purpose: `call the API ${name}`, ...call }),
    ]);
    calls.push(['with an unknown key', () => apiAccess.unknown()]);
    for (const [name, call] of calls) {
      const answer = await call();
      const { metadata } = findBearer(answer.header('www-authenticate'));
      // Other checks judge that there is an address.
      if (answer.status !== 401 || !isHttpUrl(metadata)) continue;
      looked = true;
      if (metadata === (await discovery.challenge()).metadata) continue;
      const led = await discovery.follow(metadata, `read what the challenge names to a call ${name}`);
      expect.that(isResourceMetadata(led), `${metadata} does not serve the metadata: ${led.status}`, {
        answer: led,
        expected: '200 with the protected resource metadata',
        found: `${led.status} ${led.beginning(80)}`,
      });
    }
    if (!looked) skip('none of these calls is answered with a challenge that names the metadata');
  },
);

check('AGENT-CHALLENGE-SPELLINGS', async ({ session, discovery, expect, skip, block }) => {
  const { answer: plain } = await discovery.challenge();
  if (plain.ok) block(`the scrape call without a key is answered ${plain.status}`, 'AGENT-CHALLENGE-STATUS');
  // Outside the API every path may be a page, so an unknown path is tried in the same spelling.
  const unknown = spellingsOf('/v2/conformance-unknown');
  let looked = false;
  for (const [name, path] of Object.entries(spellingsOf(discovery.config.scrape?.path ?? SCRAPE_PATH))) {
    const answer = await scrape(session, { purpose: `call the API without a key, its path ${name}`, path });
    const purpose = `call an unknown path of the API without a key, ${name}`;
    if (answer.ok && (await scrape(session, { purpose, path: unknown[name] as string })).ok) continue;
    looked = true;
    expect.refused(answer, 'the call carries no key');
  }
  if (!looked) skip('every path is answered with success, also such that nothing can be served at');
});

check('AGENT-CHALLENGE-BASE', async ({ session, discovery, expect, skip }) => {
  const call = { purpose: 'call the base address without a key', method: 'GET', path: '' };
  const answer = await scrape(session, call);
  // Where no call at all is refused, another requirement is violated.
  const { answer: scraped } = await discovery.challenge();
  if (scraped.ok)
    throw new Blocked(
      `the scrape call without a key is answered ${scraped.status}`,
      'AGENT-CHALLENGE-STATUS',
    );
  // A page beside the API is no call to it.
  if (answer.ok && /^text\/html/i.test(answer.header('content-type')[0] ?? ''))
    skip('the base address serves a page of HTML');
  expect.refused(answer, 'the call carries no key');
});

check('AGENT-CHALLENGE-HEADER', async ({ discovery, expect }) => {
  const { answer, fields, bearer } = await discovery.challenge();
  const message = `a call without a key is answered ${answer.status} without a Bearer challenge`;
  expect.that(bearer, message, {
    answer,
    at: HEADER,
    expected: 'a challenge of the scheme Bearer',
    found: fields.join(', ') || 'nothing',
  });
});

check('AGENT-CHALLENGE-RESOURCE-METADATA', async ({ discovery, expect, block }) => {
  const { answer, fields, bearer, metadata } = await discovery.challenge();
  if (!bearer) block('there is no Bearer challenge', 'AGENT-CHALLENGE-HEADER');
  const where = {
    answer,
    at: HEADER,
    expected: 'resource_metadata with an absolute URL',
    found: metadata ?? fields.join(', '),
  };
  expect.that(
    isHttpUrl(metadata),
    'the Bearer challenge does not name the metadata by an absolute URL',
    where,
  );
});

check('AGENT-CHALLENGE-GRAMMAR', async ({ discovery, expect, block }) => {
  const { answer, fields, error } = await discovery.challenge();
  if (fields.length === 0) block('there is no WWW-Authenticate', 'AGENT-CHALLENGE-HEADER');
  expect.that(error === undefined, `WWW-Authenticate is not a list of challenges: ${error}`, {
    answer,
    at: HEADER,
    expected: 'the grammar of RFC 9110 11.6.1',
    found: fields.join(', '),
  });
});

check('AGENT-CHALLENGE-URL-LEADS', async ({ discovery, expect, block }) => {
  const url = await discovery.challengeUrl();
  const answer = await discovery.challengeResource();
  // If it is the well-known address, another requirement is violated.
  const wellKnown = new URL(url).href === new URL(discovery.urls.resource).href;
  if (wellKnown && !isResourceMetadata(answer))
    block(`the well-known address answers ${answer.status}`, 'AGENT-PRM-STATUS');
  expect.that(
    isResourceMetadata(answer),
    `the address in the challenge does not serve the protected resource metadata: ${answer.status}`,
    {
      answer,
      expected: '200 with the protected resource metadata',
      found: `${answer.status} ${answer.beginning(80)}`,
    },
  );
});

check('AGENT-CHALLENGE-URL-SAME', async ({ discovery, expect, block }) => {
  const [challenged, wellKnown] = [await discovery.challengeResource(), await discovery.resource()];
  if (!isResourceMetadata(challenged))
    block('the address in the challenge does not serve the metadata', 'AGENT-CHALLENGE-URL-LEADS');
  if (!isResourceMetadata(wellKnown))
    block(`the well-known address answers ${wellKnown.status}`, 'AGENT-PRM-STATUS');
  const resource = wellKnown.at('/resource');
  if (resource === undefined || challenged.at('/resource') === undefined)
    block('the metadata has no resource', 'AGENT-PRM-RESOURCE');
  expect.equal(challenged.at('/resource'), resource, 'resource of the document that the challenge names', {
    answer: challenged,
    at: '/resource',
  });
});

check('AGENT-CHALLENGE-NO-ERROR', async ({ discovery, expect, block }) => {
  const { answer, bearer, code } = await discovery.challenge();
  if (!bearer) block('there is no Bearer challenge', 'AGENT-CHALLENGE-HEADER');
  expect.that(code === undefined, `the challenge for a missing key has error="${code}"`, {
    answer,
    at: HEADER,
  });
});

check('AGENT-CHALLENGE-ELSEWHERE', async ({ session, discovery, observe }) => {
  const words: string[] = [];
  for (const method of ['GET', 'POST']) {
    const answer =
      method === 'GET'
        ? await discovery.get(discovery.config.baseUrl, 'ask for the bare base address without a key')
        : await scrape(session, { purpose: 'POST to the base address without a key', method, path: '' });
    const challenge = answer.header('www-authenticate').join(', ');
    words.push(
      `${method} on the base address is answered ${answer.status}${challenge === '' ? ' without a challenge' : `, challenge ${challenge}`}`,
    );
  }
  observe(words.join('; '));
});

check('AGENT-CHALLENGE-BODY', async ({ discovery, observe }) => {
  const { answer } = await discovery.challenge();
  observe(
    answer.text === ''
      ? 'none'
      : `${answer.header('content-type')[0] ?? 'no media type'}: ${answer.beginning()}`,
  );
});
