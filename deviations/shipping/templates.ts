/** Shared parts of deviations with changed addresses, or with deleted ones that are still found. */
import type { Address, AddressTemplate, ShippingRules } from '../../reference/shipping/index.ts';

/** Returns an address with other values. */
export const withAddress = (template: AddressTemplate, address: Partial<Address>): AddressTemplate => ({
  ...template,
  address: { ...template.address, ...address },
});

type Rules = (original: ShippingRules) => Partial<ShippingRules>;

/** Replaces rules that depend on which addresses were deleted; `deleted` has them by id. */
export function withDeleted(rules: (deleted: ReadonlyMap<string, AddressTemplate>) => Rules): Rules {
  return (original) => {
    const deleted = new Map<string, AddressTemplate>();
    return {
      ...rules(deleted)(original),
      removeTemplate: (book, template, env) => {
        deleted.set(template.id, template);
        original.removeTemplate(book, template, env);
      },
    };
  };
}
