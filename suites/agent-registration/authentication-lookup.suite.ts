/**
 * 5 Authentication: keys are compared as exact strings, and neither concurrent nor unusual calls change
 * whether a key is accepted.
 */
import type { Body } from '../../lib/http/body.ts';
import { patternsFor } from '../../services/agents/api/near-keys.ts';
import type { ScrapeCall } from '../../services/agents/api/scrape.ts';
import { check } from './suite.ts';

const write = { effects: 'write' } as const;

check('AGENT-KEY-PATTERN', write, async ({ apiAccess, session, expect, skip, block }) => {
  const { key, status } = await apiAccess.openingKey();
  // A pattern of one or two characters reveals nothing of the key, so it is not a secret.
  const hidden = (text: string) => (text.length > 2 ? session.secrets.derive(text, key) : text);
  let looked = false;
  for (const [pattern, other] of patternsFor(key)) {
    const answer = await apiAccess.callApi({
      purpose: 'call the API with a pattern that the key matches',
      key: hidden(pattern),
    });
    // Most patterns are not tokens by the grammar of RFC 6750 2.1, and may be refused as malformed.
    if (answer.status === 400 && status === 400) continue;
    looked = true;
    if (answer.status === 400) continue;
    if (answer.status === status) {
      // If a string without a pattern is accepted too, the pattern is not the reason.
      const plain = await apiAccess.callApi({
        purpose: 'call the API with the same text without a pattern in it',
        key: hidden(other),
      });
      if (plain.status === status) block('a key that is nearly an issued one is let in', 'AGENT-KEY-ALTERED');
    }
    apiAccess.expectKeyRefused(expect, answer, status, 'the key itself is another text');
  }
  if (!looked) skip('a call with a good key is answered 400 as well, so these calls show nothing');
});

/**
 * What a client without a key may send by mistake, what every object has in some languages, and strings that
 * are not tokens.
 */
const WORDS = ['null', 'undefined', 'constructor', '__proto__', 'true', '0', 'two words', 'conformanc\u00e9'];

check('AGENT-KEY-UNKNOWN', { case: 'words' }, async ({ apiAccess, expect, skip, block }) => {
  const { status } = await apiAccess.unknown();
  if (status !== 401 && status !== 403) block(`an unknown key is answered ${status}`, 'AGENT-KEY-UNKNOWN');
  let looked = false;
  for (const key of WORDS) {
    const answer = await apiAccess.callApi({ purpose: `call the API with ${key} as the key`, key });
    // A service may refuse such a key as malformed.
    looked ||= answer.status !== 400;
    if (answer.status !== 400)
      apiAccess.expectKeyRefused(expect, answer, undefined, 'the key was never issued');
  }
  if (!looked) skip('each of these is refused as malformed');
});

/** Values of `Authorization` with another scheme, or with none, that carry no issued key. */
const OTHER_SCHEMES: Record<string, string> = {
  'the scheme Basic': `Basic ${Buffer.from('conformance:conformance').toString('base64')}`,
  'a word in place of scheme and key': 'conformance',
};

check('AGENT-KEY-UNKNOWN', { case: 'other-schemes' }, async ({ apiAccess, discovery, expect, block }) => {
  const { answer: plain } = await discovery.challenge();
  if (plain.ok) block(`a call without a key is answered ${plain.status}`, 'AGENT-CHALLENGE-STATUS');
  await apiAccess.requireUnknownKeyRefused();
  for (const [words, authorization] of Object.entries(OTHER_SCHEMES)) {
    const purpose = `call the API with ${words}`;
    const answer = await apiAccess.callApi({ purpose, headers: { authorization } });
    // A service may refuse it as malformed, or a scheme as one that it does not have.
    const refused = answer.status >= 400 && answer.status < 500;
    expect.that(refused, `${purpose}: answered ${answer.status}, although it carries no key`, {
      answer,
      at: 'status',
      expected: '401, or another 4xx',
      found: String(answer.status),
    });
  }
});

