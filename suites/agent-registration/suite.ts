/** The agent-registration suite: specification 2. */
import { defineSuite } from '../../lib/check/suite.ts';
import { Discovery } from '../support/agents/discovery.ts';
import { Door } from '../support/agents/door.ts';
import { Faults } from '../support/agents/faults/index.ts';
import { signOfLife } from '../support/agents/life.ts';
import { Recovery } from '../support/agents/recovery.ts';
import { Registrations } from '../support/agents/registrations.ts';

interface Fixtures {
  /** The challenge and the metadata documents. */
  discovery: Discovery;
  /** Registrations that ought to succeed. */
  registrations: Registrations;
  /** Registrations that ought to be refused. */
  faults: Faults;
  /** What comes after refusals; used assertions. */
  recovery: Recovery;
  /** The API, which a key opens. */
  door: Door;
}

export const check = defineSuite<Fixtures>('agent-registration', {
  service: 'agents',
  fixtures: {
    discovery: (context) => new Discovery(context),
    registrations: (context) => new Registrations(context),
    faults: (context) => new Faults(context),
    recovery: (context) => new Recovery(context),
    door: (context) => new Door(context),
  },
  alive: signOfLife,
});
