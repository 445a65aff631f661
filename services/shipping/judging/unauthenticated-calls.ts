/** Requests to the six address endpoints without a valid token, each with its twin with a good one. */

import type { CheckContext } from '../../../lib/check/context.ts';
import { perRun, perRunOf } from '../../../lib/check/per-run.ts';
import { requireOk } from '../../../lib/check/require.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { AddressBook, type Auth, type CreatedAddress } from '../api/addresses.ts';
import type { AccessToken } from '../api/oauth.ts';
import { TokenAccess } from '../api/token-access.ts';
import type { NewAddress } from '../fixtures/address-data.ts';
import { mexican } from '../fixtures/mexican-data.ts';
import { RevokingOAuth } from '../fixtures/revoking-oauth.ts';
import { Verification } from '../fixtures/verification.ts';

export const ENDPOINTS = ['list', 'read', 'create', 'update', 'delete', 'verify'] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

/** The ways in which a request can lack a valid token. */
export type BadToken = 'no-token' | 'garbage' | 'revoked';

/** The requirement for each endpoint and each of these ways. */
export const AUTH_REQUIREMENTS: Readonly<Record<Endpoint, Readonly<Record<BadToken, string>>>> = {
  list: {
    'no-token': 'ADDR-AUTH-LIST-NO-TOKEN',
    garbage: 'ADDR-AUTH-LIST-GARBAGE',
    revoked: 'ADDR-AUTH-LIST-REVOKED',
  },
  read: {
    'no-token': 'ADDR-AUTH-READ-NO-TOKEN',
    garbage: 'ADDR-AUTH-READ-GARBAGE',
    revoked: 'ADDR-AUTH-READ-REVOKED',
  },
  create: {
    'no-token': 'ADDR-AUTH-CREATE-NO-TOKEN',
    garbage: 'ADDR-AUTH-CREATE-GARBAGE',
    revoked: 'ADDR-AUTH-CREATE-REVOKED',
  },
  update: {
    'no-token': 'ADDR-AUTH-UPDATE-NO-TOKEN',
    garbage: 'ADDR-AUTH-UPDATE-GARBAGE',
    revoked: 'ADDR-AUTH-UPDATE-REVOKED',
  },
  delete: {
    'no-token': 'ADDR-AUTH-DELETE-NO-TOKEN',
    garbage: 'ADDR-AUTH-DELETE-GARBAGE',
    revoked: 'ADDR-AUTH-DELETE-REVOKED',
  },
  verify: {
    'no-token': 'ADDR-AUTH-VERIFY-NO-TOKEN',
    garbage: 'ADDR-AUTH-VERIFY-GARBAGE',
    revoked: 'ADDR-AUTH-VERIFY-REVOKED',
  },
};

/** One request: the address that it was about, what it sent, and its answer. */
export interface Attempt {
  address: CreatedAddress;
  /** What the create or update sent. */
  sent: NewAddress;
  answer: Answer;
}

/** The requirement that the twin shows to hold, for each endpoint. */
const TWIN: Record<Endpoint, string> = {
  list: 'ADDR-LIST-STATUS',
  read: 'ADDR-READ-STATUS',
  create: 'ADDR-CREATE-STATUS',
  update: 'ADDR-UPDATE-STATUS',
  delete: 'ADDR-DELETE-STATUS',
  verify: 'ADDR-VERIFY-STATUS',
};

/**
 * In ms: longer than anything should cache that a token is valid, but well within its lifetime of 2 hours.
 */
const CACHES_FORGET_MS = 600_000;

/** See the module comment. */
export class UnauthenticatedCalls {
  readonly session: Session;
  readonly #context: CheckContext;
  readonly #book: AddressBook;

  constructor(context: CheckContext) {
    this.session = context.session;
    this.#context = context;
    this.#book = new AddressBook(context);
  }

