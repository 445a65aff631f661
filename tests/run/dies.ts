/** A wire whose worker thread ends with the third request, as one does that runs out of memory. */
import type { Transport } from '../../lib/http/transport.ts';

export async function openTransport(): Promise<Transport> {
  let sent = 0;
  return {
    send: async () => {
      sent += 1;
      // Not `process.exit`: the runner takes its place.
      if (sent === 3) (process as unknown as { reallyExit(code: number): never }).reallyExit(1);
      return { status: 404, headers: [], text: '{}', bytes: 2 };
    },
    close: async () => {},
  };
}
