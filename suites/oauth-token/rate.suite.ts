/**
 * Section 8: up to 2 requests per second and token. The specification does not show what happens beyond that,
 * so these checks count what is served, over windows long enough for a correct limiter to pass whichever way
 * it counts (sliding window, fixed window, token bucket that serves a burst first).
 */

import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { AddressBook } from '../../services/shipping/api/addresses.ts';
import type { AccessToken } from '../../services/shipping/api/oauth.ts';
import { everyKind, type Kind, oneByOne } from '../../services/shipping/fixtures/rate-kinds.ts';
import { type Load, RateProbe, type Step } from '../../services/shipping/fixtures/rate-probe.ts';
import { Verification } from '../../services/shipping/fixtures/verification.ts';
import { unknownId } from '../../services/shipping/judging/address-ids.ts';
import { carriedOut } from '../../services/shipping/judging/carried-out.ts';
import {
  exceeds,
  expectLimited,
  type LeveledLoad,
  leveledLoad,
  requireLimiter,
  requireOverRate,
  WINDOW,
} from './limit.ts';
import { describeRefusal, expectServed } from './served.ts';
import { type OAuthContext, check as suiteCheck } from './suite.ts';

// These checks count the requests that are served within a time.
const check = suiteCheck.with({ touches: { clock: 'measure' } });

const writeCheck = check.with({ effects: 'write', touches: { addresses: 'change' } });

// Other checks could use up a rate that is wrongly counted per client, or end a token issued twice.
const servedCheck = check.with({ touches: { clock: 'pace', tokens: undefined } });

/** How many addresses to delete: this many additional deletes exceed the rate wherever a window begins. */
const REMOVABLE = 5;

check('TOKEN-RATE-DOCUMENTED-SERVED', { touches: { clock: 'pace', tokens: undefined } }, async (context) => {
  await expectServed(
    context,
    (await documented(context)).steps,
    'although they came at no more than 2 a second',
  );
});

const servedWriteCheck = servedCheck.with({ effects: 'write', touches: { addresses: 'change' } });

servedWriteCheck('TOKEN-RATE-DOCUMENTED-SERVED', { case: 'among-others' }, async (context) => {
  await context.tokenAccess.requireAddressBook();
  const probe = new RateProbe(context);
  if ((await documented(context)).steps.some(({ served }) => !served))
    context.block('lists alone are not served at 2 a second either', 'TOKEN-RATE-DOCUMENTED-SERVED');
  const kinds = await mixture(context, probe);
  const { steps } = await probe.evenly(await context.tokenAccess.openToken(), 14, { kinds });
  // Only the lists are judged, one of which follows each of the other requests, however that was answered.
  const lists = steps.filter((_, n) => n % 2 === 1);
  await expectServed(
    context,
    lists,
    'although all requests, not only lists, came at no more than 2 a second',
  );
});

check('TOKEN-RATE-LIMITED', async (context) => {
  requireLimiter(context);
  expectLimited(context, (await overdone(context)).load);
});

// About 45 requests: a load of four seconds over the rate, and addresses to read, change and delete in it.
writeCheck('TOKEN-RATE-ACROSS-ENDPOINTS', async (context) => {
  const { overRate } = await mixedLoad(context);
  if (exceeds((await overdone(context)).load))
    context.block('the rate of a single endpoint is not limited either', 'TOKEN-RATE-LIMITED');
  expectLimited(context, overRate);
});

// A failure may not repeat, since other requests are refused under each load.
writeCheck('TOKEN-RATE-REFUSED-NOT-DONE', { passingFaults: true }, async (context) => {
  const { overRate, expected } = await mixedLoad(context);
  const refused = overRate.steps.flatMap(({ answer }) => (answer && isClientError(answer) ? answer : []));
  if (refused.length === 0) context.skip('the target refuses nothing for its rate');
  const book = new AddressBook(context);
  // Where no update was served, they may all be refused for another reason.
  const isUpdate = ({ answer }: Step) => answer?.ok === true && answer.exchange.request.method === 'PATCH';
  if (!overRate.steps.some(isUpdate)) await book.updated(await book.anyId(), { alias_name: book.label() });
  const done = await carriedOut(book, refused, expected);
  const what = `a request over the rate was refused with ${done?.answer.status}, and yet ${done?.effect}`;
  context.expect.that(done === undefined, what, {
    answer: done?.answer,
    expected: 'no effect of what is refused',
    found: done?.effect,
  });
});

