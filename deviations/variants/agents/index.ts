/** The agent registration service with its silences filled in other legitimate ways. */
import type { AgentRules } from '../../../reference/agents/index.ts';
import type { Variant } from '../../types.ts';
import { accountVariants } from './accounts.ts';
import { apiKeyVariants } from './api-key.ts';
import { assertionVariants } from './assertion.ts';
import { claimVariants } from './claims.ts';
import { configurationVariants } from './configuration.ts';
import { discoveryVariants } from './discovery.ts';
import { requestVariants } from './request.ts';
import { timeVariants } from './times.ts';

export const agentVariants: Variant<AgentRules>[] = [
  ...discoveryVariants,
  ...requestVariants,
  ...assertionVariants,
  ...claimVariants,
  ...timeVariants,
  ...accountVariants,
  ...apiKeyVariants,
  ...configurationVariants,
];
