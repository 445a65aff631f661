/** Limits that are lost after some time (sections 2 and 4, endpoints 2, 4, 6, 8, 12 and 14). */
import type { Scope } from '../../reference/caches/index.ts';
import { aLevel, breaking, type CacheDeviation, everyLimit, kindCode, limitId } from './kit.ts';

/**
 * When a setting is lost, in milliseconds. Longer than a run takes between two settings, so only a check that
 * moves the clock notices.
 */
const LAPSE_MS = 12 * 3_600_000;

export const limitLastingDeviations: CacheDeviation[] = everyLimit((level, kind) =>
  breaking(
    `${level}-${kind}-lapses`,
    limitId(level, kind, 'SET-LASTS'),
    `goes back to the ${kind} limit that ${aLevel(level)} had before, half a day after it was set`,
    (original) => {
      const settings = new Map<Scope, { at: number; before: number }>();
      return {
        storeLimit: (change, operation, env) => {
          const { scope } = change;
          if (scope.level === level && change.kind === kind)
            settings.set(scope, { at: env.clock.now(), before: env.rules.limitInForce(scope, kind, env) });
          original.storeLimit(change, operation, env);
        },
        limitInForce: (scope, asked, env) => {
          const setting = asked === kind ? settings.get(scope) : undefined;
          if (setting && env.clock.now() - setting.at > LAPSE_MS) {
            settings.delete(scope);
            scope.limits[kind] = setting.before;
          }
          return original.limitInForce(scope, asked, env);
        },
      };
    },
    [`CACHE-${kindCode(kind)}-INHERITED-APPLIES`],
  ),
);
