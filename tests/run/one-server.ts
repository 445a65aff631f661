/** A wire to one server for several sessions, one after the other: `RunInput.transport` names it. */
import { openModule, type RunInput } from '../../lib/check/session.ts';
import type { Transport } from '../../lib/http/transport.ts';

const servers = new Map<string, Promise<Transport>>();

/** Sessions with the same name of a server share it. */
export async function openTransport(params: unknown): Promise<Transport> {
  const { server, wire } = params as { server: string; wire: NonNullable<RunInput['transport']> };
  const opening = servers.get(server) ?? openModule(wire);
  servers.set(server, opening);
  const opened = await opening;
  // It outlives each session.
  return { ...opened, send: (request) => opened.send(request), close: async () => {} };
}
