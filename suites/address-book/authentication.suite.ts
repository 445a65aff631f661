/** 4 and 5 Authentication of the address endpoints: without a valid token, nothing is shown or changed. */
import { isDeepStrictEqual } from 'node:util';
import { short } from '../../lib/check/validator.ts';
import { storedIn } from '../../services/shipping/api/addresses.ts';
import {
  AUTH_REQUIREMENTS,
  type BadToken,
  ENDPOINTS,
  UnauthenticatedCalls,
} from '../../services/shipping/fixtures/unauthenticated-calls.ts';
import { sortedEntries } from '../../services/shipping/judging/verified-entries.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

const WHY: Record<BadToken, string> = {
  'no-token': 'the request has no token',
  garbage: 'the token was never issued',
  revoked: 'the token was revoked',
};

for (const kind of Object.keys(WHY) as BadToken[]) {
  // The clock is moved by minutes, until caches have forgotten a revoked token.
  const badTokenCheck = kind === 'revoked' ? writeCheck.with({ touches: { clock: 'move' } }) : writeCheck;

  for (const endpoint of ['list', 'read'] as const) {
    badTokenCheck(AUTH_REQUIREMENTS[endpoint][kind], async (context) => {
      const { expect } = context;
      const { address, answer } = await new UnauthenticatedCalls(context).tries(endpoint, kind);
      expect.refused(answer, WHY[kind]);
      const { alias_name, address_attributes } = address.sent;
      // Its label may have been updated since.
      const shown = [alias_name, address_attributes.company].some((text) => answer.text.includes(text!));
      expect.that(!shown, `the refusal shows an address, although ${WHY[kind]}`, {
        answer,
        expected: 'no address',
        found: 'one',
      });
    });
  }

  badTokenCheck(AUTH_REQUIREMENTS.create[kind], async (context) => {
    const { addresses, expect } = context;
    const { answer, sent, before } = await new UnauthenticatedCalls(context).tries('create', kind);
    expect.refused(answer, WHY[kind]);
    const { total_count } = (await addresses.page({ per_page: 1 })).meta;
    const isUnchanged = before?.version === (await addresses.version());
    if (isUnchanged && Number.isInteger(total_count) && total_count === before?.total) return;
    const saved = await addresses.listed(
      ({ alias_name, address }) =>
        alias_name === sent.alias_name || address?.company === sent.address_attributes.company,
    );
    expect.that(!saved, `the address was saved, although ${WHY[kind]}`, {
      answer,
      expected: 'no new address',
      found: short(saved),
    });
  });

  badTokenCheck(AUTH_REQUIREMENTS.update[kind], async (context) => {
    const { expect } = context;
    const { address, answer, sent, after } = await new UnauthenticatedCalls(context).tries('update', kind);
    expect.refused(answer, WHY[kind]);
    const { data } = storedIn(after!, address.id, 'read the address back');
    const changed = data.alias_name === sent.alias_name;
    expect.that(!changed, `the address was changed, although ${WHY[kind]}`, {
      answer,
      expected: address.sent.alias_name,
      found: data.alias_name,
    });
  });

  badTokenCheck(AUTH_REQUIREMENTS.delete[kind], async (context) => {
    const { addresses, sharedAddresses, expect } = context;
    const { address, answer } = await new UnauthenticatedCalls(context).tries('delete', kind);
    expect.refused(answer, WHY[kind]);
    await addresses.stored((await sharedAddresses.full()).id, 'read another address');
    const read = await addresses.read(address.id);
    expect.accepted(read, `the address is still there: ${WHY[kind]}`);
  });

  badTokenCheck(AUTH_REQUIREMENTS.verify[kind], { touches: { clock: 'move' } }, async (context) => {
    const { verification, expect } = context;
    const { address, answer } = await new UnauthenticatedCalls(context).tries('verify', kind);
    expect.refused(answer, WHY[kind]);
    await verification.settle();
    const { answer: read, entries } = await verification.entries(address.id);
    const before = address.data.verified_carriers;
    const same = entries.length === 0 || isDeepStrictEqual(sortedEntries(entries), sortedEntries(before));
    if (!same) await verification.requireAsked();
    expect.that(same, `a verification was started, although ${WHY[kind]}`, {
      answer: read,
      expected: short(before),
      found: short(entries),
    });
  });
}

