/** Deletions that remove too little or too much (4.5). */
import type { AddressBook, AddressTemplate, Env, ShippingRules } from '../../reference/shipping/index.ts';
import { changeKind } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { ITEM } from './paths.ts';

/** Deletes more than the address in the path. */
function alsoDeleting(more: (book: AddressBook, template: AddressTemplate, env: Env) => void) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    removeTemplate: (book, template, env) => {
      original.removeTemplate(book, template, env);
      more(book, template, env);
    },
  });
}

/**
 * Only marks addresses as deleted, so that some endpoints still find them. The ages are in milliseconds since
 * the deletion.
 */
function marking(
  sees: (endpoint: string, age: number, template: AddressTemplate) => boolean,
  listed: (age: number) => boolean = () => false,
) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    const marked = new Map<string, { template: AddressTemplate; at: number; book: AddressBook }>();
    let now = (): number => 0;
    return {
      removeTemplate: (book, template, env) => {
        now = () => env.clock.now();
        marked.set(template.id, { template, at: now(), book });
        original.removeTemplate(book, template, env);
      },
      findTemplate: (book, id, endpoint, env) => {
        const found = original.findTemplate(book, id, endpoint, env);
        const gone = marked.get(id);
        if (found !== undefined || gone === undefined || gone.book !== book) return found;
        return sees(endpoint, now() - gone.at, gone.template) ? gone.template : undefined;
      },
      collection: (book) => [
        ...original.collection(book),
        ...[...marked.values()]
          .filter((gone) => gone.book === book && listed(now() - gone.at))
          .map((gone) => gone.template),
      ],
    };
  };
}

const COUNTED = ['ADDR-DELETE-GONE-COUNT', 'ADDR-LIST-*', 'ADDR-META-*', 'ADDR-*-OTHERS-UNTOUCHED'];

