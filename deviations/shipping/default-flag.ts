/** The flag of the default address, and requests that concern other addresses (4.3 to 4.6). */
import type { AddressBook, Env, ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { fieldsOf } from './fields.ts';
import { bookOf } from './second-times.ts';
import { withAddress } from './templates.ts';

/** Takes the flag from all other addresses of a book. */
function takeFlag(book: AddressBook | undefined, id: string): void {
  for (const other of [...(book?.values() ?? [])])
    if (other.id !== id && other.default) book?.set(other.id, { ...other, default: false });
}

const takeFlagBeside = (id: string, env: Env): void => takeFlag(bookOf(id, env), id);

/** Changes another address when one becomes the default. */
const besideNewDefault = (
  change: (book: AddressBook, id: string) => void,
): Pick<Deviation<ShippingRules>, 'rules'> => ({
  rules: (original) => ({
    afterSave: (book, saved, env) => {
      original.afterSave(book, saved, env);
      if (saved.default === true) change(book, saved.id);
    },
  }),
});

/** What may fail besides, since the flag goes whenever another check sends such a request. */
const FLAG = [
  'ADDR-*-DEFAULT-KEPT',
  'ADDR-UPDATE-SUCCESSIVE',
  'ADDR-UPDATE-OMITTED-KEPT-DEFAULT',
  'ADDR-LIST-ITEM-LABELS',
];

export const defaultFlagDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'create-false-takes-flag',
    breaks: ['ADDR-CREATE-DEFAULT-KEPT'],
    entails: [...FLAG, 'ADDR-*-OTHERS-UNTOUCHED'],
    sentence: 'takes the flag from the default address with every create that sends `default`, true or false',
    rules: (original) => ({
      addTemplate: (book, template, env) => {
        if (template.default === false) takeFlag(book, template.id);
        original.addTemplate(book, template, env);
      },
    }),
  },
  {
    id: 'update-false-takes-flag',
    breaks: ['ADDR-UPDATE-DEFAULT-KEPT'],
    entails: FLAG,
    sentence: 'takes the flag from the default address with every update that sends `default`, true or false',
    rules: (original) => ({
      patchTemplate: (current, body, env) => {
        if (fieldsOf(body.address_template).default === false) takeFlagBeside(current.id, env);
        return original.patchTemplate(current, body, env);
      },
    }),
  },
  {
    id: 'update-takes-flag',
    breaks: ['ADDR-UPDATE-DEFAULT-KEPT'],
    entails: [...FLAG, 'ADDR-*-OTHERS-UNTOUCHED'],
    sentence: 'takes the flag from the default address with every update of another one',
    rules: (original) => ({
      patchTemplate: (current, body, env) => {
        if (!current.default) takeFlagBeside(current.id, env);
        return original.patchTemplate(current, body, env);
      },
    }),
  },
  {
    id: 'delete-takes-flag',
    breaks: ['ADDR-DELETE-DEFAULT-KEPT'],
    entails: FLAG,
    sentence: 'takes the flag from the default address when another one is deleted',
    rules: (original) => ({
      removeTemplate: (book, template, env) => {
        original.removeTemplate(book, template, env);
        if (!template.default) takeFlag(book, template.id);
      },
    }),
  },
  {
    id: 'verify-takes-flag',
    breaks: ['ADDR-VERIFY-DEFAULT-KEPT'],
    entails: FLAG,
    sentence: 'takes the flag from the default address when another one is verified',
    rules: (original) => ({
      startVerification: (template, carriers, env) => {
        takeFlagBeside(template.id, env);
        return original.startVerification(template, carriers, env);
      },
    }),
  },
  {
    id: 'verify-drops-flag',
    breaks: ['ADDR-VERIFY-KEEPS-ADDRESS'],
    entails: ['ADDR-VERIFY-*'],
    sentence: 'saves a default address without the flag when it is verified',
    rules: (original) => ({
      startVerification: (template, carriers, env) =>
        original.startVerification({ ...template, default: template.default && false }, carriers, env),
    }),
  },
  {
    id: 'new-default-empties-the-old-one',
    breaks: ['ADDR-CREATE-DEFAULT-KEPT', 'ADDR-UPDATE-OTHERS-UNTOUCHED'],
    entails: ['ADDR-UPDATE-*'],
    sentence: 'saves the address that was the default without its reference when another one becomes it',
    ...besideNewDefault((book, id) => {
      for (const other of [...book.values()])
        if (other.id !== id && other.default)
          book.set(other.id, { ...withAddress(other, { reference: null }), default: false });
    }),
  },
  {
    id: 'deleted-default-empties-the-next',
    breaks: ['ADDR-DELETE-OTHERS-UNTOUCHED'],
    entails: ['ADDR-*'],
    sentence:
      'makes the newest address the default when the default one is deleted, and saves it without its company',
    rules: (original) => ({
      removeTemplate: (book, template, env) => {
        original.removeTemplate(book, template, env);
        const next = [...book.values()].at(-1);
        if (template.default && next)
          book.set(next.id, { ...withAddress(next, { company: null }), default: true });
      },
    }),
  },
  {
    id: 'new-default-takes-all-flags',
    breaks: ['ADDR-DEFAULT-OTHER-CLIENT'],
    sentence: 'takes the flag from the default addresses of all clients when an address becomes the default',
    rules: (original) => ({
      afterSave: (book, saved, env) => {
        original.afterSave(book, saved, env);
        if (saved.default === true) for (const each of env.state.books.values()) takeFlag(each, saved.id);
      },
    }),
  },
];
