import { onTestFinished } from 'vitest';
import { startService } from '../../deviations/service.ts';
import type { Change } from '../../deviations/types.ts';
import type { ServiceConfigs, TargetConfig } from '../../lib/config/types.ts';
import { describeReference, listen, makeTrust, offsetClock } from '../../reference/index.ts';
import type { ShippingRules } from '../../reference/shipping/index.ts';

type Shipping = Partial<ServiceConfigs['shipping']>;

/**
 * The reference's shipping service, changed, on loopback.
 * @param said what the configuration says otherwise
 */
export async function serveShipping(
  change: Change<ShippingRules>,
  said: Shipping = {},
): Promise<TargetConfig> {
  const trust = await makeTrust();
  const clock = offsetClock();
  const setting = { clock, issuer: trust.issuer, jwks: trust.jwks, publicUrl: 'http://127.0.0.1' };
  const { handle, hooks } = startService('shipping', change as Change<never>, setting, () => {});
  const server = await listen(async (request) => {
    const { pathname, origin } = new URL(request.url);
    if (!pathname.startsWith('/hooks/')) return handle(request);
    return hooks(new Request(`${origin}${pathname.slice('/hooks'.length)}`, request));
  });
  onTestFinished(() => server.close());
  const { shipping } = describeReference(server.url, trust);
  return {
    shipping: { ...shipping, baseUrl: server.url, ...said },
    hooks: { clock: { url: `${server.url}/hooks/clock` } },
  } as TargetConfig;
}
