/** Other legitimate verifications (3, 4.6). */
import { randomUUID } from 'node:crypto';
import type { Fields, ShippingRules } from '../../../reference/shipping/index.ts';
import { AddressRefusal } from '../../../reference/shipping/index.ts';
import { changeKind, withBody } from '../../kit/answers.ts';
import { VERIFY } from '../../shipping/paths.ts';
import type { Variant } from '../../types.ts';

/** Makes carriers take this many milliseconds. */
function taking(id: string, ms: number, sentence: string): Variant<ShippingRules> {
  return {
    id: `verify-${id}`,
    fills: ['ADDR-VERIFY-TRANSITIONS', 'ADDR-VERIFY-FIRST-ANSWER'],
    sentence,
    rules: () => ({ verificationDelayMs: ms }),
  };
}

export const verifyVariants: Variant<ShippingRules>[] = [
  {
    id: 'verifies-new-addresses',
    fills: ['ADDR-CREATE-INITIAL-CARRIERS', 'ADDR-VERIFY-UNASKED-CARRIERS'],
    // Every new address would be under verification. Where that locks or hides something, nothing could be
    // done to a new address; without ids, an outcome could not be told from the one before it.
    conflicts: [
      'verify-without-ids',
      'verified-addresses-are-locked-for-updates',
      'verify-refused-while-one-goes-on',
      'verify-again-keeps',
      'verification-of-slow-carriers',
      'refresh-takes-no-scope',
      'refresh-takes-no-redirect-uri',
    ],
    sentence: 'verifies each new address by all carriers',
    rules: (original) => ({
      addTemplate: (book, template, env) => {
        Object.assign(template, original.startVerification(template, [...env.carriers], env));
        original.addTemplate(book, template, env);
      },
    }),
  },
  taking('at-once', 0, 'verifies before it answers'),
  taking('in-five-minutes', 300_000, 'takes five minutes to verify'),
  taking('in-half-an-hour', 1_800_000, 'takes half an hour to verify'),
  {
    id: 'verify-status-capitals',
    fills: ['ADDR-CARRIER-STATUS-VALUES'],
    sentence: 'writes the status of carriers in capital letters',
    rules: () => ({
      pendingStatus: 'IN_PROGRESS',
      verificationOutcome: () => 'APPROVED',
    }),
  },
  {
    id: 'verify-three-steps',
    fills: ['ADDR-VERIFY-TRANSITIONS', 'ADDR-CARRIER-STATUS-VALUES', 'ADDR-VERIFY-VERIFICATION-ID'],
    sentence: 'reports the statuses queued and checking first, with the verification id from the start',
    rules: () => ({
      serialiseCarrier: ({ carrier, dueAt, outcome, verificationId }, env) => {
        const left = dueAt - env.clock.now();
        const status = left <= 0 ? outcome : left < 1000 ? 'checking' : 'queued';
        return { carrier_name: carrier, status, verification_id: verificationId };
      },
    }),
  },
  {
    id: 'verify-ids-are-numbers-in-text',
    fills: ['ADDR-VERIFY-VERIFICATION-ID'],
    sentence: 'numbers verifications, as text',
    rules: (original) => {
      let count = 1000;
      return {
        newVerification: (template, carrier, env) => {
          count += 1;
          return { ...original.newVerification(template, carrier, env), verificationId: String(count) };
        },
      };
    },
  },
  {
    id: 'verify-without-ids',
    fills: ['ADDR-VERIFY-VERIFICATION-ID'],
    sentence: 'never gives a verification id',
    rules: (original) => ({
      serialiseCarrier: (verification, env) => ({
        ...original.serialiseCarrier(verification, env),
        verification_id: null,
      }),
    }),
  },
  {
    id: 'verify-names-in-capitals',
    fills: ['ADDR-CARRIER-STATUS-VALUES'],
    sentence: 'writes the names of carriers in capital letters',
    rules: (original) => ({
      serialiseCarrier: (verification, env) =>
        original.serialiseCarrier({ ...verification, carrier: verification.carrier.toUpperCase() }, env),
    }),
    conflicts: ['carriers-listed-from-the-start'],
  },
  {
    id: 'verify-first-answer-empty',
    fills: ['ADDR-VERIFY-FIRST-ANSWER'],
    sentence: 'answers a verify with the address as it was before',
    rules: (original) => {
      const before = new Map<string, unknown>();
      return {
        startVerification: (template, carriers, env) => {
          before.set(template.id, original.serialiseTemplate(template, 'read', env).verified_carriers);
          return original.startVerification(template, carriers, env);
        },
        templateEnvelope: (data, endpoint) =>
          original.templateEnvelope(
            endpoint === 'verify' ? { ...data, verified_carriers: before.get(String(data.id)) ?? [] } : data,
            endpoint,
          ),
      };
    },
    conflicts: ['carriers-listed-from-the-start'],
  },
  {
    id: 'verify-entry-when-done',
    fills: ['ADDR-VERIFY-FIRST-ANSWER', 'ADDR-VERIFY-TRANSITIONS'],
    sentence: 'lists a carrier only once it has answered',
    rules: (original) => ({
      serialiseTemplate: (template, endpoint, env) =>
        original.serialiseTemplate(
          {
            ...template,
            verifications: template.verifications.filter(({ dueAt }) => env.clock.now() >= dueAt),
          },
          endpoint,
          env,
        ),
    }),
  },
  {
    id: 'verify-empty-accepted',
    fills: ['ADDR-VERIFY-EMPTY-CARRIERS'],
    sentence: 'answers 202 to an empty list of carriers and starts none',
    rules: (original) => ({
      verifyProblems: (body, env) =>
        Array.isArray(body.carriers) && body.carriers.length === 0 ? [] : original.verifyProblems(body, env),
    }),
  },
  {
    id: 'verify-text-accepted',
    fills: ['ADDR-VERIFY-WRONG-TYPES'],
    sentence: 'accepts the name of one carrier as a list of one',
    rules: (original) => {
      const listed = (body: Fields): Fields =>
        typeof body.carriers === 'string' ? { ...body, carriers: [body.carriers] } : body;
      return {
        verifyProblems: (body, env) => original.verifyProblems(listed(body), env),
        requestedCarriers: (body) => original.requestedCarriers(listed(body)),
      };
    },
  },
  {
    id: 'verify-unknown-carriers-ignored',
    fills: ['ADDR-VERIFY-UNKNOWN-CARRIER'],
    sentence: 'ignores carriers that it does not know',
    rules: (original) => ({
      verifyProblems: (body, env) => {
        const { carriers } = body;
        if (!Array.isArray(carriers) || carriers.length === 0) return original.verifyProblems(body, env);
        return carriers.every((carrier) => typeof carrier === 'string') ? [] : ['carriers are not texts'];
      },
      startVerification: (template, carriers, env) =>
        original.startVerification(
          template,
          carriers.filter((carrier) => env.carriers.includes(carrier)),
          env,
        ),
    }),
  },
  {
    id: 'verify-unknown-carriers-rejected',
    fills: ['ADDR-VERIFY-UNKNOWN-CARRIER'],
    sentence: 'gives carriers that it does not know the outcome unsupported',
    rules: (original) => ({
      verifyProblems: (body, env) => {
        const { carriers } = body;
        if (!Array.isArray(carriers) || carriers.length === 0) return original.verifyProblems(body, env);
        return carriers.every((carrier) => typeof carrier === 'string') ? [] : ['carriers are not texts'];
      },
      newVerification: (template, carrier, env) => ({
        ...original.newVerification(template, carrier, env),
        ...(!env.carriers.includes(carrier) && { outcome: 'unsupported' }),
      }),
    }),
  },
  {
    id: 'verify-asks-all',
    fills: ['ADDR-VERIFY-UNASKED-CARRIERS'],
    sentence: 'starts verification by all carriers, whichever were named',
    rules: (original) => ({
      startVerification: (template, carriers, env) =>
        original.startVerification(template, [...new Set([...carriers, ...env.carriers])], env),
    }),
  },
  {
    id: 'verify-again-adds',
    fills: ['ADDR-VERIFY-REPEATED'],
    sentence: 'adds another entry when a carrier is asked again',
    rules: () => ({
      startVerification: (template, carriers, env) => ({
        ...template,
        verifications: [
          ...template.verifications,
          ...carriers.map((carrier) => env.rules.newVerification(template, carrier, env)),
        ],
      }),
      requestedCarriers: (body) => body.carriers as string[],
    }),
  },
  {
    id: 'verify-again-keeps',
    fills: ['ADDR-VERIFY-REPEATED'],
    sentence: 'keeps an existing outcome when the carrier is asked again',
    rules: (original) => ({
      startVerification: (template, carriers, env) =>
        original.startVerification(
          template,
          carriers.filter((carrier) => !template.verifications.some((each) => each.carrier === carrier)),
          env,
        ),
    }),
  },
  {
    id: 'verify-drops-earlier',
    fills: ['ADDR-VERIFY-EARLIER-OUTCOMES'],
    sentence: 'drops earlier outcomes of other carriers',
    rules: (original) => ({
      startVerification: (template, carriers, env) =>
        original.startVerification({ ...template, verifications: [] }, carriers, env),
    }),
  },
  {
    id: 'verify-other-body-id-refused',
    fills: ['ADDR-VERIFY-BODY-ID-MISMATCH'],
    sentence: 'refuses a verify whose body names another address than its path',
    rules: (original) => {
      let own = '';
      return {
        findTemplate: (book, id, endpoint, env) => {
          if (endpoint === 'verify') own = id;
          return original.findTemplate(book, id, endpoint, env);
        },
        verifyProblems: (body, env) => {
          const { address_template_id: named } = body;
          if (named !== undefined && String(named).toLowerCase() !== own.toLowerCase()) {
            throw new AddressRefusal('invalid', 'address_template_id is not the one in the path');
          }
          return original.verifyProblems(body, env);
        },
      };
    },
  },
  {
    id: 'verify-invalid-400',
    fills: ['ADDR-VERIFY-INVALID-ANSWER'],
    sentence: 'answers 400 with a code to an invalid verify',
    rules: (original) => ({
      addressErrorStatus: (refusal, endpoint, env) =>
        endpoint === 'verify' && refusal.code === 'invalid'
          ? 400
          : original.addressErrorStatus(refusal, endpoint, env),
    }),
  },
  {
    id: 'verify-answer-with-job',
    fills: ['ADDR-RESPONSE-EXTRA-FIELDS', 'ADDR-VERIFY-FIRST-ANSWER'],
    sentence: 'names a job beside data in the answer to a verify',
    wrap: changeKind({ name: 'verify', method: 'POST', path: VERIFY, status: 202 }, (response) =>
      withBody(response, (body) => ({ ...(body as object), job: { id: randomUUID(), state: 'queued' } })),
    ),
  },
];
