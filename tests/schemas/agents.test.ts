import { describe, expect, test } from 'vitest';
import { Validator } from '../../lib/check/validator.ts';
import { catalogueOf } from '../../lib/model/catalogue/registry.ts';
import { agentSchemas } from '../../schemas/agents/index.ts';

const validator = new Validator(agentSchemas);
const faults = (id: string, value: unknown) => validator.check(id, value).map(({ pointer }) => pointer);

const properties = (id: string) => Object.keys(agentSchemas.find(({ $id }) => $id === id)!.properties);

const registration = {
  user_id: '8D3A6F6E-3f6b-0b1c-9a5e-0123456789ab',
  api_key: 'key_1',
  registration_id: 'reg_1',
  registration_type: 'agent-provider',
  credential_type: 'api_key',
  credential: 'key_1',
  credential_expires: null,
  scopes: ['service:global'],
};

const server = {
  agent_auth: {
    skill: 'https://api.example/auth.md',
    register_uri: 'https://api.example/agent/auth',
    identity_types_supported: ['identity_assertion'],
    identity_assertion: {
      assertion_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
      credential_types_supported: ['api_key'],
    },
    events_supported: [],
  },
};

const metadata = {
  resource: 'HTTPS://api.example',
  resource_name: 'Example',
  resource_logo_uri: 'https://api.example/logo.png',
  authorization_servers: ['https://api.example'],
  scopes_supported: ['service:global', 'other'],
  bearer_methods_supported: ['header'],
  agent_auth_uri: 'https://api.example/.well-known/oauth-authorization-server',
};

describe('what fits, fits, with members that the tables do not have', () => {
  test.each([
    ['RegistrationResponse', registration],
    ['AuthorizationServerMetadata', server],
    ['ProtectedResourceMetadata', metadata],
    ['RegistrationError', { error: 'a_code_of_its_own', error_description: '' }],
  ])('%s', (id, value) => {
    expect(faults(id, value)).toEqual([]);
    expect(faults(id, { ...value, another: 1 })).toEqual([]);
  });
});

describe('every property that is left out or of another kind is named', () => {
  test.each([
    ['RegistrationResponse', registration],
    ['ProtectedResourceMetadata', metadata],
    ['AgentAuth', server.agent_auth],
    ['IdentityAssertionSupport', server.agent_auth.identity_assertion],
    ['RegistrationError', { error: 'x', error_description: 'y' }],
  ])('%s', (id, value) => {
    expect(Object.keys(value)).toEqual(properties(id));
    for (const name of Object.keys(value)) {
      expect(faults(id, { ...value, [name]: undefined })).toEqual([`/${name}`]);
      expect(faults(id, { ...value, [name]: 0 })).toEqual([`/${name}`]);
    }
  });
});

test.each([
  ['RegistrationResponse', { ...registration, user_id: '42' }, '/user_id'],
  ['RegistrationResponse', { ...registration, registration_id: '1' }, '/registration_id'],
  ['RegistrationResponse', { ...registration, registration_type: 'agent_provider' }, '/registration_type'],
  ['RegistrationResponse', { ...registration, scopes: [1] }, '/scopes/0'],
  ['ProtectedResourceMetadata', { ...metadata, resource: '/v2' }, '/resource'],
  ['ProtectedResourceMetadata', { ...metadata, bearer_methods_supported: [] }, '/bearer_methods_supported'],
  ['AgentAuth', { ...server.agent_auth, events_supported: ['logout'] }, '/events_supported'],
])('%s is held to the values of its table (%#)', (id, value, pointer) => {
  expect(faults(id, value)).toEqual([pointer]);
});

test('every property of an answer has its entry in the catalogue, and the other way round', () => {
  const { requirements } = catalogueOf('agent-registration');
  const entries = requirements.flatMap(({ field }) => (field === undefined ? [] : [field]));
  const asked = new Set(['RegistrationRequest', 'AssertionHeader', 'AssertionClaims']);
  const properties = agentSchemas
    .filter(({ $id }) => !asked.has($id))
    .flatMap(({ $id, properties }) => Object.keys(properties).map((name) => `${$id}/${name}`));
  expect(entries.sort()).toEqual(properties.sort());
});
