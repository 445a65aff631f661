/** The same service with another configuration of the target. */
import type { AgentRules } from '../../../reference/agents/index.ts';
import type { Variant } from '../../types.ts';

type AgentVariant = Variant<AgentRules>;

const SCOPE = 'api:all';

export const configurationVariants: AgentVariant[] = [
  {
    id: 'attempts-of-the-default',
    fills: [],
    sentence: 'may be asked for 60 registrations only',
    configure: { maxAttempts: 60 },
    conflicts: ['attempts-few', 'register-uri-with-slash', 'first-provisioning-fails'],
  },
  {
    id: 'attempts-few',
    fills: [],
    sentence: 'may be asked for 12 registrations only',
    configure: { maxAttempts: 12 },
  },
  {
    id: 'one-user',
    fills: [],
    sentence: 'knows a single user',
    configure: { user: { sub: 'known-user', email: 'known-user@example.com' } },
    conflicts: ['users-by-email'],
    rules: () => ({
      checkSubject: (claims) => (/^known-user/.test(String(claims.sub)) ? undefined : 'invalid_assertion'),
    }),
  },
  {
    id: 'without-a-key',
    fills: [],
    sentence: 'does not hand out the key of its provider',
    configure: { key: undefined },
    conflicts: ['one-user', 'attempts-of-the-default', 'attempts-few'],
  },
  {
    id: 'scope-renamed',
    fills: [],
    sentence: 'uses another name for the scope service:global',
    configure: { scope: SCOPE },
    conflicts: ['more-scopes'],
    rules: () => ({ scopesSupported: [SCOPE], grantedScopes: [SCOPE] }),
  },
  {
    id: 'audience-configured',
    fills: [],
    sentence: 'names its resource in the configuration as well',
    configure: { audience: 'http://reference.test/agents/v2' },
    conflicts: ['resource-with-slash', 'resource-is-origin'],
  },
];
