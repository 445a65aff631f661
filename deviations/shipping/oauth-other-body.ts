/**
 * Faults in requests with one of the two kinds of body, form or JSON, but not with the other (4.7 and 4.8).
 */

import type { Handler } from '../../reference/kit/service.ts';
import { SECOND_CLIENT } from '../../reference/shipping/clients.ts';
import type { ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { REVOKE, TOKEN } from './paths.ts';

const isForm = (request: Request) =>
  (request.headers.get('content-type') ?? '').startsWith('application/x-www-form-urlencoded');

/**
 * Replaces the secret in revocations as forms with the one that the client last used successfully, so that
 * any secret is accepted.
 */
const formsUnauthenticated = (next: Handler): Handler => {
  const secrets = new Map<string, string>();
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (!isForm(request)) return next(request);
    const text = await request.clone().text();
    const form = new URLSearchParams(text);
    const id = form.get('client_id') ?? '';
    if (TOKEN.test(pathname)) {
      const response = await next(request);
      if (response.ok) secrets.set(id, form.get('client_secret') ?? '');
      return response;
    }
    const secret = secrets.get(id);
    if (!REVOKE.test(pathname) || secret === undefined || !form.has('client_secret')) return next(request);
    form.set('client_secret', secret);
    return next(
      new Request(request.url, { method: 'POST', headers: request.headers, body: form.toString() }),
    );
  };
};

export const otherBodyDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'revoke-form-any-secret',
    breaks: ['TOKEN-REVOKE-WRONG-SECRET-403', 'TOKEN-REVOKE-WRONG-SECRET-SURVIVES'],
    sentence: 'looks at the secret of revocations in JSON and not of those in forms',
    wrap: formsUnauthenticated,
  },
  ...(['form', 'json'] as const).map(
    (encoding): Deviation<ShippingRules> => ({
      id: `second-client-refused-as-${encoding}`,
      breaks: [`TOKEN-ISSUE-${encoding.toUpperCase()}`],
      entails: ['TOKEN-*'],
      sentence: `refuses the credentials of one of two clients where they come as ${encoding === 'form' ? 'a form' : 'JSON'}`,
      wrap: (next) => async (request) =>
        TOKEN.test(new URL(request.url).pathname) &&
        isForm(request) === (encoding === 'form') &&
        (await request.clone().text()).includes(SECOND_CLIENT.secret)
          ? Response.json({ error: 'invalid_client' }, { status: 401 })
          : next(request),
    }),
  ),
  ...(['json', 'x-www-form-urlencoded'] as const).map(
    (type): Deviation<ShippingRules> => ({
      id: `token-media-type-${type}-compared-whole`,
      breaks: ['TOKEN-CONTENT-TYPE-PARAMETERS'],
      sentence: `takes application/${type} at the token endpoint and nothing with a parameter behind it`,
      wrap: (next) => async (request) =>
        TOKEN.test(new URL(request.url).pathname) &&
        (request.headers.get('content-type') ?? '').startsWith(`application/${type};`)
          ? Response.json({ error: 'invalid_request', error_description: 'media type' }, { status: 415 })
          : next(request),
    }),
  ),
  ...(['client_secret', 'token'] as const).map(
    (parameter): Deviation<ShippingRules> => ({
      id: `long-${parameter.replace('_', '-')}-500`,
      breaks: ['TOKEN-CLIENT-ERRORS-4XX'],
      entails: ['TOKEN-ISSUE-ODD-CREDENTIALS'],
      sentence: `answers 500 to a ${parameter} of more than 72 characters that it does not know`,
      wrap: (next) => async (request) => {
        const long = /"?(client_secret|token)"?[=:]"?x{73}/.exec(await request.clone().text());
        return long?.[1] === parameter
          ? Response.json({ error: 'server_error', error_description: 'too long' }, { status: 500 })
          : next(request);
      },
    }),
  ),
];
