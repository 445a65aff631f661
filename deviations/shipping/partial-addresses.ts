/** Faults in only some answers of the address endpoints (2 to 4.6). */
import type { AddressTemplate, ShippingRules } from '../../reference/shipping/index.ts';
import { changeKind, withBody, withStatus } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { companyUnlisted, listingItems } from './list-kit.ts';
import { COLLECTION, ITEM, VERIFY } from './paths.ts';
import { withDeleted } from './templates.ts';
import { remembering, updating } from './update-kit.ts';

type Serialised = Record<string, unknown>;

/** Returns the `address_template` of a request body, or an empty object. */
const sentTemplate = (text: string): Serialised => {
  try {
    return ((JSON.parse(text) as Serialised).address_template ?? {}) as Serialised;
  } catch {
    return {};
  }
};

/** Answers those requests to an endpoint for which `concerns` holds with another status. */
function answeringSome(
  [id, breaks, sentence]: [id: string, breaks: string, sentence: string],
  [method, path, usual, status]: [method: string, path: RegExp, usual: number, status: number],
  concerns: (request: { url: URL; text: string }) => boolean,
): Deviation<ShippingRules> {
  return {
    id,
    breaks: [breaks],
    sentence,
    wrap: changeKind({ name: id, method, path, status: usual, when: concerns }, (response) =>
      withStatus(response, status),
    ),
  };
}

/** Changes members of the meta where `parameter` is not sent. */
function metaWithout(
  [id, breaks, sentence]: [id: string, breaks: string, sentence: string],
  parameter: string,
  change: (meta: Serialised) => Serialised,
): Deviation<ShippingRules> {
  return {
    id,
    breaks: [breaks],
    sentence,
    wrap: changeKind(
      {
        name: id,
        method: 'GET',
        path: COLLECTION,
        status: 200,
        when: ({ url }) => !url.searchParams.has(parameter),
      },
      (response) =>
        withBody(response, (body) => {
          const list = body as { data: unknown; meta: Serialised };
          return { ...list, meta: { ...list.meta, ...change(list.meta) } };
        }),
    ),
  };
}

