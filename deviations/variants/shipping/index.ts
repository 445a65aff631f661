/** Conforming shipping services that fill the silences of specification 1 differently. */
import type { ShippingRules } from '../../../reference/shipping/index.ts';
import type { Variant } from '../../types.ts';
import { accessVariants } from './access.ts';
import { busyVariants } from './busy.ts';
import { changeVariants } from './change.ts';
import { createVariants } from './create.ts';
import { framingVariants } from './framing.ts';
import { furtherVariants } from './further.ts';
import { idVariants } from './ids-in-bodies.ts';
import { listVariants } from './list.ts';
import { oneDefaultVariants } from './one-default.ts';
import { tokenRefreshVariants } from './token-refresh.ts';
import { tokenRequestVariants } from './token-requests.ts';
import { tokenStateVariants } from './token-state.ts';
import { tokenVariants } from './tokens.ts';
import { valueVariants } from './values.ts';
import { verifyVariants } from './verify.ts';
import { verifyAgainVariants } from './verify-again.ts';

/**
 * All variants. The last ones change the form of answers. They come last so that their filters enclose all
 * others.
 */
export const shippingVariants: Variant<ShippingRules>[] = [
  ...listVariants,
  ...createVariants,
  ...valueVariants,
  ...changeVariants,
  ...oneDefaultVariants,
  ...idVariants,
  ...verifyVariants,
  ...verifyAgainVariants,
  ...busyVariants,
  ...accessVariants,
  ...tokenVariants,
  ...tokenRefreshVariants,
  ...tokenRequestVariants,
  ...tokenStateVariants,
  ...furtherVariants,
  ...framingVariants,
];
