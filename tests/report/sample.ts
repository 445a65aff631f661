/**
 * A made-up run that looks like a real one: every verdict, every kind of finding, two suites.
 * `npx vitest run tests/report/sample.test.ts` writes its reports where `REPORT_SAMPLE` says.
 */
import type { Catalogue, Requirement } from '../../lib/catalogue/types.ts';
import { aggregate } from '../../lib/run/aggregate.ts';
import type {
  CheckResult,
  Exchange,
  Finding,
  HeaderPair,
  Level,
  RunReport,
  Verdict,
} from '../../lib/run/model.ts';

/** Secrets that the sample's exchanges carry; a redactor has to know them. */
export const sampleSecrets = {
  client_secret: 'q7Vn-2fLx8Wd/Rk+04sPzTtB6yMhJ3cE',
  access_token: 'at_9f1c3b57d2e84a60b8c7f0e1a2d394c5',
};

const START = Date.parse('2025-03-18T09:24:07.318Z');
const BASE = 'https://sandbox.shipping.example';

const address = (over: Record<string, unknown> = {}, inner: Record<string, unknown> = {}) => ({
  id: '5b0e9b1e-64f7-4f0c-9a53-0c4a1a1f3d77',
  alias_name: 'Bodega Poniente',
  address_type: 'from',
  default: false,
  address: {
    name: 'Marta Iñíguez',
    company: 'Tejidos del Norte',
    street1: 'Av. Insurgentes Sur',
    street_number: '1602',
    apartment_number: null,
    postal_code: '03940',
    area_level1: 'Ciudad de México',
    area_level2: 'Benito Juárez',
    area_level3: 'Crédito Constructor',
    country_code: 'MX',
    phone: '5550142298',
    email: 'marta@tejidos.example',
    reference: 'portón verde',
    rfc: null,
    tax_id_number: null,
    tax_id_type: null,
    ...inner,
  },
  verified_carriers: [],
  ...over,
});

interface Entry {
  id: string;
  section: string;
  title: string;
  statement: string;
  level?: Level;
  severity?: 'critical' | 'major' | 'minor';
  cause?: string;
  standard?: string;
  reason?: string;
  verdict?: Verdict;
  check?: Partial<CheckResult>;
  exchanges?: Exchange[];
  finding?: Omit<Finding, 'requirement'>;
  answer?: string;
}

let sent = 0;

function exchange(
  purpose: string,
  method: string,
  path: string,
  options: {
    body?: unknown;
    form?: string;
    status?: number;
    answer?: unknown;
    headers?: HeaderPair[];
    error?: string;
    open?: boolean;
    waitedMs?: number;
  },
): Exchange {
  sent++;
  const requestText = options.form ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const answerText =
    typeof options.answer === 'string'
      ? options.answer
      : options.answer === undefined
        ? ''
        : JSON.stringify(options.answer);
  const type = options.form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  const auth: HeaderPair[] = path.includes('/oauth/')
    ? []
    : [['authorization', `Bearer ${sampleSecrets.access_token}`]];
  return {
    id: `x${sent}`,
    purpose,
    startedAt: new Date(START + sent * 531).toISOString(),
    durationMs: 18 + ((sent * 37) % 90),
    ...(options.waitedMs ? { waitedMs: options.waitedMs } : {}),
    request: {
      method,
      url: `${BASE}/api/v1${path}`,
      headers: [...auth, ['content-type', type], ['accept', 'application/json']],
      ...(requestText === undefined
        ? {}
        : { body: { text: requestText, bytes: Buffer.byteLength(requestText) } }),
    },
    ...(options.error === undefined
      ? {
          response: {
            status: options.status ?? 200,
            headers: options.headers ?? [
              ['content-type', 'application/json; charset=utf-8'],
              ['date', 'Tue, 18 Mar 2025 09:24:08 GMT'],
              ['x-request-id', `7c1e-${sent}`],
            ],
            body: { text: answerText, bytes: Buffer.byteLength(answerText) },
          },
        }
      : { error: options.error }),
  };
}

const list = (perPage: number, n: number) => ({
  data: Array.from({ length: n }, (_, i) =>
    address({ id: `5b0e9b1e-64f7-4f0c-9a53-0c4a1a1f3d${10 + i}`, alias_name: `Bodega ${i + 1}` }),
  ),
  meta: {
    total_count: 31,
    per_page: perPage,
    current_page: 1,
    total_pages: 2,
    next_page: 2,
    prev_page: null,
  },
});

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

