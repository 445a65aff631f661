/** 4.7 to 4.9 and 5: values similar to a token, and one kind of credential used in place of another. */
import { requireOk } from '../../lib/check/require.ts';
import { AddressBook } from '../../services/shipping/api/addresses.ts';
import { Introspection } from '../../services/shipping/api/introspection.ts';
import { similarTo, withEndInOtherCase, withEndReplaced } from '../../services/shipping/judging/similar.ts';
import { addressRequests } from './address-requests.ts';
import { endsWithoutHint, revocationsSettle } from './ended.ts';
import { OVER_MS } from './lifetime.ts';
import { expectNoToken } from './no-token.ts';
import { check } from './suite.ts';
import { introspectTwin } from './twin.ts';

// The target may have a single refresh token; and where it has many, using one may wrongly end others.
const refreshCheck = check.with({ touches: { refreshTokens: 'alone' } });

// The clock is moved by hours.
const hoursCheck = refreshCheck.with({ touches: { clock: 'move' } });

check('TOKEN-CASE-REFUSED', async ({ session, oauth, tokenAccess, expect, skip, block }) => {
  const token = await oauth.issue();
  await tokenAccess.requireAccepted(token);
  const cased = withEndInOtherCase(token.value);
  if (cased === undefined)
    return skip(
      'the tokens of this target are hexadecimal: they may be compared without regard to letter case',
    );
  const present = (value: string, purpose: string) =>
    tokenAccess.present({ raw: session.secrets.derive(value, token.value) }, purpose);
  const answer = await present(cased, 'list addresses with the end of the token in the other letter case');
  if (answer.ok && (await present(withEndReplaced(token.value), 'list with the end of it replaced')).ok)
    block('a token is accepted whatever its end is', 'TOKEN-ALTERED-REFUSED');
  expect.refused(answer, 'tokens are case-sensitive');
});

check('TOKEN-BEARER-CREDENTIALS-REFUSED', async ({ oauth, tokenAccess, expect, skip }) => {
  await tokenAccess.anyToken();
  const { clientId, clientSecret } = oauth.client;
  const values = [clientId, clientSecret].filter((value) => /^[\x21-\x7e]+$/.test(value));
  if (values.length === 0) skip('the credentials cannot stand in a header');
  for (const raw of values) {
    const what = raw === clientId ? 'client_id' : 'client_secret';
    const answer = await tokenAccess.present({ raw }, `list addresses with the ${what} in place of a token`);
    expect.refused(answer, `the ${what} is not an access token`);
  }
});

check('TOKEN-REVOKE-EXACT-TOKEN', async (context) => {
  const { oauth, tokenAccess, session, expect } = context;
  await endsWithoutHint(context);
  const token = await tokenAccess.anyToken();
  for (const [, similar] of similarTo(token.value))
    await oauth.revoke(session.secrets.derive(similar, token.value));
  await revocationsSettle(context);
  const answer = await tokenAccess.present(token, 'list addresses with the token');
  expect.accepted(
    answer,
    'only values similar to it were revoked: cut short, lengthened, in the other letter case',
  );
});

check('TOKEN-INTROSPECT-TELLS-ALTERED', async (context) => {
  const { faker, session, expect, block } = context;
  const { ask, token } = await introspectTwin(context);
  const [before, again] = [
    await ask(token, 'introspect an active token'),
    await ask(token, 'introspect it again'),
  ];
  for (const [name, similar] of similarTo(token)) {
    const answer = await ask(session.secrets.derive(similar, token), `introspect an altered token (${name})`);
    if (Introspection.distinguishes(before, answer, before, again)) continue;
    const invented = await ask(faker.string.alphanumeric(token.length), 'introspect an invented token');
    if (!Introspection.distinguishes(before, invented, before, again))
      block('invented tokens are answered like active ones as well', 'TOKEN-INTROSPECT-TELLS-UNKNOWN');
    expect.fail(`introspection answers for a token ${name} as for the active one`, {
      answer,
      expected: `another answer than ${before.status} ${before.text.slice(0, 200)}`,
      found: 'the same',
    });
  }
});

