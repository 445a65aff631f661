/** Shared parts of the deviations of updates (1, 4.4). */
import type { AddressTemplate, Env, Fields, ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { ATTRIBUTES, fieldsOf, idPart } from './fields.ts';

/** Returns the id of the requirement that an update sets a field. */
export const sets = (field: string): string => `ADDR-UPDATE-SETS-${idPart(field)}`;
/** Returns the id of the requirement that an update without a field keeps it. */
export const kept = (field: string): string => `ADDR-UPDATE-OMITTED-KEPT-${idPart(field)}`;
/** Returns the id of the requirement that an update may omit a field. */
export const optional = (field: string): string => `ADDR-UPDATE-OPTIONAL-${idPart(field)}`;

/** Changes the result of an update; `sent` is the `address_template` of its body. */
export function updating(
  change: (next: AddressTemplate, current: AddressTemplate, sent: Fields, env: Env) => AddressTemplate,
) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    patchTemplate: (current, body, env) =>
      change(original.patchTemplate(current, body, env), current, fieldsOf(body.address_template), env),
  });
}

/** Replaces rules that depend on how addresses were created; `created` has them by id. */
export function remembering(
  replace: (original: ShippingRules, created: ReadonlyMap<string, AddressTemplate>) => Partial<ShippingRules>,
) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    const created = new Map<string, AddressTemplate>();
    return {
      addTemplate: (book, template, env) => {
        created.set(template.id, template);
        original.addTemplate(book, template, env);
      },
      ...replace(original, created),
    };
  };
}

/** Refuses updates for which `complete` does not hold. */
export function demanding(complete: (sent: Fields) => boolean) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    updateProblems: (body, current, env) =>
      complete(fieldsOf(body.address_template))
        ? original.updateProblems(body, current, env)
        : ['a field is missing'],
  });
}

export const ALL_KEPT = ATTRIBUTES.map(kept);

/**
 * A lost update: simultaneous updates all start from the address as it was before the first of them. The
 * rules and the filter of one service share the updates that are under way, by the id of the address.
 */
export function racing(): Pick<Deviation<ShippingRules>, 'rules' | 'wrap'> {
  const underWay = new Map<string, { count: number; before?: AddressTemplate }>();
  return {
    rules: (original) => ({
      patchTemplate: (current, body, env) => {
        const race = underWay.get(current.id);
        if (race === undefined) return original.patchTemplate(current, body, env);
        race.before ??= current;
        return original.patchTemplate(race.before, body, env);
      },
    }),
    wrap: (next) => async (request) => {
      if (request.method !== 'PATCH') return next(request);
      const id = new URL(request.url).pathname.split('/').at(-1) as string;
      const race = underWay.get(id) ?? { count: 0 };
      underWay.set(id, race);
      race.count += 1;
      // All simultaneous requests arrive before the first of them goes on.
      await new Promise((resolve) => setImmediate(resolve));
      try {
        return await next(request);
      } finally {
        race.count -= 1;
        if (race.count === 0) underWay.delete(id);
      }
    },
  };
}
