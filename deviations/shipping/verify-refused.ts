/** What the body of a verify must contain, and which address it applies to (4.6). */
import type { AddressBook, AddressTemplate, ShippingRules } from '../../reference/shipping/index.ts';
import { changeKind } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { VERIFY } from './paths.ts';
import { withDeleted } from './templates.ts';

/** Verifies another or a made-up address where none has the id. */
function accepting(find: (book: AddressBook, id: string) => AddressTemplate | undefined) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    findTemplate: (book, id, endpoint, env) =>
      original.findTemplate(book, id, endpoint, env) ?? (endpoint === 'verify' ? find(book, id) : undefined),
    replaceTemplate: (book, template, env) => {
      if (book.has(template.id)) original.replaceTemplate(book, template, env);
    },
  });
}

const REQUIRES = 'ADDR-VERIFY-REQUIRES-CARRIERS';

/** Treats a verify without carriers as one that names these. */
function taking(carriers: string[]) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    verifyProblems: (body, env) => (body.carriers === undefined ? [] : original.verifyProblems(body, env)),
    requestedCarriers: (body) => (body.carriers === undefined ? carriers : original.requestedCarriers(body)),
  });
}

const body: Deviation<ShippingRules>[] = [
  {
    id: 'verify-without-carriers-all',
    breaks: [REQUIRES],
    sentence: 'starts verification by all carriers when carriers is missing',
    rules: taking(['fedex', 'dhl', 'estafeta']),
  },
  {
    id: 'verify-without-carriers-none',
    breaks: [REQUIRES],
    sentence: 'answers 202 to a verify without carriers and starts none',
    rules: taking([]),
  },
  {
    id: 'verify-without-carriers-refused-and-run',
    breaks: [REQUIRES],
    sentence: 'refuses a verify without carriers but starts one',
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
];

const address: Deviation<ShippingRules>[] = [
  {
    id: 'verify-unknown-queued',
    breaks: ['ADDR-VERIFY-UNKNOWN-REFUSED'],
    entails: ['ADDR-VERIFY-DELETED-REFUSED'],
    sentence: 'answers the verification of an unknown address with another address',
    rules: accepting((book) => book.values().next().value),
  },
  {
    id: 'verify-unknown-202-empty',
    breaks: ['ADDR-VERIFY-UNKNOWN-REFUSED', 'ADDR-VERIFY-DELETED-REFUSED'],
    sentence: 'answers 202 with no address to the verification of an unknown one',
    wrap: changeKind({ name: 'verify', method: 'POST', path: VERIFY, status: 404 }, () =>
      Response.json({ data: null }, { status: 202 }),
    ),
  },
  {
    id: 'verify-deleted-queued',
    breaks: ['ADDR-VERIFY-DELETED-REFUSED'],
    sentence: 'verifies deleted addresses',
    rules: withDeleted((deleted) => accepting((_book, id) => deleted.get(id))),
  },
];

export const verifyRefusedDeviations: Deviation<ShippingRules>[] = [...body, ...address];