export const partialAddressDeviations: Deviation<ShippingRules>[] = [
  answeringSome(
    ['list-later-pages-206', 'ADDR-LIST-STATUS', 'answers 206 to every page but the first'],
    ['GET', COLLECTION, 200, 206],
    ({ url }) => Number(url.searchParams.get('page')) > 1,
  ),
  answeringSome(
    ['create-default-200', 'ADDR-CREATE-STATUS', 'answers 200 to the create of a default address'],
    ['POST', COLLECTION, 201, 200],
    ({ text }) => sentTemplate(text).default === true,
  ),
  answeringSome(
    ['create-sparse-202', 'ADDR-CREATE-STATUS', 'answers 202 to a create without the optional fields'],
    ['POST', COLLECTION, 201, 202],
    ({ text }) => sentTemplate(text).default === undefined,
  ),
  answeringSome(
    ['update-nested-202', 'ADDR-UPDATE-STATUS', 'answers 202 to an update of the address itself'],
    ['PATCH', ITEM, 200, 202],
    ({ text }) => sentTemplate(text).address_attributes !== undefined,
  ),
  answeringSome(
    ['verify-several-200', 'ADDR-VERIFY-STATUS', 'answers 200 to a verify by several carriers'],
    ['POST', VERIFY, 202, 200],
    ({ text }) => ((JSON.parse(text) as { carriers?: unknown[] } | null)?.carriers?.length ?? 0) > 1,
  ),
  metaWithout(
    [
      'meta-current-page-zero-without-page',
      'ADDR-META-CURRENT-PAGE-VALUE',
      'reports current_page 0 where page was not sent',
    ],
    'page',
    () => ({ current_page: 0 }),
  ),
  metaWithout(
    [
      'meta-total-pages-by-ten-without-per-page',
      'ADDR-META-TOTAL-PAGES-VALUE',
      'counts pages of ten where per_page was not sent',
    ],
    'per_page',
    ({ total_count: total }) => ({ total_pages: Math.ceil(Number(total) / 10) }),
  ),
  metaWithout(
    [
      'meta-next-page-null-without-page',
      'ADDR-META-NEXT-PAGE-VALUE',
      'reports no next_page where page was not sent',
    ],
    'page',
    () => ({ next_page: null }),
  ),
  {
    id: 'list-later-pages-without-company',
    breaks: ['ADDR-LIST-ITEM-ADDRESS'],
    sentence: 'lists company as null on every page but the first',
    wrap: companyUnlisted((query) => Number(query.get('page')) > 1),
  },
  {
    id: 'list-hides-pending',
    breaks: ['ADDR-LIST-ITEM-CARRIERS'],
    sentence: 'lists no carrier of an address while any outcome is pending',
    rules: listingItems((item, template, env) =>
      template.verifications.some(({ dueAt }) => env.clock.now() < dueAt)
        ? { ...item, verified_carriers: [] }
        : item,
    ),
  },
  {
    id: 'read-deleted-without-message',
    breaks: ['ADDR-READ-UNKNOWN-BODY'],
    entails: ['ADDR-ERROR-MESSAGE'],
    sentence: 'answers the read of a deleted address 404 with an empty body, and others with a message',
    wrap: (next) => {
      const deleted = new Set<string>();
      return async (request) => {
        const { pathname } = new URL(request.url);
        const response = await next(request);
        if (request.method === 'DELETE' && response.ok) deleted.add(pathname);
        return request.method === 'GET' && response.status === 404 && deleted.has(pathname)
          ? new Response(null, { status: 404 })
          : response;
      };
    },
  },
  {
    id: 'verify-brings-deleted-back',
    breaks: ['ADDR-DELETE-GONE-READ'],
    entails: ['ADDR-DELETE-GONE-LIST'],
    sentence: 'saves a deleted address again when a verification of it ends',
    rules: (original) => {
      const begun = new Map<string, { template: AddressTemplate; dueAt: number }>();
      const rules = withDeleted((deleted) => (each) => ({
        findTemplate: (book, id, endpoint, env) => {
          const job = begun.get(id);
          if (job !== undefined && deleted.has(id) && env.clock.now() >= job.dueAt) {
            begun.delete(id);
            book.set(id, job.template);
          }
          return each.findTemplate(book, id, endpoint, env);
        },
      }))(original);
      return {
        ...rules,
        startVerification: (template, carriers, env) => {
          const started = original.startVerification(template, carriers, env);
          begun.set(template.id, {
            template: started,
            dueAt: Math.max(...started.verifications.map((each) => each.dueAt)),
          });
          return started;
        },
      };
    },
  },
  {
    id: 'update-answers-no-carriers',
    breaks: ['ADDR-UPDATE-ANSWER-CURRENT'],
    sentence: 'answers updates with an empty verified_carriers, whatever is stored',
    rules: (original) => ({
      serialiseTemplate: (template, endpoint, env) => {
        const data = original.serialiseTemplate(template, endpoint, env);
        return endpoint === 'update' ? { ...data, verified_carriers: [] } : data;
      },
    }),
  },
  {
    id: 'verify-answers-as-created',
    breaks: ['ADDR-VERIFY-ANSWER-CURRENT'],
    sentence: 'answers a verify with the address as it was created, without later updates',
    rules: remembering((original, created) => ({
      serialiseTemplate: (template, endpoint, env) => {
        const data = original.serialiseTemplate(template, endpoint, env);
        const first = created.get(template.id);
        if (endpoint !== 'verify' || first === undefined) return data;
        return {
          ...data,
          alias_name: first.alias_name,
          address: env.rules.serialiseAddress(first.address, env),
        };
      },
    })),
  },
  {
    id: 'update-label-plain-letters',
    breaks: ['ADDR-UPDATE-SETS-ALIAS-NAME'],
    sentence: 'drops accents from a label that an update sends',
    rules: updating((next, _current, sent) => ({
      ...next,
      ...(sent.alias_name !== undefined && {
        alias_name: next.alias_name.normalize('NFD').replaceAll(/\p{M}/gu, ''),
      }),
    })),
  },
];
