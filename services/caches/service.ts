/** The cache management service: repository caches, with limits at three levels (specification 3). */
import { defineService } from '../../lib/check/service.ts';
import { trimmedUrl } from '../../lib/config/service.ts';
import { type CachesConfig, schema } from './configuration.ts';

export default defineService<CachesConfig>({
  name: 'caches',
  title: 'Cache management',
  suites: ['cache-management'],
  schema,
  hooks: { seed: 'Creates caches.', unseed: 'Removes seeded caches that are left.' },
  normalise: (config) => ({ ...config, baseUrl: trimmedUrl(config.baseUrl) }),
  urls: ({ baseUrl }) => ({ caches: baseUrl }),
  usedWhereNeeded: [
    'hooks.seed',
    'caches.repository',
    'caches.organization',
    'caches.enterprise',
    'caches.tokens',
    'caches.readerToken',
    'caches.strangerToken',
    'caches.otherEnterprise',
    'caches.otherOrganization',
    'caches.otherRepository',
    'caches.namesakeRepository',
    'caches.publicRepository',
    'caches.privateRepository',
    'caches.repositories',
  ],
  preflight: async (session, before) => (await import('./preflight/preflight.ts')).preflight(session, before),
  signOfLife: async (context) => (await import('./judging/sign-of-life.ts')).requireSignOfLife(context),
  foreign: async (session, name) => (await import('./fixtures/foreign.ts')).foreignCaches(session, name),
  adapt: async (session, result) => (await import('./limits/permitted.ts')).adapt(session, result),
  cleanup: async () => (await import('./cleanup/undo.ts')).cleanup,
});