const AT_ONCE = ['AGENT-KEY-OPENS', 'AGENT-KEY-UNKNOWN', 'AGENT-CHALLENGE-STATUS'];

check(AT_ONCE, { ...write, case: 'at-once', passingFaults: true }, async (context) => {
  const { apiAccess, discovery, expect, block } = context;
  await apiAccess.requireUnknownKeyRefused();
  const { status } = (await discovery.challenge()).answer;
  if (status !== 401) block('a call without a key is not answered 401 at all', 'AGENT-CHALLENGE-STATUS');
  const { key } = await apiAccess.openingKey();
  const unknown = await apiAccess.invented();
  const call = (what: string, calling: Partial<ScrapeCall>) =>
    apiAccess.callApi({ purpose: `call the API ${what}`, ...calling });
  const ask = () => [
    call('with a good key, others at the same time', { key, good: true }),
    call('with another key, others at the same time', { key: unknown }),
    call('without a key, others at the same time', {}),
  ];
  const answers = await Promise.all([...ask(), ...ask()]);
  // The key opened the API when it was chosen; what was sent since may have ended it.
  if (answers.some(({ status }, n) => n % 3 === 0 && status === 401)) {
    const alone = call('with that key, after those', { key, good: true });
    if (await apiAccess.isShut(await alone)) block('the key has ended', 'AGENT-KEY-STAYS');
  }
  for (const [n, answer] of answers.entries()) {
    if (n % 3 === 0)
      expect.soft('AGENT-KEY-OPENS', (its) =>
        its.that(answer.status !== 401, `${answer.exchange.purpose}: answered 401`, { answer, at: 'status' }),
      );
    if (n % 3 === 1)
      expect.soft('AGENT-KEY-UNKNOWN', (its) => apiAccess.expectKeyRefused(its, answer, undefined));
    if (n % 3 === 2) expect.soft('AGENT-CHALLENGE-STATUS', (its) => its.status(answer, 401));
  }
});

/** Calls with a good key that a client would hardly make. */
const ODD: Record<string, { path?: string; method?: string; body?: Body }> = {
  'and a body that is not JSON': { body: { raw: '{"url": ', type: 'application/json' } },
  'and a JSON array': { body: { json: [] } },
  'and an empty body': { body: { raw: '', type: 'application/json' } },
  'on an unknown path': { path: '/v2/conformance-unknown' },
  'by DELETE': { method: 'DELETE', path: '/v2/conformance-unknown' },
};

check('AGENT-KEY-STAYS', { ...write, case: 'odd-calls', phase: 'late' }, async (context) => {
  const { apiAccess, registrations, bursts, expect, block } = context;
  await apiAccess.requireKeyAccepted();
  await apiAccess.requireUnknownKeyRefused();
  // A key that no other check uses, since it may be invalid after these calls.
  const call = (purpose: string, good: string) => apiAccess.callApi({ purpose, key: good, good: true });
  const given = registrations.users.fixed ? undefined : (await bursts.small()).ofNewUser?.key;
  const first = given === undefined ? undefined : await call('call the API with a further key', given);
  const opens = first !== undefined && !(await apiAccess.isShut(first));
  const key = opens ? given : await apiAccess.freshKey();
  if (key === undefined) return block('the registration has no key', 'AGENT-REG-API-KEY');
  if (!opens && (await apiAccess.isShut(await apiAccess.newly(key))))
    block('the API does not accept a new key', 'AGENT-KEY-OPENS');
  for (const [name, odd] of Object.entries(ODD))
    await apiAccess.callApi({ purpose: `call the API with a good key ${name}`, key, good: true, ...odd });
  const answer = await call('call the API with the key after odd calls', key);
  await apiAccess.expectKeyAccepted(expect, answer, 'an issued key is answered 401 after odd calls with it');
});
