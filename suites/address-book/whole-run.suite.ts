/** 2 Resources and their fields: every answer of the run with an address or a list, whatever was asked. */
import { type AnswerForm, type Asked, checkAllAnswers } from '../../lib/check/all-answers.ts';
import { fieldRequirements } from '../../lib/model/catalogue/registry.ts';
import { isJsonObject } from '../../lib/model/json.ts';
import type { Exchange } from '../../lib/model/results.ts';
import { OpenRequests } from '../../services/shipping/fixtures/open-requests.ts';
import { schemas } from '../../services/shipping/judging/schemas.ts';
import { check, type SuiteContext } from './suite.ts';

const COLLECTION = /\/api\/v1\/address_templates$/;
const ADDRESS = /\/api\/v1\/address_templates\/[^/]+$/;
const VERIFY = /\/api\/v1\/address_templates\/[^/]+\/verify_by_carriers$/;

/** Whether `per_page` is within its bounds. If it is not, what the meta says of it is left open. */
const hasSize = ({ url }: Asked): boolean => {
  const size = Number(url.searchParams.get('per_page') ?? 1);
  return size >= 1 && size <= 20;
};

const FORMS: AnswerForm[] = [
  { method: 'GET', path: COLLECTION, status: 200, schema: 'AddressList', when: hasSize },
  { method: 'POST', path: COLLECTION, status: 201, schema: 'AddressEnvelope' },
  { method: 'GET', path: ADDRESS, status: 200, schema: 'AddressEnvelope' },
  { method: 'PATCH', path: ADDRESS, status: 200, schema: 'AddressEnvelope' },
  { method: 'POST', path: VERIFY, status: 202, schema: 'AddressEnvelope' },
];

const REQUIREMENTS = fieldRequirements(
  'address-book',
  'AddressTemplate',
  'Address',
  'VerifiedCarrier',
  'PaginationMeta',
  'AddressList',
);

checkAllAnswers(check, REQUIREMENTS, { schemas, forms: FORMS, again }, { effects: 'write' });

/** Changes are made to a new address, since the one that they were made to may be gone. */
async function again(context: SuiteContext, { purpose, request }: Exchange) {
  const { method, url, body } = request;
  const { addresses } = context;
  const path = url.slice(url.indexOf('/address_templates') + '/address_templates'.length);
  const asked = { method, purpose: `${purpose} again` };
  if (method === 'GET') return addresses.call({ ...asked, path });
  const json = JSON.parse(body?.text ?? '');
  if (!isJsonObject(json)) return undefined;
  const type = request.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const headers = { 'content-type': type };
  if (COLLECTION.test(url))
    return (await new OpenRequests(context).post(json, asked.purpose, { headers })).answer;
  return new OpenRequests(context).ofNew((id) => {
    const own = Object.fromEntries(
      Object.keys(json).flatMap((key) => (key.endsWith('id') ? [[key, id]] : [])),
    );
    const rest = VERIFY.test(url) ? '/verify_by_carriers' : '';
    return addresses.call({ ...asked, path: `/${id}${rest}`, headers, body: { json: { ...json, ...own } } });
  });
}