  /**
   * Calls an endpoint without a valid token; once in a run for each endpoint and way. Throws `Blocked` unless
   * the same call with a good token succeeds, and `Skipped` where the configuration lacks what that call
   * needs.
   */
  async tries(endpoint: Endpoint, kind: BadToken): Promise<Attempt> {
    await this.#requireOkWithToken(endpoint);
    return this.#callWith(endpoint, kind);
  }

  /** Throws `Blocked` unless the call with a good token succeeds. */
  readonly #requireOkWithToken = perRunOf(
    this,
    'shipping: call with a good token',
    async (endpoint: Endpoint): Promise<void> => {
      const { answer } = await this.#call(endpoint, 'pool', 'with a good token');
      requireOk(answer, TWIN[endpoint]);
    },
  );

  readonly #callWith = perRunOf(
    this,
    'shipping: call without a valid token',
    async (endpoint: Endpoint, kind: BadToken): Promise<Attempt> => {
      const words = {
        'no-token': 'without a token',
        garbage: 'with an invented token',
        revoked: 'with a revoked token',
      };
      return this.#call(endpoint, await this.#auth(kind), words[kind]);
    },
  );

  async #auth(kind: BadToken): Promise<Auth> {
    if (kind === 'no-token') return 'none';
    if (kind === 'garbage') return { raw: `invented-${mexican(this.#context).string.alphanumeric(32)}` };
    return revokedToken(this.#context);
  }

  /** Returns the address of a call: one of its own for delete and verify, a shared one for the others. */
  #addressFor(endpoint: Endpoint): Promise<CreatedAddress> {
    if (endpoint === 'delete' || endpoint === 'verify') return this.#book.create();
    return this.#sharedAddress();
  }

  readonly #sharedAddress = perRunOf(
    this,
    'shipping: address of calls without a valid token',
    async (): Promise<CreatedAddress> => this.#book.create(),
  );

  async #call(endpoint: Endpoint, auth: Auth, words: string): Promise<Attempt> {
    const book = this.#book;
    const address = await this.#addressFor(endpoint);
    const sent = book.fresh();
    const { id } = address;
    const purpose = `${endpoint} ${words}`;
    const { alias_name } = sent;
    const send: Record<Endpoint, () => Promise<Answer>> = {
      list: () => book.list({}, purpose, { auth }),
      read: () => book.call({ method: 'GET', path: `/${encodeURIComponent(id)}`, purpose, auth }),
      create: () => book.post({ address_template: sent }, purpose, { auth }),
      update: () => book.update(id, { alias_name }, {}, purpose, { auth }),
      delete: () => book.remove(id, purpose, { auth }),
      verify: async () =>
        book.verify(id, { carriers: [await new Verification(this.#context).carrier()] }, purpose, { auth }),
    };
    return { address, sent, answer: await send[endpoint]() };
  }
}

/** Returns a token that was accepted before it was revoked. */
const revokedToken = perRun('shipping: revoked token', async (context: CheckContext): Promise<Auth> => {
  const oauth = new RevokingOAuth(context);
  const token = await oauth.issue();
  await new TokenAccess(context).requireAccepted(token);
  const answer = await oauth.revoke(token.value);
  requireOk(answer, 'TOKEN-REVOKE-STATUS');
  // Whether this takes effect at once is the subject of another requirement, so caches are given time to
  // expire.
  const { time } = context;
  if (time.movable) await time.wait(CACHES_FORGET_MS);
  else await untilRefused(context, token);
  return { raw: token.value };
});

/** Presents a revoked token until it is refused, for as long as the user allows. */
async function untilRefused(context: CheckContext, token: AccessToken): Promise<void> {
  const { time } = context;
  const until = time.elapsed() + time.pollLimit(CACHES_FORGET_MS);
  while ((await new TokenAccess(context).present(token, 'list addresses with the revoked token')).ok) {
    if (time.elapsed() >= until) return;
    await time.wait(1_000);
  }
}
