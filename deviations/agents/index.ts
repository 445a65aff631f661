/** Everything that this service contributes to the proof. */
import type { AgentRules } from '../../reference/agents/index.ts';
import type { ServiceProof } from '../types.ts';
import { agentVariants } from '../variants/agents/index.ts';
import { accountDeviations } from './accounts.ts';
import { afterRefusalDeviations } from './after-refusal.ts';
import { algorithmDeviations } from './algorithm.ts';
import { apiKeyDeviations } from './api-key.ts';
import { callerDeviations } from './callers.ts';
import { challengeDeviations } from './challenge.ts';
import { claimDeviations } from './claims.ts';
import { documentDeviations } from './documents.ts';
import { laterDocumentDeviations } from './documents-later.ts';
import { errorBodyDeviations } from './error-bodies.ts';
import { errorDeviations } from './errors.ts';
import { grossDeviations } from './gross.ts';
import { jsonDeviations } from './json.ts';
import { keyDeviations } from './keys.ts';
import { endedKeyDeviations } from './keys-ended.ts';
import { revokedKeyDeviations } from './keys-revoked.ts';
import { knownUserDeviations } from './known-users.ts';
import { laterDeviations } from './later.ts';
import { leftOpenDeviations } from './left-open.ts';
import { lookupDeviations } from './lookups.ts';
import { partyDeviations } from './parties.ts';
import { replayDeviations } from './replay.ts';
import { replayStoreDeviations } from './replay-stores.ts';
import { requestDeviations } from './request.ts';
import { requestParsingDeviations } from './request-parsing.ts';
import { responseDeviations } from './responses.ts';
import { signatureDeviations } from './signature.ts';
import { agentsSurface } from './surface.ts';
import { timeDeviations } from './times.ts';
import { mistakenUserDeviations } from './users-mistaken.ts';

export const agentsProof: ServiceProof<AgentRules> = {
  service: 'agents',
  deviations: [
    ...challengeDeviations,
    ...documentDeviations,
    ...laterDocumentDeviations,
    ...requestDeviations,
    ...requestParsingDeviations,
    ...jsonDeviations,
    ...signatureDeviations,
    ...algorithmDeviations,
    ...partyDeviations,
    ...claimDeviations,
    ...timeDeviations,
    ...replayDeviations,
    ...replayStoreDeviations,
    ...accountDeviations,
    ...mistakenUserDeviations,
    ...responseDeviations,
    ...knownUserDeviations,
    ...keyDeviations,
    ...endedKeyDeviations,
    ...revokedKeyDeviations,
    ...errorDeviations,
    ...errorBodyDeviations,
    ...afterRefusalDeviations,
    ...laterDeviations,
    ...apiKeyDeviations,
    ...callerDeviations,
    ...lookupDeviations,
    ...leftOpenDeviations,
    ...grossDeviations,
  ],
  surface: agentsSurface,
  variants: agentVariants,
};
