/** Resolves how a target is reached: certificate files, a socket, a proxy (`targets.NAME.network`). */
import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { NetworkConfig } from '../../schemas/targets.ts';
import { UsageError } from '../model/usage-error.ts';
import { certificateMistake } from './certificates.ts';

/**
 * Returns the network part of a target with absolute paths.
 * @param folder that relative paths start from
 * @param place returns `file:line` of a key of the network part
 * @throws UsageError for a file that cannot be read or is not what its key says, or for keys that contradict each other
 */
export function resolveNetwork(
  network: NetworkConfig,
  folder: string,
  place: (key: string) => string,
): NetworkConfig {
  const { proxy, ...files } = network;
  const fail = (key: string, mistake: string) => new UsageError(`${place(key)}: network.${key}: ${mistake}`);
  const paths = Object.entries(files).map(([key, path]) => {
    const absolute = resolve(folder, path as string);
    const mistake = key === 'socket' ? socketMistake(absolute) : fileMistake(absolute);
    if (mistake !== undefined) throw fail(key, `${absolute} ${mistake}`);
    return [key, absolute];
  });
  if ((network.certificate === undefined) !== (network.certificateKey === undefined))
    throw new UsageError(
      `${place(Object.keys(network)[0] as string)}: network.certificate and network.certificateKey belong together`,
    );
  if (typeof proxy === 'string' && network.socket !== undefined)
    throw fail('socket', 'network.socket and network.proxy contradict each other: leave one of them out');
  const resolved = { ...Object.fromEntries(paths), ...(proxy !== undefined && { proxy }) } as NetworkConfig;
  const wrong = certificateMistake(resolved);
  if (wrong) throw fail(wrong.key, `${resolved[wrong.key]} ${wrong.mistake}`);
  return resolved;
}

/** Returns why a file cannot be used; `undefined` where it can. */
function fileMistake(path: string): string | undefined {
  if (!isReadable(path)) return 'cannot be read';
  return statSync(path).isFile() ? undefined : 'is no file';
}

function socketMistake(path: string): string | undefined {
  if (!isReadable(path)) return 'cannot be read';
  // On Windows, named pipes are used in the place of sockets.
  return statSync(path).isSocket() || process.platform === 'win32' ? undefined : 'is no Unix socket';
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
