/** Other legitimate ways to find, update and delete (4.2, 4.4, 4.5). */
import { isDeepStrictEqual } from 'node:util';
import {
  type Address,
  type AddressEndpoint,
  AddressRefusal,
  type Fields,
  type ShippingRules,
} from '../../../reference/shipping/index.ts';
import { changeAnswers, changeKind, withText } from '../../kit/answers.ts';
import { fieldsOf } from '../../shipping/fields.ts';
import { ITEM } from '../../shipping/paths.ts';
import type { Variant } from '../../types.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const isEmpty = (value: unknown): boolean => Object.keys(fieldsOf(value)).length === 0;

/** Answers a status other than 404 for an unknown address at some endpoints. */
function unknown(
  id: string,
  endpoints: AddressEndpoint[],
  status: number,
  fills: string[],
): Variant<ShippingRules> {
  return {
    id,
    fills,
    sentence: `answers ${status} to ${endpoints.join(' and ')} of an unknown address`,
    rules: (original) => ({
      addressErrorStatus: (refusal, endpoint, env) =>
        refusal.code === 'notFound' && endpoints.includes(endpoint)
          ? status
          : original.addressErrorStatus(refusal, endpoint, env),
    }),
  };
}

/** Answers a successful delete with another body. */
function deleted(id: string, sentence: string, text: string, type?: string): Variant<ShippingRules> {
  return {
    id: `delete-answers-${id}`,
    fills: ['ADDR-DELETE-BODY'],
    sentence,
    wrap: changeKind({ name: 'delete', method: 'DELETE', path: ITEM, status: 200 }, (response) =>
      withText(response, text, type),
    ),
  };
}

/** Refuses updates for which `problem` returns a problem. */
function refusingUpdates(problem: (body: Fields, id: string) => string | undefined) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    updateProblems: (body, current, env) => {
      const found = problem(body, current.id);
      return [...original.updateProblems(body, current, env), ...(found === undefined ? [] : [found])];
    },
  });
}

