/**
 * The agent registration service: a client exchanges an identity assertion for an API key (specification 2).
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineService } from '../../lib/check/service.ts';
import { type ConfigurationFile, trimmedUrl } from '../../lib/config/service.ts';
import { UsageError } from '../../lib/model/usage-error.ts';
import { type AgentsConfig, schema } from './configuration.ts';

export default defineService<AgentsConfig>({
  name: 'agents',
  title: 'Agent registration',
  suites: ['agent-registration'],
  schema,
  hooks: { mint: 'Signs an assertion with a key that stays where it is.' },
  normalise: (config, file) => ({
    ...config,
    baseUrl: trimmedUrl(config.baseUrl),
    authUrl: trimmedUrl(config.authUrl ?? config.baseUrl),
    ...(config.key !== undefined && { key: readKey('key', 'RSA', config.key, file) }),
    ...(config.ecKey !== undefined && { ecKey: readKey('ecKey', 'EC', config.ecKey, file) }),
  }),
  urls: ({ baseUrl, authUrl }) => ({ agents: baseUrl, ...(authUrl !== undefined && { auth: authUrl }) }),
  // Without an issuer nothing is registered.
  usedWhereNeeded: ['agents.issuer'],
  preflight: async (session, before) => (await import('./preflight/preflight.ts')).preflight(session, before),
  signOfLife: async (context) => (await import('./judging/sign-of-life.ts')).signOfLife(context),
  // A service may serve the registrations of one user one by one, and each may change what the next one is answered.
  sharing: async ({ target }) => ({ oneByOne: target.agents?.user !== undefined }),
  cleanup: async () => (await import('./cleanup/undo.ts')).cleanup,
});

/**
 * Returns a private key as a JWK, from a JWK, its JSON text or its file. Throws a `UsageError` where it
 * cannot be read or is not a private key of this type.
 * @param name name of the key in the configuration
 */
function readKey<K extends 'RSA' | 'EC'>(
  name: string,
  kty: K,
  key: NonNullable<AgentsConfig['key'] | AgentsConfig['ecKey']>,
  { folder, place }: ConfigurationFile,
): { kty: K } {
  let jwk: unknown = key;
  try {
    if (typeof key === 'string') jwk = JSON.parse(key);
    else if ('file' in key && typeof key.file === 'string')
      jwk = JSON.parse(readFileSync(resolve(folder, key.file), 'utf8'));
  } catch (error) {
    // The text of a key never goes into a message.
    const why =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : 'it is not JSON';
    throw new UsageError(`${place([name])}: the key cannot be read: ${why}`);
  }
  const { kty: found, d } = (jwk ?? {}) as { kty?: unknown; d?: unknown };
  if (found !== kty || typeof d !== 'string') {
    throw new UsageError(
      `${place([name])}: the key is not a private ${kty} key as a JWK (\`kty\`: ${kty}, with \`d\`)`,
    );
  }
  return jwk as { kty: K };
}
