/** What the suites address-book and oauth-token are proved against. */
import type { ShippingRules } from '../../reference/shipping/index.ts';
import type { ServiceProof } from '../types.ts';
import { shippingSurface } from './surface.ts';

export const shippingProof: ServiceProof<ShippingRules> = {
  service: 'shipping',
  deviations: [],
  surface: shippingSurface,
  variants: [],
};
