/** 3 and 4.6: verification by carriers. */
import { randomUUID } from 'node:crypto';
import type {
  AddressBook,
  AddressTemplate,
  ShippingRules,
  Verification,
} from '../../reference/shipping/index.ts';
import { changeKind, withBody } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { VERIFY } from './surface.ts';

const verify202 = { name: 'verify', method: 'POST', path: VERIFY, status: 202 };

/** Finds, or makes up, an address to verify where there is none. */
function accepting(find: (book: AddressBook, id: string) => AddressTemplate | undefined) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    findTemplate: (book, id, endpoint, env) =>
      original.findTemplate(book, id, endpoint, env) ?? (endpoint === 'verify' ? find(book, id) : undefined),
    replaceTemplate: (book, template, env) => {
      if (book.has(template.id)) original.replaceTemplate(book, template, env);
    },
  });
}

/** Shows verified carriers otherwise than they are stored. */
function showing(change: (verifications: Verification[], endpoint: string) => Verification[]) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    serialiseTemplate: (template, endpoint, env) =>
      original.serialiseTemplate(
        { ...template, verifications: change(template.verifications, endpoint) },
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
    sentence: "answers a verify with the id of the verification in the place of the address's",
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
    id: 'verify-outcome-for-a-minute',
    breaks: ['ADDR-VERIFY-OUTCOME'],
    entails: OUTCOMES,
    sentence: 'drops a carrier from verified_carriers once it has answered',
    rules: (original) => ({
      serialiseTemplate: (template, endpoint, env) =>
        original.serialiseTemplate(
          {
            ...template,
            verifications: template.verifications.filter(({ dueAt }) => env.clock.now() < dueAt),
          },
          endpoint,
          env,
        ),
    }),
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
    sentence: 'asks the first of several carriers only',
    rules: (original) => ({ requestedCarriers: (body) => original.requestedCarriers(body).slice(0, 1) }),
  },
  {
    id: 'verify-last-carrier-stays',
    breaks: ['ADDR-VERIFY-EACH-CARRIER'],
    sentence: 'lets each outcome replace the one before',
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
    id: 'verify-without-carriers-all',
    breaks: ['ADDR-VERIFY-REQUIRES-CARRIERS'],
    sentence: 'asks all carriers when carriers is missing',
    rules: (original) => ({
      verifyProblems: (body, env) => (body.carriers === undefined ? [] : original.verifyProblems(body, env)),
      requestedCarriers: (body) =>
        body.carriers === undefined ? ['fedex', 'dhl', 'estafeta'] : original.requestedCarriers(body),
    }),
  },
  {
    id: 'verify-without-carriers-none',
    breaks: ['ADDR-VERIFY-REQUIRES-CARRIERS'],
    sentence: 'answers 202 to a verify without carriers and asks none',
    rules: (original) => ({
      verifyProblems: (body, env) => (body.carriers === undefined ? [] : original.verifyProblems(body, env)),
      requestedCarriers: (body) => (body.carriers === undefined ? [] : original.requestedCarriers(body)),
    }),
  },
  {
    id: 'verify-without-carriers-refused-and-run',
    breaks: ['ADDR-VERIFY-REQUIRES-CARRIERS'],
    sentence: 'refuses a verify without carriers and asks one all the same',
    rules: (original) => {
      let current: AddressTemplate | undefined;
      return {
        findTemplate: (book, id, endpoint, env) => {
          const found = original.findTemplate(book, id, endpoint, env);
          if (endpoint === 'verify') current = found;
          return found;
        },
        verifyProblems: (body, env) => {
          const problems = original.verifyProblems(body, env);
          const book = [...env.state.books.values()].find(
            (each) => current !== undefined && each.has(current.id),
          );
          if (body.carriers === undefined && current !== undefined && book) {
            book.set(current.id, original.startVerification(current, ['fedex'], env));
          }
          return problems;
        },
      };
    },
  },
  {
    id: 'verify-body-id-refused',
    breaks: ['ADDR-VERIFY-BODY-ID'],
    sentence: 'refuses a verify that carries address_template_id',
    rules: (original) => ({
      verifyProblems: (body, env) =>
        body.address_template_id === undefined
          ? original.verifyProblems(body, env)
          : ['address_template_id is not allowed'],
    }),
  },
  {
    id: 'verify-body-id-demanded',
    breaks: ['ADDR-VERIFY-BODY-ID-OPTIONAL'],
    entails: ['ADDR-VERIFY-*', 'ADDR-CARRIER-*'],
    sentence: 'looks the address up by the address_template_id in the body of a verify',
    rules: (original) => ({
      verifyProblems: (body, env) =>
        body.address_template_id === undefined
          ? ['address_template_id is missing']
          : original.verifyProblems(body, env),
    }),
  },
  {
    id: 'verify-normalises-address',
    breaks: ['ADDR-VERIFY-KEEPS-ADDRESS'],
    sentence: "writes a carrier's form of the address over the one that was saved",
    rules: (original) => ({
      startVerification: (template, carriers, env) => {
        const { address } = template;
        const normalised = { ...address, street1: String(address.street1).toUpperCase() };
        return original.startVerification({ ...template, address: normalised }, carriers, env);
      },
    }),
  },
  {
    id: 'verify-clears-default',
    breaks: ['ADDR-VERIFY-KEEPS-ADDRESS'],
    sentence: 'sets default to null when it verifies an address',
    rules: (original) => ({
      startVerification: (template, carriers, env) =>
        original.startVerification({ ...template, default: null }, carriers, env),
    }),
  },
  {
    id: 'verify-keeps-label-only',
    breaks: ['ADDR-VERIFY-KEEPS-ADDRESS'],
    sentence: 'clears the reference once a carrier has seen the address',
    rules: (original) => ({
      startVerification: (template, carriers, env) =>
        original.startVerification(
          { ...template, address: { ...template.address, reference: null } },
          carriers,
          env,
        ),
    }),
  },
  {
    id: 'verify-writes-later',
    breaks: ['ADDR-VERIFY-KEEPS-ADDRESS'],
    entails: ['ADDR-UPDATE-*', 'ADDR-LIST-ITEM-ADDRESS'],
    sentence: "writes a carrier's form of the postal code over the saved one when the outcome arrives",
    rules: (original) => ({
      serialiseTemplate: (template, endpoint, env) => {
        const data = original.serialiseTemplate(template, endpoint, env);
        const done = template.verifications.some(({ dueAt }) => env.clock.now() >= dueAt);
        if (!done) return data;
        return {
          ...data,
          address: { ...(data.address as object), postal_code: `${template.address.postal_code}-0000` },
        };
      },
    }),
  },
  {
    id: 'verify-equal-addresses-share',
    breaks: ['ADDR-VERIFY-OTHERS-UNTOUCHED'],
    sentence: 'stores outcomes by the content of the address, so that equal addresses share them',
    rules: (original) => ({
      replaceTemplate: (book, template, env) => {
        original.replaceTemplate(book, template, env);
        if (template.verifications.length === 0) return;
        for (const other of book.values()) {
          if (
            other.id !== template.id &&
            JSON.stringify(other.address) === JSON.stringify(template.address)
          ) {
            book.set(other.id, { ...other, verifications: template.verifications });
          }
        }
      },
    }),
  },
  {
    id: 'verify-all-addresses',
    breaks: ['ADDR-VERIFY-OTHERS-UNTOUCHED'],
    entails: ['*'],
    sentence: 'stores outcomes by carrier, so that all addresses show them',
    rules: (original) => ({
      startVerification: (template, carriers, env) => {
        const started = original.startVerification(template, carriers, env);
        const book = [...env.state.books.values()].find((each) => each.has(template.id));
        for (const other of book?.values() ?? []) {
          if (other.id !== template.id)
            book?.set(other.id, { ...other, verifications: started.verifications });
        }
        return started;
      },
    }),
  },
  {
    id: 'verify-unknown-queued',
    breaks: ['ADDR-VERIFY-UNKNOWN-REFUSED'],
    entails: ['ADDR-VERIFY-DELETED-REFUSED'],
    sentence: 'queues a verification before it looks for the address, and answers another one',
    rules: accepting((book) => book.values().next().value),
  },
  {
    id: 'verify-unknown-202-empty',
    breaks: ['ADDR-VERIFY-UNKNOWN-REFUSED', 'ADDR-VERIFY-DELETED-REFUSED'],
    sentence: 'answers 202 with no address to the verification of an unknown one',
    wrap: changeKind({ ...verify202, status: 404 }, () => Response.json({ data: null }, { status: 202 })),
  },
  {
    id: 'verify-deleted-queued',
    breaks: ['ADDR-VERIFY-DELETED-REFUSED'],
    sentence: 'verifies deleted addresses',
    rules: (original) => {
      const deleted = new Map<string, AddressTemplate>();
      return {
        ...accepting((_book, id) => deleted.get(id))(original),
        removeTemplate: (book, template, env) => {
          deleted.set(template.id, template);
          original.removeTemplate(book, template, env);
        },
      };
    },
  },
];
