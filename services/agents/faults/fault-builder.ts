/** Builds the requests of faults: a good registration with exactly one thing changed. */

import type { Body } from '../../../lib/http/body.ts';
import { type Fields, fieldsWith } from '../api/registration-endpoint.ts';
import { SCRAPE_PATH } from '../api/scrape.ts';
import { isHttpUrl } from '../fixtures/discovery.ts';
import { foreignKeySet } from '../fixtures/foreign-key-set.ts';
import type { Registrations } from '../fixtures/registrations.ts';
import { type JsonObject, sign } from '../idp/compact.ts';
import type { Assertion, Changes, IdentityProvider, Subject } from '../idp/identity-provider.ts';
import { foreignKeyPair } from '../idp/keys.ts';

/** A placeholder for the assertion, used where none can be signed and the fault lies elsewhere. */
const NO_ASSERTION = 'not.an.assertion';

/** Builds the requests of faults about one user; see the module comment. */
export class FaultBuilder {
  readonly #registrations: Registrations;
  readonly user: Subject;

  /** @param user the user whom the assertions are about */
  constructor(registrations: Registrations, user: Subject) {
    this.#registrations = registrations;
    this.user = user;
  }

  /** Name of the target. */
  get target(): string {
    return this.#registrations.session.target.name;
  }

  /** Whether the suite can obtain valid assertions. */
  get canSign(): boolean {
    return this.#registrations.canSign;
  }

  get provider(): Promise<IdentityProvider> {
    return this.#registrations.provider();
  }

  get audience(): Promise<string> {
    return this.#registrations.audience();
  }

  /**
   * Returns the `jti` of the forged assertion. A good assertion carries it later, to catch a service that
   * remembers the `jti` of an assertion although it refused the signature.
   */
  forgedJti(): Promise<string> {
    return this.#registrations.forgedJti();
  }

  /** Returns an assertion signed by the provider's own key, with the given changes. */
  async assertion(changes: Changes = {}): Promise<Assertion> {
    return (await this.provider).mint(this.user, await this.audience, changes);
  }

  /**
   * Returns header and claims of a good assertion with the given changes, for faults that sign them in
   * another way.
   */
  async parts(changes: Changes = {}): Promise<{ header: JsonObject; claims: JsonObject }> {
    const [provider, audience] = [await this.provider, await this.audience];
    const kid = await provider.kid(this.user, audience);
    const header = provider.header({ header: { ...(kid !== undefined && { kid }), ...changes.header } });
    return { header, claims: provider.claims(this.user, audience, changes) };
  }

  /**
   * Returns a request whose assertion is validly signed by an RSA key of the issuer, with the algorithm
   * `alg`.
   */
  async byRsa(alg: string): Promise<Body> {
    const provider = await this.provider;
    const { rsa, isKnown } = provider.further;
    // The key of good assertions is published with its `alg`. A service may refuse another algorithm for that
    // reason alone and still accept every algorithm for other keys; so a key without `alg` is used where the
    // target has one.
    if (rsa && isKnown()) return this.body(await provider.mintBy(rsa, alg, this.user, await this.audience));
    return this.changed({ header: { alg } });
  }

  /**
   * Returns a request whose assertion is signed with ES256: by a key of the issuer where there is one,
   * otherwise by a foreign key.
   */
  async byElliptic(): Promise<Body> {
    const provider = await this.provider;
    const { elliptic } = provider.further;
    if (!elliptic) return this.body(await this.foreign('ES256'));
    return this.body(await provider.mintBy(elliptic, 'ES256', this.user, await this.audience));
  }

  /**
   * Returns the assertion of the first registration, which was accepted. Throws `Blocked` where it was
   * refused.
   */
  async redeemedToken(): Promise<string> {
    return (await this.#registrations.twin()).assertion.token;
  }

  /** Returns an API key that was issued. Throws `Blocked` when there is none. */
  issuedKey(): Promise<string> {
    return this.#registrations.key();
  }

  /**
   * Returns an assertion with good claims that is signed by a key which the provider does not have. A header
   * member that is `undefined` is left out.
   */
  async foreign(alg: 'RS256' | 'ES256', header: JsonObject = {}): Promise<string> {
    const { privateKey } = await foreignKeyPair(alg);
    const parts = await this.parts({ header: { alg, ...header } });
    return sign(parts.header, parts.claims, privateKey);
  }

  /**
   * Returns the address of a key set, served on this machine, that contains the foreign RS256 key under this
   * `kid`. Throws `Skipped` where the target runs elsewhere and could not read it.
   */
  foreignKeySet(kid: string): Promise<string> {
    return foreignKeySet(this.#registrations, kid);
  }

  /**
   * Returns audiences that a service may accept by mistake: its own issuers and addresses. Its resource is
   * left out, and so is anything that differs from it only by a trailing slash or by letter case.
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
      discovery.urls.resource,
      discovery.urls.server,
      discovery.config.baseUrl.replace(/\/+$/, '') + SCRAPE_PATH,
    ].filter(isHttpUrl);
    const isGood = (url: string) => good.some((each) => plain(each) === plain(url));
    return [...new Set(others)].filter((url) => !isGood(url));
  }

  /** Returns a request body with this value as the assertion, and with the given fields changed. */
  body(assertion: unknown, fields: Fields = {}): Body {
    return { json: { ...fieldsWith(assertion), ...fields } };
  }

  /** Returns a request that is good except for the given fields. */
  async fields(fields: Fields): Promise<Body> {
    return this.body(await this.#goodToken(), fields);
  }

  /** Returns the fields of a good request. */
  async goodFields(): Promise<Fields> {
    return fieldsWith(await this.#goodToken());
  }

  /** Returns a request whose assertion is signed by the provider's own key, with the given changes. */
  async changed(changes: Changes): Promise<Body> {
    return this.body((await this.assertion(changes)).token);
  }

  async #goodToken(): Promise<string> {
    return this.canSign ? (await this.assertion()).token : NO_ASSERTION;
  }
}

/**
 * Returns a URL without the differences that some services ignore when they compare URLs: what RFC 3986 6.2
 * calls equivalent, and also trailing slashes and the case of all letters.
 */
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
