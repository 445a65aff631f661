/** A transport whose thread ends at the third request, as if it ran out of memory. */
export async function openTransport() {
  let sent = 0;
  return {
    send: async () => {
      sent += 1;
      if (sent === 3) process.exit(1);
      return { status: 404, headers: [], text: '{}', bytes: 2 };
    },
    close: async () => {},
  };
}
