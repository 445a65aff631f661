/**
 * JSON Schema of `targets.yaml` (DESIGN section 7). `schemas/targets.schema.json` is this, written out
 * for editors; a test keeps the two equal.
 */
import type { FromSchema } from 'json-schema-to-ts';

/** Not any URI: `localhost:3000` is one, of the scheme `localhost`. Credentials have their own keys. */
const url = { type: 'string', format: 'uri', pattern: '^https?://[^/?#@]+([/?#].*)?$' } as const;

const headers = {
  type: 'object',
  description: 'Further headers to send with every request, for example an API gateway key.',
  additionalProperties: { type: 'string' },
} as const;

const hook = {
  type: 'object',
  description: 'An HTTP call (`url`) or a command (`command`) that takes JSON and answers JSON.',
  additionalProperties: false,
  properties: {
    url: { ...url, description: 'Called with POST and a JSON body.' },
    headers,
    command: {
      type: 'array',
      minItems: 1,
      items: { type: 'string' },
      description: 'Program and arguments; JSON on standard input, JSON on standard output.',
    },
  },
  oneOf: [{ required: ['url'] }, { required: ['command'] }],
} as const;

const client = {
  type: 'object',
  additionalProperties: false,
  required: ['clientId', 'clientSecret'],
  properties: { clientId: { type: 'string' }, clientSecret: { type: 'string' } },
} as const;

const shipping = {
  type: 'object',
  description: 'The shipping service: suites address-book and oauth-token.',
  additionalProperties: false,
  required: ['baseUrl', 'clientId', 'clientSecret'],
  properties: {
    baseUrl: { ...url, description: 'What stands before `/api/v1`.' },
    clientId: { type: 'string', description: 'Client ID of the account that the suite may use.' },
    clientSecret: { type: 'string', description: 'Client secret of that account.' },
    secondClient: {
      ...client,
      description: 'Another client application: unlocks the checks between clients.',
    },
    redirectUri: {
      type: 'string',
      description: 'The redirect URI stored for the client: unlocks its positive check.',
    },
    scopes: {
      type: 'array',
      minItems: 1,
      items: { type: 'string' },
      description: 'Scopes that the client may have. Default: those that a token without `scope` carries.',
    },
    refreshToken: {
      type: 'string',
      description: 'A refresh token of the client, where token responses do not carry one.',
    },
    carriers: {
      type: 'array',
      minItems: 1,
      items: { type: 'string' },
      description: 'Carrier names that verify_by_carriers takes. Default: a guess, skipped where refused.',
    },
    rate: {
      type: 'object',
      description: 'How fast the suite may send.',
      additionalProperties: false,
      properties: {
        perSecond: {
          type: 'number',
          exclusiveMinimum: 0,
          description: 'Requests per second and token. Default 2, the documented rate.',
        },
        tokens: {
          type: 'integer',
          minimum: 1,
          maximum: 64,
          description: 'Tokens used side by side; the limit is per token. Default 8.',
        },
        unlimited: {
          type: 'boolean',
          description: 'True: no pacing at all, for a target whose limiter is off.',
        },
      },
    },
    headers,
  },
} as const;

const agents = {
  type: 'object',
  description: 'The agent registration service: suite agent-registration.',
  additionalProperties: false,
  required: ['baseUrl'],
  properties: {
    baseUrl: { ...url, description: 'Address of the scraping API.' },
    authUrl: {
      ...url,
      description: 'Address of the metadata documents and the registration endpoint. Default: `baseUrl`.',
    },
    issuer: { type: 'string', description: 'The issuer identifier that the service trusts (`iss`).' },
    audience: {
      type: 'string',
      description: 'The `aud` of assertions. Default: `resource` of the metadata.',
    },
    key: {
      description:
        'Private RSA key of the trusted issuer, as a JWK: an object, the JSON of one, or `{ file: path }`. Unlocks every check that needs a valid assertion.',
      anyOf: [
        { type: 'string' },
        {
          type: 'object',
          additionalProperties: false,
          required: ['file'],
          properties: {
            file: { type: 'string', description: 'Path of a JWK file, relative to targets.yaml.' },
          },
        },
        { type: 'object', required: ['kty'], properties: { kty: { const: 'RSA' } } },
      ],
    },
    jwksPort: {
      type: 'integer',
      minimum: 0,
      maximum: 65535,
      description:
        'Serve the public key as a JWKS on this loopback port while the suite runs, for services that fetch it.',
    },
    user: {
      type: 'object',
      description: 'A fixed user to assert, for services that know only some. Default: fresh users.',
      additionalProperties: false,
      properties: { sub: { type: 'string' }, email: { type: 'string' } },
    },
    scope: { type: 'string', description: 'What the service calls `service:global`.' },
    scrape: {
      type: 'object',
      description: 'The call that a key opens. Default: POST /v2/scrape with {"url": "https://example.com"}.',
      additionalProperties: false,
      properties: {
        method: { type: 'string' },
        path: { type: 'string' },
        body: { description: 'JSON body of the call.' },
      },
    },
    allowedOrigins: {
      type: 'array',
      items: { type: 'string' },
      description: 'Further origins that the suite may follow the metadata to.',
    },
    maxAttempts: {
      type: 'integer',
      minimum: 1,
      description: 'Most registration attempts in a run. Default 60; more unlocks the larger sweeps.',
    },
    headers,
  },
} as const;

