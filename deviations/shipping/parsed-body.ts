import type { Fields, ShippingRules } from '../../reference/shipping/index.ts';

/**
 * Replaces rules that depend on the last parsed body. Nothing else is parsed between the steps of one
 * request.
 */
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
