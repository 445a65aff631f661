/** The agent-registration suite: specification 2. */
import type { CheckContext } from '../../lib/check/context.ts';
import { defineSuite } from '../../lib/check/suite.ts';
import { ApiAccess } from '../../services/agents/api/api-access.ts';
import { Faults } from '../../services/agents/faults/index.ts';
import { Bursts } from '../../services/agents/fixtures/bursts.ts';
import { Discovery } from '../../services/agents/fixtures/discovery.ts';
import { KeyEnds } from '../../services/agents/fixtures/key-ends.ts';
import { Recovery } from '../../services/agents/fixtures/recovery.ts';
import { Refusals } from '../../services/agents/fixtures/refusals.ts';
import { Registrations } from '../../services/agents/fixtures/registrations.ts';
import { UsedAssertions } from '../../services/agents/fixtures/used-assertions.ts';
import agents from '../../services/agents/service.ts';

interface Fixtures {
  /** The challenge and the metadata documents. */
  discovery: Discovery;
  /** Registrations that ought to succeed. */
  registrations: Registrations;
  /** Registrations that ought to be refused. */
  faults: Faults;
  /** Every refusal of the run. */
  refusals: Refusals;
  /** One assertion, sent several times at once. */
  bursts: Bursts;
  /** Registrations after refusals. */
  recovery: Recovery;
  /** Registrations with used assertions. */
  usedAssertions: UsedAssertions;
  /** The API, which requires a key. */
  apiAccess: ApiAccess;
  /** What ends keys that ought to stay valid. */
  keyEnds: KeyEnds;
}

export const check = defineSuite<Fixtures>('agent-registration', {
  service: agents,
  scarce: true,
  // Assertions expire, so hours must not pass during a check; `still` and not `change`, since nothing is
  // paced.
  touches: () => ({ clock: 'still' }),
  fixtures: {
    discovery: (context) => new Discovery(context),
    registrations: (context) => new Registrations(context),
    faults: (context) => new Faults(context),
    refusals: (context) => new Refusals(context),
    bursts: (context) => new Bursts(context),
    recovery: (context) => new Recovery(context),
    usedAssertions: (context) => new UsedAssertions(context),
    apiAccess: (context) => new ApiAccess(context),
    keyEnds: (context) => new KeyEnds(context),
  },
});

/**
 * Options for a check that registers the user who gets many keys: a service may process such requests one by
 * one.
 */
export const MANY_KEYS = { touches: { 'the user with many keys': 'alone' } } as const;

/** Skips a check that chooses the `jti` of assertions, where a hook signs them and chooses it. */
export function requireOwnKey({
  registrations,
  skip,
}: Pick<CheckContext & Fixtures, 'registrations' | 'skip'>) {
  if (!registrations.hasOwnKey) skip('a hook signs the assertions and chooses the `jti`');
}
