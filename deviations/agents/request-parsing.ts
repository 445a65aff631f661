/** Bodies and assertions that are parsed too leniently, and valid ones that are refused (section 4). */
import { Fault, type JsonObject } from '../../reference/agents/index.ts';
import { type AgentDeviation, claimRule, isRegistration } from './kit.ts';

/** Answers 500 to registrations whose body contains something that `isBad` finds. */
const failing =
  (isBad: (text: string) => boolean): AgentDeviation['wrap'] =>
  (next) =>
  async (request) =>
    isRegistration(request) && isBad(await request.clone().text())
      ? Response.json({ error: 'server_error', error_description: 'Something went wrong.' }, { status: 500 })
      : next(request);

/** Refuses valid assertions because of a claim. */
const refusing = (isBad: (claims: JsonObject) => boolean): AgentDeviation['rules'] =>
  claimRule('checkSubject', (claims, facts, original) =>
    isBad(claims) ? 'invalid_assertion' : original(claims, facts),
  );

/** Fails with `server_error` when a valid assertion is about to be stored. */
const storing =
  (isBad: (claims: JsonObject) => boolean): AgentDeviation['rules'] =>
  () => ({
    provision: async (_state, claims) => {
      if (isBad(claims)) throw new Fault('server_error');
    },
  });

