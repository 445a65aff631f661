/** Other legitimate answers to a second verification by the same carrier (3, 4.6). */
import { AddressRefusal, type ShippingRules } from '../../../reference/shipping/index.ts';
import type { Variant } from '../../types.ts';

export const verifyAgainVariants: Variant<ShippingRules>[] = [
  {
    id: 'verify-again-from-nothing',
    fills: ['ADDR-VERIFY-REPEATED', 'ADDR-VERIFY-TRANSITIONS'],
    sentence:
      'takes an outcome away when the carrier is asked again, and lists the next one 20 seconds later',
    rules: (original) => ({
      verificationDelayMs: 20_000,
      serialiseTemplate: (template, endpoint, env) => {
        const verifications = template.verifications.filter(({ dueAt }) => env.clock.now() >= dueAt);
        return original.serialiseTemplate({ ...template, verifications }, endpoint, env);
      },
    }),
  },
  {
    id: 'verify-again-refused',
    fills: ['ADDR-VERIFY-REPEATED', 'ADDR-VERIFY-INVALID-ANSWER'],
    sentence: 'refuses a verification by a carrier that has answered',
    rules: (original) => ({
      startVerification: (template, carriers, env) => {
        const done = template.verifications.filter(({ dueAt }) => env.clock.now() >= dueAt);
        const known = done.find(({ carrier }) => carriers.includes(carrier));
        if (known) throw new AddressRefusal('invalid', `${known.carrier} has answered already`);
        return original.startVerification(template, carriers, env);
      },
    }),
    // In those variants, carriers may have answered before a check asks them, and would then always refuse.
    conflicts: ['verifies-new-addresses', 'carriers-listed-from-the-start', 'verify-asks-all'],
  },
];
