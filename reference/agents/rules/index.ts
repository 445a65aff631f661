/** All rules of the agent registration service: the seams that deviations and variants replace. */
import { accountRules } from './accounts.ts';
import { apiKeyRules } from './api-key.ts';
import { assertionRules } from './assertion.ts';
import { discoveryRules } from './discovery.ts';
import { errorRules } from './errors.ts';
import { requestRules } from './request.ts';

/** The rules as the specification has them. */
export const agentRules = {
  ...discoveryRules,
  ...requestRules,
  ...assertionRules,
  ...accountRules,
  ...errorRules,
  ...apiKeyRules,
};

/** One decision of the specification, or one silence, each. */
export type AgentRules = typeof agentRules;
