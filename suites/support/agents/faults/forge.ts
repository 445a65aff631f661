/** Makes the requests of faults: a good registration with exactly one thing changed. */

import type { Body } from '../../../../lib/http/body.ts';
import type { JsonObject } from '../../../../lib/idp/compact.ts';
import type { Assertion, Changes, IdentityProvider, Subject } from '../../../../lib/idp/identity-provider.ts';
import { type Fields, fieldsWith } from '../endpoint.ts';
import type { Registrations } from '../registrations.ts';

/** Stands where an assertion belongs, when none can be signed and it does not matter. */
const NO_ASSERTION = 'not.an.assertion';

export class Forge {
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
