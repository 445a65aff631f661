import type { Fields, ShippingRules } from '../../reference/shipping/index.ts';

/** Rules that know the last parsed body of an endpoint: the steps of one request follow each other. */
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
