import type { Fields, ShippingRules } from '../../reference/shipping/index.ts';

/** Replaces rules that depend on the body of the current request, which is the last one that was parsed. */
export function withParsed(rules: (original: ShippingRules, body: () => Fields) => Partial<ShippingRules>) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    let parsed: Fields = {};
    return {
      parseJson: (text, endpoint) => {
        parsed = original.parseJson(text, endpoint);
        return parsed;
      },
      ...rules(original, () => parsed),
    };
  };
}
