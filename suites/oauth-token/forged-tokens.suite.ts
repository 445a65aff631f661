/** 4, 4.7 to 4.9 and 5: forged tokens, with the content of a token that was issued. */
import { Introspection } from '../../services/shipping/api/introspection.ts';
import { forgedFrom } from '../../services/shipping/judging/forged.ts';
import { expectNoToken } from './no-token.ts';
import { check } from './suite.ts';
import { introspectTwin } from './twin.ts';

/** How many forgeries to try where tokens are looked up: a lookup that accepts any accepts one of these. */
const FIRST = 3;

check('TOKEN-FORGED-REFUSED', async ({ session, oauth, tokenAccess, expect }) => {
  const token = await tokenAccess.anyToken();
  for (const [name, forged] of forgedFrom(token.value, oauth.client)) {
    // A server may sign with a key that a forgery uses, such as the client's secret.
    if (forged === token.value) continue;
    const raw = session.secrets.derive(forged, token.value);
    const answer = await tokenAccess.present({ raw }, `list addresses with a forged token (${name})`);
    expect.refused(answer, `the token was not issued: it is forged, ${name}`);
  }
});

// The target may have a single refresh token; and where it has many, using one may wrongly end others.
const refreshCheck = check.with({ touches: { refreshTokens: 'alone' } });

refreshCheck('TOKEN-REFRESH-FORGED-REFUSED', async ({ session, oauth, refreshTokens, expect }) => {
  await refreshTokens.requireRefreshWorks();
  // Refused requests do not use up the refresh token, so one is enough.
  const { value } = await refreshTokens.take();
  for (const [name, forged] of forgedFrom(value, oauth.client).slice(0, FIRST)) {
    const sent = session.secrets.derive(forged, value);
    const answer = await refreshTokens.exchange(sent, {}, undefined, `refresh with a forged token (${name})`);
    expectNoToken(expect, answer, `the refresh token was not issued: it is forged, ${name}`);
  }
});

check('TOKEN-INTROSPECT-TELLS-FORGED', async (context) => {
  const { faker, oauth, session, expect, block } = context;
  const { ask, token } = await introspectTwin(context);
  const [before, again] = [
    await ask(token, 'introspect an active token'),
    await ask(token, 'introspect it again'),
  ];
  for (const [name, forged] of forgedFrom(token, oauth.client).slice(0, FIRST)) {
    const answer = await ask(session.secrets.derive(forged, token), `introspect a forged token (${name})`);
    if (Introspection.distinguishes(before, answer, before, again)) continue;
    const invented = await ask(faker.string.alphanumeric(token.length), 'introspect an invented token');
    if (!Introspection.distinguishes(before, invented, before, again))
      block('invented tokens are answered like active ones as well', 'TOKEN-INTROSPECT-TELLS-UNKNOWN');
    expect.fail(`introspection answers for a forged token (${name}) as for the active one`, {
      answer,
      expected: `another answer than ${before.status} ${before.text.slice(0, 200)}`,
      found: 'the same',
    });
  }
});
