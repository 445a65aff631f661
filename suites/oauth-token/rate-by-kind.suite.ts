/** Section 8: each kind of request is served at the documented rate, also where it follows one of its own kind. */
import { newPlace } from '../../services/shipping/fixtures/places.ts';
import { bookReadBefore, type Kind } from '../../services/shipping/fixtures/rate-kinds.ts';
import { RateProbe, type Step } from '../../services/shipping/fixtures/rate-probe.ts';
import { Verification } from '../../services/shipping/fixtures/verification.ts';
import { expectServed } from './served.ts';
import { type OAuthContext, check as suiteCheck } from './suite.ts';

// Other checks could use up a rate that is wrongly counted per client, or end a token issued twice.
const touches = { clock: 'pace', tokens: undefined, addresses: 'change' } as const;
const check = suiteCheck.with({ touches, effects: 'write' });

/** How many requests of a kind follow one another. */
const IN_A_ROW = 3;
/** The pause, in milliseconds, after which no limit is expected to refuse the next request. */
const LONG_MS = 5_000;

// About 30 requests: three of each kind, with addresses of their own.
check('TOKEN-RATE-DOCUMENTED-SERVED', { case: 'of-one-kind' }, async (context) => {
  await context.tokenAccess.requireAddressBook();
  await context.tokenAccess.requireInventedRefused();
  const probe = new RateProbe(context);
  for (const makeKind of await kinds(context)) {
    const token = await context.oauth.issue();
    const { steps } = await probe.evenly(token, IN_A_ROW, { kinds: [await makeKind()] });
    if (steps.every(({ served }) => served)) continue;
    await context.time.wait(LONG_MS);
    await context.tokenAccess.requireAccepted(token);
    // What is refused with long pauses, too, is not refused because of the rate.
    if (!(await slowly(context, probe, await makeKind())).every(({ served }) => served)) continue;
    await expectServed(
      context,
      steps,
      'although requests of this kind came at no more than 2 a second, and are served with pauses',
    );
  }
});

/** Sends the same requests with long pauses. */
async function slowly(context: OAuthContext, probe: RateProbe, kind: Kind): Promise<Step[]> {
  const token = await context.tokenAccess.openToken();
  const steps: Step[] = [];
  for (let n = 0; n < IN_A_ROW; n += 1) {
    await context.time.wait(LONG_MS);
    steps.push(...(await probe.burst(token, 1, [kind])));
  }
  return steps;
}

/** Returns functions that make a kind of request, with addresses to read, update or verify. */
async function kinds(context: OAuthContext): Promise<(() => Promise<Kind>)[]> {
  const book = await bookReadBefore(context);
  const { names } = await new Verification(context).carriers().catch(() => ({ names: [] }));
  const carriers = names.slice(0, 1);
  /** Gives each request an address of its own, since an address may be locked while it is verified. */
  const onEach = (send: (id: string, options: Parameters<Kind>[0]) => ReturnType<Kind>) => async () => {
    const ids: string[] = [];
    for (let n = 0; n < IN_A_ROW; n += 1) ids.push(await book.anyId());
    return (options: Parameters<Kind>[0]) => send(ids.pop() ?? '', options);
  };
  const why = 'counted against the rate';
  // All in one place: a service that does not know a place refuses it, at whatever rate it is sent.
  const address_attributes = newPlace(context.faker);
  const address = () => ({ address_template: book.fresh({ address_attributes }) });
  return [
    async () => (options) => book.post(address(), `create, ${why}`, options),
    onEach((id, options) => book.update(id, { alias_name: book.label() }, {}, `update, ${why}`, options)),
    ...(carriers.length > 0
      ? [onEach((id, options) => book.verify(id, { carriers }, `verify, ${why}`, options))]
      : []),
    onEach((id, options) => book.remove(id, `delete, ${why}`, options)),
  ];
}
