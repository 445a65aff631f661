/** The configuration of a target under `agents`. */
import type { FromSchema } from 'json-schema-to-ts';
import { requestHeaders, url } from '../../schemas/targets.ts';

/**
 * Returns the schema of a private JWK of one key type, given as an object, as its JSON text, or as a file.
 */
const privateKey = <K extends 'RSA' | 'EC'>(kty: K, description: string) =>
  ({
    description,
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
      { type: 'object', required: ['kty'], properties: { kty: { const: kty } } },
    ],
  }) as const;

export const schema = {
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
    key: privateKey(
      'RSA',
      'Private RSA key of the trusted issuer, as a JWK: an object, the JSON of one, or `{ file: path }`. Unlocks every check that needs a valid assertion.',
    ),
    ecKey: privateKey(
      'EC',
      'Private EC key (P-256) that the trusted issuer has too, in the forms of `key`: unlocks the refusal of ES256.',
    ),
    jwksPort: {
      type: 'integer',
      minimum: 0,
      maximum: 65535,
      description:
        'Serve the public keys of the issuer as a JWKS on this loopback port while the suite runs, at `/jwks.json` and every other path, for services that fetch it.',
    },
    user: {
      type: 'object',
      description: 'A fixed user to assert, for services that know only some. Default: fresh users.',
      additionalProperties: false,
      properties: { sub: { type: 'string', minLength: 1 }, email: { type: 'string', minLength: 1 } },
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
    headers: requestHeaders,
  },
} as const;

export type AgentsConfig = FromSchema<typeof schema>;

declare module '../../lib/config/types.ts' {
  interface ServiceConfigs {
    agents: AgentsConfig;
  }
}
