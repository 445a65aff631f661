/** Faults that appear only in a second request, with an optional member, or beside other addresses. */
import { isDeepStrictEqual } from 'node:util';
import type { AddressTemplate, Env, ShippingRules } from '../../reference/shipping/index.ts';
import { withStatus } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { fieldsOf } from './fields.ts';
import { listingItems, PAGES } from './list-kit.ts';
import { withParsed } from './parsed-body.ts';
import { remembering } from './update-kit.ts';

/** Returns the book that contains an address. */
export const bookOf = (id: string, env: Env) => [...env.state.books.values()].find((book) => book.has(id));

/** Removes the outcomes of verifications from all other addresses in the same book. */
function wipeOthers(id: string, env: Env): void {
  const book = bookOf(id, env);
  for (const other of [...(book?.values() ?? [])])
    if (other.id !== id)
      book?.set(other.id, {
        ...other,
        verifications: other.verifications.filter(({ dueAt }) => dueAt > env.clock.now()),
      });
}

const CARRIERS = ['ADDR-VERIFY-*', 'ADDR-LIST-ITEM-CARRIERS', 'ADDR-CARRIER-*', 'ADDR-UPDATE-KEEPS-CARRIERS'];

/** Sorts addresses by their labels. Those with equal labels stay in order. */
const byLabel = (items: AddressTemplate[]): AddressTemplate[] =>
  items.sort((a, b) => a.alias_name.localeCompare(b.alias_name));

