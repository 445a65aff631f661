/** Makes the requests of faults: a good registration with exactly one thing changed. */

import type { Body } from '../../../lib/http/body.ts';
import { type Fields, fieldsWith } from '../api/registration-endpoint.ts';
import { isHttpUrl } from '../fixtures/discovery.ts';
import { foreignKeySet } from '../fixtures/foreign-key-set.ts';
import type { Registrations } from '../fixtures/registrations.ts';
import { type JsonObject, sign } from '../idp/compact.ts';
import type { Assertion, Changes, IdentityProvider, Subject } from '../idp/identity-provider.ts';
import { foreignKeyPair } from '../idp/keys.ts';

/** Stands where an assertion belongs, when none can be signed and it does not matter. */
const NO_ASSERTION = 'not.an.assertion';

export class FaultBuilder {
  readonly #registrations: Registrations;
  readonly user: Subject;

  /** @param user whom the assertions are about */
  constructor(registrations: Registrations, user: Subject) {
    this.#registrations = registrations;
    this.user = user;
  }

  /** Name of the target. */
  get target(): string {
    return this.#registrations.session.target.name;
  }

  /** Whether valid assertions can be had. */
  get canSign(): boolean {
    return this.#registrations.canSign;
  }

  get provider(): Promise<IdentityProvider> {
    return this.#registrations.provider();
  }

  get audience(): Promise<string> {
    return this.#registrations.audience();
  }

  /** The `jti` that only a forgery carries. */
  forgedJti(): Promise<string> {
    return this.#registrations.forgedJti();
  }

  /** An assertion by the provider's own key, changed as told. */
  async assertion(changes: Changes = {}): Promise<Assertion> {
    return (await this.provider).mint(this.user, await this.audience, changes);
  }

  /** Header and claims of a good assertion, for whoever signs them otherwise. */
  async parts(changes: Changes = {}): Promise<{ header: JsonObject; claims: JsonObject }> {
    const [provider, audience] = [await this.provider, await this.audience];
    const kid = await provider.kid(this.user, audience);
    const header = provider.header({ header: { ...(kid !== undefined && { kid }), ...changes.header } });
    return { header, claims: provider.claims(this.user, audience, changes) };
  }

  /** A request whose assertion is signed well, with another algorithm of RSA. */
  async byRsa(alg: string): Promise<Body> {
    const provider = await this.provider;
    const { rsa, isKnown } = provider.further;
    // An entry that names `alg` may be refused for that, by a service that takes every algorithm of other keys.
    if (rsa && isKnown()) return this.body(await provider.mintBy(rsa, alg, this.user, await this.audience));
    return this.changed({ header: { alg } });
  }

  /** A request whose assertion is signed with ES256: well, where the issuer has a key for it. */
  async byElliptic(): Promise<Body> {
    const provider = await this.provider;
    const { elliptic } = provider.further;
    if (!elliptic) return this.body(await this.foreign('ES256'));
    return this.body(await provider.mintBy(elliptic, 'ES256', this.user, await this.audience));
  }

  /** The assertion of the first registration, as it was accepted. */
  async redeemedToken(): Promise<string> {
    return (await this.#registrations.twin()).assertion.token;
  }

  /** A key that was issued. Throws `Blocked` when there is none. */
  issuedKey(): Promise<string> {
    return this.#registrations.key();
  }

  /** An assertion with good claims that somebody else signed; a header member that is `undefined` is left out. */
  async foreign(alg: string, header: JsonObject = {}): Promise<string> {
    const { privateKey } = await foreignKeyPair(alg);
    const parts = await this.parts({ header: { alg, ...header } });
    return sign(parts.header, parts.claims, privateKey);
  }

  /**
   * The address of a key set, served on this machine, that has the key of such an assertion and gives it this `kid`. Throws
   * `Skipped` where the target is elsewhere and could not read it.
   */
  foreignKeySet(kid: string): Promise<string> {
    return foreignKeySet(this.#registrations, kid);
  }

  /**
   * What an assertion may be made for by mistake: issuers and addresses of this very service, none of which is its
   * resource, nor differs from it by no more than a slash at the end or letter case.
   */
  async otherAudiences(): Promise<string[]> {
    const { discovery } = this.#registrations.endpoint;
    const [resource, server] = [await discovery.resource(), await discovery.server()];
    const good = [await this.audience, ...(await discovery.audiences()), resource.at('/resource')];
    const servers = resource.at('/authorization_servers');
    const others = [
      server.at('/issuer'),
      ...(Array.isArray(servers) ? servers : []),
      discovery.authUrl,
      discovery.config.baseUrl.replace(/\/+$/, ''),
      server.at('/agent_auth/register_uri'),
      discovery.urls.register,
    ].filter(isHttpUrl);
    const isGood = (url: string) => good.some((each) => plain(each) === plain(url));
    return [...new Set(others)].filter((url) => !isGood(url));
  }

  /** A request with this in the place of the assertion, and fields changed as told. */
  body(assertion: unknown, fields: Fields = {}): Body {
    return { json: { ...fieldsWith(assertion), ...fields } };
  }

  /** A request that is good but for some fields. */
  async fields(fields: Fields): Promise<Body> {
    return this.body(await this.#goodToken(), fields);
  }

  /** The fields of a good request. */
  async goodFields(): Promise<Fields> {
    return fieldsWith(await this.#goodToken());
  }

  /** A request whose assertion, signed by the provider's own key, is changed as told. */
  async changed(changes: Changes): Promise<Body> {
    return this.body((await this.assertion(changes)).token);
  }

  async #goodToken(): Promise<string> {
    return this.canSign ? (await this.assertion()).token : NO_ASSERTION;
  }
}

/** A URL without what some leave out of account when they compare: what RFC 3986 6.2 calls equivalent, and more. */
function plain(url: unknown): string {
  const text = URL.canParse(String(url)) ? decoded(new URL(String(url)).href) : String(url);
  return text.replace(/\/+$/, '').toLowerCase();
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
