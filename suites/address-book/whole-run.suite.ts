/** 2 and 4: every success of the run at the address endpoints, whatever was asked: its form and its status. */
import { isDeepStrictEqual } from 'node:util';
import { type AnswerForm, type Asked, checkAllAnswers } from '../../lib/check/all-answers.ts';
import { fieldRequirements } from '../../lib/model/catalogue/registry.ts';
import { isJsonObject } from '../../lib/model/json.ts';
import type { Exchange } from '../../lib/model/results.ts';
import { OpenRequests } from '../../services/shipping/fixtures/open-requests.ts';
import { schemas } from '../../services/shipping/judging/schemas.ts';
import { FIELDS as FIELDS_OF_ALL, templateOf, valuesOf } from '../../services/shipping/vocabulary.ts';
import { check, type SuiteContext } from './suite.ts';

const COLLECTION = /\/api\/v1\/address_templates$/;
/** Of ids that have the form of one: what others lead to has its own requirements. */
const ADDRESS = /\/api\/v1\/address_templates\/[\da-f-]{36}$/i;
const VERIFY = /\/api\/v1\/address_templates\/[\da-f-]{36}\/verify_by_carriers$/i;

/** Whether `per_page` is within its bounds. If it is not, what the meta says of it is left open. */
const hasSize = ({ url }: Asked): boolean => {
  const size = Number(url.searchParams.get('per_page') ?? 1);
  return size >= 1 && size <= 20;
};

const hasPage = ({ url }: Asked): boolean => /^[1-9]\d*$/.test(url.searchParams.get('page') ?? '1');

/** Whether a body has documented fields alone, at least one, with texts that are not blank, and no other country. */
function isPlain({ body }: Asked): boolean {
  const template = jsonIn(body)?.address_template;
  if (!isJsonObject(template)) return false;
  const values: Record<string, unknown> = valuesOf(template);
  const isText = (value: unknown) => typeof value === 'string' && value !== '' && value.trim() === value;
  return (
    Object.keys(values).length > 0 &&
    isDeepStrictEqual(templateOf(values), template) &&
    ['MX', undefined].includes(values.country_code as string | undefined) &&
    Object.keys(values).every((name) =>
      name === 'default' ? typeof values[name] === 'boolean' : isText(values[name]),
    )
  );
}

/** Whether a body is plain and has all that a create requires. */
function isWhole(asked: Asked): boolean {
  if (!isPlain(asked)) return false;
  const values = valuesOf(jsonIn(asked.body)!.address_template as Parameters<typeof valuesOf>[0]);
  return FIELDS_OF_ALL.every(({ name, optional }) => optional || values[name] !== undefined);
}

/** Whether a body has a list of carriers, each once. */
function hasCarriers({ body }: Asked): boolean {
  const carriers = jsonIn(body)?.carriers;
  if (!Array.isArray(carriers) || carriers.length === 0) return false;
  return new Set(carriers).size === carriers.length && carriers.every((each) => typeof each === 'string');
}

const STATUSES = [
  'ADDR-LIST-STATUS',
  'ADDR-CREATE-STATUS',
  'ADDR-READ-STATUS',
  'ADDR-UPDATE-STATUS',
  'ADDR-VERIFY-STATUS',
] as const;

/** Blames the requirement about the status for requests that are no open question. */
const unlessOpen = (id: (typeof STATUSES)[number], isUsual: (asked: Asked) => boolean = () => true) => ({
  success: (asked: Asked) => (isUsual(asked) ? id : undefined),
});

const FORMS: AnswerForm[] = [
  {
    method: 'GET',
    path: COLLECTION,
    status: 200,
    schema: 'AddressList',
    when: hasSize,
    ...unlessOpen('ADDR-LIST-STATUS', hasPage),
    neverBreaksDown: true,
  },
  {
    method: 'POST',
    path: COLLECTION,
    status: 201,
    schema: 'AddressEnvelope',
    ...unlessOpen('ADDR-CREATE-STATUS', isWhole),
    neverBreaksDown: true,
  },
  { method: 'GET', path: ADDRESS, status: 200, schema: 'AddressEnvelope', ...unlessOpen('ADDR-READ-STATUS') },
  {
    method: 'PATCH',
    path: ADDRESS,
    status: 200,
    schema: 'AddressEnvelope',
    ...unlessOpen('ADDR-UPDATE-STATUS', isPlain),
    neverBreaksDown: true,
  },
  {
    method: 'POST',
    path: VERIFY,
    status: 202,
    schema: 'AddressEnvelope',
    ...unlessOpen('ADDR-VERIFY-STATUS', hasCarriers),
  },
];

const FIELDS = fieldRequirements(
  'address-book',
  'AddressTemplate',
  'Address',
  'VerifiedCarrier',
  'PaginationMeta',
  'AddressList',
);

checkAllAnswers(
  check,
  { fields: FIELDS, statuses: STATUSES },
  { schemas, forms: FORMS, again },
  { effects: 'write' },
);

/** Changes are made to a new address, since the one that they were made to may be gone. */
async function again(context: SuiteContext, { purpose, request }: Exchange) {
  const { method, url, body } = request;
  const { addresses } = context;
  const path = url.slice(url.indexOf('/address_templates') + '/address_templates'.length);
  const asked = { method, purpose: `${purpose} again` };
  if (method === 'GET') return addresses.call({ ...asked, path });
  const json = jsonIn(body?.text ?? '');
  if (json === undefined) return undefined;
  const type = request.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const headers = { 'content-type': type };
  if (COLLECTION.test(url))
    return (await new OpenRequests(context).post(json, asked.purpose, { headers })).answer;
  return new OpenRequests(context).ofNew((id) => {
    const ids = Object.keys(json).flatMap((key) => (key.endsWith('id') ? [[key, id]] : []));
    const rest = VERIFY.test(url) ? '/verify_by_carriers' : '';
    const sent = { ...json, ...Object.fromEntries(ids) };
    return addresses.call({ ...asked, path: `/${id}${rest}`, headers, body: { json: sent } });
  });
}

function jsonIn(text: string): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