export const secondTimeDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'verify-with-body-id-starts-nothing',
    breaks: ['ADDR-VERIFY-OUTCOME'],
    sentence: 'answers 202 to a verify whose body has address_template_id, and starts nothing',
    rules: withParsed((original, body) => ({
      startVerification: (template, carriers, env) =>
        original.startVerification(template, body().address_template_id === undefined ? carriers : [], env),
    })),
  },
  {
    id: 'verify-again-answers-200',
    breaks: ['ADDR-VERIFY-STATUS'],
    sentence: 'answers 200 to a verify by carriers that have verified the address before',
    wrap: (next) => {
      const asked = new Set<string>();
      return async (request) => {
        const { pathname } = new URL(request.url);
        if (!pathname.endsWith('/verify_by_carriers')) return next(request);
        const job = `${pathname} ${await request.clone().text()}`;
        const answer = await next(request);
        const isAgain = answer.status === 202 && asked.has(job);
        if (answer.status === 202) asked.add(job);
        return isAgain ? withStatus(answer, 200) : answer;
      };
    },
  },
  {
    id: 'verify-again-removes',
    breaks: ['ADDR-VERIFY-OUTCOME'],
    entails: ['ADDR-LIST-ITEM-CARRIERS', 'ADDR-UPDATE-KEEPS-CARRIERS'],
    sentence: 'takes a carrier out of verified_carriers when it is asked a second time',
    rules: (original) => ({
      startVerification: (template, carriers, env) => {
        const known = template.verifications.map(({ carrier }) => carrier);
        const others = template.verifications.filter(({ carrier }) => !carriers.includes(carrier));
        const first = carriers.filter((carrier) => !known.includes(carrier));
        return original.startVerification({ ...template, verifications: others }, first, env);
      },
    }),
  },
  {
    id: 'delete-empties-other-carriers',
    breaks: ['ADDR-DELETE-OTHERS-UNTOUCHED'],
    entails: CARRIERS,
    sentence: 'empties the verified carriers of all other addresses when it deletes one',
    rules: (original) => ({
      removeTemplate: (book, template, env) => {
        wipeOthers(template.id, env);
        original.removeTemplate(book, template, env);
      },
    }),
  },
  {
    id: 'update-empties-other-carriers',
    breaks: ['ADDR-UPDATE-OTHERS-UNTOUCHED'],
    entails: CARRIERS,
    sentence: 'empties the verified carriers of all other addresses when it updates one',
    rules: (original) => ({
      patchTemplate: (current, body, env) => {
        wipeOthers(current.id, env);
        return original.patchTemplate(current, body, env);
      },
    }),
  },
  {
    id: 'verify-empties-other-carriers',
    breaks: ['ADDR-VERIFY-OTHERS-UNTOUCHED'],
    entails: CARRIERS,
    sentence: 'empties the verified carriers of all other addresses when it verifies one',
    rules: (original) => ({
      startVerification: (template, carriers, env) => {
        wipeOthers(template.id, env);
        return original.startVerification(template, carriers, env);
      },
    }),
  },
  {
    id: 'list-carriers-of-the-page',
    breaks: ['ADDR-LIST-ITEM-CARRIERS'],
    entails: ['ADDR-CARRIER-*'],
    sentence: 'shows the carriers of all addresses with each item of a list',
    rules: listingItems((item, template, env) => {
      const all = [...(bookOf(template.id, env)?.values() ?? [])].flatMap((each) => each.verifications);
      const own = new Map(
        [...all, ...template.verifications].map((each) => [
          each.carrier,
          env.rules.serialiseCarrier(each, env),
        ]),
      );
      return { ...item, verified_carriers: [...own.values()] };
    }),
  },
  {
    id: 'list-equal-labels-turn',
    breaks: ['ADDR-LIST-NO-REPEATS'],
    entails: [...PAGES, 'ADDR-LIST-ITEM-*', 'ADDR-META-*', 'ADDR-LIST-BEYOND-NO-REPEATS'],
    sentence: 'orders the list by alias_name, and those of equal names the other way round on even pages',
    rules: (original) => ({
      slicePage: (items, page, perPage) =>
        original.slicePage(byLabel(page % 2 === 0 ? [...items].reverse() : [...items]), page, perPage),
    }),
  },
  {
    id: 'delete-counts-twice',
    breaks: ['ADDR-DELETE-GONE-COUNT'],
    entails: ['ADDR-META-*'],
    sentence: 'takes one from total_count with every delete, also of what is gone, until the next create',
    rules: (original) => {
      let missed = 0;
      return {
        addTemplate: (book, template, env) => {
          missed = 0;
          original.addTemplate(book, template, env);
        },
        findTemplate: (book, id, endpoint, env) => {
          const found = original.findTemplate(book, id, endpoint, env);
          if (endpoint === 'delete' && found === undefined) missed += 1;
          return found;
        },
        serialiseMeta: (facts, env) =>
          original.serialiseMeta({ ...facts, total: Math.max(0, facts.total - missed) }, env),
      };
    },
  },
  {
    id: 'update-blank-attributes-refused',
    breaks: ['ADDR-UPDATE-OPTIONAL-TOGETHER'],
    sentence: 'refuses an update whose address_attributes is empty',
    rules: (original) => ({
      updateProblems: (body, current, env) => {
        const { address_attributes: attributes } = fieldsOf(body.address_template);
        return attributes !== undefined && Object.keys(fieldsOf(attributes)).length === 0
          ? ["address_attributes can't be blank"]
          : original.updateProblems(body, current, env);
      },
    }),
  },
  {
    id: 'update-back-not-saved',
    breaks: ['ADDR-UPDATE-SETS-NAME'],
    sentence: 'does not save a name that is the one the address was created with',
    rules: remembering((original, created) => ({
      patchAddress: (current, changes, env) => {
        const first = [...created.values()].find(({ address }) => address.email === current.email)?.address;
        const next = original.patchAddress(current, changes, env);
        return changes.name !== undefined && changes.name === first?.name
          ? { ...next, name: current.name }
          : next;
      },
    })),
  },
  {
    id: 'carriers-asked-again-as-object',
    breaks: ['ADDR-TEMPLATE-VERIFIED-CARRIERS'],
    entails: ['ADDR-VERIFY-*', 'ADDR-CARRIER-*', 'ADDR-UPDATE-*', 'ADDR-LIST-ITEM-CARRIERS'],
    sentence: 'reads verified_carriers as an object once a carrier was asked a second time',
    rules: (original) => {
      const again = new Set<string>();
      return {
        startVerification: (template, carriers, env) => {
          if (template.verifications.some(({ carrier }) => carriers.includes(carrier)))
            again.add(template.id);
          return original.startVerification(template, carriers, env);
        },
        serialiseTemplate: (template, endpoint, env) => {
          const data = original.serialiseTemplate(template, endpoint, env);
          const isObject = endpoint === 'read' && again.has(template.id);
          return isObject ? { ...data, verified_carriers: { ...(data.verified_carriers as object) } } : data;
        },
      };
    },
  },
  {
    id: 'update-of-shared-attributes',
    breaks: ['ADDR-UPDATE-OTHERS-UNTOUCHED'],
    entails: ['ADDR-UPDATE-IN-LIST'],
    sentence:
      'stores equal address_attributes once, so that an update of them changes every address that has them',
    rules: (original) => ({
      replaceTemplate: (book, template, env) => {
        const before = book.get(template.id);
        original.replaceTemplate(book, template, env);
        for (const other of [...book.values()])
          if (before && other.id !== template.id && isDeepStrictEqual(other.address, before.address))
            book.set(other.id, { ...other, address: template.address });
      },
    }),
  },
  {
    id: 'create-upserts-by-label',
    breaks: ['ADDR-CREATE-LABEL-NEW'],
    sentence: 'overwrites the address that has the same label with a create',
    rules: (original) => ({
      addTemplate: (book, template, env) => {
        const same = [...book.values()].find(({ alias_name }) => alias_name === template.alias_name);
        if (same) template.id = same.id;
        original.addTemplate(book, template, env);
      },
    }),
  },
  ...(['email', 'phone'] as const).map(
    (key): Deviation<ShippingRules> => ({
      id: `create-replaces-by-${key}`,
      breaks: ['ADDR-CREATE-ALIKE-KEPT'],
      entails: ['*'],
      sentence: `removes the address that has the same ${key} when one is created, as REPLACE INTO does`,
      rules: (original) => ({
        addTemplate: (book, template, env) => {
          for (const [id, { address }] of [...book])
            if (address[key] === template.address[key]) book.delete(id);
          original.addTemplate(book, template, env);
        },
      }),
    }),
  ),
  {
    id: 'create-replaces-by-label',
    breaks: ['ADDR-CREATE-ALIKE-KEPT'],
    entails: ['*'],
    sentence: 'removes the address that has the same label when one is created',
    rules: (original) => ({
      addTemplate: (book, template, env) => {
        for (const [id, { alias_name: label }] of [...book])
          if (label === template.alias_name) book.delete(id);
        original.addTemplate(book, template, env);
      },
    }),
  },
];