writeCheck('ADDR-AUTH-BLANK-TOKEN', async ({ addresses, sharedAddresses, expect }) => {
  const { sent } = await sharedAddresses.made();
  await addresses.page({ per_page: 1 });
  // These are what faulty clients send when they have no token.
  for (const authorization of ['Bearer', 'Bearer null', 'Bearer undefined']) {
    const answer = await addresses.list({}, `list with Authorization: ${authorization}`, {
      auth: 'none',
      headers: { authorization },
    });
    expect.refused(answer, 'no issued token is empty or one of these words');
    expect.that(!answer.text.includes(sent.alias_name), 'the refusal shows an address', { answer });
  }
});

const INVALID = ['no-token', 'garbage'] as const;

for (const endpoint of ENDPOINTS) {
  writeCheck('ADDR-AUTH-401', { case: endpoint }, async (context) => {
    const { expect, block } = context;
    for (const kind of INVALID) {
      const { answer } = await new UnauthenticatedCalls(context).tries(endpoint, kind);
      if (answer.ok)
        block(`${endpoint} is accepted, although ${WHY[kind]}`, AUTH_REQUIREMENTS[endpoint][kind]);
      expect.status(answer, 401);
    }
  });

  writeCheck('ADDR-AUTH-CHALLENGE', { case: endpoint }, async (context) => {
    const { expect, skip } = context;
    let looked = 0;
    for (const kind of INVALID) {
      const { answer } = await new UnauthenticatedCalls(context).tries(endpoint, kind);
      if (answer.status !== 401) continue;
      looked += 1;
      const value = answer.header('www-authenticate').join(', ');
      expect.that(
        /\bbearer\b/i.test(value),
        `WWW-Authenticate of the 401 is ${value === '' ? 'absent' : value}`,
        { answer, at: 'header:WWW-Authenticate' },
      );
    }
    if (looked === 0) skip('this target answers no 401 here');
  });
}

check('ADDR-AUTH-SCHEME-CASE', async ({ addresses, oauth, tokenAccess, expect }) => {
  const token = await oauth.issue();
  await tokenAccess.requireAccepted(token);
  for (const scheme of ['bearer', 'BEARER']) {
    const answer = await addresses.list({ per_page: 1 }, `list with the scheme ${scheme}`, {
      auth: token,
      headers: { authorization: `${scheme} ${token.value}` },
    });
    expect.accepted(answer, 'the token is valid');
  }
});

writeCheck('ADDR-AUTH-BLANK-TOKEN', { case: 'elsewhere' }, async ({ addresses, sharedAddresses, expect }) => {
  const { id } = await addresses.create();
  const { sent } = await sharedAddresses.made();
  for (const authorization of ['Bearer', 'Bearer null']) {
    const as = { auth: 'none', headers: { authorization } } as const;
    const words = `with Authorization: ${authorization}`;
    const read = await addresses.call({
      method: 'GET',
      path: `/${encodeURIComponent(id)}`,
      purpose: `read ${words}`,
      ...as,
    });
    const update = await addresses.update(id, { alias_name: sent.alias_name }, {}, `update ${words}`, as);
    const remove = await addresses.remove(id, `delete ${words}`, as);
    for (const answer of [read, update, remove])
      expect.refused(answer, 'no issued token is empty or this word');
  }
});

/** Other spellings of the path of the list, which a server may serve without asking for a token. */
const SPELLINGS = ['/', '.json', '//', ';a=b'];

writeCheck(
  'ADDR-AUTH-LIST-NO-TOKEN',
  { case: 'other-spellings' },
  async ({ addresses, sharedAddresses, expect }) => {
    const { sent } = await sharedAddresses.made();
    for (const path of SPELLINGS) {
      const purpose = `list without a token, with ${path} behind the path`;
      const answer = await addresses.call({ method: 'GET', path, purpose, auth: 'none' });
      const data = answer.ok ? answer.at('/data') : undefined;
      const shown = answer.text.includes(sent.alias_name) || (Array.isArray(data) && data.length > 0);
      expect.that(!shown, `${purpose} shows addresses`, {
        answer,
        expected: 'no address',
        found: answer.beginning(),
      });
    }
  },
);
