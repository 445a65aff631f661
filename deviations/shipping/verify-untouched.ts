/** Verifications that change the address, or other addresses (3 and 4.6). */
import type { AddressTemplate, ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { withParsed } from './parsed-body.ts';
import { withAddress } from './templates.ts';

/** Changes an address when a verification of it starts. */
function starting(change: (template: AddressTemplate) => AddressTemplate) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    startVerification: (template, carriers, env) =>
      original.startVerification(change(template), carriers, env),
  });
}

/**
 * Saves the address when a verification of it ends.
 * @param result gets the address as it is, and as it was when the verification began
 */
function savingAtTheEnd(result: (now: AddressTemplate, begun: AddressTemplate) => AddressTemplate) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    const begun = new Map<string, { template: AddressTemplate; dueAt: number }>();
    return {
      startVerification: (template, carriers, env) => {
        const started = original.startVerification(template, carriers, env);
        const dueAt = Math.max(...started.verifications.map((each) => each.dueAt));
        begun.set(template.id, { template: started, dueAt });
        return started;
      },
      findTemplate: (book, id, endpoint, env) => {
        const job = begun.get(id);
        if (job !== undefined && env.clock.now() >= job.dueAt) {
          begun.delete(id);
          const now = book.get(id);
          if (now) book.set(id, result(now, job.template));
        }
        return original.findTemplate(book, id, endpoint, env);
      },
    };
  };
}

export const verifyUntouchedDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'verify-normalises-address',
    breaks: ['ADDR-VERIFY-KEEPS-ADDRESS'],
    sentence: "writes a carrier's form of the address over the one that was saved",
    rules: starting((template) =>
      withAddress(template, { street1: String(template.address.street1).toUpperCase() }),
    ),
  },
  {
    id: 'verify-clears-default',
    breaks: ['ADDR-VERIFY-KEEPS-ADDRESS'],
    sentence: 'sets default to null when it verifies an address',
    rules: starting((template) => ({ ...template, default: null })),
  },
  {
    id: 'verify-keeps-label-only',
    breaks: ['ADDR-VERIFY-KEEPS-ADDRESS'],
    sentence: 'clears the reference once a carrier has answered',
    rules: starting((template) => withAddress(template, { reference: null })),
  },
  {
    id: 'verify-writes-later',
    breaks: ['ADDR-VERIFY-KEEPS-ADDRESS'],
    entails: ['ADDR-UPDATE-*', 'ADDR-LIST-ITEM-ADDRESS', 'ADDR-DELETE-OTHERS-UNTOUCHED'],
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
    id: 'verify-saves-what-it-began-with',
    breaks: ['ADDR-VERIFY-KEEPS-UPDATE'],
    sentence:
      'overwrites the address, when a verification ends, with its state from when the verification began',
    rules: savingAtTheEnd((_, begun) => begun),
  },
  {
    id: 'verify-saves-the-label-it-began-with',
    breaks: ['ADDR-VERIFY-KEEPS-UPDATE'],
    sentence: 'sets the label again, when a verification ends, to what it was when the verification began',
    rules: savingAtTheEnd((now, { alias_name }) => ({ ...now, alias_name })),
  },
  {
    id: 'verify-saves-the-default-it-began-with',
    breaks: ['ADDR-VERIFY-KEEPS-UPDATE'],
    sentence: 'sets default again, when a verification ends, to what it was when the verification began',
    rules: savingAtTheEnd((now, begun) => ({ ...now, default: begun.default })),
  },
  {
    id: 'verify-cuts-reference',
    breaks: ['ADDR-VERIFY-KEEPS-ADDRESS'],
    sentence: "cuts the reference to the 35 characters of a carrier's label",
    rules: starting((template) =>
      withAddress(template, { reference: String(template.address.reference).slice(0, 35) }),
    ),
  },
  {
    id: 'verify-strips-phone',
    breaks: ['ADDR-VERIFY-KEEPS-ADDRESS'],
    sentence: 'leaves only the digits of the telephone number when it verifies an address',
    rules: starting((template) =>
      withAddress(template, { phone: String(template.address.phone).replaceAll(/\D/g, '') }),
    ),
  },
  {
    id: 'verify-locks-silently',
    breaks: ['ADDR-VERIFY-KEEPS-UPDATE'],
    sentence: 'answers an update with success but drops it while the address is being verified',
    rules: (original) => ({
      replaceTemplate: (book, template, env) => {
        const current = book.get(template.id);
        const isVerify = template.verifications !== current?.verifications;
        const isBusy = current?.verifications.some(({ dueAt }) => env.clock.now() < dueAt);
        if (isVerify || !isBusy) original.replaceTemplate(book, template, env);
      },
    }),
  },
  {
    id: 'verify-namesakes',
    breaks: ['ADDR-VERIFY-OTHERS-UNTOUCHED'],
    sentence: 'stores outcomes by the label of the address',
    rules: (original) => ({
      startVerification: (template, carriers, env) => {
        const started = original.startVerification(template, carriers, env);
        const book = [...env.state.books.values()].find((each) => each.has(template.id));
        for (const other of book?.values() ?? []) {
          if (other.id !== template.id && other.alias_name === template.alias_name)
            book?.set(other.id, { ...other, verifications: started.verifications });
        }
        return started;
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
    id: 'verify-starts-at-both-ids',
    breaks: ['ADDR-VERIFY-BODY-ID-ONE'],
    sentence: 'verifies both the address in the path and the one in the body',
    rules: withParsed((original, body) => ({
      replaceTemplate: (book, template, env) => {
        original.replaceTemplate(book, template, env);
        const other = book.get(String(body().address_template_id));
        if (other && other.id !== template.id)
          book.set(other.id, original.startVerification(other, original.requestedCarriers(body()), env));
      },
    })),
  },
  {
    id: 'verify-of-the-body-id',
    breaks: ['ADDR-VERIFY-BODY-ID-OTHER-KEPT'],
    sentence: 'verifies the address in the body instead of the one in the path',
    rules: withParsed((original, body) => ({
      replaceTemplate: (book, template, env) => {
        const other = book.get(String(body().address_template_id));
        if (!other || other.id === template.id) original.replaceTemplate(book, template, env);
        else book.set(other.id, original.startVerification(other, original.requestedCarriers(body()), env));
      },
    })),
  },
];
