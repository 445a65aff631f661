/** Faults of an update as a whole: in its answer, in the list, and in other addresses (4.4). */
import { randomUUID } from 'node:crypto';
import type { AddressTemplate, Env, Fields, ShippingRules } from '../../reference/shipping/index.ts';
import { changeAnswers } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { ALL_FIELDS, fieldsOf } from './fields.ts';
import { ITEM } from './paths.ts';
import { withAddress } from './templates.ts';
import { remembering, sets } from './update-kit.ts';

export const updateDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'update-by-put-only',
    breaks: ['ADDR-UPDATE-STATUS'],
    entails: ['ADDR-UPDATE-*', 'ADDR-CLIENT-ERRORS-4XX'],
    sentence: 'routes PUT and answers 405 to PATCH',
    wrap: changeAnswers(
      ({ method, url }) => method === 'PATCH' && ITEM.test(url.pathname),
      () =>
        Response.json(
          { message: 'method not allowed' },
          { status: 405, headers: { allow: 'GET, PUT, DELETE' } },
        ),
    ),
  },
  {
    id: 'update-empties-carriers',
    breaks: ['ADDR-UPDATE-KEEPS-CARRIERS'],
    sentence: 'empties verified_carriers with every update',
    rules: () => ({ verificationsAfterUpdate: () => [] }),
  },
  {
    id: 'update-new-id',
    breaks: ['ADDR-UPDATE-SAME-ID'],
    entails: ['ADDR-UPDATE-*', 'ADDR-DELETE-*'],
    sentence: 'stores an update as a new version with a new id',
    rules: (original) => ({
      patchTemplate: (current, body, env) => ({
        ...original.patchTemplate(current, body, env),
        id: randomUUID(),
      }),
      replaceTemplate: (book, template) => {
        book.set(template.id, template);
      },
    }),
  },
  {
    id: 'update-answers-another-id',
    breaks: ['ADDR-UPDATE-SAME-ID'],
    entails: ['ADDR-UPDATE-ANSWER-CURRENT'],
    sentence: "answers an update with the id of the change instead of the address's",
    rules: (original) => ({
      serialiseTemplate: (template, endpoint, env) => {
        const data = original.serialiseTemplate(template, endpoint, env);
        return endpoint === 'update' ? { ...data, id: randomUUID() } : data;
      },
    }),
  },
  {
    id: 'update-answers-old-copy',
    breaks: ['ADDR-UPDATE-ANSWER-CURRENT'],
    sentence: 'answers an update with the address as it was before',
    rules: (original) => {
      let before: AddressTemplate | undefined;
      return {
        patchTemplate: (current, body, env) => {
          before = current;
          return original.patchTemplate(current, body, env);
        },
        serialiseTemplate: (template, endpoint, env) =>
          original.serialiseTemplate(endpoint === 'update' ? (before ?? template) : template, endpoint, env),
      };
    },
  },
  {
    id: 'update-answered-and-not-stored',
    breaks: [...ALL_FIELDS.map(sets), 'ADDR-UPDATE-ANSWER-CURRENT'],
    entails: ['ADDR-UPDATE-COMBINED', 'ADDR-UPDATE-SUCCESSIVE', 'ADDR-UPDATE-BODY-ID', 'ADDR-UPDATE-IN-LIST'],
    sentence: 'answers an update with the new values and does not store them',
    rules: (original) => ({
      replaceTemplate: (book, template, env) => {
        const verified = book.get(template.id)?.verifications !== template.verifications;
        if (verified) original.replaceTemplate(book, template, env);
      },
    }),
  },
  {
    id: 'update-answer-lacks-company',
    breaks: ['ADDR-UPDATE-ANSWER-CURRENT'],
    sentence: 'answers an update with null for everything that the update did not send',
    rules: (original) => {
      let sent: Fields = {};
      return {
        patchTemplate: (current, body, env) => {
          sent = fieldsOf(fieldsOf(body.address_template).address_attributes);
          return original.patchTemplate(current, body, env);
        },
        serialiseTemplate: (template, endpoint, env) => {
          const shown =
            endpoint === 'update' && sent.company === undefined
              ? withAddress(template, { company: null })
              : template;
          return original.serialiseTemplate(shown, endpoint, env);
        },
      };
    },
  },
  {
    id: 'update-not-in-list',
    breaks: ['ADDR-UPDATE-IN-LIST'],
    entails: ['ADDR-LIST-ITEM-ADDRESS', 'ADDR-LIST-ITEM-LABELS', 'ADDR-VERIFY-OTHERS-UNTOUCHED'],
    sentence: 'lists addresses as they were created, without later updates',
    rules: remembering((original, created) => ({
      collection: (book) =>
        original.collection(book).map((template) => {
          const { verifications } = template;
          return { ...(created.get(template.id) ?? template), verifications };
        }),
    })),
  },
  {
    id: 'update-in-list-after-a-minute',
    breaks: ['ADDR-UPDATE-IN-LIST'],
    entails: ['ADDR-LIST-ITEM-ADDRESS', 'ADDR-LIST-ITEM-LABELS'],
    sentence: 'lists the new values of an address a minute after its update',
    rules: (original) => {
      const older = new Map<string, { until: number; template: AddressTemplate }>();
      let env: Env | undefined;
      return {
        patchTemplate: (current, body, its) => {
          env = its;
          if ((older.get(current.id)?.until ?? 0) < its.clock.now()) {
            older.set(current.id, { until: its.clock.now() + 60_000, template: current });
          }
          return original.patchTemplate(current, body, its);
        },
        collection: (book) =>
          original.collection(book).map((template) => {
            const old = older.get(template.id);
            const stale = old !== undefined && env !== undefined && env.clock.now() < old.until;
            return stale ? { ...old.template, verifications: template.verifications } : template;
          }),
      };
    },
  },
  {
    id: 'update-changes-all-references',
    breaks: ['ADDR-UPDATE-OTHERS-UNTOUCHED'],
    entails: ['*'],
    sentence: 'writes a new reference to all addresses',
    rules: (original) => ({
      replaceTemplate: (book, template, env) => {
        const before = book.get(template.id);
        original.replaceTemplate(book, template, env);
        if (before?.address.reference === template.address.reference) return;
        for (const other of book.values()) {
          book.set(other.id, withAddress(other, { reference: template.address.reference }));
        }
      },
    }),
  },
  {
    id: 'update-changes-the-next',
    breaks: ['ADDR-UPDATE-OTHERS-UNTOUCHED'],
    entails: ['*'],
    sentence: 'clears the company of the address that was saved before when it updates one',
    rules: (original) => ({
      replaceTemplate: (book, template, env) => {
        const ids = [...book.keys()];
        const other = book.get(ids[ids.indexOf(template.id) - 1] ?? '');
        original.replaceTemplate(book, template, env);
        if (other) book.set(other.id, withAddress(other, { company: 'shared' }));
      },
    }),
  },
  {
    id: 'update-adds-a-copy',
    breaks: ['ADDR-UPDATE-OTHERS-UNTOUCHED'],
    entails: ['*'],
    sentence: 'saves the old address under a new id when it updates one',
    rules: (original) => ({
      replaceTemplate: (book, template, env) => {
        const before = book.get(template.id);
        original.replaceTemplate(book, template, env);
        const id = randomUUID();
        if (before && before.verifications === template.verifications) book.set(id, { ...before, id });
      },
    }),
  },
  ...(
    [
      ['outer', 'labels', (sent) => sent.address_attributes === undefined],
      ['nested', 'address_attributes', (sent) => Object.keys(sent).join() === 'address_attributes'],
    ] as [string, string, (sent: Fields) => boolean][]
  ).map(
    ([kind, words, isUnseen]): Deviation<ShippingRules> => ({
      id: `update-${kind}-not-in-list`,
      breaks: ['ADDR-UPDATE-IN-LIST'],
      entails: ['ADDR-LIST-ITEM-*', 'ADDR-UPDATE-OTHERS-UNTOUCHED', 'ADDR-VERIFY-OTHERS-UNTOUCHED'],
      sentence: `lists an address as it was before an update of ${words} alone, until it is updated otherwise`,
      rules: (original) => {
        const listed = new Map<string, AddressTemplate>();
        return {
          patchTemplate: (current, body, env) => {
            if (!isUnseen(fieldsOf(body.address_template))) listed.delete(current.id);
            else if (!listed.has(current.id)) listed.set(current.id, current);
            return original.patchTemplate(current, body, env);
          },
          collection: (book) =>
            original.collection(book).map((template) => {
              const { verifications } = template;
              return { ...(listed.get(template.id) ?? template), verifications };
            }),
        };
      },
    }),
  ),
  {
    id: 'update-answers-id-in-capitals',
    breaks: ['ADDR-UPDATE-SAME-ID'],
    sentence: 'answers an update with the id in capital letters, by which a read does not find the address',
    rules: (original) => ({
      serialiseTemplate: (template, endpoint, env) => {
        const data = original.serialiseTemplate(template, endpoint, env);
        return endpoint === 'update' ? { ...data, id: template.id.toUpperCase() } : data;
      },
    }),
  },
];
