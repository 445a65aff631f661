/** All rules of the agent registration service, which deviations and variants replace one by one. */
import { accountRules } from './accounts.ts';
import { apiKeyRules } from './api-key.ts';
import { assertionRules } from './assertion.ts';
import { discoveryRules } from './discovery.ts';
import { errorRules } from './errors.ts';
import { requestRules } from './request.ts';

/** The rules of a conforming service. */
export const agentRules = {
  ...discoveryRules,
  ...requestRules,
  ...assertionRules,
  ...accountRules,
  ...errorRules,
  ...apiKeyRules,
};

/** The type of all rules. Each rule is one decision of the specification, or fills one silence. */
export type AgentRules = typeof agentRules;
