import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The user's own folder for what is kept between runs: `CONFORM_STATE_DIR`, else under `XDG_STATE_HOME`, else
 * under `~/.local/state`.
 */
export function stateFolder(env: NodeJS.ProcessEnv = process.env): string {
  const { CONFORM_STATE_DIR: own, XDG_STATE_HOME: xdg } = env;
  return own || join(xdg || join(homedir(), '.local', 'state'), 'api-conformance');
}
