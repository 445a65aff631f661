/** The sample's address-book suite: what the target does right, wrong, and in its own way. */
import { address, type Entry, exchange, list, perField } from './sample-parts.ts';

const fields = [
  'name',
  'company',
  'street1',
  'street_number',
  'postal_code',
  'area_level1',
  'area_level2',
  'area_level3',
  'phone',
  'email',
  'reference',
  'rfc',
];

/** The path of the sample's address. */
const SAVED = `/address_templates/${address().id}`;

/** Returns the entries of the suite, with new exchanges. */
export function addressBook(): Entry[] {
  const patched = exchange('change the alias alone', 'PATCH', SAVED, {
    body: { address_template: { alias_name: 'Bodega Oriente' } },
    answer: { data: address({ alias_name: 'Bodega Oriente' }, { company: null }) },
    waitedMs: 410,
  });
  const tooMany = exchange('list 50 a page', 'GET', '/address_templates?page=1&per_page=50', {
    answer: list(50, 24),
  });
  const gone = exchange('read a deleted address', 'GET', SAVED, {
    status: 404,
    answer: { error: 'not_found' },
  });
  const timeout = exchange('ask for verification', 'POST', `${SAVED}/verify_by_carriers`, {
    body: { carriers: ['fedex', 'dhl'] },
    error: 'no answer within 10 s',
  });
  const anonymous = exchange('list without a token', 'GET', '/address_templates', {
    open: true,
    status: 401,
    answer: { message: 'unauthorized' },
    headers: [['content-type', 'application/json']],
  });
  return [
    ...perField('ADDR-FIELD', fields, (field) => ({
      section: '2 Address',
      title: `an address carries ${field}`,
      statement: `Every address in an answer has ${field}, of the type that the table gives; null only where the table allows it.`,
      severity: 'major',
    })),
    {
      id: 'ADDR-FIELD-VERIFIED-CARRIERS',
      section: '2 AddressTemplate',
      title: 'a saved address carries verified_carriers',
      statement: 'verified_carriers is an array on every saved address, empty when no carrier was asked.',
      severity: 'major',
      verdict: 'passed',
    },
    {
      id: 'ADDR-TYPE-VALUES',
      section: '2 AddressTemplate',
      level: 'silence',
      title: 'values of address_type',
      statement: 'Which values does address_type take?',
      verdict: 'observed',
      answer: 'Accepted: from, to. Refused with 422: warehouse, empty text.',
    },
    {
      id: 'ADDR-LIST-PER-PAGE-MAX',
      section: '4.1',
      title: 'list never returns more than 20 addresses',
      statement: 'A page carries at most 20 addresses, whatever per_page asks for.',
      severity: 'major',
      verdict: 'failed',
      cause:
        'The page size is taken from the query and handed to the database as it is. Clamp it to 20 before it is used, and report the clamped figure as per_page.',
      exchanges: [
        exchange('list by default', 'GET', '/address_templates', { answer: list(20, 20) }),
        tooMany,
      ],
      finding: {
        message:
          'GET /address_templates?per_page=50 returned 24 addresses; a page carries at most 20 (section 4.1).',
        exchange: tooMany.id,
        pointer: '/meta/per_page',
        expected: 'at most 20',
        found: '50',
      },
    },
    {
      id: 'ADDR-LIST-PER-PAGE-DEFAULT',
      section: '4.1',
      title: 'list returns 20 addresses by default',
      statement: 'Without per_page a page carries up to 20 addresses.',
      severity: 'minor',
      verdict: 'passed',
    },
    {
      id: 'ADDR-LIST-PARTITION',
      section: '4.1',
      title: 'pages partition the collection',
      statement: 'Taken together, the pages carry every address exactly once.',
      severity: 'critical',
      verdict: 'passed',
    },
    {
      id: 'ADDR-LIST-BEYOND',
      section: '4.1',
      level: 'silence',
      title: 'page beyond the end',
      statement: 'What does a page beyond the last one answer?',
      verdict: 'observed',
      answer: '200 with an empty data array; current_page repeats the number asked for.',
    },
    {
      id: 'ADDR-LIST-ORDER',
      section: '4.1',
      level: 'silence',
      title: 'order of the list',
      statement: 'In which order are addresses listed?',
      verdict: 'observed',
      answer: 'Newest first (by creation); the order is stable between requests.',
    },
    {
      id: 'ADDR-READ-NOT-FOUND',
      section: '4.2',
      title: 'reading an unknown address answers 404 with a message',
      statement: 'An address that does not exist is answered 404 with an object that has message.',
      severity: 'major',
      verdict: 'failed',
      cause:
        'The 404 comes from the router or a framework default and not from the handler, so it has the framework’s own body. Raise the not-found error of the address resource.',
      exchanges: [gone],
      finding: {
        message: 'The body of the 404 has no message; it is {"error":"not_found"}.',
        exchange: gone.id,
        pointer: '/message',
        expected: 'a string',
        found: 'absent',
      },
    },
    ...perField('ADDR-CREATE-KEEPS', fields, (field) => ({
      section: '4.3',
      title: `create stores ${field} as sent`,
      statement: `What a create request sends as ${field} is what the answer, and every later read, carries.`,
      severity: 'critical',
    })),
    {
      id: 'ADDR-CREATE-STATUS',
      section: '4.3',
      level: 'silence',
      title: 'status of an invalid create',
      statement: 'How is a create request answered that lacks a required field?',
      verdict: 'observed',
      answer: '422 with { "message": "Validation failed: Address phone can\'t be blank" }',
    },
    {
      id: 'ADDR-UPDATE-OMITTED-KEPT-COMPANY',
      section: '4.4',
      title: 'PATCH without company leaves it as it was',
      statement: 'Fields that a PATCH body omits are not replaced, nested ones included.',
      severity: 'critical',
      verdict: 'failed',
      cause:
        'The handler builds the whole nested object from the body and writes it over the stored one, so members that were not sent become null. Merge member by member, and only those present.',
      exchanges: [
        exchange('create an address', 'POST', '/address_templates', {
          body: { address_template: { alias_name: 'Bodega Poniente' } },
          status: 201,
          answer: { data: address() },
        }),
        patched,
      ],
      finding: {
        message:
          'PATCH with alias_name alone changed /data/address/company from "Tejidos del Norte" to null; fields that are omitted are not replaced (section 1).',
        exchange: patched.id,
        pointer: '/data/address/company',
        expected: '"Tejidos del Norte"',
        found: 'null',
      },
    },
    ...perField('ADDR-UPDATE-OMITTED-KEPT', fields.slice(2), (field) => ({
      section: '4.4',
      title: `PATCH without ${field} leaves it as it was`,
      statement: `A PATCH body without ${field} does not change it.`,
      severity: 'critical',
    })),
    {
      id: 'ADDR-DELETE-GONE',
      section: '4.5',
      title: 'a deleted address is gone from read and list',
      statement: 'After a delete the address is neither read nor listed nor counted.',
      severity: 'critical',
      verdict: 'passed',
    },
    {
      id: 'ADDR-VERIFY-ACCEPTED',
      section: '4.6',
      title: 'verification is accepted with 202',
      statement: 'A verification request is answered 202 with the address.',
      severity: 'major',
      verdict: 'errored',
      check: { reason: 'POST …/verify_by_carriers gave no answer within 10 s, twice.' },
      exchanges: [timeout],
    },
    {
      id: 'ADDR-VERIFY-OUTCOME',
      section: '4.6',
      title: 'the outcome appears in verified_carriers',
      statement: 'For each carrier asked, an entry appears in verified_carriers.',
      severity: 'major',
      verdict: 'blocked',
      check: {
        reason: 'Verification could not be requested, so there is no outcome to wait for.',
        blockedBy: 'ADDR-VERIFY-ACCEPTED',
      },
    },
    {
      id: 'ADDR-AUTH-LIST',
      section: '5',
      title: 'list without a token is refused',
      statement: 'Without a bearer token the list is not served.',
      severity: 'critical',
      verdict: 'passed',
    },
    {
      id: 'ADDR-AUTH-CHALLENGE',
      section: '5',
      level: 'advised',
      standard: 'RFC 6750 3',
      title: 'a refusal carries a Bearer challenge',
      statement: 'A 401 for lack of a token carries WWW-Authenticate with the Bearer scheme.',
      severity: 'minor',
      verdict: 'warned',
      cause: 'The refusal is written by hand without the header. Add WWW-Authenticate: Bearer.',
      exchanges: [anonymous],
      finding: {
        message: 'The 401 has no WWW-Authenticate header.',
        exchange: anonymous.id,
        pointer: 'header:WWW-Authenticate',
        expected: 'Bearer …',
        found: 'absent',
      },
    },
    {
      id: 'ADDR-VERSIONING',
      section: '9',
      level: 'untestable',
      title: 'deprecation rules',
      statement: 'Rules of deprecation and compatibility.',
      reason: 'Not shown in the specification, and nothing of it can be seen in an answer.',
    },
  ];
}