const scopedToken = {
  type: 'object',
  additionalProperties: false,
  required: ['token'],
  properties: {
    token: { type: 'string' },
    scopes: {
      type: 'array',
      items: { type: 'string' },
      description: 'Classic scopes that it has, and no others.',
    },
    permissions: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Fine-grained permissions that it has, and no others: `enterprise/administration`, `organization/administration`, `repository/administration`, `repository/actions`, each with `:read` or `:write`.',
    },
  },
} as const;

const caches = {
  type: 'object',
  description: 'The cache management service: suite cache-management.',
  additionalProperties: false,
  required: ['baseUrl', 'token'],
  properties: {
    baseUrl: url,
    token: { type: 'string', description: 'A token with every permission of section 5.' },
    enterprise: { type: 'string', description: 'Slug of an enterprise whose limits the suite may change.' },
    organization: { type: 'string', description: 'An organization under it.' },
    otherOrganization: { type: 'string', description: 'Another organization under the same enterprise.' },
    repository: {
      type: 'string',
      description: 'owner/repo under the organization, private if there is a choice.',
    },
    otherRepository: { type: 'string', description: 'Another repository of the same organization.' },
    publicRepository: { type: 'string', description: 'A public repository, for anonymous calls.' },
    privateRepository: { type: 'string', description: 'A private repository. Default: `repository`.' },
    namesakeRepository: { type: 'string', description: 'A repository of the same name under another owner.' },
    repositories: {
      type: 'array',
      items: { type: 'string' },
      description:
        'More than 100 repositories of the organization: unlocks the paging of usage-by-repository.',
    },
    readerToken: { type: 'string', description: 'A token of an account that may only read the repository.' },
    strangerToken: {
      type: 'string',
      description: 'A token of an account that may not read the private repository.',
    },
    readOnlyRepository: {
      type: 'string',
      description: 'Without a seed hook: a repository with caches that the suite may look at and not touch.',
    },
    tokens: {
      type: 'array',
      items: scopedToken,
      description:
        'Tokens with chosen permissions: each unlocks the refusals that it lacks the permission for.',
    },
    versionHeader: { type: 'string', description: 'Default `X-Service-Api-Version`.' },
    version: { type: 'string', description: 'Default `2026-03-10`.' },
    mediaType: { type: 'string', description: 'Default `application/vnd.service+json`.' },
    headers,
  },
} as const;

const run = {
  type: 'object',
  description: 'What the flags of `conform run` say; a flag wins.',
  additionalProperties: false,
  properties: {
    suites: { type: 'array', items: { type: 'string' } },
    grep: { type: 'string', description: 'Ids to run, `*` stands for anything.' },
    out: { type: 'string', description: 'Where reports go.' },
    effects: {
      type: 'array',
      items: { enum: ['read', 'write', 'settings'] },
      description: 'What checks may do. Default read and write; settings only for the reference.',
    },
    maxWait: {
      type: 'number',
      minimum: 0,
      description: 'Longest wait in real time, in seconds. Default 10.',
    },
    timeout: { type: 'number', exclusiveMinimum: 0, description: 'For one request, in seconds. Default 10.' },
    seed: { type: 'integer', minimum: 0, description: 'Seed of the test data.' },
    strict: { type: 'boolean', description: 'Advised statements fail the run too.' },
    junit: { enum: ['strict', 'rich'] },
    knownFailures: {
      type: 'string',
      description: 'File with ids that are known to fail; they do not fail the run.',
    },
  },
} as const;

export const targetSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    title: { type: 'string', description: 'Name for reports.' },
    embedded: { type: 'boolean', description: 'True: start the embedded reference and test that.' },
    shipping,
    agents,
    caches,
    hooks: {
      type: 'object',
      additionalProperties: false,
      description: 'What the implementation lends the suite; see docs/hooks.md.',
      properties: {
        clock: { ...hook, description: 'Moves the clock of the target forward.' },
        seed: { ...hook, description: 'Creates caches.' },
        unseed: { ...hook, description: 'Removes seeded caches that are left.' },
        mint: { ...hook, description: 'Signs an assertion with a key that stays where it is.' },
      },
    },
    run,
  },
} as const;

export const targetsSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://api-conformance.invalid/schemas/targets.schema.json',
  title: 'targets.yaml',
  type: 'object',
  additionalProperties: false,
  required: ['targets'],
  properties: {
    default: { type: 'string', description: 'The target that `conform run` takes without --target.' },
    targets: {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' },
      additionalProperties: targetSchema,
    },
  },
} as const;

export type HookConfig = FromSchema<typeof hook>;
export type ShippingConfig = FromSchema<typeof shipping>;
export type AgentsConfig = FromSchema<typeof agents>;
export type CachesConfig = FromSchema<typeof caches>;
export type RunConfig = FromSchema<typeof run>;
export type TargetConfig = FromSchema<typeof targetSchema>;
