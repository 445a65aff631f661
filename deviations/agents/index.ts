/** What the suites of this service are proved against. */
import type { AgentRules } from '../../reference/agents/index.ts';
import { agentSchemas } from '../../schemas/agents/index.ts';
import type { ServiceProof } from '../types.ts';

export const agentsProof: ServiceProof<AgentRules> = {
  service: 'agents',
  deviations: [],
  surface: { schemas: agentSchemas, answers: [] },
  variants: [],
};
