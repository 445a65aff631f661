/** What 4.7 and 5 leave open about refresh tokens: recorded, never failed. */
import { check as suiteCheck } from './suite.ts';
import { knownScopes } from './twin.ts';
import { refusal, scopeOf } from './words.ts';

// The target may have a single refresh token, which each exchange replaces.
const check = suiteCheck.with({ touches: { refreshTokens: 'alone' } });

check('TOKEN-REFRESH-ISSUED', async ({ tokenAccess, observe }) => {
  const { answer } = await tokenAccess.livingToken();
  observe(
    answer.at('/refresh_token') === undefined
      ? 'no refresh_token in the token response'
      : 'a refresh_token in the token response',
  );
});

check(
  ['TOKEN-REFRESH-ROTATION', 'TOKEN-REFRESH-OLD-ACCESS'],
  async ({ refreshTokens, tokenAccess, observe }) => {
    const { value, access } = await refreshTokens.takeToEnd();
    const first = await refreshTokens.exchange(value);
    const next = first.at('/refresh_token');
    const again = await refreshTokens.exchange(value, {}, undefined, 'exchange the same refresh token again');
    const gives =
      next === undefined
        ? 'gives no refresh token'
        : next === value
          ? 'gives the same refresh token'
          : 'gives a new refresh token';
    observe(
      `an exchange ${gives}; the used one is ${again.ok ? 'accepted again' : `then ${refusal(again)}`}`,
      'TOKEN-REFRESH-ROTATION',
    );
    const old = access && (await tokenAccess.present(access, 'list addresses with the old access token'));
    observe(
      old
        ? `the old access token is ${old.ok ? 'still accepted' : `refused with ${old.status}`}`
        : 'not seen',
      'TOKEN-REFRESH-OLD-ACCESS',
    );
  },
);

check('TOKEN-REFRESH-SCOPE', async (context) => {
  const { refreshTokens, observe } = context;
  const plain = await refreshTokens.exchange((await refreshTokens.take()).value);
  const [first] = await knownScopes(context);
  const narrowed = await refreshTokens.exchange(
    (await refreshTokens.take()).value,
    { scope: first },
    undefined,
    'refresh with a scope',
  );
  observe(`${scopeOf(plain)}; asked for ${first}: ${narrowed.ok ? scopeOf(narrowed) : refusal(narrowed)}`);
});

const A_DAY = { touches: { clock: 'move' }, phase: 'late' } as const;

check('TOKEN-REFRESH-LIFETIME', A_DAY, async ({ refreshTokens, time, observe }) => {
  const { value } = await refreshTokens.takeToEnd();
  await time.pass(86_400_000, 'whether a refresh token lives for a day');
  const answer = await refreshTokens.exchange(value);
  observe(answer.ok ? 'longer than a day' : `less than a day: ${refusal(answer)}`);
});

check('TOKEN-REFRESH-WITH-ACCESS-TOKEN', async ({ oauth, refreshTokens, observe }) => {
  const token = await oauth.issue();
  const answer = await refreshTokens.exchange(token.value, {}, undefined, 'refresh with an access token');
  observe(answer.ok ? 'accepted' : refusal(answer));
});
