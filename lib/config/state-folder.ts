import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Returns the user's folder for data that is kept between runs: `CONFORM_STATE_DIR`, else a folder under
 * `XDG_STATE_HOME`, else one under `~/.local/state`.
 */
export function stateFolder(env: NodeJS.ProcessEnv = process.env): string {
  const { CONFORM_STATE_DIR: own, XDG_STATE_HOME: xdg } = env;
  if (own) return own;
  // A relative `XDG_STATE_HOME` is to be ignored (XDG Base Directory Specification).
  const base = xdg && isAbsolute(xdg) ? xdg : join(env.HOME || homedir(), '.local', 'state');
  return join(base, 'api-conformance');
}
