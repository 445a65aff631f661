/** The address-book suite: specification 1, sections 1 to 4.6, with 5 and 7 where they are about addresses. */
import type { CheckContext } from '../../lib/check/context.ts';
import { defineSuite } from '../../lib/check/suite.ts';
import { AddressBook } from '../support/shipping/addresses.ts';
import { Census } from '../support/shipping/census.ts';
import { Door } from '../support/shipping/door.ts';
import { Fixtures } from '../support/shipping/fixtures.ts';
import { signOfLife } from '../support/shipping/life.ts';
import { OAuth } from '../support/shipping/tokens.ts';
import { Updates } from '../support/shipping/updates.ts';
import { Verification } from '../support/shipping/verification.ts';

export interface SuiteFixtures {
  /** The six address endpoints. */
  addresses: AddressBook;
  /** Addresses that several checks look at. */
  shared: Fixtures;
  /** Pages of the list, read while nothing changes. */
  census: Census;
  /** Updates that are done once. */
  updates: Updates;
  verification: Verification;
  oauth: OAuth;
  door: Door;
}

/** What a check of this suite is given. */
export type SuiteContext = CheckContext & SuiteFixtures;

export const check = defineSuite<SuiteFixtures>('address-book', {
  service: 'shipping',
  fixtures: {
    addresses: (context) => new AddressBook(context),
    shared: (context) => new Fixtures(context),
    census: (context) => new Census(context),
    updates: (context) => new Updates(context),
    verification: (context) => new Verification(context),
    oauth: (context) => new OAuth(context),
    door: (context) => new Door(context),
  },
  alive: signOfLife,
});