refreshCheck('TOKEN-INTROSPECT-REFRESH-HARMLESS', async ({ refreshTokens, introspection, expect }) => {
  await refreshTokens.requireRefreshWorks();
  const { value } = await refreshTokens.take();
  const ask = await introspection.asking('refresh_token', value);
  await ask(value, 'introspect a refresh token');
  await ask(value, 'introspect it again');
  const answer = await refreshTokens.exchange(
    value,
    {},
    undefined,
    'exchange the introspected refresh token',
  );
  if (!answer.ok) {
    // Another refresh token has to be valid still: a configured one may have ended for another reason.
    const other = await refreshTokens.exchange((await refreshTokens.take()).value);
    requireOk(other, 'TOKEN-REFRESH-STATUS');
  }
  expect.accepted(answer, 'the refresh token was only introspected');
});

refreshCheck('TOKEN-REFRESH-NOT-BEARER', async ({ refreshTokens, tokenAccess, expect }) => {
  await tokenAccess.requireResource();
  // An access token is accepted and an invented one is not: only then does a refusal mean anything.
  await tokenAccess.anyToken();
  const { value } = await refreshTokens.take();
  expect.refused(
    await tokenAccess.present({ raw: value }, 'list addresses with a refresh token'),
    'a refresh token is not an access token',
  );
});

const everywhere = { case: 'everywhere', effects: 'write', touches: { addresses: 'change' } } as const;
refreshCheck('TOKEN-REFRESH-NOT-BEARER', everywhere, async (context) => {
  const { refreshTokens, tokenAccess, faker, expect, skip } = context;
  await tokenAccess.requireAddressBook();
  await tokenAccess.anyToken();
  const { value } = await refreshTokens.take();
  const book = new AddressBook(context);
  const { id } = await book.create({}, 'create an address to open with a refresh token');
  await book.stored(id);
  for (const { what, path, ...request } of addressRequests(context, book.label())) {
    const send = (to: string, raw: string, kind: string) => {
      const purpose = `${what} an address with ${kind} token`;
      return book.call({ ...request, path: `/${to}${path}`, purpose, auth: { raw } });
    };
    const answer = await send(id, value, 'a refresh');
    if (answer.ok) {
      const other = await book.create({}, 'create an address to open with an invented token');
      if ((await send(other.id, faker.string.alphanumeric(43), 'an invented')).ok)
        skip(`an invented token may ${what} addresses as well`);
    }
    expect.refused(answer, 'a refresh token is not an access token');
  }
});

hoursCheck(
  'TOKEN-REFRESH-BEARER-LIFETIME',
  async ({ oauth, refreshTokens, tokenAccess, time, expect, block, skip }) => {
    await tokenAccess.requireResource();
    const { value, access } = await refreshTokens.take();
    const present = (when: string) =>
      tokenAccess.present({ raw: value }, `list addresses with a refresh token${when}`);
    if (!(await present('')).ok) return;
    // A string that is issued as both is an access token, too, and its expiry is judged as TOKEN-EXPIRY.
    if (access?.value === value) skip('the target issues one string as access token and as refresh token');
    const plain = await oauth.issue();
    await time.pass(OVER_MS, 'whether a refresh token is accepted as an access token for ever');
    const answer = await present(' after 2 hours');
    if (answer.ok && (await tokenAccess.present(plain, 'list addresses with an expired token')).ok)
      block('access tokens do not expire either', 'TOKEN-EXPIRY');
    expect.refused(answer, 'whatever the address book accepts is an access token, and lives 7200 s');
  },
);

for (const end of ['revoked', 'expired'] as const) {
  const endCheck = end === 'revoked' ? refreshCheck.with({ touches: { tokens: 'alone' } }) : hoursCheck;

  endCheck(
    'TOKEN-REFRESH-ENDED-ACCESS',
    { case: end },
    async ({ oauth, refreshTokens, time, expect, skip }) => {
      await refreshTokens.requireRefreshWorks();
      const { value, access } = await refreshTokens.take();
      // Where there is no separate refresh token, the access token itself may be intended for exchange.
      if (access === undefined || access.value === value)
        return skip('token responses of this target carry no refresh token of a separate kind');
      if (end === 'revoked') {
        const revoked = await oauth.revoke(access.value);
        if (!revoked.ok) skip(`the revocation was answered ${revoked.status}`);
      } else await time.pass(OVER_MS, 'whether an expired access token can be exchanged');
      const answer = await refreshTokens.exchange(
        access.value,
        {},
        undefined,
        `refresh with a ${end} access token`,
      );
      expectNoToken(expect, answer, `it is an access token and ${end}`);
    },
  );
}
