/** What the answer to a verify says, and the outcome of each carrier (3 and 4.6). */
import { randomUUID } from 'node:crypto';
import type { Env, ShippingRules, Verification } from '../../reference/shipping/index.ts';
import { changeKind, withBody } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { VERIFY } from './paths.ts';

const verify202 = { name: 'verify', method: 'POST', path: VERIFY, status: 202 };

/** Shows other verifications than are stored. */
function showing(change: (verifications: Verification[], endpoint: string, env: Env) => Verification[]) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    serialiseTemplate: (template, endpoint, env) =>
      original.serialiseTemplate(
        { ...template, verifications: change(template.verifications, endpoint, env) },
        endpoint,
        env,
      ),
  });
}

const OUTCOMES = ['ADDR-VERIFY-EACH-CARRIER', 'ADDR-LIST-ITEM-CARRIERS'];

export const verifyDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'verify-job-answered',
    breaks: ['ADDR-VERIFY-DATA'],
    sentence: 'answers a verify with a list of jobs',
    wrap: changeKind(verify202, (response) =>
      withBody(response, () => ({ data: [{ job_id: randomUUID() }] })),
    ),
  },
  {
    id: 'verify-answers-job-id',
    breaks: ['ADDR-VERIFY-SAME-ID'],
    sentence: "answers a verify with the id of the verification in place of the address's",
    wrap: changeKind(verify202, (response) =>
      withBody(response, (body) => ({ data: { ...(body as { data: object }).data, id: randomUUID() } })),
    ),
  },
  {
    id: 'verify-never-runs',
    breaks: ['ADDR-VERIFY-OUTCOME'],
    entails: OUTCOMES,
    sentence: 'queues a verification and never runs it',
    rules: () => ({ startVerification: (template) => template }),
  },
  {
    id: 'verify-outcome-only-in-answer',
    breaks: ['ADDR-VERIFY-OUTCOME'],
    entails: OUTCOMES,
    sentence: 'shows the carriers in the answer to the verify and never again',
    rules: showing((verifications, endpoint) => (endpoint === 'verify' ? verifications : [])),
  },
  {
    id: 'verify-outcome-only-in-list',
    breaks: ['ADDR-VERIFY-OUTCOME'],
    entails: OUTCOMES,
    sentence:
      'reads an address from a cache in which the outcome of a verification changes nothing, and lists it',
    rules: showing((verifications, endpoint) => (endpoint === 'list' ? verifications : [])),
  },
  {
    id: 'verify-outcome-for-a-minute',
    breaks: ['ADDR-VERIFY-OUTCOME'],
    entails: OUTCOMES,
    sentence: 'drops a carrier from verified_carriers once it has answered',
    rules: showing((verifications, _endpoint, { clock }) =>
      verifications.filter(({ dueAt }) => clock.now() < dueAt),
    ),
  },
  {
    id: 'verify-outcome-nameless',
    breaks: ['ADDR-VERIFY-OUTCOME'],
    entails: OUTCOMES,
    sentence: 'lists an outcome under the name of another carrier',
    rules: (original) => ({
      serialiseCarrier: (verification, env) =>
        original.serialiseCarrier({ ...verification, carrier: 'carrier' }, env),
    }),
  },
  {
    id: 'verify-first-carrier-only',
    breaks: ['ADDR-VERIFY-EACH-CARRIER'],
    sentence: 'starts verification by only the first of several carriers',
    rules: (original) => ({ requestedCarriers: (body) => original.requestedCarriers(body).slice(0, 1) }),
  },
  {
    id: 'verify-last-carrier-stays',
    breaks: ['ADDR-VERIFY-EACH-CARRIER'],
    sentence: 'lets each outcome replace the previous one',
    rules: showing((verifications) => verifications.slice(-1)),
  },
  {
    id: 'verify-carriers-joined',
    breaks: ['ADDR-VERIFY-EACH-CARRIER'],
    sentence: 'makes one entry for all carriers of a request, with their names joined',
    rules: (original) => ({
      requestedCarriers: (body) => {
        const carriers = original.requestedCarriers(body);
        return carriers.length > 1 ? [carriers.join(', ')] : carriers;
      },
    }),
  },
  {
    id: 'verify-worker-ends-with-deleted',
    breaks: ['ADDR-VERIFY-OUTCOME'],
    entails: ['ADDR-VERIFY-*', 'ADDR-LIST-ITEM-CARRIERS', 'ADDR-CARRIER-*'],
    sentence:
      'verifies no address any more once one was deleted whose verification was under way; lists carriers when they are done',
    rules: (original) => {
      let isOver = false;
      return {
        ...showing((verifications, _endpoint, env) =>
          verifications.filter(({ dueAt }) => dueAt <= env.clock.now()),
        )(original),
        removeTemplate: (book, template, env) => {
          isOver ||= template.verifications.some(({ dueAt }) => dueAt > env.clock.now());
          original.removeTemplate(book, template, env);
        },
        newVerification: (template, carrier, env) => {
          const started = original.newVerification(template, carrier, env);
          return isOver ? { ...started, dueAt: Number.MAX_SAFE_INTEGER } : started;
        },
      };
    },
  },
];
