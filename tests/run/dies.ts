/** A transport whose worker thread ends at the third request, as if it ran out of memory. */
import type { Transport } from '../../lib/http/transport.ts';

export async function openTransport(): Promise<Transport> {
  let sent = 0;
  return {
    send: async () => {
      sent += 1;
      // Not `process.exit`: the runner replaces that.
      if (sent === 3) (process as unknown as { reallyExit(code: number): never }).reallyExit(1);
      return { status: 404, headers: [], text: '{}', bytes: 2 };
    },
    close: async () => {},
  };
}