export const deleteDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'delete-does-nothing',
    breaks: ['ADDR-DELETE-GONE-READ', 'ADDR-DELETE-GONE-LIST', 'ADDR-DELETE-GONE-COUNT'],
    entails: ['ADDR-DELETE-AGAIN-404', 'ADDR-UPDATE-DELETED-REFUSED', 'ADDR-VERIFY-DELETED-REFUSED'],
    sentence: 'answers 200 to a delete and deletes nothing',
    rules: () => ({ removeTemplate: () => {} }),
  },
  {
    id: 'delete-still-readable',
    breaks: ['ADDR-DELETE-GONE-READ'],
    sentence: 'marks an address as deleted, but still serves it by its id',
    rules: marking((endpoint) => endpoint === 'read'),
    entails: ['ADDR-UPDATE-DELETED-REFUSED'],
  },
  {
    id: 'delete-verified-still-readable',
    breaks: ['ADDR-DELETE-GONE-READ'],
    entails: ['ADDR-VERIFY-DELETED-REFUSED'],
    sentence: 'still serves a deleted address by its id where it has verifications',
    rules: marking((endpoint, _, { verifications }) => endpoint === 'read' && verifications.length > 0),
  },
  {
    id: 'delete-of-verified-does-nothing',
    breaks: ['ADDR-DELETE-GONE-READ'],
    entails: ['ADDR-DELETE-*', 'ADDR-VERIFY-DELETED-REFUSED'],
    sentence: 'answers 200 to the delete of an address that has verifications, and keeps it',
    rules: (original) => ({
      removeTemplate: (book, template, env) => {
        if (template.verifications.length === 0) original.removeTemplate(book, template, env);
      },
    }),
  },
  {
    id: 'delete-readable-for-a-minute',
    breaks: ['ADDR-DELETE-GONE-READ'],
    entails: ['ADDR-UPDATE-DELETED-REFUSED'],
    sentence: 'reads a deleted address from a cache for another minute',
    rules: marking((endpoint, age) => endpoint === 'read' && age < 60_000),
  },
  {
    id: 'delete-readable-again-later',
    breaks: ['ADDR-DELETE-GONE-READ'],
    sentence: 'serves a deleted address again after an hour',
    rules: marking((endpoint, age) => endpoint === 'read' && age > 3_600_000),
  },
  {
    id: 'delete-listed-again-later',
    breaks: ['ADDR-DELETE-GONE-LIST'],
    entails: COUNTED,
    sentence: 'lists a deleted address again 90 minutes later',
    rules: marking(
      () => false,
      (age) => age > 5_400_000,
    ),
  },
  {
    id: 'delete-still-listed',
    breaks: ['ADDR-DELETE-GONE-LIST'],
    entails: COUNTED,
    sentence: 'continues to list deleted addresses',
    rules: marking(
      () => false,
      () => true,
    ),
  },
  {
    id: 'delete-listed-for-a-minute',
    breaks: ['ADDR-DELETE-GONE-LIST'],
    entails: COUNTED,
    sentence: 'lists a deleted address from its search index for another minute',
    rules: marking(
      () => false,
      (age) => age < 60_000,
    ),
  },
  {
    id: 'delete-unknown-200',
    breaks: ['ADDR-DELETE-UNKNOWN-404'],
    entails: ['ADDR-DELETE-AGAIN-404'],
    sentence: 'answers 200 to the deletion of an address that does not exist',
    wrap: changeKind({ name: 'delete', method: 'DELETE', path: ITEM, status: 404 }, () => Response.json({})),
  },
  {
    id: 'delete-again-200',
    breaks: ['ADDR-DELETE-AGAIN-404'],
    sentence: 'answers 200 to the second deletion of an address',
    rules: marking((endpoint) => endpoint === 'delete'),
  },
  {
    id: 'delete-again-counted',
    breaks: ['ADDR-META-TOTAL-COUNT-VALUE'],
    entails: COUNTED,
    sentence:
      'keeps the total in a counter, and takes one off when the deletion of a deleted address is answered 404',
    rules: (original) => {
      const gone = new Set<string>();
      let taken = 0;
      return {
        removeTemplate: (book, template, env) => {
          gone.add(template.id);
          original.removeTemplate(book, template, env);
        },
        findTemplate: (book, id, endpoint, env) => {
          if (endpoint === 'delete' && gone.has(id)) taken += 1;
          return original.findTemplate(book, id, endpoint, env);
        },
        serialiseMeta: (facts, env) =>
          original.serialiseMeta({ ...facts, total: Math.max(0, facts.total - taken) }, env),
      };
    },
  },
  {
    id: 'delete-again-410',
    breaks: ['ADDR-DELETE-AGAIN-404'],
    sentence: 'answers 410 to the second deletion of an address',
    rules: (original) => {
      const gone = new Set<string>();
      let asked = false;
      return {
        removeTemplate: (book, template, env) => {
          gone.add(template.id);
          original.removeTemplate(book, template, env);
        },
        findTemplate: (book, id, endpoint, env) => {
          if (endpoint === 'delete') asked = gone.has(id);
          return original.findTemplate(book, id, endpoint, env);
        },
        addressErrorStatus: (refusal, endpoint, env) =>
          endpoint === 'delete' && refusal.code === 'notFound' && asked
            ? 410
            : original.addressErrorStatus(refusal, endpoint, env),
      };
    },
  },
  {
    id: 'delete-next-one-too',
    breaks: ['ADDR-DELETE-OTHERS-UNTOUCHED'],
    entails: ['*'],
    sentence: 'deletes the newest address along with the one that was named',
    rules: alsoDeleting((book) => {
      const newest = [...book.keys()].at(-1);
      if (newest !== undefined) book.delete(newest);
    }),
  },
  {
    id: 'delete-all-of-that-label',
    breaks: ['ADDR-DELETE-OTHERS-UNTOUCHED'],
    entails: ['*'],
    sentence: 'deletes every address of the same type',
    rules: alsoDeleting((book, { address_type }) => {
      for (const other of [...book.values()]) if (other.address_type === address_type) book.delete(other.id);
    }),
  },
  {
    id: 'delete-everything',
    breaks: ['ADDR-DELETE-OTHERS-UNTOUCHED', 'ADDR-CREATE-LASTS'],
    entails: ['*'],
    sentence: 'deletes all addresses when it deletes one',
    rules: alsoDeleting((book) => book.clear()),
  },
  {
    id: 'delete-same-postal-address',
    breaks: ['ADDR-DELETE-OTHERS-UNTOUCHED'],
    sentence: 'deletes every address with the same postal address',
    rules: alsoDeleting((book, { address }) => {
      for (const other of [...book.values()]) {
        if (JSON.stringify(other.address) === JSON.stringify(address)) book.delete(other.id);
      }
    }),
  },
  {
    id: 'delete-all-of-that-alias',
    breaks: ['ADDR-DELETE-OTHERS-UNTOUCHED'],
    sentence: 'deletes every address with the same alias_name',
    rules: alsoDeleting((book, { alias_name }) => {
      for (const other of [...book.values()]) if (other.alias_name === alias_name) book.delete(other.id);
    }),
  },
  {
    id: 'delete-changes-others',
    breaks: ['ADDR-DELETE-OTHERS-UNTOUCHED'],
    entails: ['*'],
    sentence: 'clears the reference of the other addresses when it deletes one',
    rules: alsoDeleting((book) => {
      for (const other of book.values()) {
        book.set(other.id, { ...other, address: { ...other.address, reference: null } });
      }
    }),
  },
  {
    id: 'delete-of-anything',
    breaks: ['ADDR-DELETE-UNKNOWN-404'],
    sentence: 'answers 200 to the deletion of any id as long as any address is stored',
    rules: (original) => ({
      findTemplate: (book, id, endpoint, env) => {
        const found = original.findTemplate(book, id, endpoint, env);
        if (endpoint !== 'delete' || found !== undefined || book.size === 0) return found;
        const [any] = book.values();
        return any && { ...any, id };
      },
    }),
    entails: ['ADDR-DELETE-AGAIN-404', 'ADDR-DELETE-EXACT-ID'],
  },
  {
    id: 'delete-keeps-default',
    breaks: ['ADDR-DELETE-GONE-READ'],
    entails: ['ADDR-DELETE-GONE-*'],
    sentence: 'answers 200 to a delete of the default address and keeps it',
    rules: (original) => ({
      removeTemplate: (book, template, env) => {
        if (template.default !== true) original.removeTemplate(book, template, env);
      },
    }),
  },
];
