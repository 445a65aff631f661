/**
 * The address-book suite: sections 1 to 4.6 of specification 1, and 5 and 7 as far as they are about
 * addresses.
 */
import type { CheckContext } from '../../lib/check/context.ts';
import { defineSuite } from '../../lib/check/suite.ts';
import { AddressBook } from '../../services/shipping/api/addresses.ts';
import { TokenAccess } from '../../services/shipping/api/token-access.ts';
import { ListSnapshot } from '../../services/shipping/fixtures/list-snapshot.ts';
import { type Faker, mexican } from '../../services/shipping/fixtures/mexican-data.ts';
import { RevokingOAuth } from '../../services/shipping/fixtures/revoking-oauth.ts';
import { SharedAddresses } from '../../services/shipping/fixtures/shared-addresses.ts';
import { Updates } from '../../services/shipping/fixtures/updates.ts';
import { Verification } from '../../services/shipping/fixtures/verification.ts';
import shipping from '../../services/shipping/service.ts';

export interface SuiteFixtures {
  /** The six address endpoints. */
  addresses: AddressBook;
  /** Addresses that several checks share. */
  sharedAddresses: SharedAddresses;
  /** Pages of the list, read while nothing changes. */
  listSnapshot: ListSnapshot;
  /** Updates that are made once in a run. */
  updates: Updates;
  /** Starts verifications and waits for their outcome. */
  verification: Verification;
  /** The three OAuth endpoints. */
  oauth: RevokingOAuth;
  /** Shows whether a token is accepted. */
  tokenAccess: TokenAccess;
  /** Test data from the run's seed and the check's id. */
  faker: Faker;
}

/** What a check of this suite is given. */
export type SuiteContext = CheckContext & SuiteFixtures;

export const check = defineSuite<SuiteFixtures>('address-book', {
  service: shipping,
  fixtures: {
    addresses: (context) => new AddressBook(context),
    sharedAddresses: (context) => new SharedAddresses(context),
    listSnapshot: (context) => new ListSnapshot(context),
    updates: (context) => new Updates(context),
    verification: (context) => new Verification(context),
    oauth: (context) => new RevokingOAuth(context),
    tokenAccess: (context) => new TokenAccess(context),
    faker: mexican,
  },
  // Addresses that a check saves or removes change lists and their totals. Those that let time pass wait for outcomes.
  touches: (effects, _, clock) =>
    effects === 'write' ? { addresses: 'change', ...(clock === 'move' && { verifications: 'change' }) } : {},
});

/**
 * Options for a check whose requests have to follow each other within about a second, since a verification
 * may take no longer: the clock is moved only while it waits, too.
 */
export const WITHIN_A_SECOND = { touches: { clock: 'move' } } as const;
