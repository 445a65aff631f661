/** What happens to a verification when another one starts before its outcome is there (3 and 4.6). */
import type { AddressTemplate, Env, ShippingRules, Verification } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';

/** One verification of one address. */
interface Job {
  id: string;
  verification: Verification;
}

/** Changes a verification, when it is shown, if another address was verified while it was under way. */
function overtaken(change: (verification: Verification, by: Job, env: Env) => Verification | undefined) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    const jobs: Job[] = [];
    const seen = ({ id }: AddressTemplate, verification: Verification, env: Env) => {
      const at = jobs.findIndex((job) => job.verification.verificationId === verification.verificationId);
      const by = jobs.slice(at + 1).find((job) => job.id !== id);
      const begun = by && by.verification.dueAt - env.rules.verificationDelayMs;
      const isOvertaken = at >= 0 && begun !== undefined && begun < verification.dueAt;
      return isOvertaken ? change(verification, by!, env) : verification;
    };
    return {
      startVerification: (template, carriers, env) => {
        const started = original.startVerification(template, carriers, env);
        for (const verification of started.verifications)
          if (!template.verifications.includes(verification)) jobs.push({ id: template.id, verification });
        return started;
      },
      serialiseTemplate: (template, endpoint, env) => {
        const verifications = template.verifications
          .map((each) => seen(template, each, env))
          .filter((each) => each !== undefined);
        return original.serialiseTemplate({ ...template, verifications }, endpoint, env);
      },
    };
  };
}

export const verifyAtOnceDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'verify-forgets-the-earlier',
    breaks: ['ADDR-VERIFY-AT-ONCE'],
    sentence:
      'stores each outcome at the address that was verified last, so that an earlier one stays pending',
    rules: overtaken((verification) => ({ ...verification, dueAt: Number.POSITIVE_INFINITY })),
  },
  {
    id: 'verify-drops-the-earlier',
    breaks: ['ADDR-VERIFY-AT-ONCE'],
    sentence: 'drops a verification that is under way when another address is verified',
    rules: overtaken(() => undefined),
  },
  {
    id: 'verify-with-the-later-carrier',
    breaks: ['ADDR-VERIFY-AT-ONCE'],
    sentence: 'asks the carrier that was named last for every verification that is under way',
    rules: overtaken((verification, by) => ({ ...verification, carrier: by.verification.carrier })),
  },
  {
    id: 'verify-one-job-a-carrier',
    breaks: ['ADDR-VERIFY-AT-ONCE'],
    entails: ['ADDR-VERIFY-OUTCOME', 'ADDR-LIST-ITEM-CARRIERS'],
    sentence: 'drops a verification that is under way when another address is verified by the same carrier',
    rules: overtaken((verification, by) =>
      by.verification.carrier === verification.carrier ? undefined : verification,
    ),
  },
  {
    id: 'verify-one-job-an-address',
    breaks: ['ADDR-VERIFY-OUTCOME'],
    entails: ['ADDR-VERIFY-*', 'ADDR-LIST-ITEM-CARRIERS'],
    sentence: 'starts no verification of an address while another one of it is under way, and answers 202',
    rules: (original) => ({
      startVerification: (template, carriers, env) =>
        template.verifications.some(({ dueAt }) => dueAt > env.clock.now())
          ? template
          : original.startVerification(template, carriers, env),
    }),
  },
  {
    id: 'verify-drops-waiting',
    breaks: ['ADDR-VERIFY-OUTCOME'],
    entails: ['ADDR-VERIFY-*', 'ADDR-LIST-ITEM-CARRIERS'],
    sentence: 'drops a verification that is under way when the same address is verified by another carrier',
    rules: (original) => ({
      startVerification: (template, carriers, env) =>
        original.startVerification(withoutWaiting(template, env), carriers, env),
    }),
  },
  {
    id: 'verify-stops-the-earlier-carrier',
    breaks: ['ADDR-VERIFY-AT-ONCE'],
    entails: ['ADDR-VERIFY-*', 'ADDR-LIST-ITEM-CARRIERS'],
    sentence: 'leaves a verification pending for ever when the same address is verified by another carrier',
    rules: (original) => ({
      startVerification: (template, carriers, env) => {
        const verifications = template.verifications.map((each) =>
          each.dueAt > env.clock.now() ? { ...each, dueAt: Number.POSITIVE_INFINITY } : each,
        );
        return original.startVerification({ ...template, verifications }, carriers, env);
      },
    }),
  },
  {
    id: 'update-drops-waiting',
    breaks: ['ADDR-VERIFY-OUTCOME'],
    sentence: 'drops a verification that is under way when its address is updated',
    rules: (original) => ({
      verificationsAfterUpdate: (current, changes, env) =>
        original.verificationsAfterUpdate(withoutWaiting(current, env), changes, env),
    }),
  },
];

/** Returns an address without its verifications that are under way. */
function withoutWaiting(template: AddressTemplate, env: Env): AddressTemplate {
  const verifications = template.verifications.filter(({ dueAt }) => dueAt <= env.clock.now());
  return { ...template, verifications };
}
