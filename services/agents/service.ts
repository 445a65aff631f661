/** The agent registration service: an identity assertion buys an API key (specification 2). */
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
    ...(config.key !== undefined && { key: readKey(config.key, file) }),
  }),
  urls: ({ baseUrl, authUrl }) => ({ agents: baseUrl, ...(authUrl !== undefined && { auth: authUrl }) }),
  signOfLife: async (context) => (await import('./judging/sign-of-life.ts')).signOfLife(context),
  cleanup: async () => (await import('./cleanup/undo.ts')).cleanup,
});

/** The key as a JWK, from its JSON or its file. Throws a UsageError when it is not a private RSA key. */
function readKey(
  key: NonNullable<AgentsConfig['key']>,
  { folder, place }: ConfigurationFile,
): { kty: 'RSA' } {
  let jwk: unknown = key;
  try {
    if (typeof key === 'string') jwk = JSON.parse(key);
    else if ('file' in key && typeof key.file === 'string')
      jwk = JSON.parse(readFileSync(resolve(folder, key.file), 'utf8'));
  } catch (error) {
    // The text of a key never goes into a message.
    const why =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : 'it is not JSON';
    throw new UsageError(`${place(['key'])}: the key cannot be read: ${why}`);
  }
  const { kty, d } = (jwk ?? {}) as { kty?: unknown; d?: unknown };
  if (kty !== 'RSA' || typeof d !== 'string') {
    throw new UsageError(
      `${place(['key'])}: the key is not a private RSA key as a JWK (\`kty\`: RSA, with \`d\`)`,
    );
  }
  return jwk as { kty: 'RSA' };
}
