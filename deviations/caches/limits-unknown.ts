/** Limits of scopes that do not exist (section 4, endpoints 1 to 8 and 11 to 14; section 7). */
import type { Scope } from '../../reference/caches/index.ts';
import { aLevel, breaking, type CacheDeviation, KINDS, LEVELS, levelCode, readOf, setOf } from './kit.ts';

/** Makes up a scope whose name does not exist. */
function phantom(level: Scope['level']): Scope {
  switch (level) {
    case 'enterprise':
      return { level, slug: 'phantom', limits: {} };
    case 'organization':
      return { level, name: 'phantom', limits: {} };
    case 'repository':
      return { level, owner: 'phantom', name: 'phantom', private: false, limits: {} };
  }
}

export const limitUnknownDeviations: CacheDeviation[] = LEVELS.flatMap((level) =>
  (['GET', 'SET'] as const).map((does) =>
    breaking(
      `unknown-${level}-${does === 'GET' ? 'read' : 'set'}`,
      `CACHE-UNKNOWN-${levelCode(level)}-${does}`,
      `${does === 'GET' ? 'answers with the default limits for' : 'accepts settings for'} ${aLevel(level)} that does not exist`,
      (original) => ({
        locate: (parameters, operation, env) => {
          const found = original.locate(parameters, operation, env);
          const concerned = KINDS.some(
            (kind) => operation === (does === 'GET' ? readOf(level, kind) : setOf(level, kind)),
          );
          return found ?? (concerned ? phantom(level) : undefined);
        },
      }),
    ),
  ),
);
