/** Reading the requests of the OAuth endpoints and authenticating the client (sections 4.7 to 4.9). */
import type { ClientApplication, Env, Fields, OAuthEndpoint } from '../model.ts';
import { type OAuthErrorCode, OAuthRefusal } from '../refusal.ts';
import { isObject } from './template-body.ts';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

function parseForm(text: string): Fields {
  const fields: Fields = {};
  for (const [name, value] of new URLSearchParams(text)) {
    // RFC 6749 section 3.2: a parameter is not included more than once.
    if (Object.hasOwn(fields, name)) throw new OAuthRefusal('malformedBody', `${name} is repeated`);
    fields[name] = value;
  }
  return fields;
}

/** Undoes the form encoding of one value. */
function formDecode(value: string): string {
  return new URLSearchParams(`v=${value.replaceAll('&', '%26')}`).get('v') ?? '';
}

function parseJsonObject(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new OAuthRefusal('malformedBody', 'the body is not JSON');
  }
  if (!isObject(value)) throw new OAuthRefusal('malformedBody', 'the body is not an object');
  return value;
}

const acceptedMediaTypes: Record<OAuthEndpoint, readonly string[]> = {
  token: [FORM, JSON_TYPE],
  revoke: [FORM, JSON_TYPE],
  introspect: [FORM, JSON_TYPE],
};

const bodyParsers: Record<string, (text: string) => Fields> = {
  [FORM]: parseForm,
  [JSON_TYPE]: parseJsonObject,
};

/**
 * The refusals for missing and for invalid credentials. The specification distinguishes them only at the
 * token endpoint, and shows none for introspection (section 7).
 */
const credentialErrors: Record<OAuthEndpoint, { missing: OAuthErrorCode; invalid: OAuthErrorCode }> = {
  token: { missing: 'missingCredentials', invalid: 'invalidCredentials' },
  revoke: { missing: 'notAuthorised', invalid: 'notAuthorised' },
  introspect: { missing: 'invalidCredentials', invalid: 'invalidCredentials' },
};

const requiredCredentials: Record<OAuthEndpoint, readonly string[]> = {
  token: ['client_id', 'client_secret'],
  revoke: ['client_id', 'client_secret'],
  introspect: ['client_id', 'client_secret'],
};

export const oauthRequestRules = {
  acceptedMediaTypes,
  bodyParsers,
  credentialErrors,
  requiredCredentials,

  /** Parses the parameters of a request body according to its Content-Type. */
  parseParameters(text: string, contentType: string, endpoint: OAuthEndpoint, env: Env): Fields {
    const mediaType = contentType.split(';', 1)[0]!.trim().toLowerCase();
    const parse = env.rules.bodyParsers[mediaType];
    if (parse === undefined || !env.rules.acceptedMediaTypes[endpoint].includes(mediaType)) {
      throw new OAuthRefusal('malformedBody', 'the body is neither a form nor JSON');
    }
    return parse(text);
  },

  /**
   * Returns the credentials in an Authorization header of scheme Basic (RFC 6749 section 2.3.1), as
   * parameters. Credentials in the body, which the specification requires, take precedence over them.
   */
  basicCredentials(authorization: string | null, _endpoint: OAuthEndpoint): Fields {
    const encoded = /^basic +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (encoded === undefined) return {};
    const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    return { client_id: formDecode(id), client_secret: formDecode(secret.join(':')) };
  },

  /** Returns one parameter as a string. An empty one counts as omitted (RFC 6749 section 3.2). */
  readParameter(parameters: Fields, name: string): string | undefined {
    const value = parameters[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') throw new OAuthRefusal('malformedBody', `${name} is not a text`);
    return value;
  },

  findClient(id: string, env: Env): ClientApplication | undefined {
    return env.clients.find((client) => client.id === id);
  },

  secretMatches(client: ClientApplication, secret: string, _endpoint: OAuthEndpoint): boolean {
    return client.secret === secret;
  },

  /**
   * Returns the client that the credentials among the parameters belong to. Throws an `OAuthRefusal` where
   * they are missing or invalid.
   */
  authenticateClient(parameters: Fields, endpoint: OAuthEndpoint, env: Env): ClientApplication {
    const { rules } = env;
    const errors = rules.credentialErrors[endpoint];
    for (const name of rules.requiredCredentials[endpoint]) {
      if (rules.readParameter(parameters, name) === undefined) {
        throw new OAuthRefusal(errors.missing, `${name} is missing`);
      }
    }
    const client = rules.findClient(rules.readParameter(parameters, 'client_id') ?? '', env);
    const secret = rules.readParameter(parameters, 'client_secret') ?? '';
    if (client === undefined || !rules.secretMatches(client, secret, endpoint)) {
      throw new OAuthRefusal(errors.invalid);
    }
    return client;
  },
};
