/** Addresses that look wrong in a list (4.1). */
import type { ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { firstOf, listingItems, type Serialised } from './list-kit.ts';

/** Writes markup in the texts of an address so that it can stand in a page. */
const escaped = (address: unknown): Serialised =>
  JSON.parse(JSON.stringify(address).replaceAll('&', '&amp;').replaceAll('<', '&lt;')) as Serialised;

export const listItemDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'list-items-escaped',
    breaks: ['ADDR-LIST-ITEM-ADDRESS'],
    sentence: 'escapes the texts of addresses in lists for use in HTML',
    rules: listingItems((item) => ({ ...item, address: escaped(item.address) })),
  },
  {
    id: 'list-labels-escaped',
    breaks: ['ADDR-LIST-ITEM-LABELS'],
    sentence: 'escapes labels in lists for use in HTML',
    rules: listingItems((item) => ({ ...item, alias_name: escaped({ label: item.alias_name }).label })),
  },
  {
    id: 'create-answer-escaped',
    breaks: ['ADDR-CREATE-ANSWER-CURRENT'],
    sentence: 'escapes the texts in the answer to a create for use in HTML',
    rules: (original) => ({
      serialiseTemplate: (template, endpoint, env) => {
        const answer = original.serialiseTemplate(template, endpoint, env);
        return endpoint === 'create' ? { ...answer, address: escaped(answer.address) } : answer;
      },
    }),
  },
  {
    id: 'list-items-short-address',
    breaks: ['ADDR-LIST-ITEM-ADDRESS'],
    sentence: 'lists a short form of the address, with null for what it leaves out',
    rules: listingItems((item) => ({
      ...item,
      address: { ...(item.address as object), company: null, apartment_number: null, reference: null },
    })),
  },
  {
    id: 'list-items-first-address',
    breaks: ['ADDR-LIST-ITEM-ADDRESS'],
    sentence: 'sends the address of the first item with every item of a list',
    rules: (original) => ({
      serialiseTemplate: (template, endpoint, env) => {
        const item = original.serialiseTemplate(template, endpoint, env);
        const first = endpoint === 'list' ? firstOf(template, env) : undefined;
        return first === undefined
          ? item
          : { ...item, address: env.rules.serialiseAddress(first.address, env) };
      },
    }),
  },
  {
    id: 'list-items-masked-phone',
    breaks: ['ADDR-LIST-ITEM-ADDRESS'],
    sentence: 'hides phone and email as personal data in lists',
    rules: listingItems((item) => ({
      ...item,
      address: { ...(item.address as object), phone: '**********', email: '***@***' },
    })),
  },
  {
    id: 'list-items-without-carriers',
    breaks: ['ADDR-LIST-ITEM-CARRIERS'],
    sentence: 'lists every address with an empty verified_carriers',
    rules: listingItems((item) => ({ ...item, verified_carriers: [] })),
  },
  {
    id: 'list-items-carriers-on-first-page-only',
    breaks: ['ADDR-LIST-ITEM-CARRIERS'],
    sentence: 'lists the addresses of every page but the first with an empty verified_carriers',
    wrap: (next) => async (request) => {
      const answer = await next(request);
      const { pathname, searchParams } = new URL(request.url);
      const isLater = pathname.endsWith('/address_templates') && Number(searchParams.get('page') ?? 1) > 1;
      if (request.method !== 'GET' || !isLater || !answer.ok) return answer;
      const body = (await answer.json()) as { data: Serialised[] };
      return Response.json({ ...body, data: body.data.map((item) => ({ ...item, verified_carriers: [] })) });
    },
  },
  {
    id: 'list-single-item-without-array',
    breaks: ['ADDR-LIST-DATA'],
    entails: ['ADDR-LIST-*', 'ADDR-META-*'],
    sentence: 'lists a single address as an object, not in an array',
    wrap: (next) => async (request) => {
      const answer = await next(request);
      const isList = request.method === 'GET' && new URL(request.url).pathname.endsWith('/address_templates');
      if (!isList || !answer.ok) return answer;
      const body = (await answer.json()) as { data: Serialised[] };
      return Response.json(body.data.length === 1 ? { ...body, data: body.data[0] } : body);
    },
  },
  {
    id: 'list-items-first-carrier-only',
    breaks: ['ADDR-LIST-ITEM-CARRIERS'],
    sentence: 'lists the first verified carrier of each address only',
    rules: listingItems((item) => ({
      ...item,
      verified_carriers: (item.verified_carriers as unknown[]).slice(0, 1),
    })),
  },
  {
    id: 'list-items-carriers-limited',
    breaks: ['ADDR-LIST-ITEM-CARRIERS'],
    sentence: 'lists no more verified carriers in all than per_page allows addresses',
    rules: (original) => {
      let left = 0;
      return {
        slicePage: (items, page, perPage) => {
          left = perPage;
          return original.slicePage(items, page, perPage);
        },
        ...listingItems((item) => {
          const shown = (item.verified_carriers as unknown[]).slice(0, left);
          left -= shown.length;
          return { ...item, verified_carriers: shown };
        })(original),
      };
    },
  },
  {
    id: 'list-items-carriers-never-verified',
    breaks: ['ADDR-LIST-ITEM-CARRIERS'],
    sentence: 'lists the verified carriers as they were when the verification began',
    rules: listingItems((item, _template, env) => ({
      ...item,
      verified_carriers: (item.verified_carriers as Serialised[]).map((entry) => ({
        ...entry,
        status: env.rules.pendingStatus,
        verification_id: null,
      })),
    })),
  },
  {
    id: 'list-items-carriers-remembered',
    breaks: ['ADDR-LIST-ITEM-CARRIERS'],
    sentence: 'lists the verified carriers of an address as they were when it was first listed',
    rules: (original) => {
      const first = new Map<string, unknown>();
      return listingItems((item, { id }) => {
        const known = first.get(id) ?? item.verified_carriers;
        first.set(id, known);
        return { ...item, verified_carriers: known };
      })(original);
    },
  },
  {
    id: 'list-items-type-default',
    breaks: ['ADDR-LIST-ITEM-LABELS'],
    sentence: 'lists every address with default null',
    rules: listingItems((item) => ({ ...item, default: null })),
  },
  {
    id: 'list-items-alias-upper-case',
    breaks: ['ADDR-LIST-ITEM-LABELS'],
    sentence: 'lists labels in capital letters',
    rules: listingItems((item) => ({ ...item, alias_name: String(item.alias_name).toUpperCase() })),
    entails: ['ADDR-CREATE-LISTED'],
  },
  {
    id: 'list-items-type-other',
    breaks: ['ADDR-LIST-ITEM-LABELS'],
    sentence: 'lists every address with a wrong address_type',
    rules: listingItems((item) => ({ ...item, address_type: `${String(item.address_type)}s` })),
  },
  {
    id: 'list-as-map',
    breaks: ['ADDR-LIST-DATA'],
    sentence: 'lists addresses as an object keyed by id',
    rules: () => ({
      listEnvelope: (data, meta) => ({ data: Object.fromEntries(data.map((item) => [item.id, item])), meta }),
    }),
  },
  {
    id: 'list-meta-beside-data',
    breaks: ['ADDR-LIST-META'],
    sentence: 'puts the pagination beside data instead of under meta',
    rules: () => ({ listEnvelope: (data, meta) => ({ data, ...meta }) }),
  },
  {
    id: 'list-meta-absent-on-one-page',
    breaks: ['ADDR-LIST-META'],
    sentence: 'leaves meta out where everything fits on one page',
    rules: () => ({
      listEnvelope: (data, meta) => (Number(meta.total_pages) <= 1 ? { data } : { data, meta }),
    }),
  },
  {
    id: 'list-data-null-when-empty',
    breaks: ['ADDR-LIST-DATA'],
    sentence: 'answers null instead of an empty list',
    rules: (original) => ({
      listEnvelope: (data, meta) =>
        data.length === 0 ? { data: null, meta } : original.listEnvelope(data, meta),
    }),
  },
  {
    id: 'list-ids-in-capitals',
    breaks: ['ADDR-READ-STATUS'],
    entails: ['ADDR-LIST-*', 'ADDR-*-OTHERS-UNTOUCHED'],
    sentence:
      'writes ids in capital letters in the list, and finds addresses by the id as it was created alone',
    rules: listingItems((item) => ({ ...item, id: String(item.id).toUpperCase() })),
  },
];
