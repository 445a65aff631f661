/** Other legitimate interpretations and refusals of requests to the OAuth endpoints (4.7 and 7). */
import type { ShippingRules } from '../../../reference/shipping/index.ts';
import type { Variant } from '../../types.ts';
import { refusing } from './token-kit.ts';

export const tokenRequestVariants: Variant<ShippingRules>[] = [
  refusing(
    'grants-401',
    ['TOKEN-REFRESH-REFUSAL', 'TOKEN-GRANT-TYPE-REFUSAL', 'TOKEN-ERROR-CODES-USED'],
    'answers 401 to bad grants',
    {
      invalidGrant: { status: 401, error: 'invalid_grant', description: 'no' },
      unsupportedGrantType: { status: 401, error: 'unsupported_grant_type', description: 'no' },
    },
  ),
  refusing('redirect-403', ['TOKEN-REDIRECT-URI-REFUSAL'], 'answers 403 to another redirect_uri', {
    redirectMismatch: { status: 403, error: 'redirect_uri_mismatch', description: 'no' },
  }),
  refusing(
    'scope-422',
    ['TOKEN-SCOPE-UNKNOWN', 'TOKEN-ERROR-CODES-USED'],
    'answers 422 to an unknown scope',
    {
      invalidScope: { status: 422, error: 'scope', description: 'no' },
    },
  ),
  refusing(
    'in-spanish',
    ['TOKEN-ERROR-CODES-USED', 'TOKEN-GRANT-TYPE-REFUSAL'],
    'describes errors in Spanish, with codes of its own',
    {
      missingCredentials: {
        status: 400,
        error: 'faltan_credenciales',
        description: 'faltan las credenciales',
      },
      invalidCredentials: {
        status: 401,
        error: 'credenciales_inválidas',
        description: 'las credenciales no son válidas',
      },
      unsupportedGrantType: { status: 422, error: 'tipo_no_soportado', description: 'no hay tal concesión' },
    },
  ),
  {
    id: 'other-media-types-read-as-forms',
    fills: ['TOKEN-OTHER-MEDIA-TYPES'],
    sentence: 'reads a body of any other media type as a form',
    rules: (original) => ({
      parseParameters: (text, type, endpoint, env) =>
        /json|urlencoded/i.test(type)
          ? original.parseParameters(text, type, endpoint, env)
          : Object.fromEntries(new URLSearchParams(text)),
    }),
  },
  {
    id: 'repeated-parameters-taken',
    fills: ['TOKEN-REPEATED-PARAMETERS'],
    sentence: 'uses the last value of a parameter that is sent twice',
    rules: (original) => ({
      bodyParsers: {
        ...original.bodyParsers,
        'application/x-www-form-urlencoded': (text) => Object.fromEntries(new URLSearchParams(text)),
      },
    }),
  },
  {
    id: 'lists-of-one-taken',
    fills: ['TOKEN-WRONG-TYPES'],
    sentence: 'accepts a list of one as its item, and numbers as strings',
    rules: (original) => ({
      readParameter: (parameters, name) => {
        const value = parameters[name];
        const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
        return original.readParameter({ [name]: typeof single === 'number' ? String(single) : single }, name);
      },
    }),
  },
];
