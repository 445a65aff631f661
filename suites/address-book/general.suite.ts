/** What all address endpoints have in common: media types, errors, and what is left open about them. */
import type { Answer } from '../../lib/http/answer.ts';
import type { AddressBook } from '../../services/shipping/api/addresses.ts';
import type { Faker } from '../../services/shipping/fixtures/mexican-data.ts';
import { UnauthenticatedCalls } from '../../services/shipping/fixtures/unauthenticated-calls.ts';
import { unknownId } from '../../services/shipping/judging/address-ids.ts';
import { inDetail, outcome } from '../../services/shipping/judging/describe.ts';
import { templateOf, valuesOf } from '../../services/shipping/vocabulary.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

type Send = (addresses: AddressBook, id: string, faker: Faker) => Promise<Answer>;

/** A valid request to each endpoint that answers with JSON, and requests that get the documented errors. */
const ANSWERS: Record<string, Send> = {
  list: (addresses) => addresses.list({ per_page: 1 }),
  read: (addresses, id) => addresses.read(id),
  create: (addresses) => addresses.post({ address_template: addresses.fresh() }),
  update: (addresses, id) => addresses.update(id, { alias_name: addresses.label() }),
  'read-unknown': (addresses, id, faker) =>
    addresses.read(unknownId(faker, id), 'read an id that no address has'),
  'delete-unknown': (addresses, id, faker) =>
    addresses.remove(unknownId(faker, id), 'delete an id that no address has'),
};

for (const [name, send] of Object.entries(ANSWERS)) {
  writeCheck(
    'ADDR-CONTENT-TYPE',
    { case: name },
    async ({ addresses, sharedAddresses, faker, expect, skip }) => {
      const { id } = await sharedAddresses.expendable();
      const answer = await send(addresses, id, faker);
      if (answer.json === undefined) skip(`answered ${answer.status} without JSON`);
      const value = answer.header('content-type').join(', ');
      expect.that(
        /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(value),
        `Content-Type is ${value === '' ? 'absent' : value}`,
        {
          answer,
          at: 'header:Content-Type',
          expected: 'application/json, or a type that ends in +json',
          found: value === '' ? 'nothing' : value,
        },
      );
    },
  );
}

writeCheck('ADDR-CONTENT-TYPE-PARAMETERS', async ({ addresses, sharedAddresses, expect }) => {
  const { id } = await sharedAddresses.expendable();
  const rename = () => ({ alias_name: `Conformance ${addresses.nth()}` });
  const answer = await addresses.update(id, rename(), {}, 'update with a charset in Content-Type', {
    headers: { 'content-type': 'application/json; charset=utf-8' },
  });
  if (!answer.ok) await addresses.updated(id, rename());
  expect.accepted(answer, 'a parameter does not make it another media type');
});

/** Requests with faulty content, which the target may refuse. */
const MISTAKES: Record<string, Send> = {
  'create-incomplete': (addresses) => {
    const { name: _, ...rest } = valuesOf(addresses.fresh());
    return addresses.post({ address_template: templateOf(rest) }, 'create without name');
  },
  'create-empty': (addresses) => addresses.post({}, 'create without address_template'),
  'create-broken-json': (addresses) =>
    addresses.post(undefined, 'create with broken JSON', {
      body: { raw: '{"address_template": {', type: 'application/json' },
    }),
  'create-list': (addresses) => addresses.post([], 'create with a list as body'),
  'create-null': (addresses) => addresses.post(null, 'create with null as body'),
  'update-null': (addresses, id) =>
    addresses.update(id, {}, {}, 'update with null as body', { body: { json: null } }),
  'verify-null': (addresses, id) => addresses.verify(id, null, 'verify with null as body'),
  'verify-null-carriers': (addresses, id) =>
    addresses.verify(id, { carriers: null }, 'verify with null as carriers'),
  'create-flat-attributes': (addresses) =>
    addresses.post(
      { address_template: { ...addresses.fresh(), address_attributes: 'Calle 1' } },
      'create with text as address_attributes',
    ),
  'update-broken-json': (addresses, id) =>
    addresses.update(id, {}, {}, 'update with broken JSON', {
      body: { raw: '{"address_template": {', type: 'application/json' },
    }),
  'update-unknown': (addresses, id, faker) =>
    addresses.update(
      unknownId(faker, id),
      { alias_name: 'Conformance' },
      {},
      'update an id that no address has',
    ),
  'update-text': (addresses, id) => addresses.update(id, 'text', {}, 'update with text as address_template'),
  'verify-without-carriers': (addresses, id) => addresses.verify(id, {}, 'verify without carriers'),
  'verify-text': (addresses, id) =>
    addresses.verify(id, { carriers: 'text' }, 'verify with text as carriers'),
  'verify-unknown': (addresses, id, faker) =>
    addresses.verify(unknownId(faker, id), { carriers: ['fedex'] }, 'verify an id that no address has'),
  'read-malformed': (addresses) => addresses.read('conformance', 'read a malformed id'),
  'update-malformed': (addresses) =>
    addresses.update('conformance', { alias_name: 'Conformance' }, {}, 'update a malformed id'),
  'update-null-character': (addresses) =>
    addresses.update('\0', { alias_name: 'Conformance' }, {}, 'update an id with a null character'),
  'update-malformed-body-id': (addresses, id) =>
    addresses.update(id, {}, { id: 'conformance' }, 'update with a malformed id in the body'),
  'verify-malformed': (addresses) =>
    addresses.verify('conformance', { carriers: ['fedex'] }, 'verify a malformed id'),
  'verify-null-character': (addresses) =>
    addresses.verify('\0', { carriers: ['fedex'] }, 'verify an id with a null character'),
  'verify-malformed-body-id': (addresses, id) =>
    addresses.verify(
      id,
      { address_template_id: 'conformance', carriers: [] },
      'verify with a malformed id in the body',
    ),
  'list-text': (addresses) => addresses.list({ page: 'first', per_page: 'all' }, 'list with text as page'),
  'list-negative': (addresses) => addresses.list({ page: -1, per_page: -1 }, 'list a negative page'),
};

