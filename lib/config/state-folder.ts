import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * The user's own folder for what is kept between runs: `CONFORM_STATE_DIR`, else under `XDG_STATE_HOME`, else
 * under `~/.local/state`.
 */
export function stateFolder(env: NodeJS.ProcessEnv = process.env): string {
  const { CONFORM_STATE_DIR: own, XDG_STATE_HOME: xdg } = env;
  if (own) return own;
  // A relative one is to be ignored (XDG Base Directory Specification).
  const base = xdg && isAbsolute(xdg) ? xdg : join(env.HOME || homedir(), '.local', 'state');
  return join(base, 'api-conformance');
}
