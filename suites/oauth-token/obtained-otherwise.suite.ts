/** 4.8, 5 and 8: tokens that were obtained in different ways expire, end and are limited like any other. */
import { perRun } from '../../lib/check/per-run.ts';
import { configured } from '../../lib/check/reasons-to-skip.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { Blocked, Skipped } from '../../lib/model/verdict.ts';
import type { AccessToken } from '../../services/shipping/api/oauth.ts';
import { endedByRevocation, presentEnded } from './ended.ts';
import { LIFETIME_MS, MARGIN_MS, OVER_MS } from './lifetime.ts';
import { expectTokenLimited } from './limit.ts';
import { check, type OAuthContext } from './suite.ts';
import { issueBy, WAYS, type Way } from './ways.ts';

/**
 * The answers to tokens that were obtained in one way, shortly before and after their end, or why there are
 * none.
 */
type Aged = { early: Answer; late: Answer } | Blocked | Skipped;

/**
 * Lets tokens that were obtained in every way grow old together, so that the clock is moved, or waited for,
 * only once.
 */
const aged = perRun(
  'shipping: lifetime of tokens obtained in different ways',
  async (context: OAuthContext): Promise<Map<string, Aged>> => {
    const { tokenAccess, time, session } = context;
    await tokenAccess.requireInventedRefused();
    const { pairs, results } = await issueAll(context);
    if (pairs.size === 0) return results;
    const why = 'how long tokens live that were obtained in different ways';
    const issued = (nth: 0 | 1) => [...pairs.values()].map((pair) => pair[nth].issuedAt);
    await time.pass(Math.min(...issued(0)) + LIFETIME_MS - MARGIN_MS - time.elapsed(), why);
    const presented = (nth: 0 | 1, when: string) =>
      session.together(
        [...pairs].map(([name, pair]) => async (): Promise<[string, Answer]> => {
          const purpose = `list addresses ${when} the end of a token ${name}`;
          return [name, await tokenAccess.present(pair[nth], purpose)];
        }),
      );
    const early = new Map(await presented(0, 'before'));
    await time.pass(Math.max(...issued(1)) + OVER_MS - time.elapsed(), why);
    for (const [name, late] of await presented(1, 'after'))
      results.set(name, { early: early.get(name)!, late });
    return results;
  },
);

/** Issues two tokens in every way, or says why there are none. */
async function issueAll(context: OAuthContext) {
  const pairs = new Map<string, [AccessToken, AccessToken]>();
  const results = new Map<string, Aged>();
  const issue = async (name: string, way: Way) => {
    try {
      // One is used before its end and the other after it, since the effect of use is judged elsewhere.
      const pair: [AccessToken, AccessToken] = [await issueBy(way, context), await issueBy(way, context)];
      for (const token of pair) await context.tokenAccess.requireAccepted(token);
      pairs.set(name, pair);
    } catch (error) {
      if (!(error instanceof Blocked || error instanceof Skipped)) throw error;
      results.set(name, error);
    }
  };
  const possible = Object.entries(WAYS).filter(([, { needs }]) =>
    needs.every((key) => configured(context.target, key) !== undefined),
  );
  await context.session.together(possible.map((each) => () => issue(...each)));
  return { pairs, results };
}

/** Returns the answers to tokens that were obtained in one way. Throws where there are none. */
async function agedBy(context: OAuthContext, name: string): Promise<{ early: Answer; late: Answer }> {
  const result = (await aged(context)).get(name);
  if (result instanceof Error) throw result;
  return result ?? context.block(`no token was obtained ${name}`);
}

/** Whether a token is accepted shortly before its end where no others were issued since. */
async function livesAlone(context: OAuthContext, way: Way): Promise<boolean> {
  const { tokenAccess, time } = context;
  const token = await issueBy(way, context);
  await tokenAccess.requireAccepted(token);
  await time.pass(LIFETIME_MS - MARGIN_MS, 'how long such a token lives on its own');
  return (await tokenAccess.present(token, 'list addresses before the end of such a token')).ok;
}

for (const [name, way] of Object.entries(WAYS)) {
  const options = { case: name, needs: way.needs };
  // A token that is issued to another check may prolong those that are judged here.
  const moving = { ...options, touches: { clock: 'move' } } as const;

  check('TOKEN-LIFETIME-HOLDS', moving, async (context) => {
    const { early } = await agedBy(context, name);
    if (!early.ok && (await livesAlone(context, way)))
      context.block('such a token lives that long where no others are issued beside it');
    context.expect.accepted(early, `the token is ${(LIFETIME_MS - MARGIN_MS) / 1000} s old and lives 7200 s`);
  });

  check('TOKEN-EXPIRY', moving, async (context) => {
    const { early, late } = await agedBy(context, name);
    if (!early.ok) context.block('such a token is refused before its end as well', 'TOKEN-LIFETIME-HOLDS');
    context.expect.refused(late, `the token is ${OVER_MS / 1000} s old and lives 7200 s`);
  });
}

for (const name of ['with-one-scope', 'with-redirect-uri', 'as-json']) {
  const way = WAYS[name]!;
  check('TOKEN-REVOKE-ACCESS-ENDS', { case: name, needs: way.needs }, async (context) => {
    const { oauth, tokenAccess, expect, block } = context;
    const twin = await endedByRevocation(context);
    if (twin.access.ok)
      block('a token from a plain request is not ended by its revocation either', 'TOKEN-REVOKE-ACCESS-ENDS');
    const token = await issueBy(way, context);
    await tokenAccess.requireAccepted(token);
    requireOk(await oauth.revoke(token.value), 'TOKEN-REVOKE-STATUS');
    const list = await presentEnded(context, token);
    expect.refused(list, `the token, which was obtained ${name.replaceAll('-', ' ')}, was revoked`);
  });
}

for (const name of ['with-one-scope', 'as-json', 'other-client']) {
  const way = WAYS[name]!;
  const options = { case: name, needs: way.needs, touches: { clock: 'measure' } } as const;
  check('TOKEN-RATE-LIMITED', options, (context) => expectTokenLimited(context, () => issueBy(way, context)));
}