const REFUSED: [id: string, sentence: string, rules: AgentDeviation['rules']][] = [
  [
    'email-with-plus-refused',
    'takes no email address with a plus sign',
    refusing(({ email }) => String(email).includes('+')),
  ],
  [
    'email-with-apostrophe-refused',
    'takes no email address with an apostrophe',
    refusing(({ email }) => String(email).includes("'")),
  ],
  [
    'email-with-capitals-refused',
    'takes no email address with a capital letter',
    refusing(({ email }) => /[A-Z]/.test(String(email))),
  ],
  [
    'email-with-digit-in-front-refused',
    'takes no email address that begins with a digit',
    refusing(({ email }) => /^\d/.test(String(email))),
  ],
  [
    'email-of-a-subdomain-refused',
    'takes no email address of a host below a domain',
    refusing(({ email }) => /@.+\..+\./.test(String(email))),
  ],
  [
    'email-of-one-letter-refused',
    'takes no email address with one letter before the @',
    refusing(({ email }) => /^.@/.test(String(email))),
  ],
  [
    'email-of-an-encoded-domain-refused',
    'takes no email address of an internationalised domain',
    refusing(({ email }) => String(email).includes('xn--')),
  ],
  [
    'email-with-signs-refused',
    'takes no email address with a sign other than the usual ones',
    refusing(({ email }) => /[#/=]/.test(String(email))),
  ],
  [
    'email-of-a-hundred-characters-refused',
    'takes no email address of more than a hundred characters',
    refusing(({ email }) => String(email).length > 100),
  ],
  [
    'jti-only-uuid',
    'takes no jti but a UUID',
    refusing(({ jti }) => typeof jti === 'string' && !/^[0-9a-f]{8}-/.test(jti)),
  ],
  [
    'phone-unverified-refused',
    'refuses a phone number that is not verified, beside a verified email too',
    claimRule('checkEmailVerified', (claims, facts, original) =>
      claims.phone_number_verified === false ? 'missing_verified_email' : original(claims, facts),
    ),
  ],
  [
    'emoji-not-stored',
    'fails at a sub with an emoji',
    storing(({ sub }) => /\p{Emoji_Presentation}/u.test(String(sub))),
  ],
  [
    'jti-beyond-ascii-not-stored',
    'fails at a jti with a letter beyond ASCII',
    storing(({ jti }) => /[^\0-\x7f]/.test(String(jti))),
  ],
  [
    'long-jti-not-stored',
    'fails at a jti of more than 255 characters',
    storing(({ jti }) => String(jti).length > 255),
  ],
];

type Accepting = [
  id: string,
  requirement: string,
  sentence: string,
  rule: 'checkCredentialType' | 'checkAssertionType' | 'checkRequestType',
  accepts: (type: string) => boolean,
];

export const requestParsingDeviations: AgentDeviation[] = [
  ...REFUSED.map(
    ([id, sentence, rules]): AgentDeviation => ({ id, breaks: ['AGENT-REG-STATUS'], sentence, rules }),
  ),
  ...(
    [
      ['for-any-jwt', 'accepts the assertion type of any JWT', (type) => /:(id-jag|jwt)$/.test(type)],
      ['by-its-end', 'compares the end of assertion_type', (type) => type.endsWith('id-jag')],
    ] as [id: string, sentence: string, accepts: (type: string) => boolean][]
  ).map(
    ([id, sentence, accepts]): AgentDeviation => ({
      id: `assertion-type-${id}`,
      breaks: ['AGENT-REQ-ASSERTION-TYPE-OTHER'],
      sentence,
      rules: (original) => ({
        checkAssertionType: (type) =>
          typeof type === 'string' && accepts(type) ? undefined : original.checkAssertionType(type),
      }),
    }),
  ),
  ...(
    [
      [
        'credential-type-within',
        'AGENT-REQ-CREDENTIAL-OTHER',
        'looks for api_key anywhere in requested_credential_type',
        'checkCredentialType',
        (type) => type.includes('api_key'),
      ],
      [
        'credential-type-with-hyphen',
        'AGENT-REQ-CREDENTIAL-OTHER',
        'takes api-key for api_key',
        'checkCredentialType',
        (type) => type === 'api-key',
      ],
      [
        'credential-type-trimmed',
        'AGENT-REQ-CREDENTIAL-OTHER',
        'compares requested_credential_type without the blanks around it',
        'checkCredentialType',
        (type) => type.trim() === 'api_key',
      ],
      [
        'assertion-type-by-its-beginning',
        'AGENT-REQ-ASSERTION-TYPE-OTHER',
        'compares the beginning of assertion_type',
        'checkAssertionType',
        (type) => type.startsWith('urn:ietf:params:oauth:token-type:id-jag'),
      ],
      [
        'type-verified-email',
        'AGENT-REQ-VERIFIED-EMAIL',
        'takes the type verified_email as well, where there is a good assertion',
        'checkRequestType',
        (type) => type === 'verified_email',
      ],
      [
        'type-by-its-beginning',
        'AGENT-REQ-TYPE-OTHER',
        'compares the beginning of type',
        'checkRequestType',
        (type) => type.startsWith('identity_assertion'),
      ],
      ...(
        [
          ['checkCredentialType', 'requested_credential_type', 'AGENT-REQ-CREDENTIAL-OTHER'],
          ['checkAssertionType', 'assertion_type', 'AGENT-REQ-ASSERTION-TYPE-OTHER'],
          ['checkRequestType', 'type', 'AGENT-REQ-TYPE-OTHER'],
        ] as const
      ).map(
        ([rule, field, requirement]): Accepting => [
          `${field.replaceAll('_', '-')}-empty`,
          requirement,
          `takes an empty ${field} for the default`,
          rule,
          (type) => type === '',
        ],
      ),
    ] as Accepting[]
  ).map(
    ([id, requirement, sentence, rule, accepts]): AgentDeviation => ({
      id,
      breaks: [requirement],
      sentence,
      rules: (original) => ({
        isPresent: (value) => value === '' || original.isPresent(value),
        [rule]: (type: unknown) =>
          typeof type === 'string' && accepts(type) ? undefined : original[rule](type),
      }),
    }),
  ),
  {
    id: 'assertion-in-header',
    breaks: ['AGENT-REQ-ASSERTION-REQUIRED'],
    sentence: 'takes the bearer token for the assertion where the body has none',
    rules: (original) => ({
      readBody: async (request) => {
        const [, assertion] = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '') ?? [];
        return { ...(assertion !== undefined && { assertion }), ...(await original.readBody(request)) };
      },
    }),
  },
  {
    id: 'charset-refused',
    breaks: ['AGENT-REQ-CONTENT-TYPE-PARAMETERS'],
    sentence: 'refuses a registration whose Content-Type has a charset',
    wrap: (next) => async (request) =>
      isRegistration(request) && request.headers.get('content-type')?.includes('charset')
        ? Response.json({ error: 'invalid_request', error_description: 'Media type.' }, { status: 400 })
        : next(request),
  },
  {
    id: 'not-utf-8-fails',
    breaks: ['AGENT-ERR-INVALID-REQUEST-MALFORMED'],
    sentence: 'fails at a body that is no UTF-8',
    wrap: failing((text) => text.includes('\ufffd')),
  },
  {
    id: 'nested-body-fails',
    breaks: ['AGENT-ERR-INVALID-REQUEST-MALFORMED'],
    sentence: 'fails at a body that is nested too deeply',
    wrap: failing((text) => text.includes('['.repeat(1000))),
  },
  {
    id: 'parts-behind-the-third-ignored',
    breaks: ['AGENT-ASSERTION-NOT-JWT'],
    sentence: 'reads the first three parts of an assertion and ignores what follows them',
    rules: (original) => ({
      readBody: async (request) => {
        const body = await original.readBody(request);
        const { assertion } = body;
        return typeof assertion === 'string' && assertion.startsWith('eyJ')
          ? { ...body, assertion: assertion.split('.').slice(0, 3).join('.') }
          : body;
      },
    }),
  },
  ...(
    [
      [
        'what-follows-the-json-ignored',
        'AGENT-REQ-MALFORMED-JSON',
        'reads the first JSON value of a body and ignores what follows it',
        (text) => text.replace(/^(\{.*\}) \{\}$/s, '$1'),
      ],
      [
        'bytes-that-are-no-utf-8-dropped',
        'AGENT-REQ-MALFORMED-JSON',
        'leaves out the bytes of a body that are no UTF-8',
        (text) => text.replaceAll('\ufffd', ''),
      ],
    ] as [id: string, requirement: string, sentence: string, read: (text: string) => string][]
  ).map(
    ([id, requirement, sentence, read]): AgentDeviation => ({
      id,
      breaks: [requirement],
      sentence,
      rules: (original) => ({
        readBody: async (request) => {
          const text = read(await request.clone().text());
          return original.readBody(Object.assign(Object.create(request), { text: async () => text }));
        },
      }),
    }),
  ),
  {
    id: 'five-parts-fail',
    breaks: ['AGENT-ERR-FITTING'],
    sentence: 'fails at a token of five parts, for which it has no key',
    rules: (original) => ({
      readHeader: (assertion) => {
        if (String(assertion).split('.').length === 5) throw new TypeError('key is undefined');
        return original.readHeader(assertion);
      },
    }),
  },
  {
    id: 'fails-beyond-ascii',
    breaks: ['AGENT-ERR-FITTING'],
    sentence: 'fails at an assertion with a character beyond ASCII',
    rules: (original) => ({
      readHeader: (assertion) => {
        if (/[^\0-\x7f]/.test(String(assertion))) throw new TypeError('incompatible character encodings');
        return original.readHeader(assertion);
      },
    }),
  },
];