function addressBook(): Entry[] {
  const patched = exchange(
    'change the alias alone',
    'PATCH',
    '/address_templates/5b0e9b1e-64f7-4f0c-9a53-0c4a1a1f3d77',
    {
      body: { address_template: { alias_name: 'Bodega Oriente' } },
      answer: { data: address({ alias_name: 'Bodega Oriente' }, { company: null }) },
      waitedMs: 410,
    },
  );
  const tooMany = exchange('list 50 a page', 'GET', '/address_templates?page=1&per_page=50', {
    answer: list(50, 24),
  });
  const gone = exchange(
    'read a deleted address',
    'GET',
    '/address_templates/5b0e9b1e-64f7-4f0c-9a53-0c4a1a1f3d77',
    {
      status: 404,
      answer: { error: 'not_found' },
    },
  );
  const timeout = exchange(
    'ask for verification',
    'POST',
    '/address_templates/5b0e9b1e-64f7-4f0c-9a53-0c4a1a1f3d77/verify_by_carriers',
    {
      body: { carriers: ['fedex', 'dhl'] },
      error: 'no answer within 10 s',
    },
  );
  const door = exchange('list without a token', 'GET', '/address_templates', {
    open: true,
    status: 401,
    answer: { message: 'unauthorized' },
    headers: [['content-type', 'application/json']],
  });
  return [
    ...fields.map(
      (field): Entry => ({
        id: `ADDR-FIELD-${field.toUpperCase().replaceAll('_', '-')}`,
        section: '2 Address',
        title: `an address carries ${field}`,
        statement: `Every address in an answer has ${field}, of the type that the table gives; null only where the table allows it.`,
        severity: 'major',
        verdict: 'passed',
      }),
    ),
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
    ...fields.map(
      (field): Entry => ({
        id: `ADDR-CREATE-KEEPS-${field.toUpperCase().replaceAll('_', '-')}`,
        section: '4.3',
        title: `create stores ${field} as sent`,
        statement: `What a create request sends as ${field} is what the answer, and every later read, carries.`,
        severity: 'critical',
        verdict: 'passed',
      }),
    ),
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
    ...fields.slice(2).map(
      (field): Entry => ({
        id: `ADDR-UPDATE-OMITTED-KEPT-${field.toUpperCase().replaceAll('_', '-')}`,
        section: '4.4',
        title: `PATCH without ${field} leaves it as it was`,
        statement: `A PATCH body without ${field} does not change it.`,
        severity: 'critical',
        verdict: 'passed',
      }),
    ),
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
      exchanges: [door],
      finding: {
        message: 'The 401 has no WWW-Authenticate header.',
        exchange: door.id,
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

function oauth(): Entry[] {
  const form = `grant_type=client_credentials&client_id=app-4417&client_secret=${encodeURIComponent(sampleSecrets.client_secret)}`;
  const issued = exchange('obtain a token', 'POST', '/oauth/token', {
    form,
    answer: {
      access_token: sampleSecrets.access_token,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'read write',
      created_at: 1742289847,
    },
  });
  const revoked = exchange('revoke with a wrong secret', 'POST', '/oauth/revoke', {
    body: { client_id: 'app-4417', client_secret: 'not-the-secret', token: sampleSecrets.access_token },
    answer: {},
  });
  const entry = (
    id: string,
    section: string,
    title: string,
    verdict: Verdict,
    over: Partial<Entry> = {},
  ): Entry => ({
    id,
    section,
    title,
    statement: `${title[0]!.toUpperCase()}${title.slice(1)}.`,
    severity: 'major',
    verdict,
    ...over,
  });
  return [
    entry(
      'TOKEN-FIELD-ACCESS-TOKEN',
      '2 Token response',
      'the token response carries access_token',
      'passed',
    ),
    entry('TOKEN-FIELD-TOKEN-TYPE', '2 Token response', 'token_type is Bearer', 'passed'),
    entry('TOKEN-FIELD-EXPIRES-IN', '2 Token response', 'expires_in is 7200', 'failed', {
      severity: 'critical',
      cause: 'The lifetime is a setting of the authorization server and was left at its default of an hour.',
      exchanges: [issued],
      finding: {
        message: 'expires_in is 3600; tokens live 7200 seconds (sections 2 and 8).',
        exchange: issued.id,
        pointer: '/expires_in',
        expected: '7200',
        found: '3600',
      },
    }),
    entry('TOKEN-FIELD-CREATED-AT', '2 Token response', 'the token response carries created_at', 'passed'),
    entry('TOKEN-CREATED-AT-UNIT', '2 Token response', 'unit of created_at', 'observed', {
      level: 'silence',
      statement: 'In which unit is created_at?',
      answer: 'Seconds since the epoch.',
    }),
    entry('TOKEN-GRANT-FORM', '4.7', 'client_credentials works with a form body', 'passed'),
    entry('TOKEN-GRANT-JSON', '4.7', 'client_credentials works with a JSON body', 'passed'),
    entry('TOKEN-SECRET-WRONG', '4.7', 'a wrong client secret is answered 401', 'passed', {
      severity: 'critical',
    }),
    entry('TOKEN-REDIRECT-OTHER', '4.7', 'another redirect_uri gets no token', 'skipped', {
      check: {
        reason: 'The target names no stored redirect URI: set credentials.redirect_uri in targets.yaml.',
      },
    }),
    entry('TOKEN-REFRESH', '4.7', 'a refresh token gets a new access token', 'skipped', {
      check: {
        reason:
          'The target hands out no refresh token and none is configured: set credentials.refresh_token in targets.yaml.',
      },
    }),
    entry('TOKEN-REVOKE-CLIENT', '4.8', 'revoking with a wrong client secret is answered 403', 'failed', {
      severity: 'critical',
      cause:
        'RFC 7009 lets a server answer 200 to nearly everything, and many libraries do so before they look at the client. Authenticate first.',
      exchanges: [issued, revoked],
      finding: {
        message:
          'POST /oauth/revoke with a wrong client_secret answered 200; a client that is not authorised is answered 403 (section 7).',
        exchange: revoked.id,
        pointer: 'status',
        expected: '403',
        found: '200',
      },
    }),
    entry('TOKEN-REVOKE-CLOSED', '4.8', 'a revoked token opens nothing', 'passed', { severity: 'critical' }),
    entry(
      'TOKEN-INTROSPECT-REVOKED',
      '4.9',
      'introspection tells a revoked token from an active one',
      'passed',
    ),
    entry('TOKEN-NO-STORE', '4.7', 'token responses are not cached', 'passed', {
      level: 'advised',
      standard: 'RFC 6749 5.1',
      severity: 'minor',
    }),
    entry('TOKEN-EXPIRY', '5', 'a token is refused after 7200 seconds', 'skipped', {
      check: {
        reason:
          'The target offers no clock hook: set hooks.clock in targets.yaml, or allow the wait with --max-wait 7300.',
      },
    }),
    entry('TOKEN-RATE-SERVED', '8', 'at two requests a second nothing is refused', 'passed'),
    entry('TOKEN-RATE-LOOK', '8', 'what exceeding the rate looks like', 'observed', {
      level: 'silence',
      statement: 'How is a request answered that exceeds the rate?',
      answer:
        '429 with Retry-After: 1 and { "message": "Too many requests" }; from the third request within one second.',
    }),
    entry('TOKEN-RATE-PER-TOKEN', '8', 'one saturated token does not slow another', 'passed'),
  ];
}

/** The entry as it would stand in the catalogue. */
function requirementOf(one: Entry): Requirement {
  const level = one.level ?? 'required';
  const { id, section, title, statement, standard, cause, reason } = one;
  return {
    id,
    section,
    level,
    ...(level === 'required' ? { basis: 'stated' } : {}),
    title,
    statement,
    ...(one.severity && level !== 'silence' ? { severity: one.severity } : {}),
    ...(standard ? { standard } : {}),
    ...(cause ? { cause } : {}),
    ...(reason ? { reason } : {}),
  };
}

/** The check of an entry; `shown` are the exchanges that earlier checks own. */
function checkOf(suite: string, one: Entry, shown: Set<string>): CheckResult {
  const verdict = one.verdict ?? 'passed';
  const idle = verdict === 'skipped' || verdict === 'blocked';
  const all =
    one.exchanges ??
    (idle ? [] : [exchange(one.title, 'GET', '/address_templates?per_page=1', { answer: list(1, 1) })]);
  const own = all.filter(({ id }) => !shown.has(id));
  for (const { id } of own) shown.add(id);
  return {
    id: one.id,
    suite,
    title: one.title,
    requirements: [one.id],
    verdict,
    ...(one.finding ? { reason: one.finding.message } : {}),
    verdicts: { [one.id]: verdict },
    findings: one.finding ? [{ requirement: one.id, ...one.finding }] : [],
    observations:
      one.answer === undefined ? [] : [{ id: one.id, question: one.statement, answer: one.answer }],
    effects: 'write',
    startedAt: all[0]?.startedAt ?? new Date(START + sent * 531).toISOString(),
    durationMs: own.reduce((sum, x) => sum + x.durationMs, 1.7),
    exchanges: own,
    sharedExchanges: all.filter((x) => !own.includes(x)).map((x) => x.id),
    ...one.check,
  };
}

/** The sample run. Its exchanges hold `sampleSecrets`, so it has to be redacted before it is shown. */
export function sampleReport(): RunReport {
  sent = 0;
  const shown = new Set<string>();
  const parts = [
    ['address-book', addressBook()],
    ['oauth-token', oauth()],
  ] as const;
  const checks = parts.flatMap(([suite, entries]) =>
    entries.filter(({ level }) => level !== 'untestable').map((one) => checkOf(suite, one, shown)),
  );
  const report = assemble(
    parts.flatMap(([suite, entries]) => entries.map((one) => ({ suite, requirement: requirementOf(one) }))),
    checks,
  );
  report.diagnoses = [
    {
      deviation: 'patch-replaces-nested',
      sentence: 'an implementation that replaces the whole nested address on PATCH instead of merging it',
      score: 0.83,
      checks: ['ADDR-UPDATE-OMITTED-KEPT-COMPANY'],
    },
  ];
  return report;
}

const suites = [
  { suite: 'address-book', title: 'Shipping address book', spec: '1-shipping-address-book-and-token' },
  { suite: 'oauth-token', title: 'OAuth tokens', spec: '1-shipping-address-book-and-token' },
];

function assemble(entries: { suite: string; requirement: Requirement }[], checks: CheckResult[]): RunReport {
  const catalogues: Catalogue[] = suites.map((suite) => ({
    ...suite,
    requirements: entries.filter((one) => one.suite === suite.suite).map((one) => one.requirement),
  }));
  return aggregate(catalogues, checks, {
    tool: { name: 'api-conformance', version: '0.1.0' },
    target: { name: 'sandbox', title: 'Shipping sandbox', urls: { shipping: BASE } },
    startedAt: new Date(START).toISOString(),
    durationMs: 48_213,
    seed: 20_250_318,
    strict: false,
    requests: sent,
    knownFailures: [],
  });
}

/**
 * A large run: the sample's shape with `checks` checks and about `evidenceBytes` of recorded bodies.
 * Every tenth check fails.
 */
export function largeReport(checks = 1000, evidenceBytes = 5_000_000): RunReport {
  sent = 0;
  const perCheck = Math.floor(evidenceBytes / checks / 2);
  const answer = list(20, 1);
  answer.data[0]!.alias_name = 'x'.repeat(Math.max(0, perCheck - 900));
  const shown = new Set<string>();
  const entries: { suite: string; requirement: Requirement }[] = [];
  const results: CheckResult[] = [];
  for (let n = 0; n < checks; n++) {
    const suite = suites[n % 2]!.suite;
    const own = [0, 1].map(() => exchange('list', 'GET', '/address_templates', { answer }));
    const failed = n % 10 === 3;
    const one: Entry = {
      id: `${n % 2 ? 'TOKEN' : 'ADDR'}-LARGE-${String(n).padStart(4, '0')}`,
      section: `4.${1 + (n % 9)}`,
      title: `entry ${n} holds`,
      statement: 'A statement of a large run.',
      verdict: failed ? 'failed' : 'passed',
      exchanges: own,
      ...(failed
        ? {
            finding: {
              message: `Entry ${n} does not hold.`,
              exchange: own[1]!.id,
              pointer: '/meta/per_page',
              expected: '10',
              found: '20',
            },
          }
        : {}),
    };
    entries.push({ suite, requirement: requirementOf(one) });
    results.push(checkOf(suite, one, shown));
  }
  return assemble(entries, results);
}
