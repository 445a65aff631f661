/** Requests of one kind that the service does not serve, though it serves others of the same endpoint. */
import type { ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';

const COLLECTION = /\/address_templates$/;
const ITEM = /\/address_templates\/[^/]+$/;

/** Answers lists for which `concerns` holds with a status that is no success. */
const list = (
  id: string,
  status: number,
  sentence: string,
  concerns: (query: URLSearchParams) => boolean,
): Deviation<ShippingRules> => ({
  id: `unserved-list-${id}`,
  breaks: ['ADDR-LIST-STATUS'],
  entails: ['ADDR-LIST-*', 'ADDR-META-*'],
  sentence,
  wrap: (next) => async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    return request.method === 'GET' && COLLECTION.test(pathname) && concerns(searchParams)
      ? Response.json({ message: 'cannot be read' }, { status })
      : next(request);
  },
});

/** Refuses updates that send nothing but one field of `address_attributes`. */
const alone = (field: string, requirement: string): Deviation<ShippingRules> => ({
  id: `update-of-${field.replaceAll('_', '-')}-alone-refused`,
  breaks: [requirement],
  entails: ['ADDR-UPDATE-*'],
  sentence: `refuses an update that sends nothing but ${field}`,
  wrap: (next) => async (request) => {
    if (request.method !== 'PATCH' || !ITEM.test(new URL(request.url).pathname)) return next(request);
    const text = await request.clone().text();
    return new RegExp(`^\\{"address_template":\\{"address_attributes":\\{"${field}":[^,{}]*\\}\\}\\}$`).test(
      text,
    )
      ? Response.json({ message: 'too few fields' }, { status: 422 })
      : next(request);
  },
});

export const unservedDeviations: Deviation<ShippingRules>[] = [
  list('page-and-size', 500, 'answers 500 to a list with page and per_page', (query) =>
    ['page', 'per_page'].every((name) => query.has(name)),
  ),
  list('page-and-size-refused', 400, 'answers 400 to a list with page and per_page', (query) =>
    ['page', 'per_page'].every((name) => query.has(name)),
  ),
  list('second-page', 500, 'answers 500 to a list of the second page', (query) => query.get('page') === '2'),
  {
    id: 'revoke-breaks-down-at-refresh-tokens',
    breaks: ['TOKEN-REVOKE-STATUS'],
    entails: ['TOKEN-REVOKE-*', 'TOKEN-INTROSPECT-*'],
    sentence: 'breaks down at the revocation of a refresh token',
    rules: (original) => ({
      alsoRevoked: (token, env) => {
        if (token.kind === 'refresh_token') throw new Error('no such column');
        return original.alsoRevoked(token, env);
      },
    }),
  },
  alone('email', 'ADDR-UPDATE-SETS-EMAIL'),
  alone('reference', 'ADDR-UPDATE-SETS-REFERENCE'),
  alone('street_number', 'ADDR-UPDATE-SETS-STREET-NUMBER'),
];