servedCheck('TOKEN-RATE-PER-TOKEN-SAME-CLIENT', async (context) => {
  if ((await documented(context)).steps.some(({ served }) => !served))
    context.block('a token is not served at 2 a second on its own either', 'TOKEN-RATE-DOCUMENTED-SERVED');
  const { same } = await besides(context);
  if (!same) return context.skip('the target hands out the same token again');
  await expectServed(context, same, 'while another token was over its rate and this one was not');
});

const REFRESHED = { case: 'refreshed', touches: { refreshTokens: 'alone' } } as const;

servedCheck('TOKEN-RATE-PER-TOKEN-SAME-CLIENT', REFRESHED, async (context) => {
  const { oauth, refreshTokens, tokenAccess, skip, block } = context;
  const { same } = await besides(context);
  if (!same) return skip('the target hands out the same token again');
  if (same.some(({ served }) => !served))
    block('tokens of one client share their rate in any case', 'TOKEN-RATE-PER-TOKEN-SAME-CLIENT');
  const { value, access } = await refreshTokens.take();
  if (!access) return skip('token responses of this target carry no refresh token');
  const answer = await refreshTokens.exchange(value);
  requireOk(answer, 'TOKEN-REFRESH-FORM');
  if (!(await tokenAccess.present(access)).ok)
    skip('a refresh ends the access token that its refresh token came with');
  const token = oauth.toToken(answer);
  if (token.value === access.value) skip('a refresh hands out the same access token again');
  const probe = new RateProbe(context);
  if ((await probe.evenly(token, 4)).steps.some(({ served }) => !served))
    block('the new token is not served at 2 a second on its own either', 'TOKEN-RATE-DOCUMENTED-SERVED');
  const [steps] = await probe.beside(access, [token], 4);
  await expectServed(
    context,
    steps!,
    'while the token before the refresh was over its rate and this one not',
  );
});

servedCheck('TOKEN-RATE-PER-TOKEN-OTHER-CLIENT', { needs: ['shipping.secondClient'] }, async (context) => {
  const { other } = await besides(context);
  if (other.some(({ served }) => !served)) {
    // The token beside the other one may have expired since.
    const token = await context.oauth.issue(context.oauth.secondClient);
    const alone = await new RateProbe(context).evenly(token, 4);
    if (alone.steps.some(({ served }) => !served))
      context.block(
        'the other token is not served at 2 a second on its own either',
        'TOKEN-RATE-DOCUMENTED-SERVED',
      );
  }
  await expectServed(context, other, 'while another token was over its rate and this one was not');
});

check('TOKEN-RATE-RECOVERS', async (context) => {
  const { load, recovered, evenly } = await overdone(context);
  requireOverRate(context, load);
  if (exceeds(load)) context.block('a token is served at more than its rate', 'TOKEN-RATE-LIMITED');
  context.expect.that(
    recovered,
    'a token that was over its rate is still not served after a pause of half an hour',
  );
  await expectServed(
    context,
    evenly,
    'although the token had paused and they came at no more than 2 a second',
  );
});

/** Returns the result of lists at the documented rate, with a fresh token. */
const documented = perRun('shipping: documented rate', async (context: OAuthContext): Promise<Load> => {
  await context.tokenAccess.requireResource();
  const token = await context.tokenAccess.openToken();
  // A limit per minute shows only after a minute, which is spent only where time can be moved. To detect a
  // limit of 100 a minute takes more than 100 requests, and a call of the clock hook for each pair of them.
  return new RateProbe(context).evenly(token, context.time.movable ? 104 : 12, { inPairs: 12 });
});

/** Returns what a token that is over its rate is served, and what it is served after a pause. */
const overdone = perRun(
  'shipping: over the rate',
  async (context: OAuthContext): Promise<LeveledLoad & { recovered: boolean; evenly: Step[] }> => {
    if (context.target.shipping?.rate?.unlimited)
      context.skip('`shipping.rate.unlimited` says that this target has no rate limit');
    await context.tokenAccess.requireResource();
    const probe = new RateProbe(context);
    const token = await context.tokenAccess.openToken();
    const leveled = await leveledLoad(probe, token, context);
    const recovered = (await probe.recovers(token)) !== undefined;
    return { ...leveled, recovered, evenly: recovered ? (await probe.evenly(token, 4)).steps : [] };
  },
);

