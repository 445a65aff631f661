/** Who may do what (section 5), and which version of the API is requested (section 9). */
import type { Env, Need, Scope, Token } from '../model.ts';
import type { Operation } from '../operations.ts';

const need = (scope: Need['scope'], category: Need['category'], access: Need['access']): Need => ({
  scope,
  category,
  access,
});
const ENTERPRISE = need('admin:enterprise', 'enterprise/administration', 'write');
const READ_ORGANIZATION = need('admin:organization', 'organization/administration', 'read');
const SET_ORGANIZATION = need('admin:organization', 'organization/administration', 'write');
const READ_USAGE = need('read:org', 'organization/administration', 'read');
const SET_REPOSITORY = need('admin:repository', 'repository/administration', 'write');
const READ_ACTIONS = need('repo', 'repository/actions', 'read');
const WRITE_ACTIONS = need('repo', 'repository/actions', 'write');

/** The table of section 5. */
const needs: Record<Operation, Need> = {
  'read-enterprise-retention': ENTERPRISE,
  'set-enterprise-retention': ENTERPRISE,
  'read-enterprise-storage': ENTERPRISE,
  'set-enterprise-storage': ENTERPRISE,
  'read-organization-retention': READ_ORGANIZATION,
  'set-organization-retention': SET_ORGANIZATION,
  'read-organization-storage': READ_ORGANIZATION,
  'set-organization-storage': SET_ORGANIZATION,
  'organization-usage': READ_USAGE,
  'usage-by-repository': READ_USAGE,
  'read-repository-retention': need('admin:repository', 'repository/administration', 'read'),
  'set-repository-retention': SET_REPOSITORY,
  'read-repository-storage': need('admin:repository', 'repository/actions', 'read'),
  'set-repository-storage': SET_REPOSITORY,
  'repository-usage': READ_ACTIONS,
  list: READ_ACTIONS,
  'delete-by-key': WRITE_ACTIONS,
  'delete-by-id': WRITE_ACTIONS,
};

const readsRepository = (operation: Operation): boolean =>
  operation === 'repository-usage' || operation === 'list';

export const accessRules = {
  needs,

  /**
   * Whether this value of the version header is accepted. Without the header the current version is meant
   * (silence); an unknown version is refused (silence).
   */
  acceptsVersion(version: string | undefined): boolean {
    return version === undefined || version === '2026-03-10';
  },

  /**
   * Returns the token that a request presents: undefined without an `Authorization` header, an empty text
   * where that header holds no token. The scheme `token` is accepted too (silence), since widespread clients
   * send it.
   */
  presentedToken(authorization: string | undefined, _operation: Operation): string | undefined {
    if (authorization === undefined) return undefined;
    return /^(?:bearer|token) +(\S+)$/i.exec(authorization.trim())?.[1] ?? '';
  },

  findToken(value: string, _operation: Operation, env: Env): Token | undefined {
    return env.state.tokens.get(value);
  },

  /** Whether an operation on `scope` needs no permission at all, such as reading from a public repository. */
  opensToAnyone(operation: Operation, scope: Scope): boolean {
    return readsRepository(operation) && scope.level === 'repository' && !scope.private;
  },

  /** Whether a classic token has the required scope. */
  scopeSuffices(token: Token, operation: Operation, env: Env): boolean {
    return token.scopes?.includes(env.rules.needs[operation].scope) ?? false;
  },

  /** Whether a fine-grained token has the permission; write includes read (silence). */
  permissionSuffices(token: Token, operation: Operation, env: Env): boolean {
    const { category, access } = env.rules.needs[operation];
    const has = (level: 'read' | 'write') => token.permissions?.includes(`${category}:${level}`) ?? false;
    return has('write') || (access === 'read' && has('read'));
  },

  /** Whether the account behind a token may know that `scope` exists. */
  accountSees(token: Token, scope: Scope): boolean {
    return scope.level !== 'repository' || !scope.private || token.account !== 'stranger';
  },

  /** Whether the account behind a token may do this, whatever the token itself permits. */
  accountMay(token: Token, operation: Operation): boolean {
    const { account = 'administrator' } = token;
    return account === 'administrator' || readsRepository(operation);
  },

  /** Whether a request with a known token is permitted. */
  permits(token: Token, operation: Operation, scope: Scope, env: Env): boolean {
    const { rules } = env;
    if (rules.opensToAnyone(operation, scope)) return true;
    const suffices =
      token.permissions === undefined
        ? rules.scopeSuffices(token, operation, env)
        : rules.permissionSuffices(token, operation, env);
    return suffices && rules.accountMay(token, operation);
  },
};
