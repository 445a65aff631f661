import { Validator } from '../../../lib/check/validator.ts';
import { cacheSchemas } from '../../../schemas/caches/index.ts';

/** The schemas of specification 3. */
export const schemas = new Validator(cacheSchemas);
