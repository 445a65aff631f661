import { Validator } from '../../../lib/check/validator.ts';
import { agentSchemas } from '../../../schemas/agents/index.ts';

/** The schemas of specification 2. */
export const schemas = new Validator(agentSchemas);
