/** Resolves how a target is reached: certificate files, a socket, a proxy (`targets.NAME.network`). */
import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import type { NetworkConfig } from '../../schemas/targets.ts';
import { UsageError } from '../model/usage-error.ts';

/**
 * Returns the network part of a target with absolute paths.
 * @param folder that relative paths start from
 * @param place returns `file:line` of a key of the network part
 * @throws UsageError for a file that cannot be read, or a certificate without a key
 */
export function resolveNetwork(
  network: NetworkConfig,
  folder: string,
  place: (key: string) => string,
): NetworkConfig {
  const { proxy, ...files } = network;
  const paths = Object.entries(files).map(([key, path]) => {
    const absolute = resolve(folder, path as string);
    try {
      accessSync(absolute, constants.R_OK);
    } catch {
      throw new UsageError(`${place(key)}: network.${key}: ${absolute} cannot be read`);
    }
    return [key, absolute];
  });
  if ((network.certificate === undefined) !== (network.certificateKey === undefined))
    throw new UsageError(
      `${place(Object.keys(network)[0] as string)}: network.certificate and network.certificateKey belong together`,
    );
  return { ...Object.fromEntries(paths), ...(proxy !== undefined && { proxy }) } as NetworkConfig;
}
