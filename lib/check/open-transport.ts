/** Opens the wire of a session: real HTTP, or a module that answers in its place. */
import type { ResolvedTarget } from '../config/types.ts';
import { httpTransport, type Transport } from '../http/transport.ts';

/**
 * A module that exports `openTransport(params)`, which is used instead of real HTTP. The server behind it is
 * discarded with the session, so that nothing has to be undone there, unless it `stays`.
 */
export interface TransportInModule {
  module: string;
  params: unknown;
  stays?: boolean;
}

/** What such a module exports. */
export interface TransportModule {
  openTransport(params: unknown): Promise<Transport>;
}

/** Returns the wire that a run is to use. */
export async function openWire({
  transport,
  target,
}: {
  transport?: TransportInModule;
  target: Pick<ResolvedTarget, 'network'>;
}): Promise<Transport> {
  return transport === undefined ? httpTransport(target.network) : openModule(transport);
}

/** Returns the wire of a module. */
export async function openModule({ module, params }: TransportInModule): Promise<Transport> {
  return ((await import(module)) as TransportModule).openTransport(params);
}

/** Returns whether something ends within so many milliseconds. */
export async function within(limitMs: number, task: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  try {
    return await Promise.race([task.then(() => true), limit]);
  } finally {
    clearTimeout(timer);
  }
}