for (const [name, send] of Object.entries(MISTAKES)) {
  writeCheck(
    'ADDR-CLIENT-ERRORS-4XX',
    { case: name },
    async ({ addresses, sharedAddresses, faker, expect }) => {
      const { id } = await sharedAddresses.expendable();
      if (name.startsWith('list-')) await addresses.page();
      const answer = await send(addresses, id, faker);
      // This check does not judge whether the request is refused at all.
      if (answer.ok) return;
      expect.that(
        answer.status >= 400 && answer.status < 500,
        `${answer.exchange.purpose}: answered ${answer.status}`,
        {
          answer,
          at: 'status',
          expected: 'a status of the 4xx class',
          found: String(answer.status),
        },
      );
    },
  );
}

// Before a revoked token is used, minutes pass.
writeCheck('ADDR-AUTH-ANSWER', { touches: { clock: 'move' } }, async (context) => {
  const unauthenticated = new UnauthenticatedCalls(context);
  const said: string[] = [];
  for (const kind of ['no-token', 'garbage', 'revoked'] as const)
    said.push(`${kind}: ${inDetail((await unauthenticated.tries('list', kind)).answer)}`);
  context.observe(said.join('; '));
});

check('ADDR-AUTH-OTHER-CARRIAGE', async ({ addresses, oauth, tokenAccess, observe }) => {
  const token = await oauth.issue();
  await tokenAccess.requireAccepted(token);
  const bare = await addresses.list({ per_page: 1 }, 'list with a token without a scheme', {
    auth: token,
    headers: { authorization: token.value },
  });
  await token.pacer.ready();
  const query = await addresses.list(
    { per_page: 1, access_token: token.value },
    'list with the token as a query parameter',
    { auth: 'none' },
  );
  observe(`without a scheme: ${outcome(bare)}; as a query parameter: ${outcome(query)}`);
});

writeCheck(
  'ADDR-AUTH-OTHER-CLIENTS',
  { needs: ['shipping.secondClient'] },
  async ({ addresses, oauth, observe }) => {
    const id = await addresses.anyId();
    const auth = await oauth.issue(oauth.secondClient);
    const answer = await addresses.call({
      method: 'GET',
      path: `/${id}`,
      purpose: 'read with a token of another client',
      auth,
    });
    observe(outcome(answer));
  },
);

writeCheck('ADDR-UNSUPPORTED-METHODS', async ({ addresses, observe }) => {
  const { id, sent } = await addresses.create();
  const put = await addresses.call({
    method: 'PUT',
    path: `/${id}`,
    purpose: 'put an address',
    body: { json: { address_template: sent } },
  });
  const post = await addresses.call({
    method: 'POST',
    path: `/${id}`,
    purpose: 'post to an address',
    body: { json: {} },
  });
  const get = await addresses.call({
    method: 'GET',
    path: `/${id}/verify_by_carriers`,
    purpose: 'get verify_by_carriers',
  });
  observe(
    `PUT of an address: ${inDetail(put)}; POST to an address: ${inDetail(post)}; GET of verify_by_carriers: ${inDetail(get)}`,
  );
});

check('ADDR-OTHER-VERSIONS', async ({ target, http, oauth, tokenAccess, observe }) => {
  const token = await oauth.issue();
  await tokenAccess.requireAccepted(token);
  const said: string[] = [];
  for (const prefix of ['/api/v2', '/api/v0', '/api', '']) {
    const answer = await http.send({
      method: 'GET',
      url: `${target.shipping!.baseUrl}${prefix}/address_templates?per_page=1`,
      purpose: `list under ${prefix || 'no prefix'}`,
      headers: { authorization: `Bearer ${token.value}`, 'content-type': 'application/json' },
    });
    said.push(`${prefix || 'no prefix'}: ${answer.status}`);
    token.pacer.used();
    await token.pacer.ready();
  }
  observe(said.join(', '));
});

check('ADDR-DEPRECATION', async ({ addresses, observe }) => {
  const answer = await addresses.list({ per_page: 1 });
  const names = ['deprecation', 'sunset', 'warning', 'api-version', 'x-api-version'];
  const said = names.flatMap((name) => answer.header(name).map((value) => `${name}: ${value}`));
  observe(said.length === 0 ? 'none' : said.join(', '));
});
