/** Resources and envelopes as they are answered (sections 2 and 4.1 to 4.6). */
import type { Address, AddressEndpoint, AddressTemplate, Env, Verification } from '../model.ts';

export const serialiseRules = {
  serialiseAddress(address: Address, _env: Env): Record<string, unknown> {
    return { ...address };
  },

  /** One entry of `verified_carriers`: pending and without an id until the carrier has answered. */
  serialiseCarrier(verification: Verification, env: Env): Record<string, unknown> {
    const { carrier, dueAt, outcome, verificationId } = verification;
    const done = env.clock.now() >= dueAt;
    return {
      carrier_name: carrier,
      status: done ? outcome : env.rules.pendingStatus,
      verification_id: done ? verificationId : null,
    };
  },

  serialiseTemplate(
    template: AddressTemplate,
    _endpoint: AddressEndpoint,
    env: Env,
  ): Record<string, unknown> {
    const { rules } = env;
    return {
      id: template.id,
      alias_name: template.alias_name,
      address_type: template.address_type,
      default: template.default,
      address: rules.serialiseAddress(template.address, env),
      verified_carriers: template.verifications.map((each) => rules.serialiseCarrier(each, env)),
    };
  },

  /** Returns the body of any answer that carries one address. */
  templateEnvelope(template: Record<string, unknown>, _endpoint: AddressEndpoint): unknown {
    return { data: template };
  },

  /** The answer of the list endpoint. */
  listEnvelope(data: Record<string, unknown>[], meta: Record<string, unknown>): unknown {
    return { data, meta };
  },

  /** The answer of a successful delete (silence). */
  deleteBody(_template: AddressTemplate): unknown {
    return {};
  },
};
