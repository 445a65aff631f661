/** Settings that are refused because of the hierarchy, but change a limit nevertheless (sections 1 and 8). */
import type { LimitChange } from '../../reference/caches/index.ts';
import { everyCapped, hierarchyId } from './hierarchy-kit.ts';
import { breaking, type CacheDeviation } from './kit.ts';

export const hierarchyKeptDeviations: CacheDeviation[] = everyCapped(
  ({ level, kind, above, code, name, limit }) => {
    const onRefusal = (id: string, sentence: string, act: (change: LimitChange, cap: number) => void) =>
      breaking(`${name}-refusal-${id}`, hierarchyId(kind, `${code}-KEEPS`), sentence, (original) => ({
        admitLimit: (change, operation, env) => {
          const admitted = original.admitLimit(change, operation, env);
          if (admitted === undefined && change.scope.level === level && change.kind === kind) {
            act(change, env.rules.capOf(change.scope, kind, env));
          }
          return admitted;
        },
      }));
    return [
      onRefusal('resets', `forgets ${limit} when a setting is refused`, ({ scope }) => {
        delete scope.limits[kind];
      }),
      onRefusal(
        'raises',
        `raises ${limit} to that of the ${above} when it refuses a setting above it`,
        ({ scope }, cap) => {
          scope.limits[kind] = cap;
        },
      ),
      onRefusal(
        'stores',
        `stores ${limit} before it refuses the setting, and shows the limit of the ${above}`,
        ({ scope, value }) => {
          scope.limits[kind] = value;
        },
      ),
    ];
  },
);
