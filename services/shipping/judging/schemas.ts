import { Validator } from '../../../lib/check/validator.ts';
import { shippingSchemas } from '../../../schemas/shipping/index.ts';

/** The schemas of specification 1. */
export const schemas = new Validator(shippingSchemas);
