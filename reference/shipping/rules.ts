/**
 * The rules of the shipping service, which deviations and variants replace one by one. Each is one decision
 * of the specification, or fills one silence. Rules call each other through `env.rules`, so that a replaced
 * rule is used by all the others.
 */
import { addressAnswerRules } from './rules/address-answers.ts';
import { bearerRules } from './rules/bearer.ts';
import { createRules } from './rules/create.ts';
import { listRules } from './rules/list.ts';
import { lookupRules } from './rules/lookup.ts';
import { oauthAnswerRules } from './rules/oauth-answers.ts';
import { oauthRequestRules } from './rules/oauth-request.ts';
import { serialiseRules } from './rules/serialise.ts';
import { templateBodyRules } from './rules/template-body.ts';
import { tokenRules } from './rules/token.ts';
import { tokenStateRules } from './rules/token-state.ts';
import { updateRules } from './rules/update.ts';
import { verifyRules } from './rules/verify.ts';

/** The default rules: a service with these conforms to the specification. */
export const shippingRules = {
  ...listRules,
  ...templateBodyRules,
  ...createRules,
  ...updateRules,
  ...lookupRules,
  ...verifyRules,
  ...serialiseRules,
  ...addressAnswerRules,
  ...bearerRules,
  ...oauthRequestRules,
  ...tokenRules,
  ...tokenStateRules,
  ...oauthAnswerRules,
};

export type ShippingRules = typeof shippingRules;
