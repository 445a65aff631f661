import type { AgentRules } from '../../../reference/agents/index.ts';
import type { Variant } from '../../types.ts';
export const agentVariants: Variant<AgentRules>[] = [];
