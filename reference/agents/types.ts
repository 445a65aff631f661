/** Types that the rules of the agent registration service share. */
import type { ErrorCode } from '../../schemas/agents/index.ts';

export type { ErrorCode };

/** A JSON object whose members are not known yet. */
export type JsonObject = Record<string, unknown>;

/** The absolute URLs of one service. */
export interface Urls {
  /** Base of the API and of the authorization server, without a slash at the end. */
  base: string;
  /** The identifier of the API, which every assertion must name as its audience. */
  resource: string;
  /** The authorization server's issuer identifier (RFC 8414 2). */
  authorizationServer: string;
  resourceMetadata: string;
  serverMetadata: string;
  register: string;
  skill: string;
  logo: string;
}

/**
 * What the claims of an assertion are compared with. Times are in seconds since the epoch; fractions are
 * allowed.
 */
export interface Facts {
  /** The one issuer that is allowed. */
  issuer: string;
  /** The audience that assertions have to name. */
  resource: string;
  /** The time, in seconds since the epoch. */
  now: number;
  /** How far past its `exp` an assertion is still accepted, in seconds. */
  leeway: number;
  /** How far ahead of now `exp` may be, in seconds. */
  longestLifetime: number;
}

/** One issued key. */
export interface Registration {
  registrationId: string;
  userId: string;
  apiKey: string;
  /** Milliseconds since the epoch. */
  issuedAt: number;
}

/** Issued keys, by the key itself. */
export type KeyStore = Map<string, Registration>;
/** Identifiers of known users, by the key that `userKey` returns. */
export type UserStore = Map<string, string>;
/** The `exp` of assertions that were redeemed, by the key that `replayKey` returns. */
export type ReplayStore = Map<string, number>;

/** Everything that the service remembers. */
export interface State {
  keys: KeyStore;
  users: UserStore;
  replays: ReplayStore;
}

/** Why a call to the API is refused: it presents no key, or one that is not known. */
export type Refusal = 'no-key' | 'unknown-key';

/** A registration that is refused with one of the codes of section 7. */
export class Fault extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode) {
    super(code);
    this.name = 'Fault';
    this.code = code;
  }
}
