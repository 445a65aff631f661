/** Successes of a wrong form or status in answer to only some requests (2, 4): no check asks these to look at that. */
import type { ShippingRules } from '../../reference/shipping/index.ts';
import { changeKind, withBody, withStatus } from '../kit/answers.ts';
import type { AnsweredRequest, Deviation } from '../types.ts';
import { COLLECTION, ITEM, isRefresh, parameterOf, REVOKE, TOKEN } from './paths.ts';

type Members = Record<string, unknown>;

/** Changes the members of successful answers to some requests. */
function oddly(
  [id, breaks, sentence]: [id: string, breaks: string, sentence: string],
  [method, path, status]: [method: string, path: RegExp, status: number],
  when: (request: AnsweredRequest) => boolean,
  change: (body: Members) => Members,
): Deviation<ShippingRules> {
  return {
    id,
    breaks: [breaks],
    sentence,
    wrap: changeKind({ name: id, method, path, status, when }, (response) =>
      withBody(response, (body) => change(body as Members)),
    ),
  };
}

/** Answers some requests with another status of success. */
function otherwise(
  [id, breaks, sentence]: [id: string, breaks: string, sentence: string],
  [method, path, usual, status]: [method: string, path: RegExp, usual: number, status: number],
  when: (request: AnsweredRequest) => boolean,
): Deviation<ShippingRules> {
  const kind = { name: id, method, path, status: usual, when };
  return {
    id,
    breaks: [breaks],
    sentence,
    wrap: changeKind(kind, (response) => withStatus(response, status)),
  };
}

/** Changes the address in the answer. */
const inAddress =
  (change: (template: Members) => Members) =>
  ({ data, ...others }: Members): Members => ({ ...others, data: change(data as Members) });

export const oddAnswerDeviations: Deviation<ShippingRules>[] = [
  oddly(
    [
      'create-abroad-without-carriers',
      'ADDR-TEMPLATE-VERIFIED-CARRIERS',
      'answers no `verified_carriers` to a create for the US',
    ],
    ['POST', COLLECTION, 201],
    ({ text }) => /"country_code":"US"/.test(text),
    inAddress(({ verified_carriers: _, ...template }) => template),
  ),
  oddly(
    ['create-blank-street-answered-null', 'ADDR-ADDRESS-STREET1', 'answers null for a street of blanks'],
    ['POST', COLLECTION, 201],
    ({ text }) => /"street1":" +"/.test(text),
    inAddress((template) => ({ ...template, address: { ...(template.address as Members), street1: null } })),
  ),
  oddly(
    [
      'update-of-nothing-answers-default-as-text',
      'ADDR-TEMPLATE-DEFAULT',
      'answers `default` as text where an update has nothing to change',
    ],
    ['PATCH', ITEM, 200],
    ({ text }) => /"address_template":\{\}/.test(text),
    inAddress((template) => ({ ...template, default: String(template.default) })),
  ),
  oddly(
    [
      'refresh-for-one-scope-lifetime-as-text',
      'TOKEN-RESPONSE-EXPIRES-IN',
      'answers `expires_in` as text where a refresh asks for a scope',
    ],
    ['POST', TOKEN, 200],
    (request) => isRefresh(request) && parameterOf(request, 'scope') !== undefined,
    (body) => ({ ...body, expires_in: String(body.expires_in) }),
  ),
  otherwise(
    [
      'list-later-pages-partial-content',
      'ADDR-LIST-STATUS',
      'answers 206 for every page of a list but the first',
    ],
    ['GET', COLLECTION, 200, 206],
    ({ url }) => Number(url.searchParams.get('page')) > 1,
  ),
  otherwise(
    ['create-beyond-latin-answers-200', 'ADDR-CREATE-STATUS', 'answers 200 to a create with an emoji'],
    ['POST', COLLECTION, 201, 200],
    ({ text }) => /\p{Extended_Pictographic}/u.test(text.replace(/[\d#*©®]/g, '')),
  ),
  otherwise(
    ['token-for-scope-answers-201', 'TOKEN-ISSUE-STATUS', 'answers 201 where a scope is asked for'],
    ['POST', TOKEN, 200, 201],
    (request) => !isRefresh(request) && parameterOf(request, 'scope') !== undefined,
  ),
  otherwise(
    ['revoke-as-form-answers-202', 'TOKEN-REVOKE-STATUS', 'answers 202 to a revocation as a form'],
    ['POST', REVOKE, 200, 202],
    ({ headers }) => (headers.get('content-type') ?? '').includes('urlencoded'),
  ),
];