export const changeVariants: Variant<ShippingRules>[] = [
  {
    id: 'malformed-ids-refused',
    fills: ['ADDR-READ-MALFORMED-ID', 'ADDR-DELETE-MALFORMED-ID'],
    sentence: 'answers 400 to an id that no address can have',
    rules: (original) => ({
      findTemplate: (book, id, endpoint, env) => {
        if (!UUID.test(id)) throw new AddressRefusal('invalid', 'the id is malformed');
        return original.findTemplate(book, id, endpoint, env);
      },
    }),
  },
  {
    id: 'ids-in-either-case',
    fills: ['ADDR-READ-ID-CASE'],
    sentence: 'finds an address by its id in either letter case',
    rules: (original) => ({
      findTemplate: (book, id, endpoint, env) => original.findTemplate(book, id.toLowerCase(), endpoint, env),
    }),
    conflicts: ['ids-in-capitals'],
  },
  unknown('unknown-update-410', ['update', 'verify'], 410, [
    'ADDR-UPDATE-UNKNOWN-ANSWER',
    'ADDR-VERIFY-UNKNOWN-ANSWER',
  ]),
  unknown('unknown-update-400', ['update'], 400, ['ADDR-UPDATE-UNKNOWN-ANSWER']),
  unknown('unknown-verify-422', ['verify'], 422, ['ADDR-VERIFY-UNKNOWN-ANSWER']),
  unknown('unknown-update-403', ['update', 'verify'], 403, [
    'ADDR-UPDATE-UNKNOWN-ANSWER',
    'ADDR-VERIFY-UNKNOWN-ANSWER',
  ]),
  {
    id: 'update-invalid-422-empty',
    fills: ['ADDR-UPDATE-INVALID-ANSWER', 'ADDR-CREATE-INVALID-ANSWER'],
    sentence: 'answers invalid bodies with 422 and no body',
    wrap: changeAnswers(
      ({ method }) => method === 'PATCH' || method === 'POST',
      (response) => (response.status === 422 ? new Response(null, { status: 422 }) : response),
    ),
  },
  {
    id: 'update-empty-refused',
    fills: ['ADDR-UPDATE-EMPTY-ANSWER'],
    sentence: 'refuses an update that sends no field',
    rules: refusingUpdates(({ address_template: template }) =>
      template !== undefined &&
      (isEmpty(template) ||
        (Object.keys(fieldsOf(template)).length === 1 &&
          'address_attributes' in fieldsOf(template) &&
          isEmpty(fieldsOf(template).address_attributes)))
        ? 'nothing to update'
        : undefined,
    ),
  },
  {
    id: 'update-unchanged-refused',
    fills: ['ADDR-UPDATE-EMPTY-ANSWER'],
    sentence: 'refuses an update that sends only what the address has already',
    rules: (original) => ({
      updateProblems: (body, current, env) => {
        const problems = original.updateProblems(body, current, env);
        if (problems.length > 0 || !isObject(body.address_template)) return problems;
        const next = original.patchTemplate(current, body, env);
        return isDeepStrictEqual(next, current) ? ['nothing to update'] : [];
      },
    }),
  },
  {
    id: 'update-needs-template',
    fills: ['ADDR-UPDATE-WITHOUT-TEMPLATE'],
    sentence: 'refuses an update without address_template',
    rules: refusingUpdates(({ address_template: template }) =>
      template === undefined ? 'address_template is missing' : undefined,
    ),
  },
  {
    id: 'update-other-body-id-refused',
    fills: ['ADDR-UPDATE-BODY-ID-MISMATCH'],
    sentence: 'refuses an update whose body names another address than its path',
    rules: refusingUpdates(({ id }, own) =>
      id !== undefined && String(id).toLowerCase() !== own.toLowerCase()
        ? 'id is not the one in the path'
        : undefined,
    ),
  },
  {
    id: 'update-null-ignored',
    fills: ['ADDR-UPDATE-NULL'],
    sentence: 'ignores null in an update',
    rules: (original) => ({
      patchAddress: (current, changes, env) =>
        original.patchAddress(
          current,
          Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null)),
          env,
        ),
      presentFieldProblems: (template, env) => {
        const without = (fields: Fields): Fields =>
          Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
        const attributes = template.address_attributes;
        const isObject = typeof attributes === 'object' && attributes !== null && !Array.isArray(attributes);
        return original.presentFieldProblems(
          { ...without(template), ...(isObject && { address_attributes: without(attributes as Fields) }) },
          env,
        );
      },
      createProblems: (body, env) => {
        const template = fieldsOf(body.address_template);
        const nulls = [...Object.entries(template), ...Object.entries(fieldsOf(template.address_attributes))];
        const required = [
          ...env.rules.requiredAddressFields,
          ...env.rules.requiredTemplateFields,
        ] as string[];
        return [
          ...original.createProblems(body, env),
          ...nulls
            .filter(([name, value]) => value === null && required.includes(name))
            .map(([name]) => `${name} is null`),
        ];
      },
    }),
  },
  {
    id: 'update-resets-verification',
    fills: ['ADDR-UPDATE-VERIFICATION'],
    sentence: 'drops the outcomes of carriers when the address changes',
    rules: (original) => ({
      verificationsAfterUpdate: (current, changes, env) =>
        changes.address_attributes === undefined
          ? original.verificationsAfterUpdate(current, changes, env)
          : [],
    }),
  },
  {
    id: 'merge-patch-refused',
    fills: ['ADDR-UPDATE-PATCH-MEDIA-TYPES', 'ADDR-CREATE-FORM-BODY'],
    sentence: 'answers 415 to every body that is not application/json',
    wrap: (next) => async (request) => {
      const type = request.headers.get('content-type') ?? '';
      const addressed = new URL(request.url).pathname.startsWith('/api/v1/address_templates');
      const withBody = request.method === 'POST' || request.method === 'PATCH';
      if (!addressed || !withBody || /^application\/json\b/i.test(type)) return next(request);
      return Response.json({ message: 'unsupported media type' }, { status: 415 });
    },
  },
  deleted('null', 'answers null to a delete', 'null', 'application/json'),
  deleted('nothing', 'answers a delete without a body', ''),
  deleted('message', 'answers a message to a delete', '{"message":"removed"}', 'application/json'),
  deleted('text', 'answers a text to a delete', 'OK', 'text/plain'),
  {
    id: 'delete-answers-address',
    fills: ['ADDR-DELETE-BODY'],
    sentence: 'answers a delete with the address that was removed',
    rules: () => ({
      deleteBody: (template) => ({ data: { id: template.id, alias_name: template.alias_name } }),
    }),
  },
  {
    id: 'default-is-not-deleted',
    fills: ['ADDR-DELETE-DEFAULT'],
    sentence: 'refuses to delete the default address',
    rules: (original) => ({
      removeTemplate: (book, template, env) => {
        if (template.default) throw new AddressRefusal('invalid', 'it is the default address');
        original.removeTemplate(book, template, env);
      },
    }),
  },
  {
    id: 'default-passed-on-by-delete',
    fills: ['ADDR-DELETE-DEFAULT'],
    sentence: 'makes the oldest address the default one when the default is deleted',
    rules: (original) => ({
      removeTemplate: (book, template, env) => {
        original.removeTemplate(book, template, env);
        const [oldest] = book.values();
        if (template.default && oldest) book.set(oldest.id, { ...oldest, default: true });
      },
    }),
  },
  {
    id: 'tax-id-of-rfc',
    fills: ['ADDR-CREATE-TAX-ID', 'ADDR-UPDATE-TAX-ID'],
    sentence: 'takes the tax id from rfc, in a create and in an update',
    rules: (original) => {
      const withTaxId = (address: Address): Address => ({
        ...address,
        tax_id_number: address.rfc,
        tax_id_type: address.rfc === null ? null : 'RFC',
      });
      return {
        buildAddress: (attributes, env) => withTaxId(original.buildAddress(attributes, env)),
        patchAddress: (current, changes, env) => withTaxId(original.patchAddress(current, changes, env)),
      };
    },
  },
];
