/** A registration with the `jti` of a forgery, both made anew each time. */
import { Blocked } from '../../../lib/model/verdict.ts';
import { fieldsWith } from '../api/registration-endpoint.ts';
import { type Registration, shortJti } from '../fixtures/registration.ts';
import type { Registrations } from '../fixtures/registrations.ts';
import { withOtherClaims } from '../idp/compact.ts';
import { isRefusal } from '../judging/refusal.ts';
import { FaultBuilder } from './fault-builder.ts';

/**
 * Sends an assertion whose claims were altered after it was signed, and then registers another user with its `jti`.
 * @throws Blocked where the forgery is not refused
 */
export async function registeredAfterForgery(registrations: Registrations): Promise<Registration> {
  const jti = shortJti();
  const builder = new FaultBuilder(registrations, registrations.users.next());
  const { claims } = await builder.parts({ claims: { jti } });
  const forged = withOtherClaims(await builder.redeemedToken(), claims);
  const refused = await registrations.endpoint.post({
    purpose: 'register with claims altered after signing once more',
    body: { json: fieldsWith(forged) },
  });
  if (!isRefusal(refused)) throw new Blocked('the forgery was accepted', 'AGENT-SIG-PAYLOAD-ALTERED');
  const purpose = 'register with the jti of that forgery';
  return registrations.register(purpose, { changes: { claims: { jti } } });
}
