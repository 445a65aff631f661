/**
 * A transport to one server that several sessions use, one after the other; named by `RunInput.transport`.
 */
import { openModule } from '../../lib/check/open-transport.ts';
import type { RunInput } from '../../lib/check/session.ts';
import type { Transport } from '../../lib/http/transport.ts';

const servers = new Map<string, Promise<Transport>>();

/** Opens the transport. Sessions that give the same server name share the server. */
export async function openTransport(params: unknown): Promise<Transport> {
  const { server, wire } = params as { server: string; wire: NonNullable<RunInput['transport']> };
  const opening = servers.get(server) ?? openModule(wire);
  servers.set(server, opening);
  const opened = await opening;
  // Closing a session does not close the server.
  return { ...opened, send: (request) => opened.send(request), close: async () => {} };
}
