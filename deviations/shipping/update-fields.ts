/** 1 and 4.4, field by field: set, kept, and not demanded. */
import type { ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { demanded, forgotten, unset } from './update-kit.ts';

export const updateFieldDeviations: Deviation<ShippingRules>[] = [...unset, ...forgotten, ...demanded];
