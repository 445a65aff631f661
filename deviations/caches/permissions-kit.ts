/** Shared parts of the deviations of permissions (section 5). */
import type { CacheRules, Operation, Scope } from '../../reference/caches/index.ts';
import type { Changed } from './kit.ts';

export const isPublic = (scope: Scope): boolean => scope.level === 'repository' && !scope.private;

/** Makes operations need no token where `opens` holds. What a valid token permits does not change. */
export const opening =
  (opens: (operation: Operation, scope: Scope, original: CacheRules) => boolean) =>
  (original: CacheRules): Changed => ({
    opensToAnyone: (operation, scope) => opens(operation, scope, original),
    permits: (token, operation, scope, env) =>
      original.permits(token, operation, scope, {
        ...env,
        rules: { ...env.rules, opensToAnyone: original.opensToAnyone },
      }),
  });
