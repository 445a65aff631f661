/** The shipping service: saved addresses and OAuth tokens (specification 1). */
import { defineService } from '../../lib/check/service.ts';
import { trimmedUrl } from '../../lib/config/service.ts';
import { type ShippingConfig, schema } from './configuration.ts';

export default defineService<ShippingConfig>({
  name: 'shipping',
  title: 'Shipping',
  suites: ['address-book', 'oauth-token'],
  schema,
  normalise: (config) => ({ ...config, baseUrl: trimmedUrl(config.baseUrl) }),
  urls: ({ baseUrl }) => ({ shipping: baseUrl }),
  pace: ({ rate }) => (rate?.unlimited ? undefined : (rate?.perSecond ?? 2) * (rate?.tokens ?? 8)),
  usedWhereNeeded: ['shipping.secondClient', 'shipping.redirectUri', 'shipping.scopes'],
  preflight: async (session, before) => (await import('./preflight/preflight.ts')).preflight(session, before),
  signOfLife: async (context) => (await import('./judging/sign-of-life.ts')).signOfLife(context),
  foreign: async (session, name) => (await import('./fixtures/foreign.ts')).foreignAddresses(session, name),
  adapt: async (session, result) => (await import('./cleanup/make-room.ts')).adapt(session, result),
  sharing: async (session) => (await import('./fixtures/sharing.ts')).sharing(session),
  cleanup: async () => (await import('./cleanup/undo.ts')).cleanup,
});