/** Sends requests to all endpoints with one token over its rate, and counts the addresses to expect. */
const mixedLoad = perRun(
  'shipping: all endpoints over the rate',
  async (context: OAuthContext): Promise<{ overRate: Load; expected: number }> => {
    await context.tokenAccess.requireAddressBook();
    requireLimiter(context);
    const probe = new RateProbe(context);
    const { load, windows } = await overdone(context);
    const { id, carriers, removable } = await objects(context);
    const token = await context.tokenAccess.openToken();
    // Where the limiter serves a burst, it is used up by lists.
    for (let n = 1; n < windows && !exceeds(load); n += 1) await probe.saturate(token, WINDOW);
    const kinds = everyKind(context, probe.list, { id, carriers, removable });
    const { total } = await new AddressBook(context).count();
    const overRate = await probe.saturate(token, WINDOW, kinds, () => context.oauth.issue());
    return { overRate, expected: total + growthBy(overRate.steps.flatMap(({ answer }) => answer ?? [])) };
  },
);

/** Returns by how many the addresses have increased according to these answers. */
function growthBy(answers: readonly Answer[]): number {
  const done = (method: string, path: RegExp) =>
    answers.filter(
      ({ ok, exchange: { request } }) => ok && request.method === method && path.test(request.url),
    );
  return done('POST', /\/address_templates$/).length - done('DELETE', /./).length;
}

const isClientError = ({ status }: Answer): boolean => status >= 400 && status < 500;

/** Returns what tokens of the same client and of another are served beside a token over its rate. */
const besides = perRun(
  'shipping: beside a token over its rate',
  async (context: OAuthContext): Promise<{ same?: Step[]; other: Step[] }> => {
    const { oauth, tokenAccess } = context;
    await tokenAccess.requireResource();
    const probe = new RateProbe(context);
    // The other client's token comes first: where new tokens end those of other clients, it fails alone, too.
    const others: AccessToken[] = [];
    if (oauth.config.secondClient) others.push(await oauth.issue(oauth.secondClient));
    const [busy, same] = [await tokenAccess.openToken(), await tokenAccess.openToken()];
    const isSame = busy.value === same.value;
    const steps = await probe.beside(busy, isSame ? others : [same, ...others], 4);
    return isSame ? { other: steps[0] ?? [] } : { same: steps[0]!, other: steps[1] ?? [] };
  },
);

/** Returns requests to other endpoints, some of which are refused, each followed by a list. */
async function mixture(context: OAuthContext, probe: RateProbe): Promise<Kind[]> {
  const kinds = await oneByOne(context, unknownId(context.faker));
  return kinds.flatMap((kind) => [kind, probe.list]);
}

/**
 * Returns the addresses and carriers that requests to all endpoints need. Where no carrier is known, verifies
 * name none, and do not count as served when they are refused.
 */
async function objects(
  context: OAuthContext,
): Promise<{ id: string; carriers: string[]; removable: string[] }> {
  const book = new AddressBook(context);
  const id = await book.anyId();
  const removable: string[] = [];
  for (let n = 0; n < REMOVABLE; n += 1) removable.push(await book.anyId());
  const { names } = await new Verification(context).carriers().catch(() => ({ names: [] }));
  return { id, carriers: names.slice(0, 1), removable };
}

check(['TOKEN-RATE-EXCEEDED', 'TOKEN-RATE-BURST'], async (context) => {
  const burst = context.target.shipping?.rate?.unlimited
    ? await new RateProbe(context).burst(await context.tokenAccess.openToken(), WINDOW.size)
    : (await overdone(context)).first;
  const refused = burst.filter((step) => !step.served);
  const slowest = Math.max(...burst.map((step) => step.durationMs));
  context.observe(
    `${burst.length - refused.length} of ${burst.length} requests sent at once were served`,
    'TOKEN-RATE-BURST',
  );
  context.observe(
    refused.length === 0
      ? `none of ${burst.length} requests sent at once is refused; the slowest took ${Math.round(slowest)} ms`
      : `refused with ${describeRefusal(refused[0] as Step)}`,
    'TOKEN-RATE-EXCEEDED',
  );
});

check('TOKEN-RATE-OAUTH-ENDPOINTS', async ({ oauth, observe }) => {
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => oauth.request({}, undefined, 'ask for tokens at once')),
  );
  const statuses = [...new Set(answers.map((a) => a.status))];
  observe(`6 token requests at once are answered ${statuses.join(', ')}`);
});
