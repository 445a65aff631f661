/** The configuration of a target under `shipping`. */
import type { FromSchema } from 'json-schema-to-ts';
import { requestHeaders, url } from '../../schemas/targets.ts';

const client = {
  type: 'object',
  additionalProperties: false,
  required: ['clientId', 'clientSecret'],
  properties: { clientId: { type: 'string', minLength: 1 }, clientSecret: { type: 'string', minLength: 1 } },
} as const;

export const schema = {
  type: 'object',
  description: 'The shipping service: suites address-book and oauth-token.',
  additionalProperties: false,
  required: ['baseUrl', 'clientId', 'clientSecret'],
  properties: {
    baseUrl: { ...url, description: 'What stands before `/api/v1`.' },
    clientId: {
      type: 'string',
      minLength: 1,
      description: 'Client ID of the account that the suite may use.',
    },
    clientSecret: { type: 'string', minLength: 1, description: 'Client secret of that account.' },
    secondClient: {
      ...client,
      properties: {
        ...client.properties,
        redirectUri: {
          type: 'string',
          description: 'The redirect URI stored for that client, other than that of the first.',
        },
      },
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
    protectedResource: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: {
        method: { enum: ['GET', 'HEAD', 'POST'], description: 'Default: GET.' },
        path: { type: 'string', pattern: '^/', description: 'What follows `baseUrl`.' },
      },
      description:
        'What access tokens open on an authorization server without an address book. Default: the list of addresses.',
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
    headers: requestHeaders,
  },
} as const;

export type ShippingConfig = FromSchema<typeof schema>;

declare module '../../lib/config/types.ts' {
  interface ServiceConfigs {
    shipping: ShippingConfig;
  }
}
