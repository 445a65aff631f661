/** Updates that have to be refused, and ids in the body of an update (4.4). */
import type { AddressBook, AddressTemplate, Env, ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { withDeleted } from './templates.ts';

/** Updates another or a made-up address where none has the id. */
function reviving(find: (book: AddressBook, id: string, env: Env) => AddressTemplate | undefined) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    findTemplate: (book, id, endpoint, env) =>
      original.findTemplate(book, id, endpoint, env) ??
      (endpoint === 'update' ? find(book, id, env) : undefined),
  });
}

const nowhere = (id: string, env: Env): AddressTemplate => ({
  id,
  alias_name: '',
  address_type: 'from',
  default: false,
  address: { ...env.rules.addressDefaults, country_code: 'MX' },
  verifications: [],
});

/** Makes updates of addresses that do not exist store nothing. */
function unnoticed(rules: (original: ShippingRules) => Partial<ShippingRules>) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    ...rules(original),
    replaceTemplate: (book, template, env) => {
      if (book.has(template.id)) original.replaceTemplate(book, template, env);
    },
  });
}

const revivingDeleted = withDeleted((deleted) => reviving((_book, id) => deleted.get(id)));

const bodyId: Deviation<ShippingRules>[] = [
  {
    id: 'update-body-id-refused',
    breaks: ['ADDR-UPDATE-BODY-ID'],
    sentence: 'refuses an update that carries an id',
    rules: (original) => ({
      updateProblems: (body, current, env) =>
        body.id === undefined ? original.updateProblems(body, current, env) : ['id is not allowed'],
    }),
  },
  {
    id: 'update-with-body-id-ignored',
    breaks: ['ADDR-UPDATE-BODY-ID'],
    sentence: 'answers an update that carries an id with success but changes nothing',
    rules: (original) => ({
      patchTemplate: (current, body, env) =>
        body.id === undefined ? original.patchTemplate(current, body, env) : current,
    }),
  },
  {
    id: 'update-body-id-demanded',
    breaks: ['ADDR-UPDATE-BODY-ID-OPTIONAL'],
    entails: ['ADDR-UPDATE-*'],
    sentence: 'looks the address up by the id in the body of an update, and refuses one without',
    rules: (original) => ({
      updateProblems: (body, current, env) =>
        body.id === current.id ? original.updateProblems(body, current, env) : ['id is missing'],
    }),
  },
];

/** What an address under an unknown id violates besides, since the odd ids of other checks are unknown, too. */
const CREATED = [
  'ADDR-UPDATE-DELETED-REFUSED',
  'ADDR-UPDATE-EXACT-ID',
  'ADDR-READ-ODD-ID',
  'ADDR-DELETE-ODD-ID',
  'ADDR-TEMPLATE-ID',
];

const unknown: Deviation<ShippingRules>[] = [
  {
    id: 'update-creates-unknown',
    breaks: ['ADDR-UPDATE-UNKNOWN-REFUSED'],
    entails: CREATED,
    sentence: 'creates an address under an unknown id when asked to update it',
    rules: reviving((_book, id, env) => nowhere(id, env)),
  },
  {
    id: 'update-unknown-unnoticed',
    breaks: ['ADDR-UPDATE-UNKNOWN-REFUSED'],
    entails: ['ADDR-UPDATE-DELETED-REFUSED', 'ADDR-UPDATE-EXACT-ID'],
    sentence: 'does not notice that an update changed no row, and answers 200',
    rules: unnoticed(reviving((_book, id, env) => nowhere(id, env))),
  },
  {
    id: 'update-unknown-404-and-created',
    breaks: ['ADDR-UPDATE-UNKNOWN-REFUSED'],
    entails: CREATED,
    sentence: 'answers 404 to an update of an unknown id and saves an address under it',
    rules: (original) => ({
      findTemplate: (book, id, endpoint, env) => {
        const found = original.findTemplate(book, id, endpoint, env);
        if (endpoint === 'update' && found === undefined) book.set(id, nowhere(id, env));
        return found;
      },
    }),
  },
  {
    id: 'update-revives-deleted',
    breaks: ['ADDR-UPDATE-DELETED-REFUSED'],
    sentence: 'restores a deleted address when it is updated',
    rules: revivingDeleted,
  },
  {
    id: 'update-deleted-unnoticed',
    breaks: ['ADDR-UPDATE-DELETED-REFUSED'],
    sentence: 'answers 200 to the update of a deleted address, which stays deleted',
    rules: unnoticed(revivingDeleted),
  },
  {
    id: 'update-invalid-500',
    breaks: ['ADDR-CLIENT-ERRORS-4XX'],
    sentence: 'answers 500 to an invalid update',
    rules: (original) => ({
      addressErrors: {
        ...original.addressErrors,
        invalid: { status: 500, message: 'internal error' },
        malformedBody: { status: 500, message: 'internal error' },
      },
    }),
  },
];

export const updateRefusedDeviations: Deviation<ShippingRules>[] = [...bodyId, ...unknown];
