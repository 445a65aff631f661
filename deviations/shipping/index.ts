/** Everything that the shipping service contributes to the proof of its two suites. */

import type { ShippingRules } from '../../reference/shipping/index.ts';
import type { ServiceProof } from '../types.ts';
import { shippingVariants } from '../variants/shipping/index.ts';
import { atOnceDeviations } from './at-once.ts';
import { authenticationDeviations } from './authentication.ts';
import { comesBackDeviations } from './comes-back.ts';
import { createDeviations } from './create.ts';
import { createFieldDeviations } from './create-fields.ts';
import { createRequiredDeviations } from './create-required.ts';
import { createTextDeviations } from './create-text.ts';
import { defaultFlagDeviations } from './default-flag.ts';
import { deleteDeviations } from './delete.ts';
import { deleteKindDeviations } from './delete-kinds.ts';
import { grossDeviations } from './gross.ts';
import { listDeviations } from './list.ts';
import { listAfterUpdateDeviations } from './list-after-update.ts';
import { listItemDeviations } from './list-items.ts';
import { perPageDeviations } from './list-per-page.ts';
import { lookupDeviations } from './lookup.ts';
import { metaDeviations } from './meta.ts';
import { advisedOAuthDeviations } from './oauth-advised.ts';
import { askedOtherwiseDeviations } from './oauth-asked.ts';
import { credentialDeviations } from './oauth-credentials.ts';
import { forgedDeviations } from './oauth-forged.ts';
import { introspectDeviations } from './oauth-introspect.ts';
import { issueDeviations } from './oauth-issue.ts';
import { lifetimeDeviations } from './oauth-lifetime.ts';
import { otherBodyDeviations } from './oauth-other-body.ts';
import { parameterDeviations } from './oauth-parameters.ts';
import { partialOAuthDeviations } from './oauth-partial.ts';
import { rateDeviations } from './oauth-rate.ts';
import { refreshDeviations } from './oauth-refresh.ts';
import { tokenResponseDeviations } from './oauth-response.ts';
import { revokeDeviations } from './oauth-revoke.ts';
import { revokeRefusedDeviations } from './oauth-revoke-refused.ts';
import { oauthSideEffectDeviations } from './oauth-side-effects.ts';
import { similarDeviations } from './oauth-similar.ts';
import { accessTokenDeviations } from './oauth-tokens.ts';
import { credentialValueDeviations } from './oauth-values.ts';
import { wayDeviations } from './oauth-ways.ts';
import { occupiedAccount } from './occupied.ts';
import { oddAnswerDeviations } from './odd-answers.ts';
import { oddIdDeviations } from './odd-ids.ts';
import { otherClientDeviations } from './other-client.ts';
import { partialAddressDeviations } from './partial-addresses.ts';
import { secondTimeDeviations } from './second-times.ts';
import { sideEffectDeviations } from './side-effects.ts';
import { shippingSurface } from './surface.ts';
import { textAndNameDeviations } from './texts-and-names.ts';
import { unservedDeviations } from './unserved.ts';
import { updateDeviations } from './update.ts';
import { fallBackDeviations } from './update-falls-back.ts';
import { updateFieldDeviations } from './update-fields.ts';
import { updateMergeDeviations } from './update-merge.ts';
import { ownValueDeviations } from './update-own-values.ts';
import { updateRefusedDeviations } from './update-refused.ts';
import { updateTextDeviations } from './update-texts.ts';
import { verifyDeviations } from './verify.ts';
import { verifyAtOnceDeviations } from './verify-at-once.ts';
import { verifyRefusedDeviations } from './verify-refused.ts';
import { verifyUntouchedDeviations } from './verify-untouched.ts';
import { whichIdDeviations } from './which-id.ts';

export const shippingProof: ServiceProof<ShippingRules> = {
  service: 'shipping',
  deviations: [
    ...perPageDeviations,
    ...comesBackDeviations,
    ...otherBodyDeviations,
    ...listDeviations,
    ...listItemDeviations,
    ...metaDeviations,
    ...lookupDeviations,
    ...oddAnswerDeviations,
    ...oddIdDeviations,
    ...otherClientDeviations,
    ...createDeviations,
    ...createFieldDeviations,
    ...createTextDeviations,
    ...createRequiredDeviations,
    ...updateDeviations,
    ...updateRefusedDeviations,
    ...updateFieldDeviations,
    ...updateMergeDeviations,
    ...defaultFlagDeviations,
    ...fallBackDeviations,
    ...ownValueDeviations,
    ...deleteKindDeviations,
    ...listAfterUpdateDeviations,
    ...updateTextDeviations,
    ...deleteDeviations,
    ...verifyDeviations,
    ...verifyAtOnceDeviations,
    ...verifyRefusedDeviations,
    ...verifyUntouchedDeviations,
    ...authenticationDeviations,
    ...tokenResponseDeviations,
    ...issueDeviations,
    ...accessTokenDeviations,
    ...credentialDeviations,
    ...parameterDeviations,
    ...refreshDeviations,
    ...lifetimeDeviations,
    ...revokeDeviations,
    ...revokeRefusedDeviations,
    ...introspectDeviations,
    ...rateDeviations,
    ...advisedOAuthDeviations,
    ...partialAddressDeviations,
    ...textAndNameDeviations,
    ...partialOAuthDeviations,
    ...similarDeviations,
    ...forgedDeviations,
    ...credentialValueDeviations,
    ...whichIdDeviations,
    ...askedOtherwiseDeviations,
    ...wayDeviations,
    ...atOnceDeviations,
    ...secondTimeDeviations,
    ...sideEffectDeviations,
    ...oauthSideEffectDeviations,
    ...grossDeviations,
    ...unservedDeviations,
  ],
  occupied: occupiedAccount,
  surface: shippingSurface,
  variants: shippingVariants,
};
