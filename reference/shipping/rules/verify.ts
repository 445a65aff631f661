/** Verification by carriers (sections 3 and 4.6): accepted at once, with an outcome that is visible later. */
import { randomUUID } from '../../kit/random.ts';
import type { AddressTemplate, Env, Fields, Verification } from '../model.ts';

export const verifyRules = {
  /** How long a carrier takes to verify an address, in milliseconds (silence). */
  verificationDelayMs: 2000,

  /** The status of a carrier before its outcome is visible (silence). */
  pendingStatus: 'pending',

  /** What is wrong with a verify body; empty when it can be accepted. */
  verifyProblems(body: Fields, env: Env): string[] {
    const { carriers } = body;
    if (!Array.isArray(carriers) || carriers.length === 0) return ['carriers is missing'];
    return carriers
      .filter((carrier) => !env.carriers.includes(carrier))
      .map((carrier) => `there is no carrier ${JSON.stringify(carrier)}`);
  },

  /** The carriers that a valid body names, each once. */
  requestedCarriers(body: Fields): string[] {
    return [...new Set(body.carriers as string[])];
  },

  /** Verifications of an address that has just been created. */
  initialVerifications(_env: Env): Verification[] {
    return [];
  },

  /** Verifications after an update: they stay, even when the address changed (silence). */
  verificationsAfterUpdate(current: AddressTemplate, _changes: Fields, _env: Env): Verification[] {
    return current.verifications;
  },

  /**
   * Returns the outcome: addresses in Mexico with a postal code of five digits are verified, others rejected.
   */
  verificationOutcome(template: AddressTemplate, _carrier: string): string {
    const { country_code, postal_code } = template.address;
    return country_code === 'MX' && /^\d{5}$/.test(postal_code ?? '') ? 'verified' : 'rejected';
  },

  newVerification(template: AddressTemplate, carrier: string, env: Env): Verification {
    return {
      carrier,
      dueAt: env.clock.now() + env.rules.verificationDelayMs,
      outcome: env.rules.verificationOutcome(template, carrier),
      verificationId: randomUUID(),
    };
  },

  /**
   * Returns the template with a verification started for each of the carriers. Those of other carriers stay.
   */
  startVerification(template: AddressTemplate, carriers: string[], env: Env): AddressTemplate {
    const others = template.verifications.filter(({ carrier }) => !carriers.includes(carrier));
    const started = carriers.map((carrier) => env.rules.newVerification(template, carrier, env));
    return { ...template, verifications: [...others, ...started] };
  },
};
